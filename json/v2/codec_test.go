package json

import (
	"bytes"
	"errors"
	"io"
	"reflect"
	"runtime"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/hone-go/hone/internal/test/testkit"
	"github.com/hone-go/hone/json/jsontext"
	"github.com/hone-go/hone/mo"
)

type user struct {
	Name  string            `json:"name"`
	Age   int               `json:"age,omitzero"`
	Tags  []string          `json:"tags"`
	Notes map[string]string `json:"notes,omitempty"`
	Ratio float64           `json:"ratio"`
	Mail  mo.Option[string] `json:"mail"`
	Next  *user             `json:"next,omitempty"`
}

func TestCodec(t *testing.T) {
	u := user{Name: "Ann", Tags: []string{"a", "<b>"}, Ratio: 1.5, Mail: mo.Some("ann@example.com"), Next: &user{Name: "Bob"}}
	const want = `{"name":"Ann","tags":["a","<b>"],"ratio":1.5,"mail":"ann@example.com","next":{"name":"Bob","tags":[],"ratio":0,"mail":null}}`
	c := For[user](Deterministic(true), RejectUnknownMembers(true))
	got, err := c.Append([]byte("x"), &u)
	if string(got) != "x"+want || err != nil {
		t.Errorf("%s, %v", got, err)
	}
	var back user
	if err := c.Unmarshal([]byte(want), &back); err != nil || back.Name != "Ann" || back.Next.Name != "Bob" || back.Mail != u.Mail {
		t.Errorf("%+v, %v", back, err)
	}
	if err := c.Unmarshal([]byte(`{"nome":1}`), &back); !errors.Is(err, ErrUnknownName) {
		t.Error(err)
	}
	if got, err := c.Append([]byte("x"), nil); string(got) != "xnull" || err != nil {
		t.Errorf("%s, %v", got, err)
	}
	lines := For[user](jsontext.Multiline(true), jsontext.WithIndent(" "))
	if got, err := lines.Marshal(&user{}); string(got) != "{\n \"name\": \"\",\n \"tags\": [],\n \"ratio\": 0,\n \"mail\": null\n}" || err != nil {
		t.Errorf("%s, %v", got, err)
	}
	if got, err := c.Append([]byte("x"), &user{Name: "\xff"}); string(got) != "x" || err == nil {
		t.Errorf("%s, %v", got, err)
	}
}

func TestAllocs(t *testing.T) {
	byHone(t)
	testkit.SkipIfInstrumented(t)
	u := user{Name: "Ann", Tags: []string{"a", "<b>"}, Ratio: 1.5, Notes: map[string]string{"a": "b"}, Next: &user{Name: "Bob é"}}
	c := For[user]()
	buf := make([]byte, 0, 4096)
	for name, f := range map[string]func(){
		"Append":                func() { buf, _ = Append(buf[:0], &u) },
		"Append with an option": func() { buf, _ = Append(buf[:0], &u, Deterministic(true)) },
		"Codec.Append":          func() { buf, _ = c.Append(buf[:0], &u) },
	} {
		if n := testing.AllocsPerRun(100, f); n > 0 {
			t.Errorf("%s: %v allocs, budget 0", name, n)
		}
	}
}

func TestElements(t *testing.T) {
	for _, test := range []struct {
		text string
		want []int
		errs string
	}{
		{`[]`, nil, ""}, {` [ 1 , 2 ] x`, []int{1, 2}, ""}, {``, nil, "unexpected EOF"}, {`[`, nil, "unexpected EOF"}, {`[1`, []int{1}, "unexpected EOF"}, {`[1,`, []int{1}, "unexpected EOF"},
		{`[1x`, []int{1}, "after array element"}, {`{"a":1}`, nil, "JSON object into Go []int"}, {`1`, nil, "JSON number"}, {`[1,"x",3]`, []int{1, 3}, "JSON string"}, {`[1}`, []int{1}, "invalid character '}'"},
	} {
		var got []int
		var errs []string
		for v, err := range Elements[int](iotest.OneByteReader(strings.NewReader(test.text))) {
			if err != nil {
				errs = append(errs, err.Error())
			} else {
				got = append(got, v)
			}
		}
		if !reflect.DeepEqual(got, test.want) || len(errs) > 1 || (test.errs == "") != (len(errs) == 0) || !strings.Contains(strings.Join(errs, ""), test.errs) {
			t.Errorf("%s: %v, %q", test.text, got, errs)
		}
	}
	// An array that is much larger than the buffers of reader and writer.
	r, w := io.Pipe()
	const n = 100_000
	go func() {
		w.CloseWithError(WriteElements(w, func(yield func(int, error) bool) {
			for i := range n {
				if !yield(i, nil) {
					return
				}
			}
		}))
	}()
	next := 0
	for v, err := range Elements[int](r) {
		if v != next || err != nil {
			t.Fatal(v, next, err)
		}
		next++
	}
	if next != n {
		t.Error(next)
	}
	var out bytes.Buffer
	boom := errors.New("boom")
	if err := WriteElements(&out, func(yield func(int, error) bool) { _ = yield(1, nil) && yield(0, boom) }); err != boom || jsontext.Value(out.Bytes()).IsValid() {
		t.Errorf("%s, %v", &out, err)
	}
}

