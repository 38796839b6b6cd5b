package wire

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/hone-go/hone/internal/test/testkit"
	"github.com/hone-go/hone/wire/schema"
)

// TestStreamDamage checks the errors of a stream that a caller must distinguish.
func TestStreamDamage(t *testing.T) {
	read := func(stream string, limit int) (values []string, failures []error) {
		d := NewDecoder(iotest.OneByteReader(strings.NewReader(stream)), limit)
		for {
			var s string
			switch err := d.Decode(&s); {
			case err == io.EOF:
				if again := d.Decode(&s); again != io.EOF {
					t.Errorf("%q: after io.EOF: %v", stream, again)
				}
				return values, failures
			case err != nil:
				failures = append(failures, err)
			default:
				values = append(values, s)
			}
			if len(failures) > 9 {
				t.Fatalf("%q: the loop does not end: %v", stream, failures)
			}
		}
	}
	const a, b = "\x02\x01a", "\x02\x01b"
	for _, test := range []struct {
		name, stream string
		values       int
		message      string
		torn         bool
		skipped      *RecordError
	}{
		{"a torn record", a + "\x03\x02b", 1, "wire: decode (string) at byte 6: unexpected EOF", true, nil},
		{"a torn length", a + "\x83", 1, "wire: decode (string) at byte 4: unexpected EOF", true, nil},
		{"a malformed length", a + "\x83\x00" + b, 1, "wire: decode (string) at byte 4: number with a longer encoding than necessary", false, nil},
		{"a malformed record", "\x02\x81\x00" + b, 1, "wire: skipped a record of 2 bytes at byte 0: decode (string) at byte 2: number with a longer encoding than necessary", false, &RecordError{0, 2, nil}},
		{"a record that is too short", a + "\x02\x02b" + b, 2, "wire: skipped a record of 2 bytes at byte 3: decode (string) at byte 6: the record ends within the value", false, &RecordError{3, 2, nil}},
		{"an empty record", "\x00" + b, 1, "wire: skipped a record of 0 bytes at byte 0: decode (string) at byte 1: the record ends within the value", false, &RecordError{0, 0, nil}},
		{"a record over the limit", a + "\x0a\x09123456789" + b, 2, "wire: skipped a record of 10 bytes at byte 3: 10 bytes exceed the limit of 9; the second argument of NewDecoder raises the limit", false, &RecordError{3, 10, nil}},
	} {
		values, failures := read(test.stream, 9)
		if len(values) != test.values || len(failures) != 1 {
			t.Errorf("%s: %q, %v", test.name, values, failures)
			continue
		}
		err := failures[0]
		var re *RecordError
		if err.Error() != test.message || errors.Is(err, io.ErrUnexpectedEOF) != test.torn || errors.As(err, &re) != (test.skipped != nil) {
			t.Errorf("%s: %v", test.name, err)
		}
		if re != nil && (re.Offset != test.skipped.Offset || re.Length != test.skipped.Length) {
			t.Errorf("%s: %+v", test.name, re)
		}
		var le *LengthError
		if over := strings.Contains(test.name, "limit"); errors.As(err, &le) != over || errors.Is(err, ErrLimit) != over {
			t.Errorf("%s: %v", test.name, err)
		}
	}
	// A file that ends within a record over the limit is also a truncated stream.
	if values, failures := read(a+"\x7f\x01b", 9); len(values) != 1 || len(failures) != 2 || !errors.Is(failures[0], ErrLimit) || !errors.Is(failures[1], io.ErrUnexpectedEOF) {
		t.Errorf("%q, %v", values, failures)
	}
}

// TestStreamMethodErrors uses a method that fails with io.EOF. The decoder must not report this as
// the end of the stream.
func TestStreamMethodErrors(t *testing.T) {
	d := NewDecoder(strings.NewReader("\x02\x01x\x02\x01y"), 0)
	for range 2 {
		var re *RecordError
		if err := d.Decode(new(endsEarly)); !errors.As(err, &re) || errors.Is(err, io.EOF) || !strings.HasSuffix(err.Error(), ": EOF") {
			t.Errorf("%v", err)
		}
	}
	if err := d.Decode(new(endsEarly)); err != io.EOF {
		t.Errorf("%v", err)
	}
}

// endsEarly is a type whose method fails with io.EOF.
type endsEarly struct{}

func (endsEarly) MarshalBinary() ([]byte, error) { return []byte("x"), nil }
func (*endsEarly) UnmarshalBinary([]byte) error  { return io.EOF }

