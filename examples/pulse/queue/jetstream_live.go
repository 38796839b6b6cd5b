package queue

import (
	"errors"

	"github.com/nats-io/nats.go"

	"github.com/hone-go/hone/examples/pulse/telemetry"
)

// The maximum number of live messages that wait in this process. Further messages are dropped.
const (
	liveMessages = 4096
	liveBytes    = 16 << 20
)

// Dropped returns the number of messages with live readings that were dropped because
// [Options.Stored] was too slow.
func (q *JetStream) Dropped() int {
	n, _ := q.live.Dropped() // fails when the subscription is closed
	return n
}

// announce publishes new rows of the database to all servers, including the server of q.
func (q *JetStream) announce(fresh [][]telemetry.Reading) {
	tell(func(readings []telemetry.Reading) {
		messages, err := q.encode(readings)
		for _, data := range messages {
			err = errors.Join(err, q.conn.PublishMsg(message(q.liveSubject(), data)))
		}
		if err != nil {
			q.options.Log.Debug("live readings are not sent", "error", err)
		}
	}, fresh)
}

// Look publishes a look to all servers, including the server of q. Without a connection it does nothing.
func (q *JetStream) Look() {
	if err := q.conn.Publish(q.lookSubject(), nil); err != nil {
		q.options.Log.Debug("a look is not sent", "error", err)
	}
}

// receive calls [Options.Stored] with the readings in a message that announce has published.
func (q *JetStream) receive(m *nats.Msg) {
	readings, err := decode(m.Header, m.Data)
	if err != nil {
		q.options.Log.Debug("live readings cannot be read", "error", err)
		return
	}
	if len(readings) > 0 {
		q.options.Stored(readings)
	}
}
