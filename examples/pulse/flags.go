package main

import (
	"cmp"
	"embed"
	"errors"
	"flag"
	"fmt"
	"io"
	"net/url"
	"os"
	"slices"
	"strings"
	"time"

	"github.com/hone-go/hone/examples/pulse/telemetry"
	"github.com/hone-go/hone/examples/pulse/watch"
)

//go:embed help
var help embed.FS

// helpText returns the text of the help of a command, without the list of its flags.
func helpText(command string) string {
	text, _ := help.ReadFile("help/" + command + ".txt") // the file is part of the program
	return string(text)
}

// errUsage means that the command line is invalid, and that the error has been printed.
var errUsage = errors.New("bad command line")

type flags struct {
	addr      string
	db        string
	nats      string
	retention time.Duration
	noAgent   bool
	rules     []watch.Rule

	alertFlags

	maxHosts, maxHostsPerToken int

	host      string
	interval  time.Duration
	report    time.Duration
	tags      []string
	agentOnly bool
	server    string
	buffer    int

	accessFlags
	verbose, version bool
}

// parseFlags returns the flags in args. The error is flag.ErrHelp if help was requested, and
// errUsage if args are invalid; the help or the message was then written to stderr.
func parseFlags(args []string, stderr io.Writer) (*flags, error) {
	f := &flags{rules: watch.Defaults}
	set := flag.NewFlagSet("pulse", flag.ContinueOnError)
	set.SetOutput(stderr)
	set.Usage = func() {
		fmt.Fprint(stderr, helpText("pulse"))
		set.PrintDefaults()
	}
	name, _ := os.Hostname()
	set.StringVar(&f.addr, "addr", "127.0.0.1:8080", "listen on this `address`; with 0.0.0.0:8080 other machines can connect")
	set.StringVar(&f.db, "db", "pulse.db", "store to this SQLite `file`, which is created if it does not exist, or to the PostgreSQL\ndatabase at a URL, postgres://user@host/name, which several servers may share")
	set.StringVar(&f.nats, "nats", "", "queue batches at the NATS servers with these `URLs`, nats://host:4222, separated by\ncommas; all pulse servers with these URLs have to share a PostgreSQL database")
	set.DurationVar(&f.retention, "retention", 24*time.Hour, "delete readings older than this `duration`; summaries of minutes are kept for\n31 days and summaries of hours for two years; 0 keeps all")
	set.IntVar(&f.maxHosts, "max-hosts", 10000, "store readings of at most this `number` of hosts; readings of further hosts are refused;\n0 allows any number")
	set.IntVar(&f.maxHostsPerToken, "max-hosts-per-token", 1000, "the same `number` for each token of -write-token-file, or for all hosts if posting\nneeds no token; 0 allows any number")
	set.Func("rules", "take the rules from this `file`: one on each line, such as\nhigh cpu > 80 for 5m on web-*", f.readRules)
	set.Func("rule", "add this `rule` to the rules of -rules, or to the standard rules; may be repeated", func(text string) error {
		rule, err := watch.Parse(text)
		f.moreRules = append(f.moreRules, rule)
		return err
	})
	f.alertFlags.add(set)
	set.BoolVar(&f.noAgent, "no-agent", false, "do not measure this machine")
	set.StringVar(&f.host, "host", name, "report under this `name`")
	set.DurationVar(&f.interval, "interval", time.Second, "the `duration` between two measurements")
	set.DurationVar(&f.report, "report", 0, "the `duration` between two posts of an agent, such as 15s: it posts several measurements\nat once; by default it posts each at once")
	set.Func("tag", "a `tag` that the page shows for this machine, such as role=db; may be repeated", func(tag string) error {
		f.tags = append(f.tags, tag)
		return telemetry.TagFault(tag)
	})
	set.BoolVar(&f.agentOnly, "agent-only", false, "measure and report to -server; store and serve nothing")
	set.StringVar(&f.server, "server", "", "the `URL` that -agent-only reports to, such as http://monitor.example:8080, or several\nseparated by commas: if one does not answer, another one gets the readings")
	set.IntVar(&f.buffer, "buffer", 3600, "the number of `readings` that the agent keeps while the server does not answer;\nif there are more, the oldest are dropped")
	f.accessFlags.add(set)
	set.BoolVar(&f.verbose, "v", false, "log every request and sample")
	set.BoolVar(&f.version, "version", false, "print the version and exit")
	if err := set.Parse(args); errors.Is(err, flag.ErrHelp) {
		return nil, err
	} else if err != nil {
		return nil, errUsage // the flag package has printed the error
	}
	if f.version {
		return f, nil
	}
	wrong := f.check(set.Args())
	f.rules = slices.Concat(f.rules, f.moreRules)
	if wrong == "" {
		wrong = cmp.Or(f.accessFlags.check(), f.alertFlags.check())
	}
	if wrong != "" {
		fmt.Fprintf(stderr, "pulse: %s\nRun it with -help to see all flags.\n", wrong)
		return nil, errUsage
	}
	return f, nil
}

