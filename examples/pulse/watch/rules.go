package watch

import (
	"slices"
	"sync/atomic"
)

// Rules are the rules of a server. They can be replaced while the server runs.
type Rules struct {
	current atomic.Pointer[[]Rule]
	read    func() ([]Rule, error)
}

// NewRules returns the rules that read returns. [Rules.Reload] calls read again.
func NewRules(read func() ([]Rule, error)) (*Rules, error) {
	r := &Rules{read: read}
	return r, r.Reload()
}

// FixedRules returns rules that do not change.
func FixedRules(rules ...Rule) *Rules {
	r := &Rules{read: func() ([]Rule, error) { return rules, nil }}
	r.current.Store(&rules)
	return r
}

// Reload replaces the rules. After an error the rules are the same as before.
func (r *Rules) Reload() error {
	rules, err := r.read()
	if err == nil {
		r.current.Store(&rules)
	}
	return err
}

// List returns the present rules, which the caller may change.
func (r *Rules) List() []Rule {
	if r == nil {
		return nil
	}
	return slices.Clone(*r.current.Load())
}
