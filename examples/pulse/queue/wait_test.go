package queue

import (
	"context"
	"errors"
	"fmt"
	"reflect"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"

	"github.com/hone-go/hone/examples/pulse/store"
	"github.com/hone-go/hone/examples/pulse/telemetry"
	"github.com/hone-go/hone/wire"
)

const wait = 100 * time.Millisecond

// waiting runs a test with a local queue on a simulated clock.
func waiting(t *testing.T, room int, test func(t *testing.T, w *memory, q *Local)) {
	synctest.Test(t, func(t *testing.T) {
		var w memory
		q := NewLocal(&w, Options{Waiting: room, Wait: wait})
		defer func() { _ = q.Close() }()
		test(t, &w, q)
	})
}

// TestTransactionsOfManyHosts: 200 hosts post a reading each second, at different times. Each answer
// comes after the commit, and within the time to wait.
func TestTransactionsOfManyHosts(t *testing.T) {
	waiting(t, 256, func(t *testing.T, w *memory, q *Local) {
		const hosts, seconds = 200, 10
		var group sync.WaitGroup
		for host := range hosts {
			group.Go(func() {
				time.Sleep(time.Duration(host) * time.Second / hosts)
				next := time.Now()
				for second := range seconds {
					time.Sleep(time.Until(next))
					next = next.Add(time.Second)
					began, readings := time.Now(), batch(fmt.Sprint("host ", host), second, 1)
					r, err := q.Put(t.Context(), readings)
					if took := time.Since(began); err != nil || r.Stored != 1 || took > wait {
						t.Errorf("%+v, %v after %s", r, err, took)
					}
					w.mu.Lock()
					if w.stored[key(readings[0])] != 1 {
						t.Error("an answer before the commit")
					}
					w.mu.Unlock()
				}
			})
		}
		group.Wait()
		if n := len(w.sizes()); w.len() != hosts*seconds || n > seconds*int(time.Second/wait) {
			t.Errorf("%d readings stored in %d transactions", w.len(), n)
		}
	})
}

// TestWaitingEndsEarly: a transaction does not wait for more when as many batches wait as may, or when a
// group has enough readings, or when the queue is closed.
func TestWaitingEndsEarly(t *testing.T) {
	put := func(t *testing.T, q *Local, batches, readings int) *sync.WaitGroup {
		var group sync.WaitGroup
		for i := range batches {
			group.Go(func() {
				if r, err := q.Put(t.Context(), batch(fmt.Sprint("host ", i), 0, readings)); err != nil || r.Stored != readings {
					t.Errorf("%+v, %v", r, err)
				}
			})
		}
		return &group
	}
	for _, test := range []struct{ room, batches, readings int }{{8, 8, 1}, {256, 4, groupSize / 4}} {
		waiting(t, test.room, func(t *testing.T, w *memory, q *Local) {
			began := time.Now()
			put(t, q, test.batches, test.readings).Wait()
			if took := time.Since(began); took != 0 || !reflect.DeepEqual(w.sizes(), []int{test.batches * test.readings}) {
				t.Errorf("%+v: after %s, transactions of %v readings", test, took, w.sizes())
			}
		})
	}
	waiting(t, 8, func(t *testing.T, w *memory, q *Local) {
		group := put(t, q, 3, 1)
		synctest.Wait()
		began := time.Now()
		if err := q.Close(); err != nil || time.Since(began) != 0 || !reflect.DeepEqual(w.sizes(), []int{3}) {
			t.Errorf("closed after %s (%v), transactions of %v readings", time.Since(began), err, w.sizes())
		}
		group.Wait()
	})
}

// TestSenderGivesUpWhileWaiting: its batch and the batches of others are stored nevertheless.
func TestSenderGivesUpWhileWaiting(t *testing.T) {
	waiting(t, 8, func(t *testing.T, w *memory, q *Local) {
		var group sync.WaitGroup
		group.Go(func() {
			if r, err := q.Put(t.Context(), batch("other", 0, 1)); err != nil || r.Stored != 1 {
				t.Errorf("%+v, %v", r, err)
			}
		})
		ctx, cancel := context.WithTimeout(t.Context(), wait/2)
		defer cancel()
		began := time.Now()
		if _, err := q.Put(ctx, batch("gone", 0, 1)); !errors.Is(err, context.DeadlineExceeded) || time.Since(began) != wait/2 {
			t.Errorf("%v after %s", err, time.Since(began))
		}
		group.Wait()
		if r, err := q.Put(t.Context(), batch("gone", 0, 1)); err != nil || r != (Receipt{Repeated: 1}) || w.len() != 2 {
			t.Errorf("sent again: %+v, %v; %d stored", r, err, w.len())
		}
	})
}

// TestStoreFailsForAGroup: every sender of a group gets the error, and can send again.
func TestStoreFailsForAGroup(t *testing.T) {
	waiting(t, 8, func(t *testing.T, w *memory, q *Local) {
		attempts := 0
		w.set(func([][]telemetry.Reading) error {
			if attempts++; attempts == 1 {
				return store.ErrFull
			}
			return nil
		})
		var group sync.WaitGroup
		for i := range 3 {
			group.Go(func() {
				readings := batch(fmt.Sprint("host ", i), 0, 1)
				if _, err := q.Put(t.Context(), readings); !errors.Is(err, store.ErrFull) {
					t.Error(err)
				}
				if r, err := q.Put(t.Context(), readings); err != nil || r.Stored != 1 {
					t.Errorf("%+v, %v", r, err)
				}
			})
		}
		group.Wait()
		if !reflect.DeepEqual(w.sizes(), []int{3}) {
			t.Errorf("transactions of %v readings", w.sizes())
		}
	})
}

// An arrival is a message of a broker.
type arrival struct {
	jetstream.Msg
	message *nats.Msg
}

func (a arrival) Headers() nats.Header { return a.message.Header }
func (a arrival) Data() []byte         { return a.message.Data }

// TestMessagesShareATransaction: a server stores the messages together that arrive within the time to wait.
func TestMessagesShareATransaction(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		q := &JetStream{options: Options{Wait: wait}}
		more := make(chan jetstream.Msg)
		next := func(i int) jetstream.Msg {
			data, err := wire.Marshal(&telemetry.Batch{Readings: batch("a", i, 1)})
			if err != nil {
				t.Error(err)
			}
			return arrival{message: message("", data)}
		}
		go func() {
			for i := 1; i <= 20; i++ {
				time.Sleep(wait / 10)
				more <- next(i)
			}
			close(more)
		}()
		began := time.Now()
		if group := q.gather(next(0), more); len(group) < 10 || len(group) > 11 || time.Since(began) != wait { // the last one arrives at the end of the time
			t.Errorf("%d messages after %s", len(group), time.Since(began))
		}
		for first := range more {
			q.gather(first, more) // the last group ends when the channel is closed
		}
		if time.Since(began) != 2*wait {
			t.Errorf("all after %s", time.Since(began))
		}
	})
}