// TestStreamOverLimit skips a long record. The decoder must not allocate memory for it.
func TestStreamOverLimit(t *testing.T) {
	testkit.SkipIfInstrumented(t)
	const size = 64 << 20
	stream := io.MultiReader(strings.NewReader("\x80\x80\x80\x20"), io.LimitReader(zeros{}, size), strings.NewReader("\x02\x01a"))
	d := NewDecoder(stream, 1<<10)
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	var s string
	var le *LengthError
	if err := d.Decode(&s); !errors.As(err, &le) || le.Length != size || le.Limit != 1<<10 {
		t.Errorf("%v", err)
	}
	if err := d.Decode(&s); err != nil || s != "a" {
		t.Errorf("%q, %v", s, err)
	}
	runtime.ReadMemStats(&after)
	if used := after.TotalAlloc - before.TotalAlloc; used > 64<<10 {
		t.Errorf("%d bytes of memory for a record that is skipped", used)
	}
}

// zeros is a reader of zeros without an end.
type zeros struct{}

func (zeros) Read(b []byte) (int, error) {
	clear(b)
	return len(b), nil
}

// TestStreamWrongTarget passes a v that cannot hold a record. The error must be returned before
// anything is read. The next call must skip the record, so that a loop ends.
func TestStreamWrongTarget(t *testing.T) {
	for _, v := range []any{5, nil, (*string)(nil), new(chan int)} {
		d := NewDecoder(strings.NewReader("\x02\x01a\x02\x01b\x02\x01c"), 0)
		failures := 0
		for {
			err := d.Decode(v)
			if err == io.EOF {
				break
			}
			if failures++; err == nil || failures > 4 {
				t.Fatalf("%T: the loop does not end: %v", v, err)
			}
		}
		if failures < 3 {
			t.Errorf("%T: %d errors for three records", v, failures)
		}
	}
	d := NewDecoder(strings.NewReader("\x02\x01a\x02\x01b"), 0)
	var s string
	if err := d.Decode(s); err == nil {
		t.Error("a string is no pointer")
	}
	if err := d.Decode(&s); err != nil || s != "b" {
		t.Errorf("%q, %v", s, err)
	}
}

// TestStreamPanic decodes with a method that panics. The decoder must have consumed the record before.
func TestStreamPanic(t *testing.T) {
	d := NewDecoder(strings.NewReader("\x02\x01x\x02\x01y"), 0)
	func() {
		defer func() {
			if recover() == nil {
				t.Error("the method does not panic")
			}
		}()
		_ = d.Decode(new(panics))
	}()
	var s string
	if err := d.Decode(&s); err != nil || s != "y" {
		t.Errorf("%q, %v", s, err)
	}
}

type panics struct{}

func (panics) MarshalBinary() ([]byte, error) { return []byte("x"), nil }
func (*panics) UnmarshalBinary([]byte) error  { panic("a method") }

// TestStreamTimeout uses a reader that times out at every byte, even within a record that is skipped.
// Nothing may be lost.
func TestStreamTimeout(t *testing.T) {
	stream := "\x02\x01a\x7f" + strings.Repeat("x", 127) + "\x02\x01b"
	d := NewDecoder(&stutter{r: iotest.OneByteReader(strings.NewReader(stream))}, 100)
	var values []string
	skipped, timeouts := 0, 0
	for {
		var s string
		err := d.Decode(&s)
		if err == io.EOF {
			break
		}
		var re *RecordError
		switch {
		case errors.Is(err, os.ErrDeadlineExceeded):
			timeouts++
		case errors.As(err, &re):
			skipped++
		case err != nil:
			t.Fatal(err)
		default:
			values = append(values, s)
		}
	}
	if len(values) != 2 || skipped != 1 || timeouts < 100 {
		t.Errorf("%q, %d skipped, %d timeouts", values, skipped, timeouts)
	}
}

// A stutter is a reader that times out before each Read.
type stutter struct {
	r    io.Reader
	late bool
}

func (s *stutter) Read(b []byte) (int, error) {
	if s.late = !s.late; s.late {
		return 0, os.ErrDeadlineExceeded
	}
	return s.r.Read(b)
}

// TestOpenAppend cuts a file at every byte and appends records to it. A reader must get all records
// that were whole before the cut, and the new records.
func TestOpenAppend(t *testing.T) {
	print := Must(SchemaOf[string]()).Fingerprint()
	for _, from := range []*schema.Fingerprint{nil, &print} {
		var whole bytes.Buffer
		e := NewEncoder(&whole)
		if from != nil {
			if err := e.Fingerprint(*from); err != nil {
				t.Fatal(err)
			}
		}
		ends := []int{whole.Len()} // the ends of the fingerprint and of each record
		var texts []string
		for i := range 12 {
			texts = append(texts, strings.Repeat(fmt.Sprint(i), 1<<i/4))
			if err := e.Encode(&texts[i]); err != nil {
				t.Fatal(err)
			}
			ends = append(ends, whole.Len())
		}
		name := filepath.Join(t.TempDir(), "stream")
		for size := 0; size <= whole.Len(); size++ {
			records := 0
			for records+1 < len(ends) && ends[records+1] <= size {
				records++
			}
			keep := ends[records]
			if size < ends[0] {
				keep = 0
			}
			var f File = &memoryFile{data: bytes.Clone(whole.Bytes()[:size])}
			if size%40 == 13 {
				f = realFile(t, name, whole.Bytes()[:size])
			}
			e, cut, err := OpenAppend(f, AppendOptions{Fingerprint: from})
			if err != nil || cut != int64(size-keep) {
				t.Fatalf("the first %d bytes: %d bytes are cut, %v; want %d", size, cut, err, size-keep)
			}
			if err := e.Encode(ptr("appended")); err != nil {
				t.Fatal(err)
			}
			if _, err := f.Seek(0, io.SeekStart); err != nil {
				t.Fatal(err)
			}
			d := NewDecoder(f, 0)
			if from != nil {
				if err := d.Fingerprint(*from); err != nil {
					t.Fatalf("the first %d bytes: %v", size, err)
				}
			}
			for _, want := range append(texts[:records:records], "appended") {
				var got string
				if err := d.Decode(&got); err != nil || got != want {
					t.Fatalf("the first %d bytes: %q, %v; want %q", size, got, err, want)
				}
			}
			if err := d.Decode(new(string)); err != io.EOF {
				t.Errorf("the first %d bytes: %v", size, err)
			}
		}
	}
}

