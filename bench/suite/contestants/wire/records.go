package wire

import (
	"fmt"
	"time"

	"github.com/hone-go/hone/bench/suite/contestants/generated/wirepeer"
	"github.com/hone-go/hone/mo"
)

// Record is the six-field record with which Go's codecs are usually compared.
type Record = wirepeer.Record

func record() Record {
	return Record{
		Name: "a name of sixteen"[:16], BirthDay: time.Unix(1_700_000_000, 123_456_700).UTC(), Phone: "0123456789",
		Siblings: 4, Spouse: true, Money: 12345.678,
	}
}

// Simple and Nested are the structs of the published table "Golang reflection, a faster route?" in
// package report.
type Simple struct {
	I int
	U uint
	S string
	L []int
	P *int
	M map[int]int
}

type Nested struct {
	I int
	U uint
	S string
	L []int
	P *int
	N Inner
}

type Inner struct {
	A [4]int
	B byte
}

func simple() Simple { return Simple{1, 2, "3", []int{4, 5}, new(int), map[int]int{6: 7, 8: 9}} }

func nested() Nested { return Nested{1, 2, "3", []int{4, 5}, new(int), Inner{[4]int{1, 2, 3, 4}, 5}} }

// parcoDocument is Parco's struct with n elements in each list.
func parcoDocument(n int) wirepeer.Document {
	d := wirepeer.Document{
		Name: "a name", Str: "some text", Num: 4242, Arr: make([]uint16, n), Map: make(map[string]uint8, n),
		Bool: true, Float32: 1.5, Float64: 2.75,
	}
	for i := range n {
		d.Arr[i] = uint16(i * 61)
		d.Map[fmt.Sprint(i)] = uint8(i)
	}
	return d
}

func numbers() (v wirepeer.Numbers) {
	for i := range 1000 {
		v.V = append(v.V, uint32(i)*2_654_435_761)
	}
	return v
}

func texts() (v wirepeer.Texts) {
	for i := range 100 {
		v.V = append(v.V, fmt.Sprintf("a text of %016d", i))
	}
	return v
}

func dictionary() wirepeer.Dictionary {
	v := wirepeer.Dictionary{M: map[string]int{}}
	for i := range 100 {
		v.M[fmt.Sprintf("key %d", i)] = i * i * i
	}
	return v
}

func levels() wirepeer.Level1 {
	return wirepeer.Level1{ID: 1, Name: "one", Next: wirepeer.Level2{ID: 22, Name: "two", Next: wirepeer.Level3{ID: 333, Name: "three",
		Next: wirepeer.Level4{ID: 4444, Name: "four", Next: wirepeer.Level5{ID: 55555, Name: "five", Flag: true, Value: 5.5}}}}}
}

// batch returns about 1 MB of pulse's readings.
func batch() (v wirepeer.Batch) {
	some, start := mo.Some[float64], time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)
	for i := range 4000 {
		f := float64(i)
		v.Readings = append(v.Readings, wirepeer.Reading{
			Host: "workstation", At: start.Add(time.Duration(i) * time.Second),
			CPU: some(12.37 + f), Cores: []float64{0.5, 25.25, 99.01, 3}, Load1: some(0.52), Load5: some(0.4), Load15: some(0.13),
			MemoryUsed: mo.Some(uint64(7_516_192_768 + i)), MemoryTotal: mo.Some[uint64](17_179_869_184), Uptime: mo.Some(uint64(86_400 + i)),
			Disks: []wirepeer.Disk{
				{Mount: "/", Device: "/dev/nvme0n1p2", Used: mo.Some[uint64](1 << 37), Total: mo.Some[uint64](1 << 39), Read: some(f + 1), Write: some(20_480.0)},
				{Mount: "/home", Device: "/dev/sda1", Used: mo.Some[uint64](1 << 40), Total: mo.Some[uint64](1 << 41)},
			},
			Networks:     []wirepeer.Network{{Name: "lo", Received: some(512.0), Sent: some(512.0)}, {Name: "enp3s0", Received: some(1_048_576 + f), Sent: some(4096.0)}},
			Temperatures: []wirepeer.Temperature{{Sensor: "coretemp_package_id_0", Celsius: 54}, {Sensor: "nvme_composite", Celsius: 41.85}},
		})
	}
	return v
}
