package json

import (
	"fmt"
	"reflect"
	"runtime"
	"strings"
	"testing"

	"github.com/hone-go/hone/internal/test/testkit"
)

// separateForms decode a document with a given ID, and return the ID. Each form stores the ID in a
// value of a different type.
var separateForms = []struct {
	name string
	text string // %s is the ID
	get  func(o Config, text []byte) (string, error)
}{
	{"struct", `{"ID":"%s","Rest":["a","b"]}`, func(o Config, text []byte) (string, error) {
		var v struct {
			ID   string
			Rest []string
		}
		err := o.Unmarshal(text, &v)
		return v.ID, err
	}},
	{"struct that is not zero", `{"ID":"%s"}`, func(o Config, text []byte) (string, error) {
		v := struct{ ID, Other string }{"before", "other"}
		err := o.Unmarshal(text, &v)
		return v.ID, err
	}},
	{"escaped", `{"ID":"%s\u0041"}`, func(o Config, text []byte) (string, error) {
		var v struct{ ID string }
		err := o.Unmarshal(text, &v)
		return v.ID, err
	}},
	{"map", `{"id":"%s"}`, func(o Config, text []byte) (string, error) {
		var v map[string]string
		err := o.Unmarshal(text, &v)
		return v["id"], err
	}},
	{"name", `{"%s":1}`, func(o Config, text []byte) (string, error) {
		var v map[string]int
		err := o.Unmarshal(text, &v)
		for name := range v {
			return name, err
		}
		return "", err
	}},
	{"name in an interface", `{"%s":1}`, func(o Config, text []byte) (string, error) {
		var v any
		err := o.Unmarshal(text, &v)
		m, _ := v.(map[string]any)
		for name := range m {
			return name, err
		}
		return "", err
	}},
	{"interface", `["%s"]`, func(o Config, text []byte) (string, error) {
		var v any
		err := o.Unmarshal(text, &v)
		list, _ := v.([]any)
		if len(list) != 1 {
			return "", fmt.Errorf("%v", v)
		}
		return list[0].(string), err
	}},
	{"Number", `[1%s]`, func(o Config, text []byte) (string, error) {
		var v []Number
		err := o.Unmarshal(text, &v)
		if len(v) != 1 {
			return "", err
		}
		return string(v[0]), err
	}},
	{"Codec", `{"ID":"%s"}`, func(o Config, text []byte) (string, error) {
		var v struct{ ID string }
		err := For[struct{ ID string }](o).Unmarshal(text, &v)
		return v.ID, err
	}},
	{"Decoder", `{"ID":"%s"} `, func(o Config, text []byte) (string, error) {
		var v struct{ ID string }
		err := o.NewDecoder(strings.NewReader(string(text))).Decode(&v)
		return v.ID, err
	}},
}

// TestSeparateStrings decodes one document twice with SeparateStrings. The equal strings must not
// share memory.
func TestSeparateStrings(t *testing.T) {
	byHone(t) // encoding/json may return one string for two equal ones
	for _, form := range separateForms {
		text := []byte(fmt.Sprintf(form.text, "1234567890"))
		o := Config{SeparateStrings: true}
		a, errA := form.get(o, text)
		b, errB := form.get(o, text)
		if errA != nil || errB != nil || a != b || !strings.Contains(a, "1234567890") {
			t.Errorf("%s: %q and %q, %v and %v", form.name, a, b, errA, errB)
		} else if reflect.ValueOf(a).Pointer() == reflect.ValueOf(b).Pointer() {
			t.Errorf("%s: two decoded strings share memory", form.name)
		}
	}
}

// TestSeparateStringsMemory decodes many documents with SeparateStrings, and retains one string of
// each document. Each string may take at most 24 bytes.
func TestSeparateStringsMemory(t *testing.T) {
	testkit.SkipIfInstrumented(t)
	const documents = 20_000
	for _, form := range separateForms {
		kept := make([]string, documents)
		before := liveBytes()
		for i := range kept {
			var err error
			if kept[i], err = form.get(Config{SeparateStrings: true}, []byte(fmt.Sprintf(form.text, fmt.Sprint(1_000_000_000+i)))); err != nil {
				t.Fatal(form.name, err)
			}
		}
		each := (liveBytes() - before) / documents
		runtime.KeepAlive(kept)
		// encoding/json allocates 16 bytes for such a string.
		if each > 24 {
			t.Errorf("%s: a retained string takes %d bytes", form.name, each)
		}
	}
}

// liveBytes returns the total size of live objects.
func liveBytes() int64 {
	var m runtime.MemStats
	runtime.GC()
	runtime.GC()
	runtime.ReadMemStats(&m)
	return int64(m.HeapAlloc)
}
