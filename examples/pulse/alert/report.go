package alert

import (
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/hone-go/hone/mo"
)

// A Report tells a target about the beginning or the end of an incident, or that it lasts.
type Report struct {
	Key    string             `json:"key"`   // identifies the incident: the same for all of its reports, also if a machine is renamed
	State  string             `json:"state"` // "firing", or "over" at the end of the incident
	Host   string             `json:"host"`  // the first of Hosts
	Rule   string             `json:"rule"`  // such as "high cpu > 80 for 5m"
	Level  string             `json:"level"`
	At     time.Time          `json:"at"`
	Since  time.Time          `json:"since"` // the beginning of the first alert
	Value  mo.Option[float64] `json:"value"` // of the beginning or the end; null for silence and for several machines
	Unit   string             `json:"unit"`
	Part   string             `json:"part"`   // the disk, the interface or the sensor, or ""
	Link   string             `json:"link"`   // the page of the machine, or of all machines if there are several; "" if the URL of the page is not set
	Repeat bool               `json:"repeat"` // an earlier attempt may have succeeded

	Number    int      `json:"number"`    // 1 for the first report of the incident to this target, 2 and more while it lasts
	Count     int      `json:"count"`     // the number of machines whose alert holds; at the end, of all machines of the incident
	Hosts     []string `json:"hosts"`     // the names of these machines, at most 50
	Over      int      `json:"over"`      // the number of machines whose alert is over, while others hold
	Recovered []string `json:"recovered"` // the names of these machines, at most 50
}

// maxListed is the maximum number of machines that a report lists.
const maxListed = 50

// ID identifies the report: it is the same in all attempts, and different for each report.
func (r *Report) ID() string {
	if r.State == "firing" && r.Number > 1 {
		return fmt.Sprintf("%s-firing-%d", r.Key, r.Number)
	}
	return r.Key + "-" + r.State
}

// Measured returns the value with its unit and its part, such as "/srv: 93.1 %", or "" for silence and for
// several machines.
func (r *Report) Measured() string {
	value, ok := r.Value.Get()
	if !ok {
		return ""
	}
	text := strings.TrimSpace(strconv.FormatFloat(value, 'f', 1, 64) + " " + r.Unit)
	if r.Part != "" {
		text = r.Part + ": " + text
	}
	return text
}

// Title returns the report in a few words.
func (r *Report) Title() string {
	who, state := r.Host, r.State
	if r.Count > 1 {
		who = fmt.Sprintf("%s and %d more", r.Host, r.Count-1)
	}
	if r.State == "firing" && r.Number > 1 {
		state = "still firing"
	}
	return fmt.Sprintf("%s: %s is %s", who, r.Rule, state)
}

// Machines returns the names of the machines if there are several, and otherwise "".
func (r *Report) Machines() string {
	if r.Count < 2 {
		return ""
	}
	return enumerate(r.Hosts, r.Count)
}

// OverOn returns the names of the machines whose alert is over while others hold, or "".
func (r *Report) OverOn() string { return enumerate(r.Recovered, r.Over) }

// enumerate returns names, and how many of the count are missing.
func enumerate(names []string, count int) string {
	text := strings.Join(names, ", ")
	if more := count - len(names); more > 0 {
		text += fmt.Sprintf(" and %d more", more)
	}
	return text
}

// Text returns the report in a few lines.
func (r *Report) Text() string {
	lines := []string{r.Title()}
	for _, line := range []struct{ label, text string }{{"", r.Measured()}, {"machines: ", r.Machines()}, {"over on: ", r.OverOn()}} {
		if line.text != "" {
			lines = append(lines, line.label+line.text)
		}
	}
	switch {
	case r.State == "over":
		lines = append(lines, "after "+r.At.Sub(r.Since).Round(time.Second).String())
	case r.Number > 1:
		lines = append(lines, "since "+r.Since.UTC().Format(timeFormat))
	}
	if r.Link != "" {
		lines = append(lines, r.Link)
	}
	return strings.Join(lines, "\n")
}

const timeFormat = "2006-01-02 15:04:05 MST"
