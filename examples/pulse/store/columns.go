package store

import (
	"database/sql/driver"
	"fmt"
	"reflect"
	"slices"
	"strings"
	"time"

	"github.com/hone-go/hone/examples/pulse/telemetry"
	"github.com/hone-go/hone/json"
	"github.com/hone-go/hone/mo"
	"github.com/hone-go/hone/wire"
)

// A column is a column of a table, and its type in PostgreSQL.
type column struct{ name, kind string }

// readingColumns are the columns of readings. The statements that insert and select readings are
// made from [telemetry.Columns].
var readingColumns = func() (list []column) {
	for _, c := range telemetry.Columns {
		_, kind := asColumn(c.Field(&telemetry.Reading{}), nil)
		list = append(list, column{c.Name, kind})
	}
	return list
}()

// Metrics returns the names that may be in a [Query]. In the table readings, the column "has" contains a
// bit for each of them, in this order. A new metric needs a migration that creates the column again.
func Metrics() []string {
	var names []string
	for _, c := range telemetry.Columns {
		names = append(names, c.Metric)
	}
	return slices.Compact(names)[1:] // without the first name, "", which stands for the columns host and at
}

// names lists the columns of metric, or all columns if it is "", each with a prefix.
func names(prefix, metric string) string {
	var list []string
	for _, c := range telemetry.Columns {
		if metric == "" || c.Metric == "" || c.Metric == metric {
			list = append(list, prefix+c.Name)
		}
	}
	return strings.Join(list, ", ")
}

// fields returns pointers into r, in the order of the columns that names returns. They serve as
// arguments of statements and as targets of Scan. Scan adds the length of each list's JSON to *size.
func fields(r *telemetry.Reading, metric string, size *int) []any {
	list := make([]any, 0, len(telemetry.Columns))
	for _, c := range telemetry.Columns {
		if metric == "" || c.Metric == "" || c.Metric == metric {
			value, _ := asColumn(c.Field(r), size)
			list = append(list, value)
		}
	}
	return list
}

func allFields(r *telemetry.Reading) []any { return fields(r, "", new(int)) }

// asColumn returns a pointer that stands for a field of a reading in the arguments of statements and in Scan. It
// also returns the type of the column.
func asColumn(field any, size *int) (value any, kind string) {
	switch f := field.(type) {
	case *string:
		return f, "text"
	case *time.Time:
		return millis{f}, "bigint"
	case *mo.Option[float64]:
		return f, "float8"
	case *mo.Option[uint64]:
		return f, "bigint"
	}
	return asJSON{field, size}, "text"
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

// bit stores a bool as 0 or 1.
type bit struct{ *bool }

func (b bit) Value() (driver.Value, error) {
	if *b.bool {
		return int64(1), nil
	}
	return int64(0), nil
}

func (b bit) Scan(src any) error {
	n, ok := src.(int64)
	if !ok {
		return fmt.Errorf("the stored bit is a %T, not an integer", src)
	}
	*b.bool = n != 0
	return nil
}

// durationMillis reads a duration from a column with milliseconds.
type durationMillis struct{ *time.Duration }

func (m durationMillis) Scan(src any) error {
	n, ok := src.(int64)
	if !ok {
		return fmt.Errorf("the stored duration is a %T, not an integer", src)
	}
	*m.Duration = time.Duration(n) * time.Millisecond
	return nil
}

// asJSON stores a value as JSON, and an empty list as NULL. SQLite has functions for JSON, and old
// rows stay readable when the type gets a new field.
type asJSON struct {
	value any
	size  *int // Scan adds the length of the JSON to it
}

func (j asJSON) Value() (driver.Value, error) {
	if v := reflect.ValueOf(j.value).Elem(); v.Kind() == reflect.Slice && v.Len() == 0 {
		return nil, nil
	}
	text, err := json.Marshal(j.value)
	return string(text), err
}

func (j asJSON) Scan(src any) error {
	var text []byte
	switch src := src.(type) {
	case nil:
		return nil
	case string:
		text = []byte(src)
	case []byte:
		text = src
	}
	*j.size += len(text)
	return json.Unmarshal(text, j.value)
}

// encodedBucket stores a bucket as bytes.
type encodedBucket struct{ *telemetry.Bucket }

func (e encodedBucket) Value() (driver.Value, error) { return wire.Marshal(e.Bucket) }

func (e encodedBucket) Scan(src any) error {
	data, ok := src.([]byte)
	if !ok {
		return fmt.Errorf("the stored sum is a %T, not bytes", src)
	}
	return wire.Unmarshal(data, e.Bucket)
}
