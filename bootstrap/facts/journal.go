package facts

import "encoding/json"

// journalFacts is the part of gpuboot's journal that is read here. The journal
// itself belongs to the bootstrap package.
type journalFacts struct {
	Cluster   string `json:"cluster"`
	NodeIP    string `json:"nodeIP"`
	Interface string `json:"interface"`
}

// journal reads the journal, zero if there is none or it cannot be read.
func (f *Facts) journal() journalFacts {
	var j journalFacts
	if json.Unmarshal(f.Journal, &j) != nil {
		return journalFacts{}
	}
	return j
}

// adopted says whether gpuboot has worked on this host.
func (f *Facts) adopted() bool { return len(f.Journal) > 0 }
