package command

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"strings"
	"text/tabwriter"
	"time"

	"github.com/sirupsen/logrus"

	"github.com/gpuboot/gpuboot/e2e/standin/internal/config"
	"github.com/gpuboot/gpuboot/e2e/standin/internal/datastore"
	"github.com/gpuboot/gpuboot/e2e/standin/internal/join"
	"github.com/gpuboot/gpuboot/e2e/standin/internal/layout"
	"github.com/gpuboot/gpuboot/e2e/standin/internal/supervisor"
)

// snapshotWait is a little longer than the server's own limit, so that the server's words are told.
const snapshotWait = 130 * time.Second

func runSnapshot(args []string) error {
	operation := "save"
	if len(args) > 0 && !strings.HasPrefix(args[0], "-") {
		operation, args = args[0], args[1:]
	}
	req := supervisor.SnapshotRequest{}
	switch operation {
	case "save", "delete", "prune":
		req.Operation = operation
	case "ls", "list", "l":
		req.Operation = "list"
	default:
		return fmt.Errorf("No help topic for '%s'", operation)
	}
	v, err := load(config.EtcdSnapshot(), args)
	if err != nil {
		return err
	}
	req.Name, req.Dir, req.Names, req.Retention = v.String("name"), v.String("dir"), v.Args, v.Int("snapshot-retention")
	if req.Operation == "delete" && len(req.Names) == 0 {
		return errors.New("no snapshots given for removal")
	}
	snapshots, err := askServer(v, req)
	if err != nil {
		return err
	}
	return printSnapshots(req.Operation, v.String("output"), snapshots)
}

func askServer(v config.Values, req supervisor.SnapshotRequest) ([]datastore.Snapshot, error) {
	text := v.String("etcd-token")
	if text == "" {
		data, err := os.ReadFile(layout.Dir(v.String("data-dir")).Server("token"))
		if err != nil {
			return nil, err
		}
		text = strings.TrimSpace(string(data))
	}
	ctx, cancel := context.WithTimeout(context.Background(), snapshotWait)
	defer cancel()
	srv, err := join.Connect(ctx, v.String("etcd-server"), text, "server", func(w string) { logrus.Warn(w) })
	if err != nil {
		return nil, err
	}
	body, err := json.Marshal(req)
	if err != nil {
		return nil, err
	}
	answer, err := srv.Post(ctx, "/db/snapshot", body, snapshotWait)
	if err != nil {
		return nil, err
	}
	var snapshots []datastore.Snapshot
	return snapshots, json.Unmarshal(answer, &snapshots)
}

func printSnapshots(operation, format string, snapshots []datastore.Snapshot) error {
	switch {
	case operation == "save":
		for _, s := range snapshots {
			logrus.Infof("Snapshot %s saved.", s.Name)
		}
		return nil
	case operation != "list":
		for _, s := range snapshots {
			logrus.Infof("Snapshot %s deleted.", s.Name)
		}
		return nil
	case format == "json":
		return json.NewEncoder(os.Stdout).Encode(snapshots)
	}
	w := tabwriter.NewWriter(os.Stdout, 0, 0, 1, ' ', 0)
	_, _ = fmt.Fprintln(w, "Name\tLocation\tSize\tCreated")
	for _, s := range snapshots {
		_, _ = fmt.Fprintf(w, "%s\t%s\t%d\t%s\n", s.Name, s.Location, s.Size, s.CreatedAt.Format(time.RFC3339))
	}
	return w.Flush()
}
