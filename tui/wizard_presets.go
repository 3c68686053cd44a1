package tui

import (
	"slices"
	"strings"

	"github.com/charmbracelet/bubbles/key"
	tea "github.com/charmbracelet/bubbletea"

	"github.com/gpuboot/gpuboot/tui/providers"
)

// pressProvider turns the wheel of providers, or opens their list.
func (m wizardModel) pressProvider(msg tea.KeyMsg) wizardModel {
	all := providers.All()
	at := slices.IndexFunc(all, func(p providers.Provider) bool { return p.ID == m.draft.Provider })
	n := len(all) + 1 // and none, which is in the place before the first
	switch {
	case key.Matches(msg, m.keys.Pick):
		return m.pickProvider()
	case key.Matches(msg, m.keys.Left):
		at = (at+1+n-1)%n - 1
	case key.Matches(msg, m.keys.Right):
		at = (at+1+1)%n - 1
	default:
		m.form = m.form.upOrDown(msg)
		return m
	}
	if at < 0 {
		return m.setProvider("")
	}
	return m.setProvider(all[at].ID)
}

// setProvider takes a preset: its login, unless the person typed another.
func (m wizardModel) setProvider(id string) wizardModel {
	before, _ := providers.ByID(m.draft.Provider)
	next, _ := providers.ByID(id)
	if typed := m.form.text(fieldUser); typed == "" || typed == before.Login() {
		m.form.texts[fieldUser].SetValue(next.Login())
	}
	m.draft.Provider = id
	return m
}

func (m wizardModel) pickProvider() wizardModel {
	items := []pickItem{{id: "", label: "none of these", detail: []string{"Logins and keys are as ssh would use them."}}}
	for _, p := range providers.All() {
		items = append(items, pickItem{p.ID, p.Name, providerText(p), false})
	}
	m.picker = newPicker("Rented from (as read in "+providers.All()[0].Read+"; what a host shows counts more)", items, []string{m.draft.Provider}, false,
		func(m wizardModel, ids []string) wizardModel { return m.setProvider(ids[0]) })
	return m
}

// providerText is what is known of a provider.
func providerText(p providers.Provider) []string {
	kinds := make([]string, len(p.Kinds))
	for i, k := range p.Kinds {
		kinds[i] = string(k)
	}
	text := []string{"sells: " + strings.Join(kinds, ", ") + ". k3s: " + string(p.Fit) + "."}
	if p.Why != "" {
		text = append(text, p.Why)
	}
	if len(p.Logins) > 0 {
		text = append(text, "login: "+strings.Join(p.Logins, " or ")+".")
	}
	if p.Driver != "" {
		text = append(text, "driver: "+p.Driver+".")
	}
	text = append(text, p.Traps...)
	if len(p.Unverified) > 0 {
		text = append(text, "Not verified: "+strings.Join(p.Unverified, "; ")+".")
	}
	return append(text, "Read "+p.Read+": "+p.Source+".")
}

func (m wizardModel) pickAliases() wizardModel {
	if len(m.opt.SSHHosts) == 0 {
		m.problems = []string{"ssh_config names no host"}
		return m
	}
	var items []pickItem
	for _, h := range m.opt.SSHHosts {
		detail := "as ssh_config says"
		if h.Address != "" {
			detail = clean(h.Address)
		}
		if h.User != "" {
			detail = clean(h.User) + "@" + detail
		}
		items = append(items, pickItem{id: h.Alias, label: clean(h.Alias), detail: []string{detail}})
	}
	m.picker = newPicker("Hosts of your ssh_config: space takes one, enter ends", items, m.draft.Aliases, true,
		func(m wizardModel, ids []string) wizardModel { m.draft.Aliases = ids; return m })
	return m
}
