package json

import "github.com/hone-go/hone/json/internal/locate"

// A Position is the place of an error in a text: line, column and path. Its String shows the text
// of the line, and a caret below the place.
type Position = locate.Position

// Locate returns the place of err in data, where err is the error of decoding data as a whole, by
// this package, by encoding/json/v2 or by the packages of version 1. The place is the start of a
// value that does not fit, the name of a member that is refused, or the first byte that cannot be
// there in text that is not JSON; that may be the end of the text. It returns false if err has no
// position, or if data does not have such an error.
//
// Locate reads data from its start. It allocates its result and some bytes for each level of
// nesting. Decoding does no work for it.
func Locate(data []byte, err error) (Position, bool) { return locate.Error(data, err) }
