package connect

import (
	"bytes"
	"strings"
	"testing"

	"google.golang.org/protobuf/types/known/durationpb"
	"google.golang.org/protobuf/types/known/wrapperspb"

	"github.com/hone-go/hone/json"
	"github.com/hone-go/hone/mo"
	"github.com/hone-go/hone/wire"
)

type hoarder struct{ kept []byte }

func (h *hoarder) UnmarshalJSON(data []byte) error { h.kept = data; return nil }
func (h hoarder) MarshalJSON() ([]byte, error)     { return []byte(`"kept by the method"`), nil }

type message struct {
	Name    string
	Bytes   []byte
	Any     mo.Option[string]
	ByName  map[string]int
	Hoarder *hoarder `wire:"-" json:",omitempty"`
}

func codecs() []*codec {
	c := json.Config{CopyInput: true}
	return []*codec{{name: JSONName, format: c, stable: c, text: true}, wireCodec(wire.Options{AliasInput: true})}
}

func newMessage() *message {
	return &message{Name: "name", Bytes: []byte("bytes"), Any: mo.Some("some"), ByName: map[string]int{"a": 1, "b": 2, "c": 3, "d": 4}}
}

// TestReusedBuffer overwrites the bytes that were decoded, as Connect does. The decoded value does
// not change.
func TestReusedBuffer(t *testing.T) {
	for _, c := range codecs() {
		want := newMessage()
		if c.text {
			want.Hoarder = &hoarder{}
		}
		data, err := c.Marshal(want)
		if err != nil {
			t.Fatal(err)
		}
		got := message{Name: "stale"}
		if err := c.Unmarshal(data, &got); err != nil {
			t.Fatal(err)
		}
		for i := range data {
			data[i] = 0xEE
		}
		some, _ := got.Any.Get()
		if got.Name != "name" || string(got.Bytes) != "bytes" || some != "some" || got.ByName["a"] != 1 {
			t.Errorf("%s: the value shares memory with the buffer: %+v", c.Name(), got)
		}
		if c.text && string(got.Hoarder.kept) != `"kept by the method"` {
			t.Errorf("bytes that a method retained were overwritten: %q", got.Hoarder.kept)
		}
	}
}

func TestAppend(t *testing.T) {
	for _, c := range codecs() {
		alone, err := c.MarshalStable(newMessage())
		if err != nil {
			t.Fatal(err)
		}
		for range 20 { // the order of a map varies
			again, err := c.MarshalStable(newMessage())
			if err != nil || !bytes.Equal(again, alone) {
				t.Fatalf("%s: MarshalStable: %q, %v; the first call returned %q", c.Name(), again, err, alone)
			}
		}
		appended, err := c.MarshalAppend([]byte("before"), &message{Name: "n"})
		if err != nil || !strings.HasPrefix(string(appended), "before") {
			t.Errorf("%s: MarshalAppend: %q, %v", c.Name(), appended, err)
		}
		var got message
		if err := c.Unmarshal(alone, &got); err != nil || got.ByName["d"] != 4 {
			t.Errorf("%s: the output of MarshalStable cannot be decoded: %v", c.Name(), err)
		}
		if c.IsBinary() == c.text {
			t.Errorf("%s: IsBinary is %v", c.Name(), c.IsBinary())
		}
	}
}

func TestRefused(t *testing.T) {
	for _, c := range codecs() {
		if _, err := c.Marshal(&struct{ C chan int }{}); err == nil {
			t.Errorf("%s: no error for encoding a channel", c.Name())
		}
		for _, v := range []any{nil, (*message)(nil)} {
			if _, err := c.Marshal(v); err == nil {
				t.Errorf("%s: no error for encoding a nil %T", c.Name(), v)
			}
			if err := c.Unmarshal([]byte("{}"), v); err == nil {
				t.Errorf("%s: no error for decoding into a nil %T", c.Name(), v)
			}
		}
		if err := c.Unmarshal(nil, &message{}); err == nil {
			t.Errorf("%s: no error for decoding an empty message", c.Name())
		}
	}
}

func TestProtocolBuffers(t *testing.T) {
	c := codecs()
	data, err := c[0].MarshalAppend([]byte("x"), wrapperspb.String("<a>"))
	if string(data) != `x"<a>"` || err != nil {
		t.Errorf("%s, %v", data, err)
	}
	var d durationpb.Duration
	if err := c[0].Unmarshal([]byte(`"3s"`), &d); err != nil || d.Seconds != 3 {
		t.Errorf("%v, %v", &d, err)
	}
	if _, err := c[1].Marshal(&d); err == nil {
		t.Error("the wire codec encoded a protocol buffer")
	}
	if err := c[1].Unmarshal(nil, &d); err == nil {
		t.Error("the wire codec decoded a protocol buffer")
	}
}