// TestOptions joins options. GetOption must return the last value of each, and a call must obey
// them.
func TestOptions(t *testing.T) {
	m := MarshalFunc(func(int) ([]byte, error) { return []byte(`"int"`), nil })
	all := JoinOptions(Deterministic(true), jsontext.WithIndent("  "), WithMarshalers(m), Deterministic(false), nil)
	if v, ok := GetOption(all, Deterministic); v || !ok {
		t.Error(v, ok)
	}
	if v, ok := GetOption(all, StringifyNumbers); v || ok {
		t.Error(v, ok)
	}
	if v, ok := GetOption(all, jsontext.WithIndent); v != "  " || !ok {
		t.Error(v, ok)
	}
	if v, ok := GetOption(all, WithMarshalers); v != m || !ok {
		t.Error(v, ok)
	}
	if v, ok := GetOption(all, WithUnmarshalers); v != nil || ok {
		t.Error(v, ok)
	}
	if v, ok := GetOption(JoinOptions(DefaultOptionsV2()), jsontext.AllowInvalidUTF8); v || !ok {
		t.Error(v, ok)
	}
	if got, err := Marshal([]any{1, "a"}, all); string(got) != "[\n  \"int\",\n  \"a\"\n]" || err != nil {
		t.Errorf("%s, %v", got, err)
	}
	// Functions with the same signature share compiled programs, but each call must use its own
	// functions.
	other := MarshalFunc(func(int) ([]byte, error) { return []byte(`"other"`), nil })
	if got, err := Marshal([]int{1}, WithMarshalers(other)); string(got) != `["other"]` || err != nil {
		t.Errorf("%s, %v", got, err)
	}
	if got, err := Marshal([]int{1}, WithMarshalers(JoinMarshalers(nil, m, other))); string(got) != `["int"]` || err != nil {
		t.Errorf("%s, %v", got, err)
	}
	if JoinMarshalers(nil) != nil {
		t.Error("JoinMarshalers(nil) is not nil")
	}
}

// TestHostile decodes texts for which a decoder might need much memory. The allocated memory must
// be proportional to the text.
func TestHostile(t *testing.T) {
	testkit.SkipIfInstrumented(t)
	for name, text := range map[string]string{
		"deep":               strings.Repeat("[", 1<<20),
		"many names":         "{" + strings.Repeat(`"":0,`, 1) + manyNames(100_000) + `"z":0}`,
		"nothing but commas": "[" + strings.Repeat("0,", 1<<20) + "0]",
		"empty objects":      "[" + strings.Repeat("{},", 1<<18) + "{}]",
	} {
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		for _, v := range []any{new(any), new(struct{}), new(map[string]any), new(jsontext.Value), new(user)} {
			_ = Unmarshal([]byte(text), v)
			_ = UnmarshalRead(strings.NewReader(text), v)
		}
		runtime.ReadMemStats(&after)
		if took := after.TotalAlloc - before.TotalAlloc; took > 600*uint64(len(text))+1<<26 {
			t.Errorf("%s: %d bytes for %d", name, took, len(text))
		}
	}
}

func manyNames(n int) string {
	var b strings.Builder
	for i := range n {
		b.WriteString(`"n`)
		for ; i > 0; i /= 10 {
			b.WriteByte('0' + byte(i%10))
		}
		b.WriteString(`":0,`)
	}
	return b.String()
}
