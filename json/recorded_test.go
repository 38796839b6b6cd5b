package json

import (
	"bytes"
	"compress/gzip"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"math"
	"os"
	"path/filepath"
	"reflect"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/hone-go/hone/internal/release"
	"github.com/hone-go/hone/internal/test/testkit"
)

// recordings lists the releases whose encoding/json is recorded, with their newest patches. A file
// contains a line for each result of recordedOutcomes. HONE_UPDATE=1 writes the file of the release
// that runs the tests:
//
//	HONE_UPDATE=1 GOTOOLCHAIN=go1.26.11 go test -run Recordings ./json
//	HONE_UPDATE=1 GOTOOLCHAIN=go1.27.4 go test -run Recordings ./json
var recordings = map[Rules]struct{ release, file string }{
	Go126: {"go1.26.11", filepath.Join("testdata", "recordings", "go1.26.txt.gz")},
	Go127: {"go1.27.4", filepath.Join("testdata", "recordings", "go1.27.txt.gz")},
}

// A recorder contains the functions of one package json.
type recorder struct {
	unmarshal func([]byte, any) error
	marshal   func(any) ([]byte, error)
	decoder   func(io.Reader) recordedDecoder
	encoder   func(io.Writer) recordedEncoder
}

type recordedDecoder interface {
	streamDecoder
	UseNumber()
	DisallowUnknownFields()
	Buffered() io.Reader
}

type recordedEncoder interface {
	Encode(any) error
	SetIndent(prefix, indent string)
	SetEscapeHTML(bool)
}

var recordedStandard = recorder{
	json.Unmarshal, json.Marshal,
	func(r io.Reader) recordedDecoder { return json.NewDecoder(r) },
	func(w io.Writer) recordedEncoder { return json.NewEncoder(w) },
}

func recordedBy(o Config) recorder {
	return recorder{
		o.Unmarshal, o.Marshal,
		func(r io.Reader) recordedDecoder { return o.NewDecoder(r) },
		func(w io.Writer) recordedEncoder { return o.NewEncoder(w) },
	}
}

// TestRecordings encodes and decodes by the rules of each release, whichever release builds the
// test. The results must be the recorded results of its encoding/json. If the newest patch of a
// release is linked, encoding/json itself must have the recorded results too.
func TestRecordings(t *testing.T) {
	testkit.SkipInVariant(t)
	if os.Getenv("HONE_UPDATE") != "" {
		writeRecording(t, recordings[release.Linked].file)
	}
	for _, rules := range []Rules{Go126, Go127} {
		want := readRecording(t, recordings[rules].file)
		compareRecording(t, fmt.Sprintf("rules of %v", rules), recordedOutcomes(recordedBy(Config{Rules: rules, Engine: HoneEngine})), want)
		if RulesByDefault() == rules && release.Chosen.Rules == rules {
			compareRecording(t, fmt.Sprintf("HONE_JSON for %v", rules), recordedOutcomes(recordedBy(Config{})), want)
		}
		linked, _, _ := strings.Cut(runtime.Version(), " ")
		if linked == recordings[rules].release {
			compareRecording(t, "encoding/json of "+linked, recordedOutcomes(recordedStandard), want)
		}
	}
}

// compareRecording reports the first ten outcomes that differ.
func compareRecording(t *testing.T, by string, got, want []string) {
	t.Helper()
	if len(got) != len(want) {
		t.Errorf("%s: %d outcomes, but the recording has %d: record it again with HONE_UPDATE=1", by, len(got), len(want))
		return
	}
	failed := 0
	for i := range got {
		if got[i] != want[i] {
			if failed++; failed <= 40 {
				t.Errorf("%s\ngot  %s\nwant %s", by, got[i], want[i])
			}
		}
	}
	if failed > 0 {
		t.Errorf("%s: %d of %d outcomes differ", by, failed, len(want))
	}
}

