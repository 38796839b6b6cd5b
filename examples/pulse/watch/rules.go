package watch

import (
	"bufio"
	"fmt"
	"io"
	"slices"
	"strings"
	"sync/atomic"
	"time"

	"github.com/hone-go/hone/examples/pulse/store"
)

// A Set has the rules and the maintenance windows of a server.
type Set struct {
	Rules       []Rule
	Maintenance []Maintenance
}

// Add parses a rule or a maintenance window and adds it. After an error the set is the same as before.
func (s *Set) Add(text string) error {
	if strings.HasPrefix(text, "maintenance") {
		m, err := parseMaintenance(text)
		if err == nil {
			s.Maintenance = append(s.Maintenance, m)
		}
		return err
	}
	r, err := Parse(text)
	if err == nil {
		s.Rules = append(s.Rules, r)
	}
	return err
}

// Read reads rules and maintenance windows, one on each line. It ignores empty lines and lines that begin
// with #.
func Read(r io.Reader) (s Set, err error) {
	lines := bufio.NewScanner(r)
	for n := 1; lines.Scan(); n++ {
		text := strings.TrimSpace(lines.Text())
		if text == "" || text[0] == '#' {
			continue
		}
		if err := s.Add(text); err != nil {
			return Set{}, fmt.Errorf("line %d: %w", n, err)
		}
	}
	return s, lines.Err()
}

// Rules are the rules and the maintenance windows of a server. They can be replaced while the server runs.
type Rules struct {
	current atomic.Pointer[Set]
	read    func() (Set, error)
}

// NewRules returns the rules that read returns. [Rules.Reload] calls read again.
func NewRules(read func() (Set, error)) (*Rules, error) {
	r := &Rules{read: read}
	return r, r.Reload()
}

// FixedRules returns rules that do not change.
func FixedRules(set Set) *Rules {
	r := &Rules{read: func() (Set, error) { return set, nil }}
	r.current.Store(&set)
	return r
}

// Reload replaces the rules and the maintenance windows. After an error they are the same as before.
func (r *Rules) Reload() error {
	set, err := r.read()
	if err == nil {
		r.current.Store(&set)
	}
	return err
}

// List returns the present rules, which the caller may change.
func (r *Rules) List() []Rule {
	if r == nil {
		return nil
	}
	return slices.Clone(r.current.Load().Rules)
}

// Maintenance returns the present maintenance windows, which the caller may change.
func (r *Rules) Maintenance() []Maintenance {
	if r == nil {
		return nil
	}
	return slices.Clone(r.current.Load().Maintenance)
}

// Silences returns a silence for each maintenance window that contains now. Until is the end of the window.
func (r *Rules) Silences(now time.Time) (silences []store.Silence) {
	for _, m := range r.Maintenance() {
		if end, ok := m.window(now); ok {
			s := m.silence
			s.Until = end.UTC()
			silences = append(silences, s)
		}
	}
	return silences
}
