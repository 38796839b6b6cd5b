package grpc

import (
	"bytes"
	"strings"
	"sync"
	"testing"

	"google.golang.org/grpc/encoding"
	"google.golang.org/grpc/health/grpc_health_v1"
	"google.golang.org/grpc/mem"

	"github.com/hone-go/hone/json"
	"github.com/hone-go/hone/mo"
	"github.com/hone-go/hone/wire"
)

// A hoarder keeps the argument of its method. Methods must not do so, but some do.
type hoarder struct{ kept []byte }

func (h *hoarder) UnmarshalJSON(data []byte) error { h.kept = data; return nil }
func (h hoarder) MarshalJSON() ([]byte, error)     { return []byte(`"kept by the method"`), nil }

type message struct {
	Name    string
	Bytes   []byte
	Tags    []string
	ByName  map[string]string
	Any     mo.Option[string]
	Raw     json.RawMessage
	Hoarder *hoarder `wire:"-" json:",omitempty"`
}

func newMessage(n int) *message {
	s := strings.Repeat("text ", n)
	return &message{
		Name: s, Bytes: []byte(s), Tags: []string{s, "b"}, ByName: map[string]string{s: s}, Any: mo.Some(s),
		Raw: json.RawMessage(`{"a":"` + s + `"}`),
	}
}

func (m *message) equal(o *message) bool {
	s, _ := m.Any.Get()
	return m.Name == o.Name && bytes.Equal(m.Bytes, o.Bytes) && m.Tags[0] == o.Tags[0] && m.Tags[1] == o.Tags[1] &&
		m.ByName[o.Name] == o.Name && s == o.Name && bytes.Equal(m.Raw, o.Raw)
}

// A poisonPool overwrites the buffers that are returned to it.
type poisonPool struct{ freed int }

func (p *poisonPool) Get(n int) *[]byte { b := make([]byte, n); return &b }
func (p *poisonPool) Put(b *[]byte) {
	p.freed++
	all := (*b)[:cap(*b)]
	for i := range all {
		all[i] = 0xEE
	}
}

func codecs() []encoding.CodecV2 {
	return []encoding.CodecV2{
		JSON(json.Config{AliasInput: true}), // which is ignored
		Wire(wire.Options{AliasInput: true}),
		wire.Must(Fingerprinted(wire.Fingerprints{}, wire.Options{AliasInput: true})),
	}
}

// TestFreedBuffer decodes from buffers that are overwritten as soon as they are freed. The decoded
// value does not change.
func TestFreedBuffer(t *testing.T) {
	for _, c := range codecs() {
		for _, parts := range []int{1, 3} {
			want := newMessage(1000)
			if c.Name() == JSONName {
				want.Hoarder = &hoarder{}
			}
			out, err := c.Marshal(want)
			if err != nil {
				t.Fatal(err)
			}
			data := out.Materialize()
			out.Free()
			var in mem.BufferSlice
			pool := &poisonPool{}
			for i := range parts {
				in = append(in, mem.Copy(data[i*len(data)/parts:(i+1)*len(data)/parts], pool))
			}
			var got message
			if err := c.Unmarshal(in, &got); err != nil {
				t.Fatal(err)
			}
			in.Free()
			if pool.freed != parts {
				t.Errorf("%s: only %d of %d buffers were freed", c.Name(), pool.freed, parts)
			}
			if !got.equal(want) {
				t.Errorf("%s: the value shares memory with a freed buffer", c.Name())
			}
			if got.Hoarder != nil && string(got.Hoarder.kept) != `"kept by the method"` {
				t.Errorf("%s: bytes that a method retained were overwritten: %q", c.Name(), got.Hoarder.kept)
			}
		}
	}
}

