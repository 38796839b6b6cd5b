package option

import (
	"math/rand/v2"
	"testing"
)

// A plainSet is a simple implementation of a Set: a map from each given flag to its value.
type plainSet map[Flag]bool

func (p plainSet) equals(s *Set) bool {
	for bit := range 64 {
		f := Flag(1) << bit
		on, given := p[f]
		if given != (s.Given&f != 0) || on != s.Has(f) {
			return false
		}
	}
	return true
}

// publicFlags returns the flags that are options of a program.
func publicFlags() (list []Flag) {
	for f := AllowDuplicateNames; f < Indent; f <<= 1 {
		if f != Multiline { // an indent sets it too
			list = append(list, f)
		}
	}
	return list
}

// TestJoin joins random options and lists of options, and compares the Set with a map. A later option
// must override an earlier one. Converting the Set to the public type and back must not change it.
func TestJoin(t *testing.T) {
	all := publicFlags()
	for seed := range uint64(500) {
		r := rand.New(rand.NewPCG(seed, 1))
		want := plainSet{}
		var list []Options
		for range r.IntN(12) {
			switch r.IntN(8) {
			case 0:
				list = append(list, nil)
			case 1:
				list = append(list, DefaultsV1())
				for _, f := range all {
					if V1&f != 0 {
						want[f] = true
					}
				}
			case 2:
				list = append(list, DefaultsV2())
				for _, f := range all {
					if V1&f != 0 {
						want[f] = false
					}
				}
			case 3:
				var inner Set
				for range r.IntN(4) {
					f, on := all[r.IntN(len(all))], r.IntN(2) == 0
					inner.Put(f, on)
					want[f] = on
				}
				list = append(list, inner.Options())
			case 4:
				on := r.IntN(2) == 0
				list = append(list, Own(OmitWriteOnly, on))
				want[OmitWriteOnly] = on
			default:
				f, on := all[r.IntN(len(all))], r.IntN(2) == 0
				list = append(list, Of(f, on))
				want[f] = on
			}
		}
		var s Set
		s.Join(list...)
		if !want.equals(&s) {
			t.Fatalf("seed %d: given %b, on %b; want %v", seed, s.Given, s.On, want)
		}
		var again Set
		again.Join(s.Options())
		if again.Given != s.Given || again.On != s.On {
			t.Fatalf("seed %d: given %b, on %b, after a conversion %b and %b", seed, s.Given, s.On, again.Given, again.On)
		}
	}
}

// TestIndent checks that an indent turns Multiline on, and that a later option turns it off again. It
// also checks the white space of a Set without an indent.
func TestIndent(t *testing.T) {
	var s Set
	s.Join(IndentOf("  "), PrefixOf("\t"))
	if !s.Has(Multiline) || s.Indent != "  " || s.Prefix != "\t" || !s.Spaced() {
		t.Errorf("with an indent: %+v", s)
	}
	s.Join(Of(Multiline, false))
	if s.Has(Multiline) || s.Indent != "  " || s.Spaced() {
		t.Errorf("without lines: %+v", s)
	}
	var lines Set
	lines.Join(Of(Multiline, true), Of(SpaceAfterComma, true))
	lines.Lines()
	if lines.Indent != "\t" || !lines.Has(SpaceAfterColon) || !lines.Has(SpaceAfterComma) {
		t.Errorf("defaults of lines: %+v", lines)
	}
	lines.On |= Compact
	if lines.Spaced() {
		t.Error("Compact has white space")
	}
	same := lines
	same.Indent = " "
	if lines.SameWhitespace(&same) {
		t.Error("indents of one and of two characters are the same white space")
	}
}

// TestFunctions checks that a Set stores marshalers and unmarshalers separately, and that a later list
// replaces an earlier one.
func TestFunctions(t *testing.T) {
	var s Set
	s.Join(Functions(Marshalers, "m1"), Functions(Unmarshalers, "u"), Functions(Marshalers, "m2"))
	if s.Marshalers != "m2" || s.Unmarshalers != "u" || s.Given&(Marshalers|Unmarshalers) != Marshalers|Unmarshalers {
		t.Errorf("got %+v", s)
	}
	var again Set
	again.Join(s.Options())
	if again.Marshalers != "m2" || again.Unmarshalers != "u" {
		t.Errorf("after a conversion: %+v", again)
	}
}

// TestReleases checks that the flags of each release have a different ReleaseIndex, and that
// FollowsLinked recognizes the flags of the linked release.
func TestReleases(t *testing.T) {
	seen := map[int]Flag{}
	for _, on := range []Flag{0, FirstEngine, NewestPatch} {
		i := ReleaseIndex(on)
		if other, used := seen[i]; used || i >= Releases {
			t.Errorf("flags %b have the index %d, as %b", on, i, other)
		}
		seen[i] = on
		if on&Release != on || ReleaseIndex(on|AllowDuplicateNames) != i {
			t.Errorf("flags %b: another option changes the index", on)
		}
	}
	if !FollowsLinked(Linked) {
		t.Errorf("flags %b are not of the linked release", Linked)
	}
}
