package api

import (
	"context"
	"math/rand/v2"
	"net/http"
	"net/http/httptest"
	"reflect"
	"runtime"
	"strconv"
	"strings"
	"testing"

	"github.com/hone-go/hone/internal/limit"
	"github.com/hone-go/hone/internal/test/testkit"
	"github.com/hone-go/hone/internal/test/testkit/random"
	"github.com/hone-go/hone/json"
	jsonv2 "github.com/hone-go/hone/json/v2"
	"github.com/hone-go/hone/mo"
	"github.com/hone-go/hone/shape"
)

// FuzzLimitLengths generates a type with length limits, and a value of the type. The first decoder
// stops at the length limits, and the second checks them after decoding. Both must accept the value
// with equal results, or refuse it for equal reasons.
func FuzzLimitLengths(f *testing.F) {
	for seed := range uint64(200) {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, seed uint64) {
		r := rand.New(rand.NewPCG(seed, 4))
		typ := limitedType(r, 3)
		program, err := limit.Body(shape.Of(typ))
		if err != nil {
			t.Fatalf("%v: %v", typ, err)
		}
		v := reflect.New(typ)
		random.Fill(r, v.Elem(), 5)
		data, err := json.Marshal(v.Interface())
		if err != nil {
			t.Fatal(err)
		}
		whole, limited := reflect.New(typ), reflect.New(typ)
		if err := json.Unmarshal(data, whole.Interface()); err != nil {
			t.Fatalf("%v: %v", typ, err)
		}
		if err := (json.Config{LimitLengths: true}).Unmarshal(data, limited.Interface()); err != nil {
			t.Fatalf("%v: %v", typ, err)
		}
		second := reflect.New(typ)
		if err := jsonv2.Unmarshal(data, second.Interface(), jsonv2.LimitLengths(true)); err != nil {
			t.Fatalf("%v: %v", typ, err)
		}
		if !reflect.DeepEqual(limited.Interface(), second.Interface()) {
			t.Fatalf("%v: %s: %v; version 2 %v", typ, data, limited, second)
		}
		if program == nil {
			return
		}
		want, got := program.Check(whole.Interface(), limit.Unlimited()), program.Check(limited.Interface(), limit.Unlimited())
		if (len(want) == 0) != (len(got) == 0) {
			t.Fatalf("%v: %s: %v; limited %v", typ, data, want, got)
		}
		if len(want) == 0 && !reflect.DeepEqual(whole.Interface(), limited.Interface()) {
			t.Fatalf("%v: %s: %v; limited %v", typ, data, whole, limited)
		}
	})
}

// limitedType returns a random struct whose slices and maps have length limits.
func limitedType(r *rand.Rand, depth int) reflect.Type {
	fields := make([]reflect.StructField, 1+r.IntN(4))
	for i := range fields {
		elem := reflect.TypeFor[int]()
		if depth > 0 {
			elem = limitedType(r, depth-1)
		}
		typ := []reflect.Type{
			reflect.SliceOf(elem), reflect.MapOf(reflect.TypeFor[string](), elem), reflect.TypeFor[map[string]string](),
			reflect.PointerTo(reflect.SliceOf(elem)), elem, reflect.TypeFor[mo.Option[[]float64]](), reflect.TypeFor[map[int]bool](),
		}[r.IntN(7)]
		fields[i] = reflect.StructField{Name: "F" + strconv.Itoa(i), Type: typ}
		if typ != elem && r.IntN(3) > 0 {
			fields[i].Tag = reflect.StructTag(`length:"..` + strconv.Itoa(r.IntN(4)) + `"`)
		}
	}
	return reflect.StructOf(fields)
}

// TestLengthBeforeMemory sends bodies to types that allow a hundred elements. The decoded values
// would take hundreds of times as much memory as the bodies. Decoding stops at the hundredth
// element.
func TestLengthBeforeMemory(t *testing.T) {
	testkit.SkipIfInstrumented(t)
	type large struct {
		A, B, C, D, E, F, G, H, I, J, K, L mo.Option[string]
		M                                  mo.Option[[32]int]
	}
	type In struct {
		List  []large            `json:"list,omitempty" length:"..100"`
		Map   map[string]large   `json:"map,omitempty" length:"..100"`
		Maybe mo.Option[[]large] `json:"maybe" length:"..100"`
	}
	mux := http.NewServeMux()
	Handle(Mux(mux), "POST /x", func(context.Context, *In) (*struct{}, error) { return nil, nil })
	Handle(Mux(mux), "POST /v2", func(context.Context, *In) (*struct{}, error) { return nil, nil }, Operation{JSON: []jsonv2.Options{jsonv2.RejectUnknownMembers(true)}})
	const n = 4 << 20
	var names strings.Builder
	for i := 0; names.Len() < n-100; i++ {
		names.WriteString(`"` + strconv.Itoa(i) + `":{},`)
	}
	for name, body := range map[string]string{
		"a slice":   `{"list":[` + strings.Repeat("{},", n/3-20) + `{}]}`,
		"a map":     `{"map":{` + names.String() + `"x":{}}}`,
		"an option": `{"maybe":[` + strings.Repeat("{},", n/3-20) + `{}]}`,
	} {
		// Version 2 takes up to eight bytes for each byte of the text, and detects duplicate
		// names.
		for path, most := range map[string]uint64{"/x": 64, "/v2": 160} {
			r := httptest.NewRequest("POST", path, strings.NewReader(body))
			r.Header.Set("Content-Type", "application/json")
			w := httptest.NewRecorder()
			var before, after runtime.MemStats
			runtime.ReadMemStats(&before)
			mux.ServeHTTP(w, r)
			runtime.ReadMemStats(&after)
			if w.Code != http.StatusUnprocessableEntity || !strings.Contains(w.Body.String(), "must have at most 100 elements") {
				t.Errorf("%s, %s: %d %s", path, name, w.Code, w.Body)
			}
			took := (after.TotalAlloc - before.TotalAlloc) >> 20
			t.Logf("%s, %s: %d MiB", path, name, took)
			if took > most {
				t.Errorf("%s, %s of 4 MiB: %d MiB were allocated", path, name, took)
			}
		}
	}
}
