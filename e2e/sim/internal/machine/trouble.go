package machine

// Trouble is what is wrong with a host, beyond its SSH server. It may change at
// any time; k3s sees it when it next looks.
type Trouble struct {
	// CrashLoop makes k3s print these lines and exit soon after each start.
	CrashLoop []string
	// NeverReady keeps the node from becoming Ready, with this message.
	NeverReady string
	// DieOnce ends k3s's very first start on a founder before it has saved the
	// cluster's keys.
	DieOnce bool
	// Slow makes everything that k3s does take this many times as long; 0 means
	// once.
	Slow float64
	// Isolated keeps the host from reaching other hosts.
	Isolated bool
}

// SetTrouble changes what is wrong.
func (m *Machine) SetTrouble(t Trouble) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.trouble = t
}

// Trouble says what is wrong.
func (m *Machine) Trouble() Trouble {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.trouble
}
