package supervisor

import (
	"context"
	"encoding/json"
	"errors"
	"io"
	"io/fs"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/gpuboot/gpuboot/e2e/standin/internal/datastore"
)

// SnapshotRequest is what `k3s etcd-snapshot` asks of its server. The JSON is the stand-in's own.
type SnapshotRequest struct {
	Operation string // save, list, delete, prune
	Name      string
	Dir       string   // "" is the server's
	Names     []string // to delete
	Retention int
}

func (s *Supervisor) snapshot(r *http.Request) (any, error) {
	store := s.Store.Load()
	if store == nil || !s.Clustered {
		return nil, &Refusal{http.StatusBadRequest, "unable to perform etcd snapshot on non-etcd system"}
	}
	var req SnapshotRequest
	body, err := io.ReadAll(io.LimitReader(r.Body, 1<<20))
	if err != nil {
		return nil, err
	}
	if err := json.Unmarshal(body, &req); err != nil {
		return nil, &Refusal{http.StatusBadRequest, err.Error()}
	}
	dir := req.Dir
	if dir == "" {
		dir = s.SnapshotDir
	}
	switch req.Operation {
	case "save":
		ctx, cancel := context.WithTimeout(r.Context(), snapshotLimit)
		defer cancel()
		saved, err := store.Save(ctx, dir, req.Name, time.Now())
		if errors.Is(err, context.DeadlineExceeded) {
			return nil, context.DeadlineExceeded
		}
		return []datastore.Snapshot{saved}, err
	case "list":
		return list(dir)
	case "delete":
		return remove(dir, req.Names)
	case "prune":
		return prune(dir, req.Name, req.Retention)
	default:
		return nil, &Refusal{http.StatusBadRequest, "unknown operation " + strconv.Quote(req.Operation)}
	}
}

func list(dir string) ([]datastore.Snapshot, error) {
	all := []datastore.Snapshot{}
	entries, err := os.ReadDir(dir)
	if errors.Is(err, fs.ErrNotExist) {
		return all, nil
	} else if err != nil {
		return nil, err
	}
	for _, e := range entries {
		info, err := e.Info()
		if err != nil || e.IsDir() || strings.HasSuffix(e.Name(), ".part") {
			continue
		}
		all = append(all, datastore.Snapshot{
			Name: e.Name(), Location: "file://" + filepath.Join(dir, e.Name()), Size: info.Size(), CreatedAt: info.ModTime(),
		})
	}
	return all, nil
}

func remove(dir string, names []string) ([]datastore.Snapshot, error) {
	all, err := list(dir)
	if err != nil {
		return nil, err
	}
	gone := []datastore.Snapshot{}
	for _, snap := range all {
		if slices.Contains(names, snap.Name) {
			if err := os.Remove(filepath.Join(dir, snap.Name)); err != nil {
				return gone, err
			}
			gone = append(gone, snap)
		}
	}
	return gone, nil
}

func prune(dir, base string, keep int) ([]datastore.Snapshot, error) {
	all, err := list(dir)
	if err != nil {
		return nil, err
	}
	all = slices.DeleteFunc(all, func(s datastore.Snapshot) bool { return !strings.HasPrefix(s.Name, base+"-") })
	slices.SortFunc(all, func(a, b datastore.Snapshot) int { return b.CreatedAt.Compare(a.CreatedAt) })
	var names []string
	for i, snap := range all {
		if i >= keep {
			names = append(names, snap.Name)
		}
	}
	return remove(dir, names)
}
