package json

import "github.com/hone-go/hone/json/internal/locate"

// A Position is the position of an error in a text: line, column and path. Its String shows the
// text of the line, and a caret below the error.
type Position = locate.Position

// Locate returns the position of err in data, where err is the error of decoding the whole of data
// by this package, by encoding/json/v2 or by the packages of version 1. The position is the start
// of a value that does not fit its target, the name of a refused member, or the first invalid byte
// of text that is not JSON. For incomplete text it is the end of the text. Locate returns false if
// err has no position, or if err cannot come from data.
//
// Locate reads data from its start. It allocates its result and some bytes for each level of
// nesting. Decoding without errors pays nothing for it.
func Locate(data []byte, err error) (Position, bool) { return locate.Error(data, err) }
