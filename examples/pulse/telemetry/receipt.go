package telemetry

import (
	"time"

	"github.com/hone-go/hone/mo"
	"github.com/hone-go/hone/wire"
)

// A Post is a batch with the header fields that describe the agent. Other programs that post readings
// may omit these header fields.
type Post struct {
	Agent string               `header:"Pulse-Agent" length:"..64" pattern:"^[0-9A-Za-z._-]*$" doc:"An id of the running program, to tell two agents of one name apart."`
	Every time.Duration        `header:"Pulse-Every" min:"0" max:"24h" doc:"The longest time between two posts, such as 15s. The host is silent after three times that."`
	Clock mo.Option[time.Time] `header:"Pulse-Clock" doc:"The time of the post by the clock of the host."`
	Tags  []string             `header:"Pulse-Tag" length:"..32" pattern:"^[!-+\\x2d-~]{1,64}$" doc:"Such as role=db."`
	Batch Batch                `body:""`
}

// A Receipt is the answer to a batch if at least one of its readings was accepted.
type Receipt struct {
	_        wire.Evolving
	Stored   int       `json:"stored"`   // the number of readings that are new in the database
	Repeated int       `json:"repeated"` // the number of readings that were stored before
	Queued   int       `json:"queued,omitzero" doc:"At the broker: on their way to the database, or there already."`
	Refused  []Refusal `json:"refused,omitzero" doc:"The readings that were not accepted."`
	Watched  bool      `json:"watched,omitzero" doc:"Somebody looks at readings now, so an agent posts each reading at once."`
}

// A Look is the answer to the question whether somebody looks at readings.
type Look struct {
	_       wire.Evolving
	Watched bool `json:"watched"`
}

// A Refusal has a reading of a batch that a server has not accepted, and the reason.
type Refusal struct {
	_      wire.Evolving
	Index  int    `json:"index"` // the index of the reading in the batch
	Field  string `json:"field" doc:"Such as .disks[2].mount."`
	Reason string `json:"reason"`
	Later  bool   `json:"later,omitzero" doc:"The reading may be accepted later, unchanged: its time is in the future."`
}
