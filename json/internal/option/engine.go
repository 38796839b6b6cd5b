package option

import "github.com/hone-go/hone/internal/release"

// An Engine is the implementation that encodes or decodes.
type Engine uint8

// The engines.
const (
	DefaultEngine Engine = iota
	HoneEngine
	StdEngine
)

// EngineByDefault is the engine that DefaultEngine selects in this program.
var EngineByDefault = engineOf(release.Chosen)

func engineOf(s release.Switch) Engine {
	if s.Std {
		return StdEngine
	}
	return HoneEngine
}

// engine returns the engine that the options select.
func (s *Set) engine() Engine {
	if s.Has(ByStandard) {
		return StdEngine
	}
	return HoneEngine
}

// Rules select the release of Go whose encoding/json version 1 follows.
type Rules = release.Rules

// Release has the flags that select the rules of a release in version 1. If both are off, a call
// has exactly the rules of the linked Go 1.27, including patches.
const Release = FirstEngine | NewestPatch

// ByDefault has the flags of calls that do not choose a release.
var ByDefault = FlagsOf(release.Chosen.Rules)

// FlagsOf returns the flags that select the rules r.
func FlagsOf(r Rules) Flag {
	switch {
	case r == release.Go126:
		return FirstEngine
	case r == release.Go127:
		return NewestPatch
	case release.Linked == release.Go126:
		return FirstEngine
	}
	return 0
}

// FollowsLinked reports whether on selects the rules of the linked release of Go.
func FollowsLinked(on Flag) bool { return on&FirstEngine != 0 == (release.Linked == release.Go126) }

// Linked has the flags that select the rules of the linked encoding/json.
var Linked = FlagsOf(release.Default)

// ReleaseIndex returns an index, less than [Releases], for the rules that on selects.
func ReleaseIndex(on Flag) int { return int(on/FirstEngine) % Releases }

// Releases is the length of an array that ReleaseIndex indexes.
const Releases = 4
