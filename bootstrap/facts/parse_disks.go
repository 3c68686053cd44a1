package facts

import (
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
)

// blockDevice is an entry of lsblk -J. Before util-linux 2.33 every value is a
// string; since 2.37 mountpoints is a list.
type blockDevice struct {
	Name        string        `json:"name"`
	Type        string        `json:"type"`
	Size        any           `json:"size"`
	Rota        any           `json:"rota"`
	Model       *string       `json:"model"`
	FSType      *string       `json:"fstype"`
	MountPoint  *string       `json:"mountpoint"`
	MountPoints []*string     `json:"mountpoints"`
	Children    []blockDevice `json:"children"`
}

func readDisks(f *Facts, s section) error {
	disks, err := parseLsblk(s.body)
	f.Disks = disks
	return err
}

// parseLsblk reads lsblk -J -b into the disks, without loops, optical drives
// and what lies on disks: that becomes the disk's signatures and mounts.
func parseLsblk(text string) ([]Disk, error) {
	if !strings.HasPrefix(strings.TrimSpace(text), "{") {
		return nil, errors.New("lsblk says: " + evidence(text))
	}
	var doc struct {
		BlockDevices []blockDevice `json:"blockdevices"`
	}
	if err := json.Unmarshal([]byte(text), &doc); err != nil {
		return nil, fmt.Errorf("reading lsblk's JSON: %w", err)
	}
	var disks []Disk
	for _, b := range doc.BlockDevices {
		size := jsonInt(b.Size)
		if b.Type != "disk" || size <= 0 || strings.Contains(b.Name, "zram") {
			continue
		}
		d := Disk{Name: strings.TrimPrefix(b.Name, "/dev/"), SizeBytes: size, Rotational: jsonTrue(b.Rota)}
		if b.Model != nil {
			d.Model = strings.TrimSpace(*b.Model)
		}
		d.add(b, 0)
		slices.Sort(d.Signature)
		d.Signature = slices.Compact(d.Signature)
		slices.Sort(d.Mounts)
		d.Mounts = slices.Compact(d.Mounts)
		disks = append(disks, d)
	}
	return disks, nil
}

// add collects what is on a device and everything above it. Ten layers are more
// than md, LUKS, LVM and a cache make together.
func (d *Disk) add(b blockDevice, depth int) {
	if depth > 10 {
		return
	}
	if b.FSType != nil && *b.FSType != "" {
		d.Signature = append(d.Signature, *b.FSType)
	}
	if depth > 0 && b.Type == "part" && b.FSType == nil {
		d.Signature = append(d.Signature, "partition")
	}
	for _, m := range append([]*string{b.MountPoint}, b.MountPoints...) {
		if m != nil && *m != "" {
			d.Mounts = append(d.Mounts, *m)
		}
	}
	for _, c := range b.Children {
		d.add(c, depth+1)
	}
}

// jsonInt reads a number that may be written as a string.
func jsonInt(v any) int64 {
	switch x := v.(type) {
	case float64:
		return int64(x)
	case string:
		n, _ := atoi64(strings.TrimSpace(x))
		return n
	}
	return 0
}

// jsonTrue reads a truth that may be written as "1".
func jsonTrue(v any) bool {
	switch x := v.(type) {
	case bool:
		return x
	case string:
		return x == "1"
	}
	return false
}
