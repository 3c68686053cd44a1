// Command testhosts boots the hosts of gpuboot's end-to-end tests and keeps them, to try things by hand:
//
//	go run ./e2e/hosts/cmd/testhosts up --count 3
//	go run ./e2e/hosts/cmd/testhosts exec HOST journalctl -b
//	go run ./e2e/hosts/cmd/testhosts down
//
// It needs Linux, root, and the programs that "testhosts prepare --install" fetches from Debian. It does not touch fleets
// that a running test owns.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"os/signal"
	"strings"
	"syscall"

	"github.com/gpuboot/gpuboot/e2e/hosts"
)

const usage = `usage: testhosts prepare [--install]                build the image (once)
       testhosts up [--count N] [--user U] [--sudo nopasswd|password|requiretty|denied] [--password P]
       testhosts list                               fleets and their hosts
       testhosts exec [FLEET/]HOST COMMAND...       run a command as root, past SSH
       testhosts ssh [FLEET/]HOST [COMMAND...]
       testhosts reboot|kill|start|freeze|thaw [FLEET/]HOST
       testhosts down [FLEET]                       all kept fleets without a name
`

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	err := run(ctx, os.Args[1:], os.Stdout, os.Stderr)
	stop()
	if err != nil {
		fmt.Fprintln(os.Stderr, "error:", err)
		os.Exit(1)
	}
}

func run(ctx context.Context, args []string, stdout, stderr io.Writer) error {
	if len(args) == 0 {
		fmt.Fprint(stderr, usage)
		return errors.New("no command given")
	}
	local := hosts.LocalFromEnv()
	log := func(format string, args ...any) { fmt.Fprintf(stderr, format+"\n", args...) }
	switch command, rest := args[0], args[1:]; command {
	case "prepare":
		return prepare(ctx, local, log, rest)
	case "up":
		return up(ctx, local, log, rest, stdout)
	case "list":
		return list(local, stdout)
	case "down":
		return down(ctx, local, log, rest)
	case "exec", "ssh", "reboot", "kill", "start", "freeze", "thaw":
		if len(rest) == 0 {
			return fmt.Errorf("%s needs a host; see testhosts list", command)
		}
		h, err := find(local, rest[0])
		if err != nil {
			return err
		}
		return act(ctx, h, command, rest[1:], stdout)
	}
	fmt.Fprint(stderr, usage)
	return fmt.Errorf("unknown command %q", args[0])
}

func prepare(ctx context.Context, local hosts.Local, log hosts.Logf, args []string) error {
	flags := flag.NewFlagSet("prepare", flag.ContinueOnError)
	install := flags.Bool("install", false, "install missing programs with apt-get")
	if err := flags.Parse(args); err != nil {
		return err
	}
	if missing := hosts.MissingPackages(); *install && len(missing) > 0 {
		log("installing %s", strings.Join(missing, " "))
		script := "apt-get update -q && apt-get install -q -y --no-install-recommends " + strings.Join(missing, " ")
		cmd := exec.CommandContext(ctx, "sh", "-c", script)
		cmd.Stdout, cmd.Stderr = os.Stderr, os.Stderr
		cmd.Env = append(os.Environ(), "DEBIAN_FRONTEND=noninteractive")
		if err := cmd.Run(); err != nil {
			return fmt.Errorf("installing the programs that test hosts need: %w", err)
		}
	}
	if err := local.Available(); err != nil {
		return err
	}
	image, err := local.Prepare(ctx, log)
	if err == nil {
		log("the image is %s", image)
	}
	return err
}

func up(ctx context.Context, local hosts.Local, log hosts.Logf, args []string, stdout io.Writer) error {
	flags := flag.NewFlagSet("up", flag.ContinueOnError)
	count := flags.Int("count", 1, "number of hosts")
	user := flags.String("user", "root", "the login that gets the key: root, ubuntu, admin or a new one")
	sudo := flags.String("sudo", "", "nopasswd, password, requiretty or denied")
	password := flags.String("password", "", "the login's password")
	if err := flags.Parse(args); err != nil {
		return err
	}
	var specs []hosts.Spec
	for i := range *count {
		specs = append(specs, hosts.Spec{
			Name: fmt.Sprintf("host-%d", i+1), User: *user, Sudo: hosts.Sudo(*sudo), Password: *password,
		})
	}
	f, err := local.Up(ctx, log, specs)
	if err != nil {
		return err
	}
	if err := f.Keep(); err != nil {
		return errors.Join(err, f.Close(ctx))
	}
	show(f, stdout)
	return nil
}

func list(local hosts.Local, stdout io.Writer) error {
	ids, err := local.Fleets()
	if err != nil {
		return err
	}
	for _, id := range ids {
		f, err := local.Attach(id)
		if errors.Is(err, fs.ErrNotExist) {
			continue // just closed by its owner
		}
		if err != nil {
			return err
		}
		show(f, stdout)
	}
	return nil
}

func show(f *hosts.Fleet, stdout io.Writer) {
	fmt.Fprintf(stdout, "fleet %s\n", f.ID)
	for _, h := range f.Hosts {
		state := "up"
		if !h.Up() {
			state = "down"
		}
		fmt.Fprintf(stdout, "  %-12s %-15s %-4s ssh -i %s %s@%s\n", h.Name, h.Address, state, h.KeyFile, h.User, h.Address)
	}
}

func down(ctx context.Context, local hosts.Local, log hosts.Logf, args []string) error {
	ids, err := local.Fleets()
	if err != nil {
		return err
	}
	if len(args) > 0 {
		ids = args
	}
	var errs []error
	for _, id := range ids {
		f, err := local.Attach(id)
		if errors.Is(err, fs.ErrNotExist) && len(args) == 0 {
			continue
		}
		if err != nil {
			errs = append(errs, err)
			continue
		}
		if len(args) == 0 && !f.Kept() {
			log("leaving %s: a test owns it", id)
			continue
		}
		errs = append(errs, f.Close(ctx))
	}
	return errors.Join(errs...)
}

// find looks a host up in all kept fleets, or in the one named before a slash.
func find(local hosts.Local, name string) (*hosts.Host, error) {
	fleet, host, ok := strings.Cut(name, "/")
	ids := []string{fleet}
	if !ok {
		host = name
		var err error
		if ids, err = local.Fleets(); err != nil {
			return nil, err
		}
	}
	for _, id := range ids {
		f, err := local.Attach(id)
		if errors.Is(err, fs.ErrNotExist) {
			continue
		}
		if err != nil {
			return nil, err
		}
		if h, ok := f.Host(host); ok {
			return h, nil
		}
	}
	return nil, fmt.Errorf("no host %s; see testhosts list", name)
}

func act(ctx context.Context, h *hosts.Host, command string, args []string, stdout io.Writer) error {
	switch command {
	case "reboot":
		return h.Reboot(ctx)
	case "kill":
		return h.Kill(ctx)
	case "start":
		return h.Start(ctx)
	case "freeze":
		return h.Freeze()
	case "thaw":
		return h.Thaw()
	case "ssh":
		argv := []string{"-i", h.KeyFile, "-o", "StrictHostKeyChecking=no", "-o", "UserKnownHostsFile=/dev/null",
			"-o", "LogLevel=ERROR", h.User + "@" + h.Address}
		cmd := exec.CommandContext(ctx, "ssh", append(argv, args...)...)
		cmd.Stdin, cmd.Stdout, cmd.Stderr = os.Stdin, os.Stdout, os.Stderr
		return cmd.Run()
	}
	out, err := h.ExecInput(ctx, os.Stdin, strings.Join(args, " "))
	fmt.Fprint(stdout, out)
	return err
}
