package facts

import (
	"errors"
	"strings"
)

func readSecurity(f *Facts, s section) error {
	v := values(s.body)
	switch v["selinux"] {
	case "1":
		f.Security.SELinux = "enforcing"
	case "0":
		f.Security.SELinux = "permissive"
	}
	f.Security.K3sPolicy = v["k3s_selinux"] == "yes"
	f.Security.AppArmor = v["apparmor"] == "Y"
	f.Security.Lockdown = chosen(v["lockdown"])
	var err error
	f.Security.SecureBoot, err = parseSecureBoot(v["secureboot"])
	return err
}

// chosen gives the word in brackets of "none [integrity] confidentiality".
func chosen(s string) string {
	_, rest, _ := strings.Cut(s, "[")
	word, _, ok := strings.Cut(rest, "]")
	if !ok {
		return ""
	}
	return word
}

// parseSecureBoot reads the last byte of the EFI variable, or mokutil's line.
// Without EFI there is no Secure Boot.
func parseSecureBoot(s string) (string, error) {
	switch {
	case s == "1", strings.HasPrefix(s, "SecureBoot enabled"):
		return "yes", nil
	case s == "0", s == "no-efi", strings.HasPrefix(s, "SecureBoot disabled"),
		strings.Contains(s, "EFI variables are not supported"):
		return "no", nil
	}
	return "unknown", errors.New("the state of Secure Boot cannot be read: " + evidence(s))
}
