package agent

import (
	"sync"

	"github.com/hone-go/hone/examples/pulse/telemetry"
)

// A buffer holds the readings that the server has not confirmed yet, oldest first. When it is full,
// it drops the oldest ones, since a current reading is worth more than an old one.
type buffer struct {
	filled chan struct{} // holds a token while there may be something to send

	mu       sync.Mutex
	limit    int
	readings []telemetry.Reading
	first    uint64 // the number of readings[0], counted from the start of the program
	dropped  uint64
}

func newBuffer(limit int) *buffer {
	return &buffer{limit: limit, filled: make(chan struct{}, 1)}
}

// add appends r and returns how many readings have been dropped so far.
func (b *buffer) add(r telemetry.Reading) (dropped uint64) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if len(b.readings) >= b.limit {
		b.drop(1)
		b.dropped++
	}
	b.readings = append(b.readings, r)
	select {
	case b.filled <- struct{}{}:
	default:
	}
	return b.dropped
}

// oldest returns a copy of up to n readings, and the number after the last of them, for confirm.
// Only the sender's goroutine may call it.
func (b *buffer) oldest(n int) (readings []telemetry.Reading, end uint64) {
	b.mu.Lock()
	defer b.mu.Unlock()
	n = min(n, len(b.readings))
	return append(readings, b.readings[:n]...), b.first + uint64(n)
}

// confirm removes every reading before end. Some of them may have been dropped while they were
// being sent.
func (b *buffer) confirm(end uint64) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if end > b.first {
		b.drop(int(end - b.first))
	}
}

func (b *buffer) len() int {
	b.mu.Lock()
	defer b.mu.Unlock()
	return len(b.readings)
}

func (b *buffer) drop(n int) {
	copy(b.readings, b.readings[n:])
	clear(b.readings[len(b.readings)-n:]) // release their lists
	b.readings = b.readings[:len(b.readings)-n]
	b.first += uint64(n)
}
