package watch

import (
	"cmp"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"
	_ "time/tzdata" // a container may have no time zones

	"github.com/hone-go/hone/examples/pulse/store"
)

// A Maintenance is a silence that repeats every day or every week. Its text is such as "maintenance weekly
// sun 02:00-04:00 Europe/Berlin on db-* tag role=db rule disk because the backups run".
type Maintenance struct {
	silence  store.Silence  // without Until
	days     []time.Weekday // on which windows begin
	from, to time.Duration  // the start and the end of a window, counted from midnight; the end may be on the next day
	zone     *time.Location
	text     string
}

var maintenanceText = regexp.MustCompile(`^maintenance\s+((daily|weekly\s+(\S+))\s+(\d\d:\d\d)-(\d\d:\d\d)(?:\s+(\S+))??)(?:\s+on\s+(\S+))?(?:\s+tag\s+(\S+))?(?:\s+rule\s+(.+?))?\s+because\s+(.+)$`)

// parseMaintenance parses a silence that repeats: days, a start and an end, perhaps a time zone, perhaps
// patterns of hosts and of tags and a rule, and the reason. Without a time zone the times are in UTC.
func parseMaintenance(text string) (m Maintenance, err error) {
	fault := func(format string, args ...any) (Maintenance, error) {
		return m, fmt.Errorf("%q: %s", text, fmt.Sprintf(format, args...))
	}
	parts := maintenanceText.FindStringSubmatch(text)
	if parts == nil {
		return fault("must have a form such as maintenance weekly sun 02:00-04:00 Europe/Berlin on db-* because the backups run")
	}
	m.text = text
	m.days = slices.Collect(maps.Values(weekdays))
	if parts[3] != "" {
		m.days = nil
		for _, name := range strings.Split(parts[3], ",") {
			weekday, known := weekdays[name]
			if !known {
				return fault("%q is not a day: mon, tue, wed, thu, fri, sat or sun", name)
			}
			m.days = append(m.days, weekday)
		}
	}
	var ok bool
	if m.from, ok = clockTime(parts[4]); !ok {
		return fault("%q is not a time from 00:00 to 24:00", parts[4])
	}
	if m.to, ok = clockTime(parts[5]); !ok {
		return fault("%q is not a time from 00:00 to 24:00", parts[5])
	}
	switch {
	case m.from == day:
		return fault("24:00 can only be the end")
	case m.from == m.to:
		return fault("the start and the end are the same; a whole day is 00:00-24:00")
	case m.to < m.from:
		m.to += day
	}
	if m.zone, err = time.LoadLocation(cmp.Or(parts[6], "UTC")); err != nil {
		return fault("%v", err)
	}
	m.silence = store.Silence{Schedule: parts[1], Hosts: cmp.Or(parts[7], "*"), Tag: parts[8], Rule: parts[9], Reason: parts[10], Who: "the rules"}
	trial := m.silence
	trial.Until = time.Unix(1, 0)
	if wrong := cmp.Or(trial.Fault(time.Unix(0, 0)), SilenceFault(trial.Rule)); wrong != "" {
		return fault("%s", wrong)
	}
	return m, nil
}

const day = 24 * time.Hour

var weekdays = map[string]time.Weekday{
	"mon": time.Monday, "tue": time.Tuesday, "wed": time.Wednesday, "thu": time.Thursday, "fri": time.Friday, "sat": time.Saturday, "sun": time.Sunday,
}

// clockTime returns the time from midnight to a time such as 02:30.
func clockTime(text string) (time.Duration, bool) {
	hours, _ := strconv.Atoi(text[:2])
	minutes, _ := strconv.Atoi(text[3:])
	d := time.Duration(hours)*time.Hour + time.Duration(minutes)*time.Minute
	return d, minutes < 60 && d <= day
}

// String returns the text of the maintenance.
func (m *Maintenance) String() string { return m.text }

// window returns the end of the window that contains now, if there is one. A window lasts until the clock
// has shown its end for the last time, and is never shorter than on days without a change of the clock.
func (m *Maintenance) window(now time.Time) (end time.Time, ok bool) {
	year, month, today := now.In(m.zone).Date()
	for before := range 3 { // a window of 24 hours from 23:59 may last 25 hours
		midnight := time.Date(year, month, today-before, 0, 0, 0, 0, time.UTC)
		if !slices.Contains(m.days, midnight.Weekday()) {
			continue
		}
		begin, _ := m.shows(midnight.Add(m.from))
		_, last := m.shows(midnight.Add(m.to))
		if shortest := begin.Add(m.to - m.from); last.Before(shortest) {
			last = shortest
		}
		if !now.Before(begin) && now.Before(last) && last.After(end) {
			end, ok = last, true
		}
	}
	return end, ok
}

// shows returns the first and the last time at which a clock in the zone shows the date and time that clock
// has in UTC. If the zone skips them, both are the time at which the clock would show them without the change.
func (m *Maintenance) shows(clock time.Time) (first, last time.Time) {
	at := func(near time.Time) (t time.Time, shown bool) {
		_, offset := near.In(m.zone).Zone()
		t = clock.Add(-time.Duration(offset) * time.Second)
		_, actual := t.In(m.zone).Zone()
		return t, actual == offset
	}
	first, early := at(clock.Add(-day))
	last, late := at(clock.Add(day))
	switch {
	case !late:
		return first, first
	case !early:
		return last, last
	}
	return first, last
}
