package json

import "github.com/hone-go/hone/json/internal/locate"

// A Position is the position of an error in a JSON text: line, column and path. Its String method
// formats the line of text, with a caret under the error.
type Position = locate.Position

// Locate returns the position of err in data, where err is an error from decoding data:
//
//	if err := json.Unmarshal(data, &v); err != nil {
//		if at, ok := json.Locate(data, err); ok {
//			return fmt.Errorf("%w\n%s", err, at)
//		}
//		return err
//	}
//
// It supports the errors of this package, of package v2, of encoding/json and of encoding/json/v2,
// even if they are wrapped. The position is the start of a value that does not match its target's
// type, the name of a member that is not allowed, or the first invalid byte. If data is incomplete,
// the position is the end of data.
//
// Locate returns false if err has no position, or if err cannot come from data. For example, errors
// of methods and of [Config.DisallowUnknownFields] have no position. On Go 1.26 the position may be
// wrong if err comes from a method that decodes a part of data.
//
// Locate reads data from its start. It allocates its result and some bytes for each level of
// nesting. It does not slow down decoding without errors.
func Locate(data []byte, err error) (Position, bool) { return locate.Error(data, err) }
