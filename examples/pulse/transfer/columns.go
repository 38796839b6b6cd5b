package transfer

import (
	"encoding"
	"reflect"
	"strings"
	"time"

	"github.com/hone-go/hone/examples/pulse/telemetry"
	"github.com/hone-go/hone/json"
)

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
var Steps = []telemetry.Column[Step]{
	{Name: "host", Field: func(s *Step) any { return &s.Host }},
	{Name: "at", Field: func(s *Step) any { return &s.At }},
	{Name: "line", Field: func(s *Step) any { return &s.Line }},
	{Name: "count", Field: func(s *Step) any { return &s.Count }},
	{Name: "min", Field: func(s *Step) any { return &s.Min }},
	{Name: "mean", Field: func(s *Step) any { return &s.Mean }},
	{Name: "max", Field: func(s *Step) any { return &s.Max }},
}

// formula lists the characters that make a spreadsheet evaluate a cell if they are at its start. It
// also has the apostrophe, which marks a cell as text.
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
