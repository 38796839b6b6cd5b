// Package wirepeer has the values for measuring wire, and the peers' generated and hand-written code for them.
//
// These commands, with the versions in go.mod, generate the code. The output of the last command is in pb:
//
//	msgp -file types.go -o msgp_gen.go -tests=false
//	bebopc-go -i record.bop -o bop/record.go -package bop -generate-unsafe
//	protoc-gen-go, protoc-gen-go-vtproto   for peer.proto
package wirepeer

//msgp:ignore Reading Disk Network Temperature Batch

import (
	"time"

	"github.com/hone-go/hone/mo"
)

// Record is the six-field record of the usual comparison of Go's codecs.
type Record struct {
	Name     string
	BirthDay time.Time
	Phone    string
	Siblings int
	Spouse   bool
	Money    float64
}

// Document is the struct of Parco's benchmark.
type Document struct {
	Name, Str string
	Num       uint16
	Arr       []uint16
	Map       map[string]uint8
	Bool      bool
	Float32   float32
	Float64   float64
}

// Numbers are numbers of 4 bytes each.
type Numbers struct {
	V []uint32 `wire:",fixed"`
}

// Texts are strings of one length.
type Texts struct{ V []string }

// Dictionary is a map of numbers.
type Dictionary struct{ M map[string]int }

// Level1 to Level5 are nested structs.
type Level1 struct {
	ID   int
	Name string
	Next Level2
}

// Level2 is the struct in Level1.
type Level2 struct {
	ID   int
	Name string
	Next Level3
}

// Level3 is the struct in Level2.
type Level3 struct {
	ID   int
	Name string
	Next Level4
}

// Level4 is the struct in Level3.
type Level4 struct {
	ID   int
	Name string
	Next Level5
}

// Level5 is the innermost struct.
type Level5 struct {
	ID    int
	Name  string
	Flag  bool
	Value float64
}

// Reading is a measurement of pulse.
type Reading struct {
	Host string
	At   time.Time

	CPU    mo.Option[float64]
	Cores  []float64
	Load1  mo.Option[float64]
	Load5  mo.Option[float64]
	Load15 mo.Option[float64]

	MemoryUsed  mo.Option[uint64]
	MemoryTotal mo.Option[uint64]
	SwapUsed    mo.Option[uint64]
	SwapTotal   mo.Option[uint64]

	Uptime mo.Option[uint64]

	Disks        []Disk
	Networks     []Network
	Temperatures []Temperature
}

// Disk is one mounted file system.
type Disk struct {
	Mount  string
	Device string
	Used   mo.Option[uint64]
	Total  mo.Option[uint64]
	Read   mo.Option[float64]
	Write  mo.Option[float64]
}

// Network is one network interface.
type Network struct {
	Name     string
	Received mo.Option[float64]
	Sent     mo.Option[float64]
}

// Temperature is one sensor.
type Temperature struct {
	Sensor  string
	Celsius float64
}

// Batch is the request body of pulse's agent.
type Batch struct{ Readings []Reading }

// PReading is a Reading for codecs that do not know Option: absent is nil.
type PReading struct {
	Host string
	At   time.Time

	CPU    *float64
	Cores  []float64
	Load1  *float64
	Load5  *float64
	Load15 *float64

	MemoryUsed  *uint64
	MemoryTotal *uint64
	SwapUsed    *uint64
	SwapTotal   *uint64

	Uptime *uint64

	Disks        []PDisk
	Networks     []PNetwork
	Temperatures []PTemperature
}

// PDisk is a Disk.
type PDisk struct {
	Mount  string
	Device string
	Used   *uint64
	Total  *uint64
	Read   *float64
	Write  *float64
}

// PNetwork is a Network.
type PNetwork struct {
	Name     string
	Received *float64
	Sent     *float64
}

// PTemperature is a Temperature.
type PTemperature struct {
	Sensor  string
	Celsius float64
}

// PBatch is a Batch.
type PBatch struct{ Readings []PReading }
