package tui

import (
	"fmt"
	"strings"

	"github.com/gpuboot/gpuboot/tui/providers"
)

// hostsLines draws the first step.
func (m wizardModel) hostsLines() []string {
	lines := []string{
		m.formLine(fieldName, "cluster name", m.form.texts[fieldName].View()),
		m.formLine(fieldProvider, "rented from", m.providerView()),
	}
	if note := m.providerNote(); note != "" {
		lines = append(lines, wrap(m.warn.Render(note), m.width, spaces(labelWidth+2), spaces(labelWidth+2))...)
	}
	lines = append(lines,
		m.formLine(fieldUser, "login", m.form.texts[fieldUser].View()),
		m.formLine(fieldKey, "private key", m.form.texts[fieldKey].View()),
		m.formLine(fieldAddresses, "addresses", m.dim.Render(truncate("one a line; gpu1=10.0.0.11, root@host:2201, 10.0.0.[11-18]", m.width-labelWidth-2))))
	for l := range strings.SplitSeq(m.form.addresses.View(), "\n") {
		lines = append(lines, spaces(labelWidth+2)+l)
	}
	return append(lines,
		m.formLine(fieldAliases, "ssh_config", m.aliasesView()),
		m.formLine(fieldFile, "or open", m.form.texts[fieldFile].View()))
}

// labelWidth is what the names of fields take.
const labelWidth = 13

func (m wizardModel) formLine(f formField, label, value string) string {
	if m.form.at == f {
		return m.styles.key.Render(m.sym.cursor) + " " + m.bold.Render(fit(label, labelWidth)) + value
	}
	return "  " + fit(label, labelWidth) + value
}

func (m wizardModel) providerView() string {
	name := "not said"
	if p, ok := providers.ByID(m.draft.Provider); ok {
		name = p.Name
		if len(p.Traps) > 0 {
			name += m.dim.Render(fmt.Sprintf("  %s, enter shows", plural(len(p.Traps), "known trap")))
		}
	}
	return m.styles.key.Render(m.sym.left+" ") + name + m.styles.key.Render(" "+m.sym.right)
}

// providerNote is why a provider's machines may not do.
func (m wizardModel) providerNote() string {
	p, _ := providers.ByID(m.draft.Provider)
	return p.Why
}

func (m wizardModel) aliasesView() string {
	switch n := len(m.draft.Aliases); {
	case len(m.opt.SSHHosts) == 0:
		return m.dim.Render("names no host")
	case n == 0:
		return m.dim.Render(plural(len(m.opt.SSHHosts), "host") + ", enter picks")
	}
	return truncate(strings.Join(m.draft.Aliases, " "), m.width-labelWidth-2)
}
