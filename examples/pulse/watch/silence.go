package watch

import (
	"strings"
	"time"

	"github.com/hone-go/hone/examples/pulse/store"
)

// silence is the metric of rules about silent hosts.
const silence = "silent"

// IsSilence reports whether the rule is about silent hosts.
func (r *Rule) IsSilence() bool { return r.Metric == silence }

// SilenceFault returns the reason why text is not the rule of a silence, or "". It must be a metric,
// the text of a rule, or empty.
func SilenceFault(text string) string {
	_, known := metrics[text]
	if _, err := Parse(text); text == "" || known || err == nil {
		return ""
	}
	return "the rule must be the text of a rule, or one of " + strings.Join(Metrics(), ", ")
}

// maxFuture is the maximum difference between the clocks of two servers.
const maxFuture = time.Minute

// isSilent reports whether a host has been silent for longer than the limit. If the time of the last
// report is in the future, the server's clock was ahead when the report arrived. The real time is
// then unknown, so the host counts as silent until its next report.
func isSilent(h *store.Host, now time.Time, limit time.Duration) bool {
	return now.Sub(h.Heard) > h.SilentAfter()+limit || h.Heard.Sub(now) > maxFuture
}
