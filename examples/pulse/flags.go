package main

import (
	"bytes"
	"cmp"
	"fmt"
	"io"
	"net/url"
	"os"
	"slices"
	"strings"
	"time"

	"github.com/hone-go/hone/examples/pulse/agent"
	"github.com/hone-go/hone/examples/pulse/store"
	"github.com/hone-go/hone/examples/pulse/telemetry"
	"github.com/hone-go/hone/examples/pulse/watch"
)

type flags struct {
	addr string
	db   string
	nats string
	keep store.Options

	commitWait time.Duration

	agent   agent.Options // Servers and TLS are not set; the methods servers and agentTLS return them
	noAgent bool
	rules   *watch.Rules

	rulesFile string

	alertFlags

	agentOnly bool
	server    string

	accessFlags
	verbose, version bool
}

// maxCommitWait is less than the time after which agents and the broker send a batch again.
const maxCommitWait = 5 * time.Second

// parseFlags returns the flags in args. For its errors see [commandLine.parse].
func parseFlags(args []string, stderr io.Writer) (*flags, error) {
	f := &flags{}
	set := newCommandLine("pulse", "store to this SQLite `file`, which is created if it does not exist, or to the PostgreSQL\ndatabase at a URL, postgres://user@host/name, which several servers may share", stderr)
	name, _ := os.Hostname()
	set.StringVar(&f.addr, "addr", "127.0.0.1:8080", "listen on this `address`; with 0.0.0.0:8080 other machines can connect")
	set.StringVar(&f.nats, "nats", "", "queue batches at the NATS servers with these `URLs`, nats://host:4222, separated by\ncommas; all pulse servers with these URLs have to share a PostgreSQL database")
	set.DurationVar(&f.commitWait, "commit-wait", 100*time.Millisecond, "let a batch wait for others for at most this `duration`, so that they share a transaction;\nthe agent gets its answer after the commit")
	set.DurationVar(&f.keep.Retention, "retention", 24*time.Hour, "delete readings older than this `duration`; summaries of minutes are kept for\n31 days and summaries of hours for two years; 0 keeps all")
	set.IntVar(&f.keep.Hosts, "max-hosts", 10000, "store readings of at most this `number` of hosts; readings of further hosts are refused;\n0 allows any number")
	set.IntVar(&f.keep.HostsPerToken, "max-hosts-per-token", 1000, "the same `number` for each token of -write-token-file, or for all hosts if posting\nneeds no token; 0 allows any number")
	set.StringVar(&f.rulesFile, "rules", "", "take the rules from this `file`: one on each line, such as\nhigh cpu > 80 for 5m clear < 70 on web-*, or maintenance daily 02:00-03:00 because the backups run; after a\nSIGHUP it is read again")
	set.Func("rule", "add this `rule` to the rules of -rules, or to the standard rules; may be repeated", f.more.Add)
	f.alertFlags.add(set.FlagSet)
	set.BoolVar(&f.noAgent, "no-agent", false, "do not measure this machine")
	set.StringVar(&f.agent.Host, "host", name, "report under this `name`")
	set.DurationVar(&f.agent.Interval, "interval", time.Second, "the `duration` between two measurements")
	set.DurationVar(&f.agent.Report, "report", agent.Report, "the longest `duration` between two posts of an agent: it posts several measurements\ntogether, but each at once while somebody looks at the page")
	set.Func("tag", "a `tag` that the page shows for this machine, such as role=db; may be repeated", func(tag string) error {
		f.agent.Tags = append(f.agent.Tags, tag)
		return telemetry.TagFault(tag)
	})
	several := func(values *[]string) func(string) error {
		return func(v string) error { *values = append(*values, v); return nil }
	}
	set.Func("disk-include", "count file systems with this `pattern` of their mount point, such as '/mnt/*', or of their\ntype, such as type=nfs4, as disks; may be repeated", several(&f.agent.Disks.Include))
	set.Func("disk-exclude", "do not count file systems with this `pattern` as disks; may be repeated", several(&f.agent.Disks.Exclude))
	set.Func("net-include", "count the traffic of interfaces with this `pattern` of their name, such as 'wg*', in\naddition to that of the physical ones; may be repeated", several(&f.agent.Networks.Include))
	set.Func("net-exclude", "do not count the traffic of interfaces with this `pattern`; may be repeated", several(&f.agent.Networks.Exclude))
	set.BoolVar(&f.agentOnly, "agent-only", false, "measure and report to -server; store and serve nothing")
	set.StringVar(&f.server, "server", "", "the `URL` that -agent-only reports to, such as http://monitor.example:8080, or several\nseparated by commas: if one does not answer, another one gets the readings")
	set.IntVar(&f.agent.Buffer, "buffer", 3600, "the number of `readings` that the agent keeps while the server does not answer;\nif there are more, the oldest are dropped")
	f.accessFlags.add(set.FlagSet)
	set.BoolVar(&f.verbose, "v", false, "log every request and sample")
	set.BoolVar(&f.version, "version", false, "print the version and exit")
	err := set.parse(args)
	if err != nil {
		return nil, err
	}
	f.db = set.db
	if f.version {
		return f, nil
	}
	wrong := f.check(set.Args())
	f.rules, err = watch.NewRules(f.readRules)
	if err != nil && wrong == "" {
		wrong = fmt.Sprintf("-rules: %v", err)
	}
	if wrong == "" {
		wrong = cmp.Or(f.accessFlags.check(), f.alertFlags.check())
	}
	if wrong != "" {
		return nil, set.wrong("%s", wrong)
	}
	return f, nil
}

