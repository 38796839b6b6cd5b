//go:build go1.27 && goexperiment.jsonv2

package json

import (
	"encoding/json"
	"errors"
	"fmt"
	"reflect"
	"testing"
)

func TestZTally(t *testing.T) {
	seen := map[string]int{}
	ex := map[string][]string{}
	note := func(k, s string) {
		seen[k]++
		if len(ex[k]) < 6 {
			ex[k] = append(ex[k], s)
		}
	}
	total := 0
	for _, in := range inputs {
		for _, pair := range targets() {
			total++
			data := []byte(in)
			wantErr, err := oracle(func() error { return json.Unmarshal(data, pair[0]) }), Unmarshal(data, pair[1])
			s := fmt.Sprintf("%.120q into %T: %v (%T) want %v (%T)", in, pair[1], err, err, wantErr, wantErr)
			switch {
			case (err == nil) != (wantErr == nil):
				note("nilness", s)
			case err == nil:
				if !reflect.DeepEqual(pair[0], pair[1]) {
					note("value ok", s+fmt.Sprintf("%+v want %+v", reflect.ValueOf(pair[1]).Elem(), reflect.ValueOf(pair[0]).Elem()))
				}
			default:
				if reflect.TypeOf(err) != reflect.TypeOf(wantErr) {
					note("type", s)
					break
				}
				var x, y *UnmarshalTypeError
				if errors.As(err, &x) && errors.As(wantErr, &y) {
					s += fmt.Sprintf("\n      %+v\n      %+v", *x, *y)
					if x.Value != y.Value {
						note("ute value", s)
					}
					if x.Type != y.Type {
						note("ute type", s)
					}
					if x.Offset != y.Offset {
						note("ute offset", s)
					}
					if x.Struct != y.Struct {
						note("ute struct", s)
					}
					if x.Field != y.Field {
						note("ute field", s)
					}
					if fmt.Sprint(x.Err) != fmt.Sprint(y.Err) {
						note("ute err", s)
					}
				} else if err.Error() != wantErr.Error() {
					note("text", s)
				}
				var a, b *SyntaxError
				if errors.As(err, &a) && errors.As(wantErr, &b) && a.Offset != b.Offset {
					note("syntax offset", s)
				}
				if !reflect.DeepEqual(pair[0], pair[1]) {
					note("value err", s+fmt.Sprintf("\n  %+v\n  %+v", reflect.ValueOf(pair[1]).Elem(), reflect.ValueOf(pair[0]).Elem()))
				}
			}
		}
	}
	fmt.Println(total)
	for k, n := range seen {
		fmt.Println("=====", k, n)
		for _, s := range ex[k] {
			fmt.Println("   ", s)
		}
	}
}
