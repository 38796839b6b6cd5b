package option

import "github.com/hone-go/hone/internal/release"

// An Engine is the implementation that does the work of a call.
type Engine uint8

// The engines.
const (
	DefaultEngine Engine = iota
	HoneEngine
	StdEngine
)

// EngineByDefault is the engine that DefaultEngine stands for in this program.
var EngineByDefault = engineOf(release.Chosen)

func engineOf(s release.Switch) Engine {
	if s.Std {
		return StdEngine
	}
	return HoneEngine
}

// engine returns the engine of the options.
func (s *Set) engine() Engine {
	if s.Has(ByStandard) {
		return StdEngine
	}
	return HoneEngine
}

// Rules select the release of Go whose encoding/json version 1 follows.
type Rules = release.Rules

// Release are the flags for the rules of a release in version 1. Without both, a call has the rules
// of the Go 1.27 that is linked, to the patch.
const Release = FirstEngine | NewestPatch

// ByDefault has the flags for the rules of calls that do not name a release.
var ByDefault = FlagsOf(release.Chosen.Rules)

// FlagsOf returns the flags for rules.
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

// FollowsLinked reports whether the flags are the rules of the release that is linked.
func FollowsLinked(on Flag) bool { return on&FirstEngine != 0 == (release.Linked == release.Go126) }

// Linked has the flags for the rules of the encoding/json that is linked.
var Linked = FlagsOf(release.Default)

// ReleaseIndex returns a small number for the rules of a release, below [Releases].
func ReleaseIndex(on Flag) int { return int(on/FirstEngine) % Releases }

// Releases is a bound of the numbers of rules.
const Releases = 4
