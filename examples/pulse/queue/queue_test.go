package queue

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"reflect"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/hone-go/hone/examples/pulse/store"
	"github.com/hone-go/hone/examples/pulse/telemetry"
	"github.com/hone-go/hone/mo"
)

// A memory is a Writer that keeps each reading once, as a store does.
type memory struct {
	mu     sync.Mutex
	stored map[string]int // how often each reading was passed to Write
	groups []int          // the number of readings in each transaction
	before func(batches [][]telemetry.Reading) error
}

func (m *memory) Write(ctx context.Context, batches [][]telemetry.Reading) ([][]telemetry.Reading, error) {
	m.mu.Lock()
	before := m.before
	m.mu.Unlock()
	if before != nil {
		if err := before(batches); err != nil {
			return nil, err
		}
	}
	if ctx.Err() != nil {
		return nil, ctx.Err()
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.stored == nil {
		m.stored = map[string]int{}
	}
	fresh, n := make([][]telemetry.Reading, len(batches)), 0
	for i, batch := range batches {
		for _, r := range batch {
			if m.stored[key(r)]++; m.stored[key(r)] == 1 {
				fresh[i] = append(fresh[i], r)
			}
		}
		n += len(batch)
	}
	m.groups = append(m.groups, n)
	return fresh, nil
}

func (m *memory) len() int {
	m.mu.Lock()
	defer m.mu.Unlock()
	return len(m.stored)
}

func (m *memory) sizes() []int {
	m.mu.Lock()
	defer m.mu.Unlock()
	return append([]int(nil), m.groups...)
}

func (m *memory) set(before func([][]telemetry.Reading) error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.before = before
}

// stall makes the first transaction wait until release is called.
func (m *memory) stall(t *testing.T) (entered <-chan struct{}, release func()) {
	in, out := make(chan struct{}), make(chan struct{})
	var once sync.Once
	m.set(func([][]telemetry.Reading) error {
		once.Do(func() {
			close(in)
			<-out
		})
		return nil
	})
	release = sync.OnceFunc(func() { close(out) })
	t.Cleanup(release)
	return in, release
}

var t0 = time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)

func key(r telemetry.Reading) string { return fmt.Sprint(r.Host, " ", r.At.UnixMilli()) }

func batch(host string, first, n int) (batch []telemetry.Reading) {
	for i := range n {
		batch = append(batch, telemetry.Reading{Host: host, At: t0.Add(time.Duration(first+i) * time.Second), CPU: mo.Some(1.5)})
	}
	return batch
}

// heardReadings collects the arguments of Options.Stored.
type heardReadings struct {
	mu   sync.Mutex
	seen map[string]int
}

func (h *heardReadings) stored(readings []telemetry.Reading) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.seen == nil {
		h.seen = map[string]int{}
	}
	for _, r := range readings {
		h.seen[key(r)]++
	}
}

func (h *heardReadings) len() int {
	h.mu.Lock()
	defer h.mu.Unlock()
	return len(h.seen)
}

func waitFor(t *testing.T, what string, condition func() bool) {
	t.Helper()
	for deadline := time.Now().Add(30 * time.Second); !condition(); time.Sleep(5 * time.Millisecond) {
		if time.Now().After(deadline) {
			t.Fatalf("not within 30 seconds: %s", what)
		}
	}
}

// A kind makes one of the queues.
type kind struct {
	name string
	// open returns a queue that writes with w. The argument room is the approximate number of batches
	// that can wait in the queue.
	open func(t *testing.T, w Writer, room int, options Options) Queue
	// durable is set for queues that keep batches outside of the process and accept them before
	// they are stored.
	durable bool
}

var kinds = []kind{
	{"local", func(t *testing.T, w Writer, room int, options Options) Queue {
		options.Waiting = room
		q := NewLocal(w, options)
		t.Cleanup(func() { _ = q.Close() })
		return q
	}, false},
	{"jetstream", func(t *testing.T, w Writer, room int, options Options) Queue {
		options.Name = stream(t, room)
		return dial(t, w, options)
	}, true},
}

// onEach runs a test on both queues.
func onEach(t *testing.T, test func(t *testing.T, k kind)) {
	for _, k := range kinds {
		t.Run(k.name, func(t *testing.T) { test(t, k) })
	}
}

const plenty = 1000

func TestReceipts(t *testing.T) {
	onEach(t, func(t *testing.T, k kind) {
		var w memory
		var live heardReadings
		q := k.open(t, &w, plenty, Options{Stored: live.stored})
		for i, want := range []Receipt{{Stored: 3}, {Repeated: 3}} {
			if k.durable {
				want = Receipt{Queued: 3}
			}
			if got, err := q.Put(t.Context(), batch("a", 0, 3)); got != want || err != nil {
				t.Errorf("put %d: %+v (%v), want %+v", i, got, err, want)
			}
		}
		if _, err := q.Put(t.Context(), batch("a", 2, 2)); err != nil { // the first of the two readings is a repeat
			t.Error(err)
		}
		waitFor(t, "what is new is told", func() bool { return live.len() == 4 })
		for key, n := range live.seen {
			if n != 1 {
				t.Errorf("%s was announced %d times", key, n)
			}
		}
		if err := q.Check(t.Context()); err != nil || w.len() != 4 {
			t.Errorf("%d readings stored; Check: %v", w.len(), err)
		}
	})
}

