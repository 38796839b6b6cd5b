// Package watch judges hosts: which values are too high for too long, and which hosts are silent.
package watch

import (
	"bufio"
	"cmp"
	"fmt"
	"io"
	"path"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/hone-go/hone/examples/pulse/store"
	"github.com/hone-go/hone/examples/pulse/telemetry"
	"github.com/hone-go/hone/mo"
)

// A Level is the severity of the state of a host.
type Level string

// These are the levels, from the worst to the best.
const (
	Critical Level = "bad"
	High     Level = "warn"
	Fine     Level = ""
)

var levels = map[string]Level{"critical": Critical, "high": High}

// Word returns the name of the level in the text of a rule.
func (l Level) Word() string {
	for word, level := range levels {
		if level == l {
			return word
		}
	}
	return string(l)
}

// Window is the longest duration of a rule.
const Window = time.Hour

// A Rule is a threshold for a metric, a value and a duration. It holds for a host if, in each
// minute of the duration, the mean of the metric is beyond the value. Its text is such as "critical
// cpu > 90 for 5m on web-*".
type Rule struct {
	Level  Level
	Metric string // a name of Metrics, or "silent"
	Below  bool   // if set, the rule holds for values below Value; if not, for values above Value
	Value  float64
	For    time.Duration // 0: only the last reading counts
	Hosts  string        // a pattern of package path
	text   string
}

// A metric computes a value of a reading, or of the mean of a line in a minute.
type metric struct {
	name string
	line string // the name of one of telemetry.Lines
	of   func(mean float64, last *telemetry.Reading) mo.Option[float64]
}

var metrics = []metric{
	{"cpu", "cpu", plain},
	{"memory", "memory", func(mean float64, last *telemetry.Reading) mo.Option[float64] {
		return share(mean, float64(last.MemoryTotal.OrEmpty()))
	}},
	{"swap", "swap", func(mean float64, last *telemetry.Reading) mo.Option[float64] {
		return share(mean, float64(last.SwapTotal.OrEmpty()))
	}},
	{"disk", "disk", plain},
	{"load", "load", func(mean float64, last *telemetry.Reading) mo.Option[float64] {
		perCore := share(mean, float64(len(last.Cores)))
		return mo.TupleToOption(perCore.OrEmpty()/100, perCore.IsSome())
	}},
	{"temperature", "temperature", plain},
	{"received", "received", plain},
	{"sent", "sent", plain},
}

func plain(mean float64, _ *telemetry.Reading) mo.Option[float64] { return mo.Some(mean) }

func share(part, whole float64) mo.Option[float64] {
	return mo.TupleToOption(100*part/whole, whole > 0)
}

// Metrics returns the names of the metrics of rules. Shares are in percent, load is for each core,
// rates are in bytes a second, temperatures in degrees Celsius.
func Metrics() (names []string) {
	for _, m := range metrics {
		names = append(names, m.name)
	}
	return append(names, silence)
}

// Defaults are the rules of a server without a file of rules.
var Defaults, _ = Read(strings.NewReader(`high cpu > 80 for 5m
critical cpu > 95 for 10m
high memory > 85 for 5m
critical memory > 95 for 5m
high disk > 80 for 1m
critical disk > 90 for 1m
high load > 1 for 15m
critical load > 2 for 15m
critical silent for 1m`)) // the error is ignored, because a test checks that the rules are valid

// Read reads rules, one on each line. It ignores empty lines and lines that begin with #.
func Read(r io.Reader) (rules []Rule, err error) {
	lines := bufio.NewScanner(r)
	for n := 1; lines.Scan(); n++ {
		text := strings.TrimSpace(lines.Text())
		if text == "" || text[0] == '#' {
			continue
		}
		rule, err := Parse(text)
		if err != nil {
			return nil, fmt.Errorf("line %d: %w", n, err)
		}
		rules = append(rules, rule)
	}
	return rules, lines.Err()
}

