package json

import "github.com/hone-go/hone/json/internal/locate"

// A Position is where in a text an error is: line, column and path. Its String has the text
// of the line, and a caret below the place.
type Position = locate.Position

// Locate returns where in data the error is that decoding data as a whole has returned:
//
//	if err := json.Unmarshal(data, &v); err != nil {
//		if at, ok := json.Locate(data, err); ok {
//			return fmt.Errorf("%w\n%s", err, at)
//		}
//		return err
//	}
//
// It takes the errors of this package, of package v2, of encoding/json and of
// encoding/json/v2, and what wraps them. For a value that does not fit, the place is where
// the value starts, for a name that is not wanted the name; for text that is not JSON it is
// the first character that may not be there, or the end.
//
// It is false if err does not say where it is, as errors for unknown fields by
// [Config.DisallowUnknownFields] and those of methods do not, and if data is not what err
// is about. What a method returns for text of its own, which is a part of data, may be
// found in the wrong place on Go 1.26.
//
// It reads data from its start, and allocates what it returns and some bytes for each level
// of nesting. Decoding itself does nothing for it.
func Locate(data []byte, err error) (Position, bool) { return locate.Error(data, err) }
