package release

import (
	"context"
	"fmt"
	"net/http"
	"sync"
	"sync/atomic"
	"time"

	"golang.org/x/sync/singleflight"
)

// A Store fetches artefacts into a cache and holds them against the lock file. It is safe for concurrent use, and many
// callers that ask for the same artefact at once cause one download. Don't copy a Store after its first use.
type Store struct {
	// CacheDir keeps verified files by digest. It is made with mode 0700 when first needed.
	CacheDir string
	// LockFile is where digests are recorded, by custom the inventory's name with ".lock". Empty: nothing is recorded
	// and nothing compared.
	LockFile string
	// Client does the requests; nil means http.DefaultClient, which honours HTTPS_PROXY. A redirect from https to
	// anything else is refused whatever the client says. Its Timeout bounds a whole download, so it should be 0.
	Client *http.Client
	// Stall is how long a transfer may stand still before it counts as cut; 0 means 30 seconds.
	Stall time.Duration
	// Wait sleeps between tries; nil means real time. Tests put a clock here.
	Wait func(ctx context.Context, d time.Duration) error
	// Now dates lock entries; nil means time.Now.
	Now func() time.Time

	flights singleflight.Group
	lockMu  sync.Mutex // serialises read-change-write of the lock file
	proofs  proofs
}

// K3s gives the k3s executable of a version for an architecture as a verified local file, and records its digest in the
// lock file if it is new there. Nothing is downloaded when the cache has it; with an entry in the lock file as well,
// nothing is asked at all.
//
// progress, if not nil, hears bytes done and in total (-1: unknown) about once a megabyte. When several callers share a
// download, only the first one's progress is called. See the Err values for what can go wrong.
func (s *Store) K3s(ctx context.Context, version, arch string, src Source, progress func(done, total int64)) (Artefact, error) {
	want, err := newRequest(version, arch, src)
	if err != nil {
		return Artefact{}, err
	}
	for {
		art, orphaned, err := s.join(ctx, want, progress)
		if !orphaned || ctx.Err() != nil {
			return art, err
		}
		// The caller who led the download was cancelled, not we: lead it ourselves, the partial file was kept.
	}
}

// join leads the fetch of an artefact or waits for the caller who does. orphaned says that the leader's context ended.
func (s *Store) join(ctx context.Context, want request, progress func(done, total int64)) (art Artefact, orphaned bool, err error) {
	type landing struct {
		art      Artefact
		orphaned bool
	}
	var leading atomic.Bool
	flight := s.flights.DoChan(want.key(), func() (any, error) {
		leading.Store(true)
		art, err := s.fetch(ctx, want, progress)
		return landing{art, err != nil && ctx.Err() != nil}, err
	})
	select {
	case <-ctx.Done():
		if leading.Load() {
			<-flight // it ends at once and puts its partial file away for the next run
		}
		return Artefact{}, false, fmt.Errorf("fetching %s %s: %w", want.name, want.version, context.Cause(ctx))
	case res := <-flight:
		end, _ := res.Val.(landing)
		return end.art, end.orphaned, res.Err
	}
}

func (s *Store) now() time.Time {
	if s.Now != nil {
		return s.Now()
	}
	return time.Now()
}

// Peek says what K3s would give, without writing anything anywhere, not even to the cache: the digest comes from the
// lock file, else from the release's list of checksums (a small file), else, for a local file, from its content. Path
// is empty. Size is -1 when neither lock file nor server tell it.
func (s *Store) Peek(ctx context.Context, version, arch string, src Source) (Artefact, error) {
	want, err := newRequest(version, arch, src)
	if err != nil {
		return Artefact{}, err
	}
	lock, err := readLock(s.LockFile)
	if err != nil {
		return Artefact{}, err
	}
	locked, known := lock.find(want.entry())
	if src.Kind == File {
		art, err := s.local(ctx, want, nil)
		if err != nil {
			return Artefact{}, err
		}
		if err := s.compare(art, lock); err != nil {
			return Artefact{}, err
		}
		art.Path = ""
		return art, nil
	}
	if known {
		return want.artefact(locked.SHA256, locked.Size), nil
	}
	sum, err := s.published(ctx, want)
	if err != nil {
		return Artefact{}, err
	}
	return want.artefact(sum, s.size(ctx, src.url(version, want.name))), nil
}

// Digest is Peek for callers that want only the digest and the size in bytes (-1: unknown).
func (s *Store) Digest(ctx context.Context, version, arch string, src Source) (sha256 string, size int64, err error) {
	art, err := s.Peek(ctx, version, arch, src)
	return art.SHA256, art.Size, err
}

// fetch does the work of K3s for one caller at a time.
func (s *Store) fetch(ctx context.Context, want request, progress func(done, total int64)) (Artefact, error) {
	lock, err := readLock(s.LockFile)
	if err != nil {
		return Artefact{}, err
	}
	if want.src.Kind == File {
		art, err := s.local(ctx, want, progress)
		if err != nil {
			return Artefact{}, err
		}
		return art, s.record(art)
	}
	if locked, known := lock.find(want.entry()); known {
		if art, ok := s.cached(ctx, want.artefact(locked.SHA256, locked.Size)); ok {
			return art, nil
		}
	}
	sum, err := s.published(ctx, want)
	if err != nil {
		return Artefact{}, err
	}
	art := want.artefact(sum, -1)
	if err := s.compare(art, lock); err != nil {
		return Artefact{}, err // before the download, which would be for nothing
	}
	if hit, ok := s.cached(ctx, art); ok {
		return hit, s.record(hit)
	}
	art, err = s.download(ctx, want, art, progress)
	if err != nil {
		return Artefact{}, err
	}
	return art, s.record(art)
}

// compare holds an artefact against the lock.
func (s *Store) compare(art Artefact, lock lockFile) error {
	old, known := lock.find(entryOf(art))
	if !known || old.SHA256 == art.SHA256 {
		return nil
	}
	return &Error{
		Doing: fmt.Sprintf("checking %s %s (%s) against %s", art.Name, art.Version, art.Arch, s.LockFile),
		Class: ErrDigestChanged,
		Err: fmt.Errorf("%s has sha256 %s, recorded on %s from %s was %s",
			art.Origin, art.SHA256, old.FirstSeen, old.Origin, old.SHA256),
		Advice: fmt.Sprintf("a released file never changes, so find out why; if the new one is right, "+
			"delete its entry in %s and run again", s.LockFile),
	}
}

// record adds an artefact to the lock file, or compares it with what stands there.
func (s *Store) record(art Artefact) error {
	if s.LockFile == "" {
		return nil
	}
	s.lockMu.Lock()
	defer s.lockMu.Unlock()
	lock, err := readLock(s.LockFile) // again: another artefact may have been recorded meanwhile
	if err != nil {
		return err
	}
	entry := entryOf(art)
	if _, known := lock.find(entry); known {
		return s.compare(art, lock)
	}
	entry.FirstSeen = s.now().UTC().Format(time.DateOnly)
	lock.Artefacts = append(lock.Artefacts, entry)
	return lock.write(s.LockFile)
}
