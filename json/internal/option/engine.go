package option

import "github.com/hone-go/hone/internal/release"

// An Engine is the implementation that encodes or decodes.
type Engine uint8

// Values of [Engine].
const (
	DefaultEngine Engine = iota
	HoneEngine
	StdEngine
)

// EngineByDefault is the engine that DefaultEngine selects in this program. The environment
// variable HONE_JSON determines EngineByDefault.
var EngineByDefault = engineOf(release.Chosen)

func engineOf(s release.Switch) Engine {
	if s.Std {
		return StdEngine
	}
	return HoneEngine
}

// engine returns the engine that the options in s select.
func (s *Set) engine() Engine {
	if s.Has(ByStandard) {
		return StdEngine
	}
	return HoneEngine
}

// Rules select the Go release whose encoding/json version 1 follows.
type Rules = release.Rules

// Release is the set of flags that select the rules of a release in version 1. If both are off, a
// call follows the linked Go 1.27, including its patches.
const Release = FirstEngine | NewestPatch

// ByDefault is the set of release flags for calls that do not select a release.
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

// FollowsLinked reports whether the given flags select the rules of the linked release of Go.
func FollowsLinked(flags Flag) bool {
	return flags&FirstEngine != 0 == (release.Linked == release.Go126)
}

// Linked is the set of flags that select the rules of the linked encoding/json.
var Linked = FlagsOf(release.Default)

// ReleaseIndex returns an index below [Releases] for the release that the given flags select.
func ReleaseIndex(flags Flag) int { return int(flags/FirstEngine) % Releases }

// Releases is the length of arrays that are indexed with ReleaseIndex.
const Releases = 4