// check returns a message if the flags cannot be used, and otherwise "". rest has the arguments
// after the flags.
func (f *flags) check(rest []string) string {
	switch {
	case len(rest) > 0:
		return fmt.Sprintf("unexpected argument %q", rest[0])
	case f.agent.Interval < 100*time.Millisecond:
		return fmt.Sprintf("-interval %s is too short: measuring would keep the machine busy; use 100ms or more", f.agent.Interval)
	case f.agent.Report < 0 || f.agent.Report > 24*time.Hour || f.agent.Interval > 24*time.Hour:
		return "-report and -interval must not be negative, nor longer than a day"
	case len(f.agent.Tags) > telemetry.MaxTags:
		return fmt.Sprintf("-tag must not be repeated more than %d times", telemetry.MaxTags)
	case f.agent.Disks.Fault() != "" || f.agent.Networks.Fault() != "":
		return fmt.Sprintf("%q is not a pattern such as '/mnt/*'", f.agent.Disks.Fault()+f.agent.Networks.Fault())
	case f.commitWait < 0 || f.commitWait > maxCommitWait:
		return fmt.Sprintf("-commit-wait must be between 0 and %s", maxCommitWait)
	case f.keep.Retention < 0:
		return "-retention must not be negative; 0 keeps everything"
	case f.keep.Hosts < 0 || f.keep.HostsPerToken < 0:
		return "-max-hosts and -max-hosts-per-token must not be negative; 0 allows any number"
	case f.nats != "" && !isPostgres(f.db):
		return "-nats needs a shared database: add -db postgres://…"
	case f.natsFault() != "":
		return f.natsFault()
	case f.agentOnly && f.nats != "":
		return "-nats is for servers; -agent-only reports to one of them"
	case f.agent.Buffer < 1:
		return "-buffer must be at least 1"
	case f.agentOnly && len(f.servers()) == 0:
		return "-agent-only needs -server URL, the URL of the pulse to report to"
	case !f.agentOnly && f.server != "":
		return "-server is for -agent-only"
	case f.agentOnly && f.alertFlags.anySet():
		return "alerts are for servers; -agent-only reports to one of them"
	case f.agentOnly && f.noAgent:
		return "-agent-only and -no-agent leave nothing to do"
	case f.agent.Host == "" && !f.noAgent:
		return "this machine's name is not known: set it with -host"
	case !f.noAgent && telemetry.HostFault(f.agent.Host) != "":
		return fmt.Sprintf("-host %q %s", f.agent.Host, telemetry.HostFault(f.agent.Host))
	}
	return ""
}

// readRules returns the rules of -rules, or the standard rules, and the rules of -rule, with the maintenance
// windows of both.
func (f *flags) readRules() (set watch.Set, err error) {
	set.Rules = watch.Defaults
	if f.rulesFile != "" {
		text, err := os.ReadFile(f.rulesFile)
		if err != nil {
			return set, err
		}
		if set, err = watch.Read(bytes.NewReader(text)); err != nil {
			return set, fmt.Errorf("%s: %w", f.rulesFile, err)
		}
		if len(set.Rules) == 0 && f.rules != nil { // perhaps the file is being written while the server reads it again
			return set, fmt.Errorf("%s holds no rules", f.rulesFile)
		}
	}
	return watch.Set{Rules: slices.Concat(set.Rules, f.more.Rules), Maintenance: slices.Concat(set.Maintenance, f.more.Maintenance)}, nil
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
	if !isPostgres(f.db) {
		return f.db
	}
	u, err := url.Parse(f.db)
	if err != nil {
		return "PostgreSQL" // the text may contain the password
	}
	return u.Scheme + "://" + u.Host + u.Path
}
