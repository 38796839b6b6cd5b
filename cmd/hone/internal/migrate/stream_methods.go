package migrate

import (
	"fmt"
	"go/version"
	"slices"
	"strings"
)

const (
	jsontextSymbol = "jsontext"
	jsontextHone   = Hone + "/json/jsontext"
)

// keepStreams restores the import of encoding/json/jsontext in the files of methods whose type is
// passed to a package that encodes with encoding/json. Hone calls methods with a stream of either
// package, so only such types need the old import. keepStreams repeats the plan until no value
// would lose a method.
func (p *planner) keepStreams() error {
	for {
		again := false
		for _, g := range p.graphs {
			for u, list := range p.reached(g) {
				if p.force {
					u.forced = list
					continue
				}
				u.change, u.note, u.fixed = false, true, true
				u.cause = ruleStream
				u.reason, u.where = reasonOf(list), list[0].where
				again = true
			}
		}
		if !again {
			return p.checkStreams()
		}
		p.progress("checking the plan without streams that reach encoding/json")
		for {
			back, err := p.round()
			if err != nil {
				return err
			}
			if back == 0 {
				break
			}
		}
	}
}

// checkStreams returns an error if no import of jsontext works for a type: encoding/json does not call
// methods with a stream of Hone, and before Go 1.27 Hone does not call methods with a stream of the
// standard library.
func (p *planner) checkStreams() error {
	if version.Compare(p.m.release, "go1.27") >= 0 {
		return nil
	}
	var fixed *unit
	moves := false
	for _, s := range p.sources {
		for _, symbol := range sortedKeys(s.units) {
			u := s.units[symbol]
			if u.fixed && fixed == nil {
				fixed = u
			}
			moves = moves || u.change && (symbol == "json" || symbol == "json/v2")
		}
	}
	if fixed == nil || !moves {
		return nil
	}
	return fmt.Errorf("%v: %s, and before Go 1.27 Hone does not call methods with a stream of encoding/json/jsontext. Use Go 1.27, -only jsontext or -skip jsontext; or -force: encoding/json then encodes the fields of the type", fixed.where, fixed.reason)
}

// reasonOf returns a sentence with the types and the packages in list.
func reasonOf(list []reachedType) string {
	var parts []string
	for _, r := range list {
		if text := r.typ + " reaches " + r.path; !slices.Contains(parts, text) {
			parts = append(parts, text)
		}
	}
	return strings.Join(parts, ", ") + ": encoding/json does not call methods with a stream of Hone"
}

// streamWarnings returns warnings for the values that -force allows.
func (p *planner) streamWarnings() []Warning {
	var list []Warning
	for _, s := range p.sources {
		for _, u := range s.units {
			for _, r := range u.forced {
				list = append(list, Warning{Rule: ruleStreamValue, at: r.where, Text: fmt.Sprintf("%s reaches %s: encoding/json does not call methods with a stream of Hone", r.typ, r.path)})
			}
		}
	}
	return list
}
