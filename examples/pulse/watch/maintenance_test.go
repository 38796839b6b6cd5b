package watch

import (
	"slices"
	"strings"
	"testing"
	"time"
)

// windows returns the windows of a maintenance, in UTC, that a clock meets which runs from one day to
// another.
func windows(t *testing.T, text, from, to string) (list []string) {
	t.Helper()
	set, err := Read(strings.NewReader(text))
	if err != nil {
		t.Fatal(err)
	}
	rules := FixedRules(set)
	date := func(text string) time.Time {
		at, err := time.Parse(time.DateOnly, text)
		if err != nil {
			t.Fatal(err)
		}
		return at
	}
	var began, until time.Time
	for now := date(from); !now.After(date(to)); now = now.Add(time.Minute) {
		silences := rules.Silences(now)
		if !began.IsZero() && len(silences) == 0 {
			if !until.Equal(now) {
				t.Errorf("%s: the window ends at %s, and was said to end at %s", text, now, until)
			}
			list = append(list, began.Format("Mon 15:04")+"-"+now.Format("Mon 15:04"))
			began = time.Time{}
		}
		for _, s := range silences {
			if began.IsZero() {
				began = now
			}
			until = s.Until
		}
	}
	return list
}

// TestMaintenance: a window begins when the clock of its zone shows its start. Where the clock changes, it
// is not shorter than on other days.
func TestMaintenance(t *testing.T) {
	for _, test := range []struct {
		name, schedule, from, to string
		want                     []string
	}{
		{"daily, UTC without a zone", "daily 02:00-03:00", "2026-01-05", "2026-01-07", []string{"Mon 02:00-Mon 03:00", "Tue 02:00-Tue 03:00"}},
		{"weekly", "weekly sun 02:00-04:00 Europe/Berlin", "2026-01-05", "2026-01-13", []string{"Sun 01:00-Sun 03:00"}},
		{"two days", "weekly sat,sun 12:00-12:30 Asia/Kolkata", "2026-01-05", "2026-01-13", []string{"Sat 06:30-Sat 07:00", "Sun 06:30-Sun 07:00"}},
		{"summer", "weekly sun 02:00-04:00 Europe/Berlin", "2026-07-06", "2026-07-13", []string{"Sun 00:00-Sun 02:00"}},
		{"over midnight, of the day on which it begins", "weekly sat 22:00-02:00", "2026-01-05", "2026-01-13", []string{"Sat 22:00-Sun 02:00"}},
		{"over midnight in the zone, on another day of UTC", "weekly sun 22:00-02:00 America/New_York", "2026-01-06", "2026-01-13", []string{"Mon 03:00-Mon 07:00"}},
		{"a whole day", "weekly sun 00:00-24:00 Europe/Berlin", "2026-01-05", "2026-01-13", []string{"Sat 23:00-Sun 23:00"}},
		{"to midnight", "weekly sun 23:00-00:00", "2026-01-05", "2026-01-13", []string{"Sun 23:00-Mon 00:00"}},

		// 2026-03-29 in Berlin: 01:59:59 CET (00:59:59 UTC) is followed by 03:00 CEST (01:00 UTC).
		{"the start is skipped", "weekly sun 02:00-04:00 Europe/Berlin", "2026-03-28", "2026-03-30", []string{"Sun 01:00-Sun 03:00"}},
		{"all of it is skipped", "weekly sun 02:15-02:45 Europe/Berlin", "2026-03-28", "2026-03-30", []string{"Sun 01:15-Sun 01:45"}},
		{"up to the end of the skipped hour", "weekly sun 02:00-03:00 Europe/Berlin", "2026-03-28", "2026-03-30", []string{"Sun 01:00-Sun 02:00"}},
		{"the end is skipped", "weekly sun 01:00-02:30 Europe/Berlin", "2026-03-28", "2026-03-30", []string{"Sun 00:00-Sun 01:30"}},
		{"around the skipped hour", "weekly sat 23:00-05:00 Europe/Berlin", "2026-03-28", "2026-03-30", []string{"Sat 22:00-Sun 04:00"}},
		// 2026-10-25 in Berlin: 02:59:59 CEST (00:59:59 UTC) is followed by 02:00 CET (01:00 UTC).
		{"the start is repeated", "weekly sun 02:00-04:00 Europe/Berlin", "2026-10-24", "2026-10-26", []string{"Sun 00:00-Sun 03:00"}},
		{"all of it is repeated", "weekly sun 02:15-02:45 Europe/Berlin", "2026-10-24", "2026-10-26", []string{"Sun 00:15-Sun 01:45"}},
		{"around the repeated hour", "weekly sat 23:00-05:00 Europe/Berlin", "2026-10-24", "2026-10-26", []string{"Sat 21:00-Sun 04:00"}},
		{"a whole day of 25 hours", "weekly sun 00:00-24:00 Europe/Berlin", "2026-10-24", "2026-10-27", []string{"Sat 22:00-Sun 23:00"}},
	} {
		if got := windows(t, "maintenance "+test.schedule+" because x", test.from, test.to); !slices.Equal(got, test.want) {
			t.Errorf("%s: %q, want %q", test.name, got, test.want)
		}
	}
}