// realFile writes a file and opens it for reading and writing.
func realFile(t *testing.T, name string, data []byte) *os.File {
	t.Helper()
	if err := os.WriteFile(name, data, 0o600); err != nil {
		t.Fatal(err)
	}
	f, err := os.OpenFile(name, os.O_RDWR, 0)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = f.Close() })
	return f
}

// TestOpenAppendRefuses opens files that are damaged before their end. OpenAppend must return an
// error and leave them unchanged.
func TestOpenAppendRefuses(t *testing.T) {
	print := Must(SchemaOf[string]()).Fingerprint()
	for _, test := range []struct{ name, file, want string }{
		{"a malformed length", "\x02\x01a\x82\x00ab\x02\x01b", "wire: decode at byte 4: the length of a record: number with a longer encoding than necessary"},
		{"a length over the limit", "\x02\x01a\xff\x7fabc", "wire: decode at byte 3: a record of 16383 bytes is longer than AppendOptions.Limit, 1000: value takes more memory than the limit allows"},
		{"another fingerprint", "12345678\x02\x01a", ""},
	} {
		f := &memoryFile{data: []byte(test.file)}
		o := AppendOptions{Limit: 1000}
		if test.want == "" {
			o.Fingerprint = &print
		}
		_, cut, err := OpenAppend(f, o)
		if err == nil || cut != 0 || string(f.data) != test.file || test.want != "" && err.Error() != test.want {
			t.Errorf("%s: %d, %v, %q", test.name, cut, err, f.data)
		}
		if fe := (*FingerprintError)(nil); errors.As(err, &fe) != (test.want == "") {
			t.Errorf("%s: %v", test.name, err)
		}
	}
	for failing := range 7 {
		f := &memoryFile{data: []byte("\x02\x01a\x05"), failAt: failing}
		if _, _, err := OpenAppend(f, AppendOptions{}); (err == io.ErrClosedPipe) != (failing > 0 && failing < 6) {
			t.Errorf("call %d of the file fails: %v", failing, err)
		}
	}
}

// A memoryFile is a file in memory. If failAt is n, the n-th call of a method returns an error.
type memoryFile struct {
	data   []byte
	pos    int64
	read   int
	failAt int
}

func (f *memoryFile) fail() error {
	if f.failAt--; f.failAt == 0 {
		return io.ErrClosedPipe
	}
	return nil
}

func (f *memoryFile) Read(b []byte) (int, error) {
	if err := f.fail(); err != nil {
		return 0, err
	}
	if f.pos >= int64(len(f.data)) {
		return 0, io.EOF
	}
	n := copy(b, f.data[f.pos:])
	f.pos += int64(n)
	f.read += n
	return n, nil
}

func (f *memoryFile) Write(b []byte) (int, error) {
	f.data = append(f.data[:f.pos], b...)
	f.pos += int64(len(b))
	return len(b), f.fail()
}

func (f *memoryFile) Seek(offset int64, whence int) (int64, error) {
	if whence == io.SeekEnd {
		offset += int64(len(f.data))
	}
	f.pos = offset
	return offset, f.fail()
}

func (f *memoryFile) Truncate(size int64) error {
	f.data = f.data[:size]
	return f.fail()
}

// TestOpenAppendReads opens a file with long records. OpenAppend must not read their content.
func TestOpenAppendReads(t *testing.T) {
	f := &memoryFile{}
	record := append([]byte("\x80\x80\x40"), make([]byte, 1<<20)...)
	for range 16 {
		f.data = append(f.data, record...)
	}
	if _, cut, err := OpenAppend(f, AppendOptions{}); err != nil || cut != 0 {
		t.Fatalf("%d, %v", cut, err)
	}
	if f.read > 17*64<<10 {
		t.Errorf("%d bytes are read of a file of %d", f.read, len(f.data))
	}
}
