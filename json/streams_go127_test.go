//go:build go1.27 && goexperiment.jsonv2

package json

import (
	"encoding/json"
	"encoding/json/jsontext"
	"errors"
	"reflect"
	"testing"
)

// A tokenPair is encoded as an array of two elements, with methods that take streams only.
type tokenPair struct {
	a, b string
}

func (p tokenPair) MarshalJSONTo(to *jsontext.Encoder) error {
	if p.a == "" {
		return errors.New("no first")
	}
	for _, token := range []jsontext.Token{jsontext.BeginArray, jsontext.String(p.a), jsontext.String(p.b), jsontext.EndArray} {
		if err := to.WriteToken(token); err != nil {
			return err
		}
	}
	return nil
}

func (p *tokenPair) UnmarshalJSONFrom(from *jsontext.Decoder) error {
	var list []string
	depth := from.StackDepth()
	for {
		token, err := from.ReadToken()
		switch {
		case err != nil:
			return err
		case token.Kind() == '"' && from.StackDepth() > depth:
			list = append(list, token.String())
		case token.Kind() == ']':
			if len(list) != 2 {
				return errors.New("not two")
			}
			p.a, p.b = list[0], list[1]
			return nil
		case token.Kind() != '[':
			return errors.New("not an array")
		}
	}
}

// TestStreamsOfTokens encodes and decodes types whose methods take the standard library's streams,
// as fields and in containers. The results must be the same as with encoding/json.
func TestStreamsOfTokens(t *testing.T) {
	type holder struct {
		P tokenPair
		Q *tokenPair
		L []tokenPair
		M map[string]tokenPair
		I any
		N Number
	}
	p := tokenPair{"<x>", "y"}
	for _, v := range []any{p, &p, holder{P: p, Q: &p, L: []tokenPair{p, p}, M: map[string]tokenPair{"k": p}, I: &p}, []any{p}, tokenPair{}, []tokenPair{{}}, holder{P: p, Q: nil}} {
		sameEncoding(t, v)
	}
	for _, text := range []string{`["a","b"]`, `["a"]`, `7`, `null`, `"x"`} {
		for _, target := range []func() any{
			func() any { return new(tokenPair) }, func() any { return new(*tokenPair) },
		} {
			std, ours := target(), target()
			wantErr, err := json.Unmarshal([]byte(text), std), Unmarshal([]byte(text), ours)
			compare(t, "Unmarshal", []byte(text), [2]any{std, ours}, err, wantErr)
		}
		doc := `{"P":` + text + `,"Q":` + text + `,"L":[` + text + `],"M":{"k":` + text + `},"N":5}`
		var std, ours holder
		wantErr, err := json.Unmarshal([]byte(doc), &std), Unmarshal([]byte(doc), &ours)
		if !sameError(err, wantErr) || !reflect.DeepEqual(std, ours) {
			t.Errorf("%s: %v, %+v; want %v, %+v", doc, err, ours, wantErr, std)
		}
	}
}