func writeRecording(t *testing.T, file string) {
	t.Helper()
	var b bytes.Buffer
	w, _ := gzip.NewWriterLevel(&b, gzip.BestCompression)
	_, err := w.Write([]byte(strings.Join(recordedOutcomes(recordedStandard), "\n")))
	if err = errors.Join(err, w.Close(), os.MkdirAll(filepath.Dir(file), 0o755), os.WriteFile(file, b.Bytes(), 0o644)); err != nil {
		t.Fatal(err)
	}
}

func readRecording(t *testing.T, file string) []string {
	t.Helper()
	data, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	r, err := gzip.NewReader(bytes.NewReader(data))
	if err != nil {
		t.Fatal(err)
	}
	text, err := io.ReadAll(r)
	if err != nil {
		t.Fatal(err)
	}
	return strings.Split(string(text), "\n")
}

// recordedOutcomes returns a line for each case, with the call and its outcome.
func recordedOutcomes(by recorder) (lines []string) {
	add := func(what string, outcome ...string) {
		lines = append(lines, strings.NewReplacer("\n", `\n`, "jsontext.Value", "json.RawMessage").Replace(what+": "+strings.Join(outcome, " | ")))
	}
	for _, target := range recordedTargets {
		for _, text := range slices.Concat(recordedTexts, target.texts) {
			v := target.make()
			err := by.unmarshal([]byte(text), v)
			b, failed := by.marshal(v)
			add(fmt.Sprintf("%T <- %s", v, text), recordedValue(v), recordedError(err), string(b), recordedError(failed))
		}
	}
	for i, v := range recordedValues {
		b, err := by.marshal(v)
		add(fmt.Sprintf("%d %T", i, v), string(b), recordedError(err))
		var out bytes.Buffer
		e := by.encoder(&out)
		err = e.Encode(v)
		e.SetIndent(">", "  ")
		e.SetEscapeHTML(false)
		add(fmt.Sprintf("%d %T to a stream", i, v), recordedError(errors.Join(err, e.Encode(v))), out.String())
	}
	for _, text := range recordedStreams {
		for _, name := range slices.Sorted(maps.Keys(recordedScripts)) {
			script := recordedScripts[name]
			for _, size := range []int{0, 1} {
				var r io.Reader = strings.NewReader(text)
				if size > 0 {
					r = &partReader{text: text, size: size}
				}
				add(fmt.Sprintf("%s of %s, %d", name, text, size), recordedScript(by, r, script)...)
			}
		}
	}
	for _, text := range recordedFaultyStreams {
		for _, name := range slices.Sorted(maps.Keys(recordedScripts)) {
			for fault, reader := range testkit.FaultyReaders(text) {
				add(fmt.Sprintf("%s of %s, %s", name, text, fault), recordedScript(by, reader(), recordedScripts[name])...)
			}
		}
	}
	return lines
}

// recordedError describes an error by the parts that each build can reproduce. It omits the
// messages of syntax errors, the causes of type errors and the names of methods, because these are
// private fields or do not exist in Go 1.26.
func recordedError(err error) string {
	switch e := err.(type) {
	case nil:
		return "nil"
	case *json.SyntaxError:
		return fmt.Sprintf("SyntaxError at %d", e.Offset)
	case *json.UnmarshalTypeError:
		return fmt.Sprintf("UnmarshalTypeError{%q %v %d %q %q}", e.Value, e.Type, e.Offset, e.Struct, e.Field)
	case *json.InvalidUnmarshalError:
		return fmt.Sprintf("InvalidUnmarshalError{%v}", e.Type)
	case *json.MarshalerError:
		return fmt.Sprintf("MarshalerError{%v %s}", e.Type, recordedError(e.Err))
	case *json.UnsupportedTypeError:
		return fmt.Sprintf("UnsupportedTypeError{%v}", e.Type)
	case *json.UnsupportedValueError:
		value := "no value"
		if e.Value.IsValid() {
			value = e.Value.Type().String()
			if e.Value.CanFloat() {
				value += fmt.Sprint(" ", e.Value)
			}
		}
		return fmt.Sprintf("UnsupportedValueError{%s %q}", value, e.Str)
	case interface{ Unwrap() []error }:
		var all []string
		for _, one := range e.Unwrap() {
			all = append(all, recordedError(one))
		}
		return strings.Join(all, " and ")
	}
	return fmt.Sprintf("%T %v", err, err)
}

