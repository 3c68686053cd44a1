package tui

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"
)

// draftVersion is that of a draft's form. A draft of another version is not read.
const draftVersion = 1

// draft is what a person has chosen so far, and all that an inventory is made of
// beside what was seen. It holds no secret. It is a value: changes make copies.
type draft struct {
	Version int `json:"version"`
	// Name is the cluster's.
	Name string `json:"name"`
	// Addresses as typed, Aliases as picked from ssh_config.
	Addresses string   `json:"addresses"`
	Aliases   []string `json:"aliases,omitempty"`
	// File is an existing inventory, which is then used as it stands.
	File string `json:"file,omitempty"`
	// Provider is an ID of package providers.
	Provider string `json:"provider,omitempty"`
	User     string `json:"user,omitempty"`
	Key      string `json:"key,omitempty"`
	// Dropped are hosts that were left out after they were looked at.
	Dropped []string `json:"dropped,omitempty"`
	// ServerCount is the size of the control plane, Servers its hosts where the
	// person chose them, Work says whether servers run work: "yes", "no", or "" for
	// what fits.
	ServerCount int      `json:"serverCount,omitempty"`
	Servers     []string `json:"servers,omitempty"`
	Work        string   `json:"work,omitempty"`
	// Chosen are the values of choices, by their IDs.
	Chosen map[string]string `json:"chosen,omitempty"`
	// Path is where the inventory goes.
	Path string `json:"path,omitempty"`
}

func (d draft) marshal() []byte {
	d.Version = draftVersion
	data, err := json.MarshalIndent(d, "", "  ")
	if err != nil {
		panic(err) // a struct of strings always has a JSON form
	}
	return append(data, '\n')
}

func parseDraft(data []byte) (draft, error) {
	var d draft
	if err := json.Unmarshal(data, &d); err != nil {
		return draft{}, fmt.Errorf("reading the draft: %w", err)
	}
	if d.Version != draftVersion {
		return draft{}, fmt.Errorf("the draft is of version %d, this gpuboot reads %d", d.Version, draftVersion)
	}
	return d, nil
}

// empty says that there is nothing to keep.
func (d draft) empty() bool {
	return strings.TrimSpace(d.Addresses) == "" && len(d.Aliases) == 0 && d.File == ""
}

// choose notes the value of a choice.
func (d draft) choose(id, value string) draft {
	d.Chosen = maps.Clone(d.Chosen)
	if d.Chosen == nil {
		d.Chosen = map[string]string{}
	}
	d.Chosen[id] = value
	return d
}

// drop leaves a host out, or takes it back.
func (d draft) drop(host string) draft {
	dropped := slices.Clone(d.Dropped)
	if i := slices.Index(dropped, host); i >= 0 {
		d.Dropped = slices.Delete(dropped, i, i+1)
	} else {
		d.Dropped = append(dropped, host)
	}
	return d
}

// says describes a draft in a line.
func (d draft) says() string {
	if d.File != "" {
		return "inventory " + d.File
	}
	n := len(splitEntries(d.Addresses)) + len(d.Aliases)
	return fmt.Sprintf("cluster %s, %d entries of hosts", d.Name, n)
}