// TestMaintenanceText parses lines. A window has the hosts, the tag and the rule of its line, and a line with a
// mistake is refused with its number.
func TestMaintenanceText(t *testing.T) {
	set, err := Read(strings.NewReader("high cpu > 80\nmaintenance weekly sun 02:00-04:00 Europe/Berlin on db-* tag role=db rule high cpu > 80 because the backups run because they must\n"))
	if err != nil || len(set.Rules) != 1 || len(set.Maintenance) != 1 {
		t.Fatalf("%+v %v", set, err)
	}
	silences := FixedRules(set).Silences(time.Date(2026, 1, 11, 1, 0, 0, 0, time.UTC))
	if len(silences) != 1 {
		t.Fatalf("%+v", silences)
	}
	s := silences[0]
	if s.Schedule != "weekly sun 02:00-04:00 Europe/Berlin" || s.Hosts != "db-*" || s.Tag != "role=db" || s.Rule != "high cpu > 80" || s.Reason != "the backups run because they must" || s.ID != "" {
		t.Errorf("%+v", s)
	}
	for line, want := range map[string]string{
		"maintenance":                                                        "must have a form such as",
		"maintenance daily 02:00-03:00":                                      "must have a form such as",
		"maintenance monthly 02:00-03:00 because x":                          "must have a form such as",
		"maintenance weekly 02:00-03:00 because x":                           "must have a form such as",
		"maintenance daily 2-3 because x":                                    "must have a form such as",
		"maintenance weekly someday 02:00-03:00 because x":                   `"someday" is not a day`,
		"maintenance weekly sun, 02:00-03:00 because x":                      `"" is not a day`,
		"maintenance daily 02:00-25:00 because x":                            `"25:00" is not a time`,
		"maintenance daily 02:60-03:00 because x":                            `"02:60" is not a time`,
		"maintenance daily 24:00-03:00 because x":                            "24:00 can only be the end",
		"maintenance daily 02:00-02:00 because x":                            "the start and the end are the same",
		"maintenance daily 02:00-03:00 Europe/Atlantis because x":            "unknown time zone Europe/Atlantis",
		"maintenance daily 02:00-03:00 ../Berlin because x":                  "invalid location name",
		"maintenance daily 02:00-03:00 on [ because x":                       "patterns",
		"maintenance daily 02:00-03:00 rule dsk because x":                   "the rule must be",
		"maintenance daily 02:00-03:00 because " + strings.Repeat("x", 1001): "the reason must have",
	} {
		if _, err := Read(strings.NewReader("high cpu > 80\n" + line)); err == nil || !strings.Contains(err.Error(), want) || !strings.HasPrefix(err.Error(), "line 2: ") {
			t.Errorf("%s: %v, want %q", line, err, want)
		}
	}
}
