package store

import (
	"context"
	"errors"
	"fmt"
	"path"
	"slices"
	"time"
)

// ErrUnknownSilence means that no silence has that id, or that it has ended.
var ErrUnknownSilence = errors.New("store: unknown silence")

// A Silence says that some alerts are not reported until a time. Such alerts are stored and shown. An
// alert that still holds at the end of the silence is reported then.
type Silence struct {
	ID       string    `json:"id"`       // "" for a silence that repeats
	Schedule string    `json:"schedule"` // "", or the days and times of a silence that repeats: it is not stored
	Hosts    string    `json:"hosts"`    // a pattern of package path
	Tag      string    `json:"tag"`      // a pattern that one tag of a host must match; "" covers hosts without tags too
	Rule     string    `json:"rule"`     // the metric or the text of a rule; "" covers all rules
	Until    time.Time `json:"until"`
	Reason   string    `json:"reason"`
	Who      string    `json:"who"` // the person or the token that has added the silence
	Created  time.Time `json:"created"`
}

// Fault returns the reason why a silence cannot be added, or "".
func (s *Silence) Fault(now time.Time) string {
	_, hosts := path.Match(s.Hosts, "")
	_, tag := path.Match(s.Tag, "")
	switch {
	case s.Hosts == "" || len(s.Hosts) > 255 || len(s.Tag) > 255 || hosts != nil || tag != nil:
		return "the hosts and the tag must be patterns such as web-*"
	case len(s.Rule) > 255:
		return "the rule is too long"
	case s.Reason == "" || len(s.Reason) > 1000:
		return "the reason must have 1 to 1000 bytes"
	case !s.Until.After(now) || s.Until.Sub(now) > 366*24*time.Hour:
		return "the end must be in the future, and at most a year away"
	}
	return ""
}

// Covers reports whether an alert of a rule, about a host with some tags, is not reported.
func (s *Silence) Covers(host string, tags []string, rule, metric string) bool {
	matched, _ := path.Match(s.Hosts, host)
	return matched && (s.Rule == "" || s.Rule == rule || s.Rule == metric) &&
		(s.Tag == "" || slices.ContainsFunc(tags, func(tag string) bool { matched, _ := path.Match(s.Tag, tag); return matched }))
}

const silenceColumns = "id, hosts, tag, rule, until, reason, who, created"

func (s *Silence) columns() []any {
	return []any{&s.ID, &s.Hosts, &s.Tag, &s.Rule, millis{&s.Until}, &s.Reason, &s.Who, millis{&s.Created}}
}

// Silences returns the silences that last, sorted by their ends.
func (b *base) Silences(ctx context.Context) ([]Silence, error) {
	return list(rows(ctx, b.reading(), (*Silence).columns, "SELECT "+silenceColumns+" FROM silences WHERE until > ? ORDER BY until, id", time.Now().UnixMilli()))
}

// AddSilence stores a silence.
func (b *base) AddSilence(ctx context.Context, s Silence) error {
	_, err := b.exec(ctx, "INSERT INTO silences ("+silenceColumns+") VALUES (?, ?, ?, ?, ?, ?, ?, ?)", s.columns()...)
	return err
}

// EndSilence ends a silence now.
func (b *base) EndSilence(ctx context.Context, id string) error {
	now := time.Now().UnixMilli()
	ended, err := b.exec(ctx, "UPDATE silences SET until = ? WHERE id = ? AND until > ?", now, id, now)
	if err == nil && ended == 0 {
		return fmt.Errorf("%w %q", ErrUnknownSilence, id)
	}
	return err
}
