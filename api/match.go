package api

import (
	"net/http"
	"strings"

	"github.com/hone-go/hone/internal/http/header"
)

// A Match is what the header field If-Match of a request says (RFC 9110, 13.1.1): which
// contents the client knows, so that a change of another one is refused.
//
//	type PutIn struct {
//		ID    int64     `path:"id"`
//		Match api.Match `header:"If-Match"`
//		Body  Person    `body:""`
//	}
//
//	tag, err := api.Tag(current)
//	…
//	if err := in.Match.Check(tag); err != nil {
//		return nil, err
//	}
//
// With required:"true" in its tag a request without the field is refused.
type Match []string

// Check returns a [*Problem] of status 412 if the client has asked for a content of another
// tag. Tag is that of the content now, with its quotes, and "" if there is none. Weak tags
// do not match.
func (m Match) Check(tag string) error { return m.check(tag, tag != "") }

// check is Check for a content that may be there without a tag.
func (m Match) check(tag string, exists bool) error {
	if len(m) == 0 {
		return nil
	}
	for _, list := range m {
		for list != "" {
			var item string
			item, list = header.Cut(list, ',')
			if item = header.Trim(item); item == "*" && exists || item == tag && tag != "" && !strings.HasPrefix(tag, "W/") {
				return nil
			}
		}
	}
	return NewProblem(http.StatusPreconditionFailed, "the content has been changed since")
}

// Tag returns the entity tag that an answer of v, a pointer, has in JSON by the rules of
// encoding/json if its operation has [Operation.ETag] set: for a client that asks for another
// format, or an operation with options of its own, the tag is another. The error is that of a value that cannot be encoded.
func Tag(v any) (string, error) {
	text, err := appendJSON(nil, v)
	if err != nil {
		return "", err
	}
	return entityTag(append(text, '\n')), nil
}
