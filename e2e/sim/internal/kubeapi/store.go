package kubeapi

import (
	"context"
	"encoding/json"
	"slices"
	"strconv"
	"strings"
	"sync"

	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/watch"
)

// Key names an object within its kind. Namespace is empty for kinds without.
type Key struct{ Namespace, Name string }

// Object is one version of a stored object. It is never changed.
type Object struct {
	Map     map[string]any
	JSON    []byte
	Version uint64
}

// NameOf is an object's name.
func NameOf(o *Object) string { return text(o.Map, "metadata", "name") }

// Event is a change of an object.
type Event struct {
	Type    watch.EventType
	Object  *Object // as it is now; as it was last for Deleted
	Old     *Object // nil for Added
	Version uint64
}

// history is how many changes of one kind a watch can be behind before it is
// told that its version is gone.
const history = 4096

// Store keeps objects. Its methods may be called at the same time; what they
// give must not be changed.
type Store struct {
	mu      sync.Mutex
	version uint64
	kinds   map[schema.GroupResource]*kind
	changed chan struct{} // closed and replaced at each change of any kind
}

type kind struct {
	objects map[Key]*Object
	events  []Event
	lost    uint64        // the version of the last event that was dropped
	changed chan struct{} // closed and replaced at each change
}

// NewStore makes an empty store.
func NewStore() *Store {
	// Versions of a real cluster are never this small either.
	return &Store{version: 100, kinds: map[schema.GroupResource]*kind{}, changed: make(chan struct{})}
}

func (s *Store) kind(gr schema.GroupResource) *kind {
	k := s.kinds[gr]
	if k == nil {
		k = &kind{objects: map[Key]*Object{}, changed: make(chan struct{}), lost: s.version}
		s.kinds[gr] = k
	}
	return k
}

// Get finds an object; nil if there is none.
func (s *Store) Get(gr schema.GroupResource, key Key) *Object {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.kind(gr).objects[key]
}

// List gives the objects of a kind, of one namespace unless that is empty,
// sorted, and the version of the whole.
func (s *Store) List(gr schema.GroupResource, namespace string) ([]*Object, uint64) {
	s.mu.Lock()
	defer s.mu.Unlock()
	k := s.kind(gr)
	keys := make([]Key, 0, len(k.objects))
	for key := range k.objects {
		if namespace == "" || key.Namespace == namespace {
			keys = append(keys, key)
		}
	}
	slices.SortFunc(keys, func(a, b Key) int {
		if c := strings.Compare(a.Namespace, b.Namespace); c != 0 {
			return c
		}
		return strings.Compare(a.Name, b.Name)
	})
	out := make([]*Object, len(keys))
	for i, key := range keys {
		out[i] = k.objects[key]
	}
	return out, s.version
}

// Change makes the next version of an object. do gets a copy of the present
// one, nil if there is none, and gives what shall be: nil removes the object,
// and an equal one changes nothing. The result is what is there afterwards.
func (s *Store) Change(gr schema.GroupResource, key Key, do func(now map[string]any) (map[string]any, error)) (*Object, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	k := s.kind(gr)
	old := k.objects[key]
	var copied map[string]any
	if old != nil {
		copied = runtime.DeepCopyJSON(old.Map)
	}
	next, err := do(copied)
	switch {
	case err != nil:
		return nil, err
	case next == nil && old == nil:
		return nil, nil
	case next == nil:
		s.version++
		delete(k.objects, key)
		gone, err := pack(runtime.DeepCopyJSON(old.Map), s.version)
		if err != nil {
			return nil, err
		}
		s.add(k, Event{watch.Deleted, gone, old, s.version})
		return nil, nil
	}
	obj, err := pack(next, s.version+1)
	if err != nil {
		return nil, err
	}
	if old != nil {
		if same, err := pack(runtime.DeepCopyJSON(obj.Map), old.Version); err == nil && string(same.JSON) == string(old.JSON) {
			return old, nil
		}
	}
	s.version++
	k.objects[key] = obj
	e := Event{watch.Modified, obj, old, s.version}
	if old == nil {
		e.Type = watch.Added
	}
	s.add(k, e)
	return obj, nil
}

// pack stamps an object with its version and writes it down.
func pack(m map[string]any, version uint64) (*Object, error) {
	meta, _ := m["metadata"].(map[string]any)
	if meta == nil {
		meta = map[string]any{}
		m["metadata"] = meta
	}
	meta["resourceVersion"] = strconv.FormatUint(version, 10)
	data, err := json.Marshal(m)
	return &Object{Map: m, JSON: data, Version: version}, err
}

func (s *Store) add(k *kind, e Event) {
	if len(k.events) >= history {
		drop := history / 4
		k.lost = k.events[drop-1].Version
		k.events = slices.Delete(k.events, 0, drop)
	}
	k.events = append(k.events, e)
	close(k.changed)
	k.changed = make(chan struct{})
	close(s.changed)
	s.changed = make(chan struct{})
}

// Since gives the changes of a kind after a version, and waits for one if there
// is none. gone says that the version is too old to tell.
func (s *Store) Since(ctx context.Context, gr schema.GroupResource, version uint64) (events []Event, gone bool, err error) {
	for {
		s.mu.Lock()
		k := s.kind(gr)
		gone = version < k.lost && k.lost > 100
		i, _ := slices.BinarySearchFunc(k.events, version+1, func(e Event, v uint64) int {
			switch {
			case e.Version < v:
				return -1
			case e.Version > v:
				return 1
			}
			return 0
		})
		events = slices.Clone(k.events[i:])
		changed := k.changed
		s.mu.Unlock()
		if gone || len(events) > 0 {
			return events, gone, nil
		}
		select {
		case <-changed:
		case <-ctx.Done():
			return nil, false, ctx.Err()
		}
	}
}

// AnyChange is closed at the next change of any kind.
func (s *Store) AnyChange() <-chan struct{} {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.changed
}
