//go:build !(go1.27 && goexperiment.jsonv2)

package go127

import (
	"bytes"
	"io"
	"strings"

	"github.com/hone-go/hone/internal/syntax"
	"github.com/hone-go/hone/json/internal/option"
	"github.com/hone-go/hone/json/internal/rules"
	"github.com/hone-go/hone/json/internal/rules/v1"
	"github.com/hone-go/hone/json/internal/stream"
)

// legacySyntax converts err to a SyntaxError. Only encoding/json can set the message of a
// SyntaxError, so it reads text, the unread input, at the same position in the grammar. decode says
// whether a call of Decode failed, or a call of Token.
func legacySyntax(err *stream.SyntacticError, at start, text []byte, decode bool) error {
	var failed error
	switch err.Err {
	case io.ErrUnexpectedEOF:
	case stream.ErrMaxDepth:
		failed = rules.SyntaxErrorOf(bytes.Repeat([]byte{'['}, syntax.MaxDepth+1), option.Linked)
	default:
		failed = v1.StreamError(strings.NewReader(at.text+string(text)), at.calls, decode)
	}
	made, ok := failed.(*rules.SyntaxError)
	if !ok {
		made, _ = rules.SyntaxErrorOf(nil, option.Linked).(*rules.SyntaxError)
	}
	made.Offset = err.ByteOffset
	return made
}
