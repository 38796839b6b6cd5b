package store

import (
	"database/sql/driver"
	"fmt"
	"strings"
	"time"

	"github.com/hone-go/hone/examples/pulse/telemetry"
	"github.com/hone-go/hone/json"
)

// A column is one field of a [telemetry.Reading] in the table. The table's
// definition, the insert, the select and the metric filter are all made from
// the list below, so that a new measurement is one line here.
type column struct {
	name   string
	kind   string // SQLite's type
	metric string // the name under which a query asks for it

	// field points into r. The pointer that it returns is used both ways: as the target of
	// Scan and, because an Option and a list are driver.Valuers, as an argument.
	field func(r *telemetry.Reading) any
}

var columns = []column{
	{"cpu", "REAL", "cpu", func(r *telemetry.Reading) any { return &r.CPU }},
	{"cores", "TEXT", "cpu", func(r *telemetry.Reading) any { return list(&r.Cores) }},
	{"load1", "REAL", "load", func(r *telemetry.Reading) any { return &r.Load1 }},
	{"load5", "REAL", "load", func(r *telemetry.Reading) any { return &r.Load5 }},
	{"load15", "REAL", "load", func(r *telemetry.Reading) any { return &r.Load15 }},
	{"memory_used", "INTEGER", "memory", func(r *telemetry.Reading) any { return &r.MemoryUsed }},
	{"memory_total", "INTEGER", "memory", func(r *telemetry.Reading) any { return &r.MemoryTotal }},
	{"swap_used", "INTEGER", "swap", func(r *telemetry.Reading) any { return &r.SwapUsed }},
	{"swap_total", "INTEGER", "swap", func(r *telemetry.Reading) any { return &r.SwapTotal }},
	{"uptime", "INTEGER", "uptime", func(r *telemetry.Reading) any { return &r.Uptime }},
	{"disks", "TEXT", "disks", func(r *telemetry.Reading) any { return list(&r.Disks) }},
	{"networks", "TEXT", "networks", func(r *telemetry.Reading) any { return list(&r.Networks) }},
	{"temperatures", "TEXT", "temperatures", func(r *telemetry.Reading) any { return list(&r.Temperatures) }},
}

// Metrics returns the names that a [Query] may ask for.
func Metrics() []string {
	var names []string
	for _, c := range columns {
		if len(names) == 0 || names[len(names)-1] != c.metric {
			names = append(names, c.metric)
		}
	}
	return names
}

// hasExpression is a bit for each of [Metrics], in their order. A new metric needs a step that
// makes the column anew.
func hasExpression() string {
	var bits []string
	for i, metric := range Metrics() {
		var present []string
		for _, c := range columns {
			if c.metric == metric {
				present = append(present, c.name+" IS NOT NULL")
			}
		}
		bits = append(bits, fmt.Sprintf("CASE WHEN %s THEN %d ELSE 0 END", strings.Join(present, " OR "), 1<<i))
	}
	return "(" + strings.Join(bits, ") | (") + ")"
}

func columnDefinitions() string {
	var b strings.Builder
	for _, c := range columns {
		fmt.Fprintf(&b, ",\n\t\t%s %s", c.name, c.kind)
	}
	return b.String()
}

// insertSQL skips a reading whose host and moment are there already.
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
		return fmt.Errorf("time is a %T in the database, not an integer", src)
	}
	*m.Time = time.UnixMilli(n).UTC()
	return nil
}

// jsonList stores a list as JSON text: SQLite's own functions reach into it,
// and a field added to its elements later does not make old rows unreadable.
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
		return fmt.Errorf("list is a %T in the database, not text", src)
	}
}
