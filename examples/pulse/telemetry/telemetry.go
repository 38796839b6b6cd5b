// Package telemetry describes what pulse measures: the one type that the agent
// fills in, the wire and the JSON carry, the database stores and the API
// answers with.
//
// A value that a machine lacks, or could not tell in time, is None: null in
// JSON, NULL in the database, a byte or less on the wire. Nothing in pulse
// writes a zero that was not measured.
package telemetry

import (
	"time"

	"github.com/hone-go/hone/mo"
)

// A Reading is what one machine measured at one moment.
// Host and At together identify it: the server keeps the first reading that it
// is given for a pair and takes any other for a repeat.
type Reading struct {
	Host string    `json:"host"`
	At   time.Time `json:"at"` // kept to the millisecond

	CPU    mo.Option[float64] `json:"cpu"`   // percent of the time that all cores together were busy
	Cores  []float64          `json:"cores"` // the same for each core
	Load1  mo.Option[float64] `json:"load1"`
	Load5  mo.Option[float64] `json:"load5"`
	Load15 mo.Option[float64] `json:"load15"`

	MemoryUsed  mo.Option[uint64] `json:"memory_used"` // bytes that programs could not have
	MemoryTotal mo.Option[uint64] `json:"memory_total"`
	SwapUsed    mo.Option[uint64] `json:"swap_used"` // bytes
	SwapTotal   mo.Option[uint64] `json:"swap_total"`

	Uptime mo.Option[uint64] `json:"uptime"` // seconds since the machine started

	Disks        []Disk        `json:"disks"`
	Networks     []Network     `json:"networks"`
	Temperatures []Temperature `json:"temperatures"`
}

// A Disk is one mounted file system.
type Disk struct {
	Mount  string             `json:"mount"`
	Device string             `json:"device"`
	Used   mo.Option[uint64]  `json:"used"` // bytes
	Total  mo.Option[uint64]  `json:"total"`
	Read   mo.Option[float64] `json:"read"` // bytes a second, since the reading before
	Write  mo.Option[float64] `json:"write"`
}

// A Network is one network interface.
type Network struct {
	Name     string             `json:"name"`
	Received mo.Option[float64] `json:"received"` // bytes a second, since the reading before
	Sent     mo.Option[float64] `json:"sent"`
}

// A Temperature is one sensor.
type Temperature struct {
	Sensor  string  `json:"sensor"`
	Celsius float64 `json:"celsius"`
}

// A Batch is what an agent posts: readings, oldest first.
type Batch struct {
	Readings []Reading `json:"readings"`
}
