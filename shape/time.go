package shape

import "time"

// timeFormats lists OpenAPI's formats for times with their layouts
// (https://spec.openapis.org/registry/format).
var timeFormats = []struct{ name, layout string }{
	{"date-time", time.RFC3339},
	{"date-time-local", "2006-01-02T15:04:05"},
	{"date", time.DateOnly},
	{"time", "15:04:05Z07:00"},
	{"time-local", time.TimeOnly},
}

// TimeLayout returns the layout of a time parameter for package time, or "" if f has no `format`
// tag. If the tag is one of OpenAPI's names for time formats, the result is the layout of that
// format.
func (f *Field) TimeLayout() string {
	format := f.Format()
	for _, t := range timeFormats {
		if t.name == format {
			return t.layout
		}
	}
	return format
}

// TimeFormat returns the name of OpenAPI's format with the given layout, or "".
func TimeFormat(layout string) string {
	for _, t := range timeFormats {
		if t.layout == layout {
			return t.name
		}
	}
	return ""
}

// ShowsTime reports whether a layout contains at least one element of a time, such as the year.
// In a layout without one, all times have the same text.
func ShowsTime(layout string) bool {
	a := time.Date(2001, 2, 3, 4, 5, 6, 7, time.UTC)
	b := time.Date(2012, 11, 20, 19, 48, 57, 123456789, time.FixedZone("", 3600))
	return a.Format(layout) != b.Format(layout)
}
