// Package watch judges hosts: which values are too high for too long, and which hosts are silent.
package watch

import (
	"cmp"
	"fmt"
	"math"
	"path"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/hone-go/hone/examples/pulse/store"
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

// A Rule says when an alert about a host begins, and when it is over. Its text is such as "critical
// cpu > 90 for 5m clear < 80 on web-* tag role=web".
//
// With For, the alert begins when the mean of each minute of that time is beyond Value. With Over, it
// begins when the mean of the whole time is. With neither, it begins with one reading. The alert is
// over when the metric has been within Clear for a while, see [Rule.calm].
type Rule struct {
	Level  Level
	Metric string // a name of Metrics
	Part   string // a pattern of disks, interfaces or sensors; "" if the rule is about the whole host
	Below  bool   // if set, the rule is about values below Value; if not, above Value
	Value  float64
	Clear  float64 // at most Value, or at least Value if Below is set
	For    time.Duration
	Over   time.Duration
	Hosts  string // a pattern of package path
	Tag    string // a pattern of package path that one tag of the host must match; "" if hosts need no tag
	text   string
}

// Defaults are the rules of a server without a file of rules.
var Defaults = standard.Rules

var standard, _ = Read(strings.NewReader(`high cpu > 80 for 5m
critical cpu > 95 for 10m
high memory > 85 for 5m
critical memory > 95 for 5m
high disk > 80 for 1m
critical disk > 90 for 1m
high load > 1 for 15m
critical load > 2 for 15m
critical silent for 1m`)) // the error is ignored, because a test checks that the rules are valid

var ruleText = regexp.MustCompile(`^(high|critical)\s+(\w+)(?::(\S+))?(?:\s+([<>])\s*(\S+))?(?:\s+(for|over)\s+(\S+))?(?:\s+clear\s+(?:([<>])\s*)?(\S+))?(?:\s+on\s+(\S+))?(?:\s+tag\s+(\S+))?$`)

// clearMargin is the part of the threshold by which the value must be within it again before an
// alert is over, if the rule has no clear.
const clearMargin = 1. / 32

// Parse parses a rule: a level (high or critical), a metric, perhaps a part of the host, > or < and a
// value, and perhaps a duration, a value for the end, and patterns of hosts and of tags. A rule about
// silence has no values.
func Parse(text string) (Rule, error) {
	parts := ruleText.FindStringSubmatch(text)
	if parts == nil {
		return Rule{}, fmt.Errorf("rule %q: must have a form such as high cpu > 80 for 5m clear < 70 on web-*", text)
	}
	r := Rule{Level: levels[parts[1]], Metric: parts[2], Part: parts[3], Below: parts[4] == "<", Hosts: cmp.Or(parts[10], "*"), Tag: parts[11], text: text}
	var numberErr, clearErr error
	if !r.IsSilence() {
		r.Value, numberErr = number(parts[5])
		r.Clear = r.Value - clearMargin*abs(r.Value)
		if r.Below {
			r.Clear = r.Value + clearMargin*abs(r.Value)
		}
		if parts[9] != "" {
			r.Clear, clearErr = number(parts[9])
		}
	}
	duration, durationErr := time.ParseDuration(cmp.Or(parts[7], "0s"))
	if parts[6] == "over" {
		r.Over = duration
	} else {
		r.For = duration
	}
	fault := func(format string, args ...any) (Rule, error) {
		return r, fmt.Errorf("rule %q: %s", text, fmt.Sprintf(format, args...))
	}
	m, known := metrics[r.Metric]
	switch {
	case !known:
		return fault("unknown metric %q; the metrics are %s", r.Metric, strings.Join(Metrics(), ", "))
	case r.Part != "" && m.parts == nil:
		return fault("%s has no parts; %s have", r.Metric, strings.Join(metricsWithParts(), ", "))
	case r.Part == "" && m.needsPart:
		return fault("%s needs a part, as in %s:eth0", r.Metric, r.Metric)
	case (parts[4] == "") != r.IsSilence() || numberErr != nil:
		return fault("a metric must be followed by > or < and a number; 'silent' has no number")
	case durationErr != nil || duration < 0 || duration > Window || !r.IsSilence() && duration%time.Minute != 0:
		return fault("the duration must be at most 60m, and a whole number of minutes unless the rule is for silent hosts")
	case parts[6] == "over" && (duration == 0 || r.IsSilence() || !r.isTotal()):
		return fault("'over' needs a duration, and a metric of the whole host; use 'for'")
	case parts[9] != "" && (r.IsSilence() || clearErr != nil || parts[8] == parts[4] || r.beyond(mo.Some(r.Clear))):
		return fault("'clear' must be followed by a number within the threshold, as in cpu > 90 clear < 80")
	case !isPattern(r.Hosts) || !isPattern(r.Tag) || !isPattern(r.Part):
		return fault("hosts, tags and parts must be patterns such as web-*")
	}
	return r, nil
}

// number parses a number that is finite.
func number(text string) (float64, error) {
	v, err := strconv.ParseFloat(text, 64)
	if math.IsNaN(v) || math.IsInf(v, 0) {
		err = strconv.ErrRange
	}
	return v, err
}

func abs(v float64) float64 { return max(v, -v) }

func isPattern(text string) bool {
	_, err := path.Match(text, "")
	return err == nil
}

// String returns the text of the rule.
func (r *Rule) String() string { return r.text }

// Unit returns the unit of the values of the rule, as in "%"; "" for a number and for silence.
func (r *Rule) Unit() string { return metrics[r.Metric].unit }

// isTotal reports whether the rule is about a value of the whole host that the sums of minutes have.
func (r *Rule) isTotal() bool { return r.Part == "" && metrics[r.Metric].line != "" }

// covers reports whether the rule is about a host.
func (r *Rule) covers(h *store.Host) bool {
	if matched, _ := path.Match(r.Hosts, h.Name); !matched {
		return false
	}
	return r.Tag == "" || slices.ContainsFunc(h.Agent.Tags, func(tag string) bool {
		matched, _ := path.Match(r.Tag, tag)
		return matched
	})
}

// beyond reports whether a value is above the threshold of the rule, or below it if r.Below is set.
// It is false for None and for the threshold itself.
func (r *Rule) beyond(v mo.Option[float64]) bool { return r.isBeyond(r.Value, v) }

// isBeyondClear reports whether a value is too high for the end of an alert, or too low if r.Below is
// set.
func (r *Rule) isBeyondClear(v mo.Option[float64]) bool { return r.isBeyond(r.Clear, v) }

func (r *Rule) isBeyond(threshold float64, v mo.Option[float64]) bool {
	value, ok := v.Get()
	return ok && (value > threshold) != r.Below && value != threshold
}

// The time for which a metric must be within Clear before an alert is over.
const (
	shortestCalm = time.Minute
	longestCalm  = 5 * time.Minute // also of rules without a duration, which one reading begins
)

// calm returns the time for which the metric must be within Clear before an alert is over: the
// duration of the rule, but at least a minute and at most five.
func (r *Rule) calm() time.Duration {
	d := max(r.For, r.Over)
	if d == 0 {
		return longestCalm
	}
	return min(max(d, shortestCalm), longestCalm)
}