func TestFullQueueIsBusy(t *testing.T) {
	onEach(t, func(t *testing.T, k kind) {
		var w memory
		entered, release := w.stall(t)
		q := k.open(t, &w, 3, Options{})
		put := func(i int) error {
			ctx, cancel := context.WithTimeout(t.Context(), 100*time.Millisecond)
			defer cancel()
			_, err := q.Put(ctx, batch("a", i, 1))
			return err
		}
		taken := 0
		for i := range 10 {
			start := time.Now()
			err := put(i)
			if i == 0 {
				<-entered
			}
			if err == nil || errors.Is(err, context.DeadlineExceeded) {
				taken++
				continue
			}
			if took := time.Since(start); !errors.Is(err, ErrBusy) || took > 4*time.Second {
				t.Errorf("batch %d: %v after %s, want ErrBusy", i, err, took)
			}
		}
		if taken != 3 && taken != 4 { // the writer may hold one
			t.Errorf("%d batches were accepted, but only 3 may wait", taken)
		}
		release()
		waitFor(t, "what was taken is stored", func() bool { return w.len() == taken })
		waitFor(t, "there is room again", func() bool { return put(99) == nil })
	})
}

func TestWaitingBatchesShareATransaction(t *testing.T) {
	onEach(t, func(t *testing.T, k kind) {
		var w memory
		entered, release := w.stall(t)
		q := k.open(t, &w, plenty, Options{})
		var group sync.WaitGroup
		var put atomic.Int64
		one := func(i int) {
			defer put.Add(1)
			if r, err := q.Put(t.Context(), batch("a", 2*i, 2)); r.Stored+r.Queued != 2 || err != nil {
				t.Errorf("batch %d: %+v, %v", i, r, err)
			}
		}
		group.Go(func() { one(0) })
		<-entered
		for i := 1; i <= 50; i++ {
			group.Go(func() { one(i) })
		}
		if local, ok := q.(*Local); ok {
			waitFor(t, "all wait", func() bool { return len(local.waiting) == 50 })
		} else {
			waitFor(t, "all are at the broker", func() bool { return put.Load() == 51 })
			time.Sleep(100 * time.Millisecond) // let batches arrive
		}
		release()
		group.Wait()
		waitFor(t, "all is stored", func() bool { return w.len() == 102 })
		if got := w.sizes(); !reflect.DeepEqual(got, []int{2, 100}) {
			t.Errorf("transactions of %v readings, want 2 and 100", got)
		}
	})
}

// TestCloseWhileWriting: if a process accepted batches before it was closed, they are stored by
// this process or the next one.
func TestCloseWhileWriting(t *testing.T) {
	onEach(t, func(t *testing.T, k kind) {
		var w memory
		entered, release := w.stall(t)
		q := k.open(t, &w, plenty, Options{})
		ctx, giveUp := context.WithTimeout(t.Context(), 100*time.Millisecond)
		defer giveUp()
		_, _ = q.Put(ctx, batch("first", 0, 1))
		<-entered
		for i := range 20 {
			if _, err := q.Put(ctx, batch("a", i, 1)); err != nil && !errors.Is(err, context.DeadlineExceeded) {
				t.Fatal(err)
			}
			if k.durable {
				ctx = t.Context()
			}
		}
		closed := make(chan error)
		go func() { closed <- q.Close() }()
		waitFor(t, "Put fails", func() bool {
			ctx, cancel := context.WithTimeout(t.Context(), 20*time.Millisecond)
			defer cancel()
			_, err := q.Put(ctx, batch("first", 0, 1)) // stored already
			return errors.Is(err, ErrClosed)
		})
		select {
		case err := <-closed:
			t.Errorf("closed while it was writing: %v", err)
		default:
		}
		release()
		if err := <-closed; err != nil {
			t.Fatal(err)
		}
		if err := q.Close(); err != nil {
			t.Errorf("second Close: %v", err)
		}
		if jet, ok := q.(*JetStream); ok {
			dial(t, &w, Options{Name: jet.options.Name})
			waitFor(t, "the next server stores the rest", func() bool { return w.len() == 21 })
			return
		}
		if w.len() != 21 {
			t.Errorf("%d readings stored, want 21", w.len())
		}
	})
}