// TestPooledBuffers checks that a buffer belongs to one message until it is freed, and is then
// reused.
func TestPooledBuffers(t *testing.T) {
	for _, c := range codecs() {
		var wg sync.WaitGroup
		for range 4 {
			wg.Go(func() {
				for i := range 300 {
					want := newMessage(i % 40)
					out, err := c.Marshal(want)
					if err != nil {
						t.Error(err)
						return
					}
					out.Ref() // as a retry or a statistics handler does
					out.Free()
					var got message
					if err := c.Unmarshal(out, &got); err != nil || !got.equal(want) {
						t.Errorf("%s: %v", c.Name(), err)
					}
					out.Free()
				}
			})
		}
		wg.Wait()
	}
}

func TestFreedTwice(t *testing.T) {
	out, err := Wire().Marshal(newMessage(10))
	if err != nil {
		t.Fatal(err)
	}
	out.Free()
	defer func() {
		if recover() == nil {
			t.Error("no panic at a second Free")
		}
	}()
	out.Free()
}

func TestRefused(t *testing.T) {
	for _, c := range codecs() {
		for _, v := range []any{nil, (*message)(nil), func() {}, &struct{ C chan int }{}} {
			if out, err := c.Marshal(v); err == nil || out != nil {
				t.Errorf("%s: Marshal(%T): %v, %v", c.Name(), v, out, err)
			}
		}
		out, err := c.Marshal(newMessage(1))
		if err != nil {
			t.Fatal(err)
		}
		for _, v := range []any{nil, (*message)(nil), message{}} {
			if err := c.Unmarshal(out, v); err == nil {
				t.Errorf("%s: no error for decoding into %T", c.Name(), v)
			}
		}
		var m message
		if err := c.Unmarshal(nil, &m); err == nil {
			t.Errorf("%s: no error for an empty message", c.Name())
		}
		if err := c.Unmarshal(append(out, mem.SliceBuffer("x")), &m); err == nil {
			t.Errorf("%s: no error for bytes after the message", c.Name())
		}
	}
}

// TestStale decodes into a variable that contains an earlier message, as in a stream. No field of
// the earlier message remains.
func TestStale(t *testing.T) {
	type pair struct{ A, B string }
	m := pair{A: "stale", B: "stale"}
	if err := JSON().Unmarshal(mem.BufferSlice{mem.SliceBuffer(`{"A":"new"}`)}, &m); err != nil || m != (pair{A: "new"}) {
		t.Errorf("%+v, %v", m, err)
	}
}

func TestValueAndPointer(t *testing.T) {
	for _, c := range codecs() {
		m := newMessage(3)
		byPointer, err1 := c.Marshal(m)
		byValue, err2 := c.Marshal(*m)
		if err1 != nil || err2 != nil || !bytes.Equal(byPointer.Materialize(), byValue.Materialize()) {
			t.Errorf("%s: a value and a pointer to it differ: %v, %v", c.Name(), err1, err2)
		}
	}
}

func TestProtocolBuffers(t *testing.T) {
	m := &grpc_health_v1.HealthCheckResponse{Status: grpc_health_v1.HealthCheckResponse_SERVING}
	out, err := JSON().Marshal(m)
	if err != nil || string(out.Materialize()) != `{"status":"SERVING"}` {
		t.Errorf("%s, %v", out.Materialize(), err)
	}
	var back grpc_health_v1.HealthCheckResponse
	if err := JSON().Unmarshal(out, &back); err != nil || back.Status != m.Status {
		t.Errorf("%v, %v", &back, err)
	}
	if _, err := Wire().Marshal(m); err == nil {
		t.Error("the wire codec encoded a protocol buffer")
	}
	if err := Wire().Unmarshal(nil, m); err == nil {
		t.Error("the wire codec decoded a protocol buffer")
	}
}

func TestLimits(t *testing.T) {
	out, err := Wire().Marshal(newMessage(5000))
	if err != nil {
		t.Fatal(err)
	}
	var m message
	if err := Wire(wire.Options{Limits: wire.Limits{Bytes: 1000}}).Unmarshal(out, &m); err == nil {
		t.Error("a value larger than Limits.Bytes was decoded")
	}
}

func BenchmarkMarshal(b *testing.B) {
	for _, c := range codecs() {
		m := newMessage(100)
		b.Run(c.Name(), func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				out, _ := c.Marshal(m)
				out.Free()
			}
		})
	}
}
