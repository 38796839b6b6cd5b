package json

import "github.com/hone-go/hone/json/internal/locate"

// A Position is where in a text an error is: line, column and path. Its String has the text
// of the line, and a caret below the place.
type Position = locate.Position

// Locate returns where in data the error is that decoding data as a whole has returned, by
// this package, by encoding/json/v2 or by the packages of version 1. For a value that does
// not fit, the place is where the value starts, for a name that is not wanted the name; for
// text that is not JSON it is the first character that may not be there, or the end. It is
// false if err does not say where it is, or data is not what err is about.
//
// It reads data from its start, and allocates what it returns and some bytes for each level
// of nesting. Decoding itself does nothing for it.
func Locate(data []byte, err error) (Position, bool) { return locate.Error(data, err) }
