package queue

import (
	"errors"
	"fmt"

	"github.com/nats-io/nats.go"

	"github.com/hone-go/hone/examples/pulse/telemetry"
	"github.com/hone-go/hone/wire"
)

const (
	// maxMessage is the maximum size of a message, even if the broker allows more, since a server
	// keeps several messages in memory.
	maxMessage = 1 << 20
	headerRoom = 512 // the number of bytes that are reserved for the header of a message
)

// formatHeader is the header with the format of a message. Servers of different versions may
// share the stream while they are replaced, and a server must not misread the messages of
// another version.
const (
	formatHeader = "Pulse-Format"
	format       = "2" // a telemetry.Batch in package wire
	format1      = "1" // the same in layout 1
)

// encode returns readings as messages: one message, or several if one would be too large.
func (q *JetStream) encode(readings []telemetry.Reading) ([][]byte, error) {
	limit := maxMessage
	if n := int(q.conn.MaxPayload()); n > 0 {
		limit = min(n, limit)
	}
	data, err := wire.Marshal(&telemetry.Batch{Readings: readings})
	switch {
	case err != nil:
		return nil, fmt.Errorf("queue: %w", err)
	case len(data) <= limit-headerRoom:
		return [][]byte{data}, nil
	case len(readings) == 1:
		return nil, fmt.Errorf("%w: it has %d bytes, and the broker accepts %d", ErrTooLarge, len(data), limit-headerRoom)
	}
	first, err := q.encode(readings[:len(readings)/2])
	if err != nil {
		return nil, err
	}
	second, err := q.encode(readings[len(readings)/2:])
	return append(first, second...), err
}

func message(subject string, data []byte) *nats.Msg {
	return &nats.Msg{Subject: subject, Data: data, Header: nats.Header{formatHeader: {format}}}
}

// errFormat means that another version of pulse has written the message.
var errFormat = errors.New("queue: the message has an unknown format")

func decode(header nats.Header, data []byte) ([]telemetry.Reading, error) {
	var batch telemetry.Batch
	var err error
	switch f := header.Get(formatHeader); f {
	case format:
		err = wire.Unmarshal(data, &batch)
	case format1:
		if data, err = telemetry.OlderBatch.Convert(data); err == nil {
			err = wire.Unmarshal(data, &batch)
		}
	default:
		return nil, fmt.Errorf("%w %q", errFormat, f)
	}
	for i := range batch.Readings {
		r := &batch.Readings[i]
		r.At = r.At.UTC() // in a message of an older server, the times still have their zones
	}
	return batch.Readings, err
}