// check returns a message if the flags cannot be used, and otherwise "". rest has the arguments
// after the flags.
func (f *flags) check(rest []string) string {
	switch {
	case len(rest) > 0:
		return fmt.Sprintf("unexpected argument %q", rest[0])
	case f.interval < 100*time.Millisecond:
		return fmt.Sprintf("-interval %s is too short: measuring would keep the machine busy; use 100ms or more", f.interval)
	case f.report < 0 || f.report > 24*time.Hour || f.interval > 24*time.Hour:
		return "-report and -interval must not be negative, nor longer than a day"
	case f.report > 0 && f.buffer < 2*int(f.report/f.interval):
		return fmt.Sprintf("-buffer %d is too small for the measurements of two reports", f.buffer)
	case len(f.tags) > telemetry.MaxTags:
		return fmt.Sprintf("-tag must not be repeated more than %d times", telemetry.MaxTags)
	case f.retention < 0:
		return "-retention must not be negative; 0 keeps everything"
	case f.maxHosts < 0 || f.maxHostsPerToken < 0:
		return "-max-hosts and -max-hosts-per-token must not be negative; 0 allows any number"
	case dbFault(f.db) != "":
		return dbFault(f.db)
	case f.nats != "" && !isPostgres(f.db):
		return "-nats needs a shared database: add -db postgres://…"
	case f.natsFault() != "":
		return f.natsFault()
	case f.agentOnly && f.nats != "":
		return "-nats is for servers; -agent-only reports to one of them"
	case f.buffer < 1:
		return "-buffer must be at least 1"
	case f.agentOnly && len(f.servers()) == 0:
		return "-agent-only needs -server URL, the URL of the pulse to report to"
	case !f.agentOnly && f.server != "":
		return "-server is for -agent-only"
	case f.agentOnly && f.alertFlags.any():
		return "alerts are for servers; -agent-only reports to one of them"
	case f.agentOnly && f.noAgent:
		return "-agent-only and -no-agent leave nothing to do"
	case f.host == "" && !f.noAgent:
		return "this machine's name is not known: set it with -host"
	case !f.noAgent && telemetry.HostFault(f.host) != "":
		return fmt.Sprintf("-host %q %s", f.host, telemetry.HostFault(f.host))
	}
	return ""
}

// readRules replaces the standard rules by the rules in a file.
func (f *flags) readRules(path string) error {
	file, err := os.Open(path)
	if err != nil {
		return err
	}
	defer file.Close()
	f.rules, err = watch.Read(file)
	return err
}

// servers returns the URLs of the servers for -agent-only.
func (f *flags) servers() []string {
	return strings.FieldsFunc(f.server, func(r rune) bool { return r == ',' || r == ' ' })
}

// isPostgres reports whether db is a URL of a PostgreSQL database, and not a file.
func isPostgres(db string) bool {
	return strings.HasPrefix(db, "postgres://") || strings.HasPrefix(db, "postgresql://")
}

// dbFault returns a message if db is not a valid value of -db, and otherwise "". The message does
// not quote db, since a URL may contain a password.
func dbFault(db string) string {
	switch u, err := url.Parse(db); {
	case !isPostgres(db) && strings.Contains(db, "://"):
		return "-db is a file, or a URL that begins with postgres://"
	case isPostgres(db) && (err != nil || u.Host == "" || strings.Trim(u.Path, "/") == ""):
		return "-db is not a URL of the form postgres://user@host/name"
	}
	return ""
}

// natsFault returns a message if -nats is set and not valid, and otherwise "". The message does not
// quote the URLs, since they may contain passwords.
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

// place returns the file of the database, or its URL without the user, the password and the options.
func (f *flags) place() string {
	u, err := url.Parse(f.db)
	if !isPostgres(f.db) || err != nil {
		return f.db
	}
	return u.Scheme + "://" + u.Host + u.Path
}
