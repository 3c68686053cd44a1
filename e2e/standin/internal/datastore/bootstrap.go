package datastore

import (
	"bytes"
	"context"
	"fmt"
	"strings"
	"time"

	"go.etcd.io/bbolt"
	"go.etcd.io/etcd/api/v3/mvccpb"
	clientv3 "go.etcd.io/etcd/client/v3"

	"github.com/gpuboot/gpuboot/e2e/standin/internal/bootdata"
)

// SaveBootstrap stores the encrypted bootstrap data, once for each cluster.
func (s *Store) SaveBootstrap(ctx context.Context, password string, data []byte) error {
	stored, err := s.Client.Get(ctx, bootdata.KeyPrefix, clientv3.WithPrefix())
	if err != nil {
		return fmt.Errorf("reading bootstrap data: %w", err)
	}
	for _, kv := range stored.Kvs {
		if string(kv.Key) == bootdata.Key(password) {
			return nil
		}
	}
	if len(stored.Kvs) > 0 {
		return bootdata.ErrOtherToken
	}
	sealed, err := bootdata.Encrypt(password, data)
	if err != nil {
		return err
	}
	if _, err := s.Client.Put(ctx, bootdata.Key(password), string(sealed)); err != nil {
		return fmt.Errorf("saving bootstrap data: %w", err)
	}
	return nil
}

// StoredBootstrap reads the bootstrap data from the files of a member that does not run, so that it needs no quorum. k3s
// starts a temporary etcd on a copy for that; reading the file gives the same answers.
func (c Config) StoredBootstrap(password string) ([]byte, error) {
	db, err := bbolt.Open(c.Dir.Etcd("member/snap/db"), 0o600, &bbolt.Options{ReadOnly: true, Timeout: 5 * time.Second})
	if err != nil {
		return nil, bootdata.ErrNone // the member died before it had a database
	}
	defer func() { _ = db.Close() }()
	found := map[string][]byte{}
	err = db.View(func(tx *bbolt.Tx) error {
		keys := tx.Bucket([]byte("key"))
		if keys == nil {
			return nil
		}
		return keys.ForEach(func(rev, value []byte) error { return note(found, rev, value) })
	})
	if err != nil {
		return nil, fmt.Errorf("reading the datastore: %w", err)
	}
	switch sealed, ok := found[bootdata.Key(password)]; {
	case ok:
		return bootdata.Decrypt(password, sealed)
	case len(found) > 0:
		return nil, bootdata.ErrOtherToken
	default:
		return nil, bootdata.ErrNone
	}
}

// note keeps the newest value of each bootstrap key; revisions come in order, and one that ends in 't' deletes the key.
func note(found map[string][]byte, rev, value []byte) error {
	if !bytes.Contains(value, []byte(bootdata.KeyPrefix)) {
		return nil
	}
	var kv mvccpb.KeyValue
	if err := kv.Unmarshal(value); err != nil {
		return err
	}
	if !strings.HasPrefix(string(kv.Key), bootdata.KeyPrefix) {
		return nil
	}
	if rev[len(rev)-1] == 't' && len(rev) > 17 {
		delete(found, string(kv.Key))
	} else {
		found[string(kv.Key)] = bytes.Clone(kv.Value)
	}
	return nil
}