func TestCancelledContexts(t *testing.T) {
	onEach(t, func(t *testing.T, k kind) {
		var w memory
		q := k.open(t, &w, plenty, Options{})
		gone, cancel := context.WithCancel(t.Context())
		cancel()
		for i := range 50 {
			if _, err := q.Put(gone, batch("gone", i, 1)); err != nil && !errors.Is(err, context.Canceled) {
				t.Fatal(err)
			}
			if _, err := q.Put(t.Context(), batch("here", i, 1)); err != nil {
				t.Fatal(err)
			}
		}
		waitFor(t, "others are stored", func() bool { return w.len() >= 50 })
	})
}

// TestStoreFailsForAWhile: a local sender gets the error and sends again. Batches at the broker
// wait.
func TestStoreFailsForAWhile(t *testing.T) {
	onEach(t, func(t *testing.T, k kind) {
		for _, failure := range []error{store.ErrUnavailable, store.ErrFull, context.DeadlineExceeded, errors.New("odd")} {
			var w memory
			var failed, fails atomic.Int64
			fails.Store(2)
			w.set(func([][]telemetry.Reading) error {
				if failed.Add(1) <= fails.Load() {
					return fmt.Errorf("injected: %w", failure)
				}
				return nil
			})
			q := k.open(t, &w, plenty, Options{})
			waitFor(t, "batches are taken", func() bool {
				_, err := q.Put(t.Context(), batch("a", 0, 3))
				if err != nil && (k.durable || !errors.Is(err, failure)) {
					t.Fatal(err)
				}
				return err == nil
			})
			waitFor(t, "all is stored", func() bool { return w.len() == 3 })
			if n := failed.Load(); n < 3 {
				t.Errorf("%v: %d attempts", failure, n)
			}
		}
	})
}

// TestOneBadBatch: if the database refuses a batch, the other batches of its group are still stored.
func TestOneBadBatch(t *testing.T) {
	var w memory
	entered, release := w.stall(t)
	q := NewLocal(&w, Options{})
	t.Cleanup(func() { _ = q.Close() })
	const good = 20
	errs := make(chan error, good)
	put := func(host string, to chan<- error) {
		_, err := q.Put(t.Context(), batch(host, 0, 3))
		to <- err
	}
	first, bad := make(chan error, 1), make(chan error, 1)
	go put("first", first)
	<-entered
	go put("bad", bad)
	for i := range good {
		go put(fmt.Sprint("good", i), errs)
	}
	waitFor(t, "all batches wait", func() bool { return len(q.waiting) == good+1 })
	refused := errors.New("refused")
	w.set(func(batches [][]telemetry.Reading) error {
		for _, readings := range batches {
			if readings[0].Host == "bad" {
				return refused
			}
		}
		return nil
	})
	release()
	for range good {
		if err := <-errs; err != nil {
			t.Errorf("a good batch: %v", err)
		}
	}
	if err := <-bad; !errors.Is(err, refused) {
		t.Errorf("the bad batch: %v", err)
	}
	if err := <-first; err != nil || w.len() != 3*(1+good) {
		t.Errorf("%d readings are stored (%v)", w.len(), err)
	}
}

func TestManySenders(t *testing.T) {
	onEach(t, func(t *testing.T, k kind) {
		var w memory
		var live heardReadings
		q := k.open(t, &w, plenty, Options{Stored: live.stored})
		var group sync.WaitGroup
		for sender := range 20 {
			group.Go(func() {
				for i := range 50 {
					if _, err := q.Put(t.Context(), batch(fmt.Sprint("host ", sender), 5*i, 5)); err != nil {
						t.Error(err)
					}
				}
			})
		}
		group.Wait()
		waitFor(t, "all is stored and told", func() bool { return w.len() == 5000 && live.len() == 5000 })
	})
}

// BenchmarkPut puts batches of one reading, with one and with many senders.
func BenchmarkPut(b *testing.B) {
	for _, k := range kinds {
		for _, senders := range []int{1, 64} {
			b.Run(fmt.Sprint(k.name, "/senders=", senders), func(b *testing.B) {
				var w memory
				var q Queue = NewLocal(&w, Options{})
				if k.durable {
					jet, err := Dial(source(), &w, Options{Name: fresh(), Log: slog.New(slog.DiscardHandler)})
					if err != nil {
						b.Skip(err)
					}
					defer func() { // delete the stream after the queues are closed, because an open queue would create it again
						_ = jet.Close()
						_ = broker(b).DeleteStream(context.Background(), jet.options.Name)
					}()
					for jet.Check(b.Context()) != nil {
						time.Sleep(10 * time.Millisecond)
					}
					q = jet
				}
				var next atomic.Int64
				var group sync.WaitGroup
				b.ResetTimer()
				for range senders {
					group.Go(func() {
						for n := next.Add(1); n <= int64(b.N); n = next.Add(1) {
							if _, err := q.Put(b.Context(), batch("a", int(n), 1)); err != nil {
								b.Error(err)
							}
						}
					})
				}
				group.Wait()
			})
		}
	}
}