var ruleText = regexp.MustCompile(`^(high|critical)\s+(\w+)(?:\s+([<>])\s*(\S+))?(?:\s+for\s+(\S+))?(?:\s+on\s+(\S+))?$`)

// Parse parses a rule: a level (high or critical), a metric, > or < and a value, and perhaps a
// duration and a pattern of hosts. A rule about silence has no value.
func Parse(text string) (Rule, error) {
	parts := ruleText.FindStringSubmatch(text)
	if parts == nil {
		return Rule{}, fmt.Errorf("rule %q: must have a form such as high cpu > 80 for 5m on web-*", text)
	}
	r := Rule{Level: levels[parts[1]], Metric: parts[2], Below: parts[3] == "<", Hosts: cmp.Or(parts[6], "*"), text: text}
	var numberErr, durationErr error
	if !r.IsSilence() {
		r.Value, numberErr = strconv.ParseFloat(parts[4], 64)
	}
	r.For, durationErr = time.ParseDuration(cmp.Or(parts[5], "0s"))
	_, patternErr := path.Match(r.Hosts, "")
	switch {
	case !slices.Contains(Metrics(), r.Metric):
		return r, fmt.Errorf("rule %q: unknown metric %q; the metrics are %s", text, r.Metric, strings.Join(Metrics(), ", "))
	case (parts[3] == "") != r.IsSilence() || numberErr != nil:
		return r, fmt.Errorf("rule %q: a metric must be followed by > or < and a number; 'silent' has no number", text)
	case durationErr != nil || r.For < 0 || r.For > Window || !r.IsSilence() && r.For%time.Minute != 0:
		return r, fmt.Errorf("rule %q: the duration after 'for' must be at most 60m, and a whole number of minutes unless the rule is for silent hosts", text)
	case patternErr != nil:
		return r, fmt.Errorf("rule %q: 'on' must be followed by a pattern of hosts such as web-*", text)
	}
	return r, nil
}

// String returns the text of the rule.
func (r *Rule) String() string { return r.text }

// minutes are the buckets of one host by their start, in milliseconds since 1970.
type minutes map[int64]*telemetry.Bucket

// holds reports whether the rule holds for a host at a time of the server's clock. The time span
// r.For ends at the time of the reading that arrived last, and not at now, because the clock of the
// host may be wrong.
func (r *Rule) holds(h *store.Host, recent minutes, now time.Time) bool {
	if matched, _ := path.Match(r.Hosts, h.Name); !matched || r.IsSilence() {
		return matched && isSilent(h, now, r.For)
	}
	m := metrics[slices.IndexFunc(metrics, func(m metric) bool { return m.name == r.Metric })]
	line := slices.IndexFunc(telemetry.Lines, func(l telemetry.Line) bool { return l.Name == m.line })
	if r.For == 0 {
		value, ok := telemetry.Lines[line].Value(&h.Reading).Get()
		return ok && r.beyond(m.of(value, &h.Reading))
	}
	last := h.Reading.At.Truncate(time.Minute)
	began := last.Add(-r.For)
	first := time.Time{} // the first minute with a value
	for at := began; !at.After(last); at = at.Add(time.Minute) {
		b := recent[at.UnixMilli()]
		if b == nil || line >= len(b.Lines) {
			continue
		}
		mean, ok := b.Lines[line].Mean()
		if !ok {
			continue
		}
		if !r.beyond(m.of(float64(mean), &h.Reading)) {
			return false
		}
		if first.IsZero() {
			first = at
		}
	}
	// The first minute with a value may be up to a report interval after the beginning, because a
	// host may report less than once a minute.
	return !first.IsZero() && !first.After(began.Add(h.Agent.Every))
}

// beyond reports whether a value is above the threshold of the rule, or below it if r.Below is set.
// It is false for None and for the threshold itself.
func (r *Rule) beyond(v mo.Option[float64]) bool {
	value, ok := v.Get()
	return ok && (value > r.Value) != r.Below && value != r.Value
}
