package encode

import (
	"github.com/hone-go/hone/internal/syntax"
	"github.com/hone-go/hone/json/internal/option"
	"github.com/hone-go/hone/json/internal/stream"
)

// An Encoder holds the state of one call, which all programs of the call share. It may be on the
// caller's stack, so nothing may retain it.
type Encoder struct {
	// Escapes contains the characters that are escaped in strings.
	Escapes syntax.Escapes
	// On contains the options that are on.
	On option.Flag
	// Mode holds the compiled programs.
	Mode *Mode
	// Call is the state that the room of rules adds to the Encoder, or nil. The engine does not use it.
	Call any
	// Start is the length of the caller's part of the output.
	Start int
	// level is the number of open pointers, maps and slices.
	level int
	// seen contains the keys of the open pointers, maps and slices beyond cycleLevel.
	seen map[any]struct{}
	// Track is the position of the last stream of a method that needed one, or nil.
	Track *stream.Track
}

// EscapesHTML reports whether <, > and & are escaped.
func (e *Encoder) EscapesHTML() bool { return e.Escapes&syntax.EscapeHTML != 0 }

// Has reports whether an option is on.
func (e *Encoder) Has(f option.Flag) bool { return e.On&f != 0 }

// Back is called before the caller removes the output after start. If the track has already read a
// part of this output, Back resets the track.
func (e *Encoder) Back(start int) {
	if e.Track != nil && e.Track.At() > start-e.Start {
		e.Track.Reset()
	}
}
