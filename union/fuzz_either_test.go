package union_test

import (
	"reflect"
	"strings"
	"testing"

	"github.com/hone-go/hone/json"
	jsonv2 "github.com/hone-go/hone/json/v2"
	"github.com/hone-go/hone/shape"
	"github.com/hone-go/hone/union"
)

// The tests decode each text into an Either and into one of these interfaces, which have the same
// cases and names, and compare the results.
type (
	externalPay interface{ isExternal() }
	internalPay interface{ isInternal() }
	adjacentPay interface{ isAdjacent() }
	text        string
	numbers     []int
)

func (card) isExternal()     {}
func (transfer) isExternal() {}
func (card) isInternal()     {}
func (transfer) isInternal() {}
func (nothing) isInternal()  {}
func (card) isAdjacent()     {}
func (text) isAdjacent()     {}
func (numbers) isAdjacent()  {}

var (
	_ = union.External[externalPay](union.Case[card]("card", 1), union.Case[transfer]("transfer", 2))
	_ = union.Internal[internalPay]("by", union.Case[card]("card", 1), union.Case[transfer]("transfer", 2), union.Case[nothing]("none", 3))
	_ = union.Adjacent[adjacentPay]("by", "with", union.Case[card]("card", 1), union.Case[text]("text", 2), union.Case[numbers]("list", 3))
)

// held returns the value in an Either.
func held(either any) any {
	switch e := either.(type) {
	case *method:
		if v, ok := e.Left(); ok {
			return v
		}
		return e.MustRight()
	case *beside:
		v, _ := e.Arg1()
		w, isTwo := e.Arg2()
		if e.IsArg1() {
			return v
		} else if isTwo {
			return w
		}
		return e.MustArg3()
	case *adjacent:
		switch {
		case e.IsArg1():
			return e.MustArg1()
		case e.IsArg2():
			return text(e.MustArg2())
		case e.IsArg3():
			return numbers(e.MustArg3())
		}
		return nil
	case *shaped:
		switch {
		case e.IsArg1():
			return e.MustArg1()
		case e.IsArg2():
			return e.MustArg2()
		}
		return e.MustArg3()
	}
	return nil
}

// slowShaped is the oracle of the untagged Either: it decodes the text into an empty interface, and
// looks for the members that only one case has.
func slowShaped(data []byte, unmarshal func([]byte, any) error, has func(object map[string]any, name string) bool) (any, bool) {
	var v any
	if err := unmarshal(data, &v); err != nil {
		return nil, false
	}
	var into any
	switch v := v.(type) {
	case float64:
		into = new(int)
	case map[string]any:
		isCard, isTransfer := has(v, "last4"), has(v, "iban")
		switch {
		case isCard == isTransfer:
			return nil, false
		case isCard:
			into = new(card)
		default:
			into = new(transfer)
		}
	default:
		return nil, false
	}
	if err := unmarshal(data, into); err != nil {
		return nil, false
	}
	return reflect.ValueOf(into).Elem().Interface(), true
}

// FuzzEithers decodes the same text into Eithers and into interfaces with the same declared cases,
// in both versions of JSON. The values must be the same. For untagged Eithers they must be the same
// as with slowShaped.
func FuzzEithers(f *testing.F) {
	for _, text := range []string{
		`{"card":{"last4":"1"}}`, `{"by":"card","last4":"1"}`, `{"last4":"1","by":"none"}`, `{"by":"list","with":[1,2]}`, `{"with":"x","by":"text"}`,
		`{"last4":"1"}`, `{"IBAN":"1","note":"x"}`, `7`, `null`, `{"by":"card","by":"none"}`, `{"iban":"1","last4":"2"}`, `{}`, `[]`, `{"card":1}`, `{"card":{}} x`,
	} {
		f.Add([]byte(text))
	}
	exact := func(object map[string]any, name string) bool { _, ok := object[name]; return ok }
	folded := func(object map[string]any, name string) bool {
		for key := range object {
			if foldedName(key) == name {
				return true
			}
		}
		return false
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		for version, unmarshal := range []func([]byte, any) error{
			json.Unmarshal, func(data []byte, v any) error { return jsonv2.Unmarshal(data, v) },
		} {
			for _, pair := range [][2]any{
				{new(method), new(externalPay)}, {new(beside), new(internalPay)}, {new(adjacent), new(adjacentPay)},
			} {
				err, twin := unmarshal(data, pair[0]), unmarshal(data, pair[1])
				want := reflect.ValueOf(pair[1]).Elem().Interface()
				if want == nil && twin == nil {
					continue // null, which only an interface accepts
				}
				if (err == nil) != (twin == nil) {
					if a, ok := pair[0].(*adjacent); ok && a.IsArg4() || ok && err == nil {
						continue // the case that only the Either has
					}
					t.Fatalf("version %d, %T: %v, twin %v", version+1, pair[0], err, twin)
				}
				if got := held(pair[0]); err == nil && !reflect.DeepEqual(got, want) {
					t.Fatalf("version %d, %T: %#v, twin %#v", version+1, pair[0], got, want)
				}
			}
			var e shaped
			err := unmarshal(data, &e)
			want, ok := slowShaped(data, unmarshal, [2]func(map[string]any, string) bool{folded, exact}[version])
			if (err == nil) != ok {
				t.Fatalf("version %d: %v, twin %v %v", version+1, err, want, ok)
			}
			if ok && !reflect.DeepEqual(held(&e), want) {
				t.Fatalf("version %d: %#v, twin %#v", version+1, held(&e), want)
			}
		}
	})
}

// foldedName returns the same text for all names that differ only in case.
func foldedName(name string) string { return strings.ToLower(shape.Fold(name)) }