// recordedValue describes a value, the targets of its pointers, and the types of its interface
// values.
func recordedValue(v any) string {
	var b strings.Builder
	describeRecorded(&b, reflect.ValueOf(v), 0)
	return b.String()
}

func describeRecorded(b *strings.Builder, v reflect.Value, depth int) {
	if depth > 12 {
		b.WriteString("...")
		return
	}
	switch v.Kind() {
	case reflect.Invalid:
		b.WriteString("nothing")
	case reflect.Pointer, reflect.Interface:
		if v.IsNil() {
			b.WriteString("nil")
			return
		}
		b.WriteByte('&')
		if v.Kind() == reflect.Interface {
			b.WriteString(v.Elem().Type().String() + " ")
		}
		describeRecorded(b, v.Elem(), depth+1)
	case reflect.Struct:
		b.WriteByte('{')
		for i := range v.NumField() {
			b.WriteString(" " + v.Type().Field(i).Name + ":")
			describeRecorded(b, v.Field(i), depth+1)
		}
		b.WriteString(" }")
	case reflect.Slice, reflect.Array:
		if v.Kind() == reflect.Slice && v.IsNil() {
			b.WriteString("nil")
			return
		}
		b.WriteByte('[')
		for i := range v.Len() {
			b.WriteByte(' ')
			describeRecorded(b, v.Index(i), depth+1)
		}
		b.WriteString(" ]")
	case reflect.Map:
		if v.IsNil() {
			b.WriteString("nil")
			return
		}
		var entries []string
		for i := v.MapRange(); i.Next(); {
			var entry strings.Builder
			describeRecorded(&entry, i.Key(), depth+1)
			entry.WriteString("=")
			describeRecorded(&entry, i.Value(), depth+1)
			entries = append(entries, entry.String())
		}
		slices.Sort(entries)
		fmt.Fprintf(b, "map%v", entries)
	case reflect.String:
		fmt.Fprintf(b, "%q", v.String())
	case reflect.Float32, reflect.Float64:
		fmt.Fprint(b, v.Float(), math.Signbit(v.Float()))
	case reflect.Chan, reflect.Func:
		b.WriteString(v.Kind().String())
	default:
		fmt.Fprint(b, v)
	}
}

// recordedScript runs a script on a decoder that reads from r, and describes each step. The last
// step is the input that no step has read: Buffered without leading white space, which the releases
// treat differently, and then the rest of r.
func recordedScript(by recorder, r io.Reader, script func(d recordedDecoder, step func(...any))) (steps []string) {
	d := by.decoder(r)
	script(d, func(results ...any) {
		var all []string
		for _, one := range results {
			if err, ok := one.(error); ok {
				all = append(all, recordedError(err))
			} else {
				all = append(all, fmt.Sprintf("%T", one)+" "+recordedValue(one))
			}
		}
		steps = append(steps, fmt.Sprintf("%s at %d", strings.Join(all, " "), d.InputOffset()))
	})
	unread, err := io.ReadAll(d.Buffered())
	for n := 1; err == nil && n > 0; {
		var b [64]byte
		if n, err = r.Read(b[:]); err != io.EOF {
			err = nil
		}
		unread = append(unread, b[:n]...)
	}
	return append(steps, fmt.Sprintf("unread %q", bytes.TrimLeft(unread, " \n")))
}

// A partReader returns its text in parts.
type partReader struct {
	text string
	size int
}

func (r *partReader) Read(b []byte) (int, error) {
	if r.text == "" {
		return 0, io.EOF
	}
	n := copy(b, r.text[:min(r.size, len(r.text))])
	r.text = r.text[n:]
	return n, nil
}
