//go:build race

package web

// raceEnabled reports whether this is a build for the race detector; see
// Config.NoReuse.
const raceEnabled = true
