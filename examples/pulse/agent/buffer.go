package agent

import (
	"slices"
	"sync"

	"github.com/hone-go/hone/examples/pulse/telemetry"
)

// A buffer holds the readings that the server has not confirmed yet, oldest first. When it is full,
// it drops the oldest ones, since a current reading is worth more than an old one.
type buffer struct {
	filled chan struct{} // holds a token when the sender should send the readings

	mu       sync.Mutex
	limit    int
	readings []telemetry.Reading
	early    []telemetry.Reading // readings that a server will accept later, since their times are in the future
	first    uint64              // the number of readings[0]; readings are numbered in the order in which they are added
	dropped  uint64
}

func newBuffer(limit int) *buffer {
	return &buffer{limit: limit, filled: make(chan struct{}, 1), first: 1 << 32} // not 0, because resume adds readings at the front, which lowers first
}

// add appends r and returns the number of readings that have been dropped so far.
func (b *buffer) add(r telemetry.Reading) (dropped uint64) {
	b.mu.Lock()
	defer b.mu.Unlock()
	switch n := len(b.early); {
	case len(b.readings)+n < b.limit:
	case n > 0:
		b.early = slices.Delete(b.early, 0, 1)
		b.dropped++
	default:
		b.drop(1)
		b.dropped++
	}
	b.readings = append(b.readings, r)
	return b.dropped
}

// isHalfFull reports whether readings would be lost soon if the next report failed.
func (b *buffer) isHalfFull() bool {
	b.mu.Lock()
	defer b.mu.Unlock()
	return 2*(len(b.readings)+len(b.early)) >= b.limit
}

// report makes the sender post the readings. It does not wait for the sender.
func (b *buffer) report() {
	select {
	case b.filled <- struct{}{}:
	default:
	}
}

// oldest returns a copy of up to n readings. It also returns end, the argument for confirm: the
// number of the last of these readings, plus 1. Only the sender's goroutine may call oldest.
func (b *buffer) oldest(n int) (readings []telemetry.Reading, end uint64) {
	b.mu.Lock()
	defer b.mu.Unlock()
	n = min(n, len(b.readings))
	return append(readings, b.readings[:n]...), b.first + uint64(n)
}

// addNewest replaces the last of some of the oldest readings by the newest reading, if more readings wait.
func (b *buffer) addNewest(readings []telemetry.Reading) bool {
	b.mu.Lock()
	defer b.mu.Unlock()
	if len(readings) < 2 || len(b.readings) <= len(readings) {
		return false
	}
	readings[len(readings)-1] = b.readings[len(b.readings)-1]
	return true
}

// confirm removes every reading with a number below end. Some of them may have been dropped while
// they were being sent.
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
	return len(b.readings) + len(b.early)
}

func (b *buffer) drop(n int) {
	copy(b.readings, b.readings[n:])
	clear(b.readings[len(b.readings)-n:]) // so that the garbage collector can free the lists of the dropped readings
	b.readings = b.readings[:len(b.readings)-n]
	b.first += uint64(n)
}
