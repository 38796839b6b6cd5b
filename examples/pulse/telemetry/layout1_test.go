package telemetry

import (
	"os"
	"reflect"
	"testing"
	"time"

	"github.com/hone-go/hone/mo"
	"github.com/hone-go/hone/wire"
)

// TestLayout1 reads a batch that an older agent has encoded, and damaged ones.
func TestLayout1(t *testing.T) {
	data, err := os.ReadFile("testdata/layout1.wire")
	if err != nil {
		t.Fatal(err)
	}
	converted, err := OlderBatch.Convert(data)
	if err != nil {
		t.Fatal(err)
	}
	var got Batch
	if err := wire.Unmarshal(converted, &got); err != nil {
		t.Fatal(err)
	}
	at := got.Readings[0].At
	want := Batch{Readings: []Reading{{
		Host: "a", At: at, CPU: mo.Some(1.5), Cores: []float64{1, 2}, MemoryUsed: mo.Some[uint64](1 << 59),
		Disks: []Disk{{Mount: "/", Device: "b"}},
	}}}
	if !reflect.DeepEqual(got, want) || at.Year() != 2026 {
		t.Errorf("got %+v\nwant %+v", got, want)
	}
	var one Reading
	if converted, err = OlderReading.Convert(data[1:]); err == nil {
		err = wire.Unmarshal(converted, &one)
	}
	if err != nil || !reflect.DeepEqual(one, want.Readings[0]) {
		t.Errorf("%+v %v", one, err)
	}
	for n := range data {
		if _, err := OlderBatch.Convert(data[:n]); err == nil {
			t.Errorf("the first %d bytes are a batch", n)
		}
	}
}

// TestNewFields: a program of this version skips fields that a later version adds, and takes fields
// that are missing as not measured.
func TestNewFields(t *testing.T) {
	type earlier struct {
		_      wire.Evolving
		Mount  string
		Device string
	}
	data, err := wire.Marshal(&earlier{Mount: "/", Device: "a"})
	if err != nil {
		t.Fatal(err)
	}
	var d Disk
	if err := wire.Unmarshal(data, &d); err != nil || d != (Disk{Mount: "/", Device: "a"}) {
		t.Errorf("%+v %v", d, err)
	}
	full := Disk{Mount: "/", Device: "a", Used: mo.Some[uint64](1), Type: "ext4"}
	if data, err = wire.Marshal(&full); err != nil {
		t.Fatal(err)
	}
	var e earlier
	if err := wire.Unmarshal(data, &e); err != nil || e != (earlier{Mount: "/", Device: "a"}) {
		t.Errorf("%+v %v", e, err)
	}
}

// TestShare has file systems as df prints them.
func TestShare(t *testing.T) {
	some := mo.Some[uint64]
	for _, test := range []struct {
		disk Disk
		want mo.Option[float64]
	}{
		{Disk{Used: some(90), Total: some(100), Available: some(0)}, mo.Some(100.0)},
		{Disk{Used: some(45), Total: some(100), Available: some(45)}, mo.Some(50.0)},
		{Disk{Used: some(0), Total: some(100), Available: some(95)}, mo.Some(0.0)},
		{Disk{Used: some(45), Total: some(100)}, mo.Some(45.0)},
		{Disk{Used: some(0), Total: some(0), Available: some(0)}, mo.None[float64]()},
		{Disk{}, mo.None[float64]()},
	} {
		if got := test.disk.Share(); got != test.want {
			t.Errorf("%+v: %v, want %v", test.disk, got, test.want)
		}
	}
	r := Reading{At: time.Now(), Networks: []Network{
		{Name: "lo", Received: mo.Some(1.0)}, {Name: "old0", Received: mo.Some(2.0)}, {Name: "eth0", Kind: "physical", Received: mo.Some(4.0)}, {Name: "br0", Kind: "bridge", Apart: true, Received: mo.Some(8.0)},
	}}
	if got := r.Traffic(); got != mo.Some(6.0) {
		t.Errorf("traffic %v, want 6", got)
	}
}
