// Package telemetry describes the measurements of pulse by a single type. The agent fills in its values, and sends
// them in the wire format. The database stores them, and the API returns them, also as JSON.
//
// A value that a machine does not have, or that was not measured in time, is None: null in JSON,
// NULL in the database, a byte or less on the wire. Nothing in pulse writes a zero that was not
// measured. A list that is left out is empty.
//
// The tags limit the values that a server stores. The limits are far above the readings of a real
// machine, and low enough that a hostile client cannot fill the disk with one post. Names are
// printable and numbers finite, in every format. (The last character in the patterns' class is
// U+FFFD, for bytes that are not UTF-8.)
//
// Readings, disks and networks get new fields at their end only: then programs of different versions
// read each other's binary format. The older binary format, without room for new fields, is read by [OlderBatch].
package telemetry

import (
	"time"

	"github.com/hone-go/hone/mo"
	"github.com/hone-go/hone/wire"
)

// A Reading has the measurements of one machine at one moment. Host and At together identify it:
// the server keeps the first reading with these values, and treats every later one as a repeat.
type Reading struct {
	_    wire.Evolving
	Host string    `json:"host" length:"1..255" pattern:"^( |[^/\\p{C}\\p{Z}�])*$" doc:"A segment of a path in the API: without a slash, and not . or .. ."`
	At   time.Time `json:"at"` // kept to the millisecond, in UTC: JSON cannot write every time zone

	CPU    mo.Option[float64] `json:"cpu" min:"0" max:"100"`                                    // busy time of all cores, in percent
	Cores  []float64          `json:"cores" length:"..1024" min:"0" max:"100" required:"false"` // the same for each core
	Load1  mo.Option[float64] `json:"load1" min:"0" max:"1e6"`
	Load5  mo.Option[float64] `json:"load5" min:"0" max:"1e6"`
	Load15 mo.Option[float64] `json:"load15" min:"0" max:"1e6"`

	MemoryUsed  mo.Option[uint64] `json:"memory_used" max:"1152921504606846976"` // bytes unavailable to programs
	MemoryTotal mo.Option[uint64] `json:"memory_total" max:"1152921504606846976"`
	SwapUsed    mo.Option[uint64] `json:"swap_used" max:"1152921504606846976"` // bytes
	SwapTotal   mo.Option[uint64] `json:"swap_total" max:"1152921504606846976"`

	Uptime mo.Option[uint64] `json:"uptime" max:"10000000000"` // seconds since the machine started

	Disks        []Disk        `json:"disks" length:"..1024" required:"false"`
	Networks     []Network     `json:"networks" length:"..1024" required:"false"`
	Temperatures []Temperature `json:"temperatures" length:"..1024" required:"false"`
}

// A Disk is one mounted file system.
type Disk struct {
	_      wire.Evolving
	Mount  string             `json:"mount" length:"1..255" pattern:"^( |[^\\p{C}\\p{Z}�])*$"`
	Device string             `json:"device" length:"1..255" pattern:"^( |[^\\p{C}\\p{Z}�])*$"`
	Used   mo.Option[uint64]  `json:"used" max:"1152921504606846976"` // bytes
	Total  mo.Option[uint64]  `json:"total" max:"1152921504606846976"`
	Read   mo.Option[float64] `json:"read" min:"0" max:"1e13"` // bytes a second, since the previous reading
	Write  mo.Option[float64] `json:"write" min:"0" max:"1e13"`

	Available   mo.Option[uint64] `json:"available" max:"1152921504606846976" doc:"Bytes that users can still write. Used and available are less than the total if the file system has a reserve."`
	InodesUsed  mo.Option[uint64] `json:"inodes_used" max:"1152921504606846976"`
	InodesTotal mo.Option[uint64] `json:"inodes_total" max:"1152921504606846976"` // None if the file system makes inodes as it needs them
	Type        string            `json:"type" required:"false" length:"..64" pattern:"^[!-~]*$" doc:"The type of the file system, such as ext4."`
}

// A Network is one network interface.
type Network struct {
	_        wire.Evolving
	Name     string             `json:"name" length:"1..255" pattern:"^( |[^\\p{C}\\p{Z}�])*$"`
	Received mo.Option[float64] `json:"received" min:"0" max:"1e13"` // bytes a second, since the previous reading
	Sent     mo.Option[float64] `json:"sent" min:"0" max:"1e13"`

	Kind  string `json:"kind" required:"false" length:"..32" pattern:"^[!-~]*$" doc:"Such as physical, bridge, veth or tunnel; empty if it is not known."`
	Apart bool   `json:"apart" required:"false" doc:"The traffic of the machine does not include this interface, since another interface has the same bytes."`
}

// A Temperature is one sensor.
type Temperature struct {
	Sensor  string  `json:"sensor" length:"1..255" pattern:"^( |[^\\p{C}\\p{Z}�])*$"`
	Celsius float64 `json:"celsius" min:"-100" max:"1000"`
}

// A Batch is the body of an agent's post: readings, oldest first.
type Batch struct {
	Readings []Reading `json:"readings" length:"1..1000"`
}
