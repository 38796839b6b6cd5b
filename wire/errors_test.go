//lint:file-ignore U1000 the tests need fields that no engine touches

package wire

import (
	"errors"
	"io"
	"testing"
)

func TestDecodeError(t *testing.T) {
	type item struct {
		Name  string
		Price *int32
	}
	type order struct {
		ID    int
		Items []item
		ByKey map[string]item
	}
	for _, test := range []struct {
		in     []byte
		offset int64
		path   string
		cause  error
	}{
		{nil, 0, ".ID", io.ErrUnexpectedEOF},
		{[]byte{0x80, 0x80}, 2, ".ID", io.ErrUnexpectedEOF},
		{[]byte{0x80, 0x00}, 1, ".ID", ErrNonMinimal},
		{[]byte{2, 2, 1, 'a', 0, 1, 'b', 7, 0}, 7, ".Items[1].Price", ErrFlag},
		{[]byte{2, 1, 1, 'a', 1, 0xff, 0xff, 0xff, 0xff, 0x7f, 0}, 5, ".Items[0].Price", ErrOverflow},
		{[]byte{2, 1, 9, 'a'}, 4, ".Items[0].Name", io.ErrUnexpectedEOF},
		{[]byte{2, 0, 1, 1, 'k', 1, 'n', 3}, 7, `.ByKey.k.Price`, ErrFlag},
		{[]byte{2, 0, 2, 1, 'k', 0, 0, 1, 'k', 0, 0}, 7, ".ByKey", ErrDuplicate},
		{[]byte{2, 0, 0, 5}, 3, "", ErrTrailing},
	} {
		err := Unmarshal(test.in, new(order))
		de := (*DecodeError)(nil)
		if !errors.As(err, &de) || de.Offset != test.offset || de.Path != test.path || !errors.Is(err, test.cause) {
			t.Errorf("Unmarshal(%v) = %v\nwant offset %d, path %q, %v", test.in, err, test.offset, test.path, test.cause)
		}
	}
}

func TestTypeError(t *testing.T) {
	type secret struct{ a, b int }
	type hiddenPointer struct{ *embedded }
	for _, test := range []struct {
		err  error
		path string
	}{
		{codecError[chan int](), ""},
		{codecError[struct{ A []struct{ B func() } }](), ".A[].B"},
		{codecError[struct{ M map[string]any }](), ".M[]"},
		{codecError[uintptr](), ""},
		{codecError[struct{ S *secret }](), ".S"},
		{codecError[hiddenPointer](), ".embedded"},
	} {
		te := (*TypeError)(nil)
		if !errors.As(test.err, &te) || te.Path != test.path {
			t.Errorf("%v, want a TypeError at %q", test.err, test.path)
		}
	}
	ch := make(chan int)
	if _, err := Marshal(&ch); err == nil {
		t.Error("Marshal accepts a channel")
	}
	if err := Unmarshal([]byte{1}, &ch); err == nil {
		t.Error("Unmarshal accepts a channel")
	}
}

func codecError[T any]() error { _, err := For[T](); return err }

func TestCycle(t *testing.T) {
	loop := &tree{V: 1}
	loop.Left = loop
	dst, err := Append([]byte("kept"), loop)
	ee := (*EncodeError)(nil)
	if !errors.As(err, &ee) || !errors.Is(err, ErrDepth) || len(ee.Path) < 10 || len(ee.Path) > 1000 || string(dst) != "kept" {
		t.Errorf("Append of a cycle = %q, %v", dst, err)
	}
	if _, err := Append[tree](nil, nil); err == nil {
		t.Error("Append of nil: no error")
	}
	if err := Unmarshal[tree](nil, nil); err == nil {
		t.Error("Unmarshal into nil: no error")
	}
	deep := &tree{}
	for range 600 {
		deep = &tree{Left: deep}
	}
	data, err := Marshal(deep)
	if err != nil {
		t.Fatal(err)
	}
	codec, err := For[tree]()
	if err != nil {
		t.Fatal(err)
	}
	if err := codec.Unmarshal(data, new(tree)); err != nil {
		t.Error(err)
	}
	if err := codec.WithLimits(Limits{Depth: 100}).Unmarshal(data, new(tree)); !errors.Is(err, ErrDepth) {
		t.Errorf("past the depth limit: %v", err)
	}
	if err := codec.WithLimits(Limits{Bytes: 100}).Unmarshal(data, new(tree)); !errors.Is(err, ErrLimit) {
		t.Errorf("past the memory limit: %v", err)
	}
}
