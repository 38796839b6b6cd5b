package store

import (
	"database/sql/driver"
	"fmt"
	"strings"
	"time"

	"github.com/hone-go/hone/examples/pulse/telemetry"
	"github.com/hone-go/hone/json"
)

// A column is one field of a [telemetry.Reading] in the table. The insert, the select and the
// metric filter are made from the list below, so that a new measurement needs one new line here,
// and a migration that adds the column.
type column struct {
	name   string
	metric string // its name in queries

	// field points into r. The pointer that it returns is used for reading and writing: as the
	// target of Scan and, because an Option and a list are driver.Valuers, as an argument.
	field func(r *telemetry.Reading) any
}

var columns = []column{
	{"cpu", "cpu", func(r *telemetry.Reading) any { return &r.CPU }},
	{"cores", "cpu", func(r *telemetry.Reading) any { return list(&r.Cores) }},
	{"load1", "load", func(r *telemetry.Reading) any { return &r.Load1 }},
	{"load5", "load", func(r *telemetry.Reading) any { return &r.Load5 }},
	{"load15", "load", func(r *telemetry.Reading) any { return &r.Load15 }},
	{"memory_used", "memory", func(r *telemetry.Reading) any { return &r.MemoryUsed }},
	{"memory_total", "memory", func(r *telemetry.Reading) any { return &r.MemoryTotal }},
	{"swap_used", "swap", func(r *telemetry.Reading) any { return &r.SwapUsed }},
	{"swap_total", "swap", func(r *telemetry.Reading) any { return &r.SwapTotal }},
	{"uptime", "uptime", func(r *telemetry.Reading) any { return &r.Uptime }},
	{"disks", "disks", func(r *telemetry.Reading) any { return list(&r.Disks) }},
	{"networks", "networks", func(r *telemetry.Reading) any { return list(&r.Networks) }},
	{"temperatures", "temperatures", func(r *telemetry.Reading) any { return list(&r.Temperatures) }},
}

// Metrics returns the names that may be in a [Query]. The column has of the table has a bit for each
// of them, in this order. A new metric needs a migration that creates the column again.
func Metrics() []string {
	var names []string
	for _, c := range columns {
		if len(names) == 0 || names[len(names)-1] != c.metric {
			names = append(names, c.metric)
		}
	}
	return names
}

// insertSQL skips a reading whose host and time are stored already.
var insertSQL = fmt.Sprintf("INSERT INTO readings (%s) VALUES (?%s) ON CONFLICT (host, at) DO NOTHING",
	names("", ""), strings.Repeat(", ?", 1+len(columns)))

// names lists host, at and the columns of metric, or all of them if it is "", each with a
// prefix.
func names(prefix, metric string) string {
	list := []string{prefix + "host", prefix + "at"}
	for _, c := range columns {
		if metric == "" || metric == c.metric {
			list = append(list, prefix+c.name)
		}
	}
	return strings.Join(list, ", ")
}

// fields returns pointers into r, in the order of names.
func fields(r *telemetry.Reading, metric string) []any {
	list := make([]any, 0, 2+len(columns))
	list = append(list, &r.Host, millis{&r.At})
	for _, c := range columns {
		if metric == "" || metric == c.metric {
			list = append(list, c.field(r))
		}
	}
	return list
}

// millis stores a time as milliseconds since 1970.
type millis struct{ *time.Time }

func (m millis) Value() (driver.Value, error) { return m.UnixMilli(), nil }

func (m millis) Scan(src any) error {
	n, ok := src.(int64)
	if !ok {
		return fmt.Errorf("the stored time is a %T, not an integer", src)
	}
	*m.Time = time.UnixMilli(n).UTC()
	return nil
}

// jsonList stores a list as JSON text, and an empty list as NULL. SQLite has functions for JSON, and
// old rows stay readable when the elements get a new field.
type jsonList[T any] struct{ values *[]T }

func list[T any](values *[]T) jsonList[T] { return jsonList[T]{values} }

func (l jsonList[T]) Value() (driver.Value, error) {
	if len(*l.values) == 0 {
		return nil, nil
	}
	text, err := json.Marshal(l.values)
	return string(text), err
}

func (l jsonList[T]) Scan(src any) error {
	*l.values = nil
	switch text := src.(type) {
	case nil:
		return nil
	case string:
		return json.Unmarshal([]byte(text), l.values)
	default:
		return fmt.Errorf("the stored list is a %T, not text", src)
	}
}

// asJSON reads a value from a column with JSON.
type asJSON[T any] struct{ value *T }

func (j asJSON[T]) Scan(src any) error {
	text, _ := src.([]byte)
	return json.Unmarshal(text, j.value)
}
