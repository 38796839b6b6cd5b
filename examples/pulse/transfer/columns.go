package transfer

import (
	"encoding"
	"reflect"
	"strings"
	"time"

	"github.com/hone-go/hone/examples/pulse/telemetry"
	"github.com/hone-go/hone/json"
)

// A Column is a column of a table whose rows are values of type T. Field returns a pointer to the
// part of a row that is in the column.
type Column[T any] struct {
	Name  string
	Field func(*T) any
}

// Readings are the columns of readings.
var Readings = []Column[telemetry.Reading]{
	{"host", func(r *telemetry.Reading) any { return &r.Host }},
	{"at", func(r *telemetry.Reading) any { return &r.At }},
	{"cpu", func(r *telemetry.Reading) any { return &r.CPU }},
	{"cores", func(r *telemetry.Reading) any { return &r.Cores }},
	{"load1", func(r *telemetry.Reading) any { return &r.Load1 }},
	{"load5", func(r *telemetry.Reading) any { return &r.Load5 }},
	{"load15", func(r *telemetry.Reading) any { return &r.Load15 }},
	{"memory_used", func(r *telemetry.Reading) any { return &r.MemoryUsed }},
	{"memory_total", func(r *telemetry.Reading) any { return &r.MemoryTotal }},
	{"swap_used", func(r *telemetry.Reading) any { return &r.SwapUsed }},
	{"swap_total", func(r *telemetry.Reading) any { return &r.SwapTotal }},
	{"uptime", func(r *telemetry.Reading) any { return &r.Uptime }},
	{"disks", func(r *telemetry.Reading) any { return &r.Disks }},
	{"networks", func(r *telemetry.Reading) any { return &r.Networks }},
	{"temperatures", func(r *telemetry.Reading) any { return &r.Temperatures }},
}

// A Step summarizes one telemetry.Line of a machine over a minute or an hour.
type Step struct {
	Host  string    `json:"host"`
	At    time.Time `json:"at"` // the beginning
	Line  string    `json:"line"`
	Count uint32    `json:"count"`
	Min   float32   `json:"min"`
	Mean  float32   `json:"mean"`
	Max   float32   `json:"max"`
}

// Steps are the columns of steps.
var Steps = []Column[Step]{
	{"host", func(s *Step) any { return &s.Host }},
	{"at", func(s *Step) any { return &s.At }},
	{"line", func(s *Step) any { return &s.Line }},
	{"count", func(s *Step) any { return &s.Count }},
	{"min", func(s *Step) any { return &s.Min }},
	{"mean", func(s *Step) any { return &s.Mean }},
	{"max", func(s *Step) any { return &s.Max }},
}

// formula are first characters that make a cell more than text in a spreadsheet.
const formula = "=+-@\t\r'"

// cell returns the text of the value that field points to, for a cell of CSV. The text of an empty
// list is "". A name that a spreadsheet would take for a formula gets an apostrophe before it.
func cell(field any) (string, error) {
	if s, ok := field.(*string); ok {
		if *s != "" && strings.Contains(formula, (*s)[:1]) {
			return "'" + *s, nil
		}
		return *s, nil
	}
	if v := reflect.ValueOf(field).Elem(); v.Kind() == reflect.Slice && v.Len() == 0 {
		return "", nil
	}
	if m, ok := field.(encoding.TextMarshaler); ok {
		text, err := m.MarshalText()
		return string(text), err
	}
	text, err := json.Marshal(field)
	return string(text), err
}

// setCell parses text from cell into the value that field points to.
func setCell(field any, text string) error {
	if s, ok := field.(*string); ok {
		*s = strings.TrimPrefix(text, "'")
		return nil
	}
	if text == "" {
		return nil // None, or an empty list
	}
	if u, ok := field.(encoding.TextUnmarshaler); ok {
		return u.UnmarshalText([]byte(text))
	}
	return json.Unmarshal([]byte(text), field)
}
