package main

import (
	"errors"
	"flag"
	"fmt"
	"io"
	"net/url"
	"os"
	"strings"
	"time"

	"github.com/hone-go/hone/examples/pulse/telemetry"
)

// errUsage means that the command line is invalid, and that the user has been told.
var errUsage = errors.New("bad command line")

type flags struct {
	addr      string
	db        string
	nats      string
	retention time.Duration
	noAgent   bool

	host      string
	interval  time.Duration
	agentOnly bool
	server    string
	buffer    int

	accessFlags
	verbose bool
}

const usage = `Pulse shows what this machine is doing: processor, memory, disks and network,
live on a web page and kept in a database.

Usage:

  pulse [flags]                         the whole service, on http://127.0.0.1:8080
  pulse -agent-only -server URL [flags] only measure, and report to another pulse
  pulse export, pulse import            readings to and from a file; -help says more

Flags:

`

func parseFlags(args []string, stderr io.Writer) (*flags, error) {
	f := &flags{}
	set := flag.NewFlagSet("pulse", flag.ContinueOnError)
	set.SetOutput(stderr)
	set.Usage = func() {
		fmt.Fprint(stderr, usage)
		set.PrintDefaults()
	}
	name, _ := os.Hostname()
	set.StringVar(&f.addr, "addr", "127.0.0.1:8080", "listen on this `address`; 0.0.0.0:8080 lets other machines in")
	set.StringVar(&f.db, "db", "pulse.db", "store to this SQLite `file`, made if there is none, or to the PostgreSQL database\nat a URL, postgres://user@host/name, which several servers may share")
	set.StringVar(&f.nats, "nats", "", "queue batches at the NATS servers with these `URLs`, nats://host:4222, with commas\nbetween them, for all pulse servers that share them and a PostgreSQL database")
	set.DurationVar(&f.retention, "retention", 24*time.Hour, "delete readings older than this `duration`, and keep what they were by minutes\nfor 31 days and by hours for two years; 0 keeps all")
	set.BoolVar(&f.noAgent, "no-agent", false, "do not measure this machine")
	set.StringVar(&f.host, "host", name, "report under this `name`")
	set.DurationVar(&f.interval, "interval", time.Second, "measure once in this `duration`")
	set.BoolVar(&f.agentOnly, "agent-only", false, "measure and report to -server; store and serve nothing")
	set.StringVar(&f.server, "server", "", "the `URL` that -agent-only reports to, such as http://monitor.example:8080, or several\nwith commas between them: when one does not answer another gets the readings")
	set.IntVar(&f.buffer, "buffer", 3600, "`readings` that the agent keeps while the server does not answer;\npast that the oldest are dropped")
	f.add(set)
	set.BoolVar(&f.verbose, "v", false, "log every request and sample")
	if err := set.Parse(args); errors.Is(err, flag.ErrHelp) {
		return nil, err
	} else if err != nil {
		return nil, errUsage // the flag package has printed the error
	}
	wrong := f.check(set.Args())
	if wrong == "" {
		wrong = f.accessFlags.check()
	}
	if wrong != "" {
		fmt.Fprintf(stderr, "pulse: %s\nRun it with -help to see all flags.\n", wrong)
		return nil, errUsage
	}
	return f, nil
}

// check returns an error for flags that cannot be used.
func (f *flags) check(rest []string) string {
	switch {
	case len(rest) > 0:
		return fmt.Sprintf("unexpected argument %q", rest[0])
	case f.interval < 100*time.Millisecond:
		return fmt.Sprintf("-interval %s is too short: measuring would be most of the machine's work; use 100ms or more", f.interval)
	case f.retention < 0:
		return "-retention must not be negative; 0 keeps everything"
	case dbFault(f.db) != "":
		return dbFault(f.db)
	case f.nats != "" && !isPostgres(f.db):
		return "-nats is for several servers, which share a database: give it with -db postgres://…"
	case f.natsFault() != "":
		return f.natsFault()
	case f.agentOnly && f.nats != "":
		return "-nats is for servers; -agent-only reports to one of them"
	case f.buffer < 1:
		return "-buffer must be at least 1"
	case f.agentOnly && len(f.servers()) == 0:
		return "-agent-only needs -server URL, the pulse to report to"
	case !f.agentOnly && f.server != "":
		return "-server is for -agent-only"
	case f.agentOnly && f.noAgent:
		return "-agent-only and -no-agent leave nothing to do"
	case f.host == "" && !f.noAgent:
		return "this machine does not tell its name; give one with -host"
	case !f.noAgent && telemetry.HostFault(f.host) != "":
		return fmt.Sprintf("-host %q %s", f.host, telemetry.HostFault(f.host))
	}
	return ""
}

// servers returns the URLs of the servers for -agent-only.
func (f *flags) servers() []string {
	return strings.FieldsFunc(f.server, func(r rune) bool { return r == ',' || r == ' ' })
}

// isPostgres reports whether db is a URL of a database.
func isPostgres(db string) bool {
	return strings.HasPrefix(db, "postgres://") || strings.HasPrefix(db, "postgresql://")
}

// The errors do not quote the URL, since it may contain a password.
func dbFault(db string) string {
	switch u, err := url.Parse(db); {
	case !isPostgres(db) && strings.Contains(db, "://"):
		return "-db is a file, or a URL that begins with postgres://"
	case isPostgres(db) && (err != nil || u.Host == "" || strings.Trim(u.Path, "/") == ""):
		return "-db is not a URL of the form postgres://user@host/name"
	}
	return ""
}

func (f *flags) natsFault() string {
	if f.nats == "" {
		return ""
	}
	for _, server := range strings.Split(f.nats, ",") {
		if u, err := url.Parse(server); err != nil || u.Host == "" || u.Scheme != "nats" && u.Scheme != "tls" {
			return "-nats is not a URL of the form nats://host:4222, or several with commas between them"
		}
	}
	return ""
}

// place returns the database without its secrets.
func (f *flags) place() string {
	u, err := url.Parse(f.db)
	if !isPostgres(f.db) || err != nil {
		return f.db
	}
	return u.Scheme + "://" + u.Host + u.Path
}
