//go:build go1.27 && goexperiment.jsonv2

package go127

import (
	"github.com/hone-go/hone/json/internal/rules"
	"github.com/hone-go/hone/json/internal/stream"
)

// legacySyntax converts err to a SyntaxError.
func legacySyntax(err *stream.SyntacticError, _ start, _ []byte, _ bool) error {
	return rules.LegacySyntax(err)
}
