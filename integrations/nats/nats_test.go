package nats_test

import (
	"bytes"
	"cmp"
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"

	honenats "github.com/hone-go/hone/integrations/nats"
	"github.com/hone-go/hone/mo"
)

type order struct {
	ID    int
	Items []string
	Note  mo.Option[string]
}

// connect returns a JetStream of the server in the environment variable HONE_NATS, or of the local
// server.
func connect(t *testing.T) jetstream.JetStream {
	t.Helper()
	c, err := nats.Connect(cmp.Or(os.Getenv("HONE_NATS"), "nats://127.0.0.1:4222"), nats.Timeout(5*time.Second))
	if err != nil {
		if os.Getenv("HONE_REQUIRE_SERVICES") != "" {
			t.Fatalf("NATS is not reachable, and HONE_REQUIRE_SERVICES is set: %v", err)
		}
		t.Skipf("NATS is not reachable: %v", err)
	}
	t.Cleanup(c.Close)
	js, err := jetstream.New(c)
	if err != nil {
		t.Fatal(err)
	}
	return js
}

// stream creates a stream with one subject, and a consumer of the stream.
func stream(t *testing.T, js jetstream.JetStream, config jetstream.ConsumerConfig) (subject string, consumer jetstream.Consumer) {
	t.Helper()
	name := "hone-test-" + rand.Text()
	s, err := js.CreateStream(t.Context(), jetstream.StreamConfig{Name: name, Subjects: []string{name}, Storage: jetstream.MemoryStorage})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = js.DeleteStream(context.Background(), name) })
	config.Durable = name // other consumers are deleted after five seconds without a request
	config.AckPolicy = jetstream.AckExplicitPolicy
	consumer, err = s.CreateConsumer(t.Context(), config)
	if err != nil {
		t.Fatal(err)
	}
	return name, consumer
}

// settled waits until a consumer has nothing to deliver and nothing unacknowledged.
func settled(t *testing.T, c jetstream.Consumer) {
	t.Helper()
	for range 500 {
		info, err := c.Info(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		if info.NumAckPending == 0 && info.NumPending == 0 {
			return
		}
		time.Sleep(10 * time.Millisecond)
	}
	t.Error("the consumer still has messages that are not acknowledged")
}

func TestMessages(t *testing.T) {
	for _, codec := range []honenats.Codec{honenats.JSON(), honenats.Wire()} {
		t.Run(codec.ContentType, func(t *testing.T) {
			js := connect(t)
			subject, consumer := stream(t, js, jetstream.ConsumerConfig{})
			orders := honenats.New[order](codec)
			for i := range 100 {
				o := order{i, []string{"ink", "\x00"}, mo.Some(fmt.Sprint(i))}
				for range 2 { // the second is a duplicate
					if _, err := orders.Publish(t.Context(), js, subject, &o, jetstream.WithMsgID(fmt.Sprint(i))); err != nil {
						t.Fatal(err)
					}
				}
			}
			if _, err := orders.Publish(t.Context(), js, subject, nil); err == nil {
				t.Error("no error for publishing nil")
			}
			if _, err := orders.Publish(t.Context(), js, "hone-test-nowhere", &order{}, jetstream.WithRetryAttempts(0)); err == nil {
				t.Error("no error for a subject that no stream stores")
			}
			ctx, cancel := context.WithCancel(t.Context())
			defer cancel()
			seen := 0
			err := orders.Consume(ctx, consumer, func(_ context.Context, o *order, msg jetstream.Msg) error {
				if o.ID != seen || len(o.Items) != 2 || o.Note != mo.Some(fmt.Sprint(seen)) || msg.Headers().Get("Content-Type") != codec.ContentType {
					t.Errorf("%d: %+v, %v", seen, o, msg.Headers())
				}
				if seen++; seen == 100 {
					cancel()
				}
				return nil
			})
			if !errors.Is(err, context.Canceled) || seen != 100 {
				t.Errorf("%v, %d messages", err, seen)
			}
			settled(t, consumer)
		})
	}
}

// TestRedelivery: a message whose handler fails is delivered again, after a delay. If the error wraps ErrTerminate, the
// message is not delivered again.
func TestRedelivery(t *testing.T) {
	js := connect(t)
	subject, consumer := stream(t, js, jetstream.ConsumerConfig{})
	orders := honenats.New[order](honenats.Wire())
	for i := range 3 {
		if _, err := orders.Publish(t.Context(), js, subject, &order{ID: i}); err != nil {
			t.Fatal(err)
		}
	}
	ctx, cancel := context.WithTimeout(t.Context(), 10*time.Second)
	defer cancel()
	var delays []uint64
	var log bytes.Buffer
	seen := map[int]int{}
	err := orders.Consume(ctx, consumer, func(_ context.Context, o *order, _ jetstream.Msg) error {
		seen[o.ID]++
		switch {
		case o.ID == 0 && seen[0] < 3:
			return errors.New("not yet")
		case o.ID == 1:
			return fmt.Errorf("never: %w\n", honenats.ErrTerminate)
		case seen[0] == 3:
			cancel()
		}
		return nil
	}, honenats.Consumption{
		Delay:  func(n uint64) time.Duration { delays = append(delays, n); return 20 * time.Millisecond },
		Logger: slog.New(slog.NewTextHandler(&log, nil)),
	})
	if !errors.Is(err, context.Canceled) {
		t.Errorf("Consume: %v", err)
	}
	if seen[0] != 3 || seen[1] != 1 || seen[2] != 1 || fmt.Sprint(delays) != "[1 2]" {
		t.Errorf("deliveries %v, delays %v", seen, delays)
	}
	if text := log.String(); strings.Count(text, "failed") != 2 || strings.Count(text, "is terminated") != 1 {
		t.Errorf("the log: %s", text)
	}
	settled(t, consumer)
}

// TestBad sends messages that cannot be decoded as orders. They are passed to Consumption.Bad, or logged without it,
// and do not block the valid orders.
func TestBad(t *testing.T) {
	js := connect(t)
	for _, keep := range []bool{false, true} {
		subject, consumer := stream(t, js, jetstream.ConsumerConfig{})
		orders := honenats.New[order](honenats.JSON())
		other, err := honenats.New[order](honenats.Wire()).Message(subject, &order{ID: 7})
		if err != nil {
			t.Fatal(err)
		}
		for _, msg := range []*nats.Msg{
			{Subject: subject, Data: []byte("{")}, {Subject: subject}, {Subject: subject, Data: []byte(`{"ID":"x"}`)}, other,
			{Subject: subject, Data: []byte(`{"ID":1}`), Header: nats.Header{"Content-Type": {"application/json; charset=utf-8"}}},
			{Subject: subject, Data: []byte(`{"ID":2}`)}, // a message from a program that sets no header
		} {
			if _, err := js.PublishMsg(t.Context(), msg); err != nil {
				t.Fatal(err)
			}
		}
		ctx, cancel := context.WithTimeout(t.Context(), 10*time.Second)
		var log bytes.Buffer
		o := honenats.Consumption{Logger: slog.New(slog.NewTextHandler(&log, nil)), Delay: func(uint64) time.Duration { return time.Millisecond }}
		kept, failed := 0, false
		if keep {
			o.Bad = func(_ context.Context, _ jetstream.Msg, err error) error {
				var decodeErr *honenats.DecodeError
				if !errors.As(err, &decodeErr) || decodeErr.Subject != subject {
					t.Errorf("Bad was called with the error %v", err)
				}
				if !failed { // fail once: the message is then delivered again, and Bad is called again
					failed = true
					return errors.New("cannot store it")
				}
				kept++
				return nil
			}
		}
		var good []int
		err = orders.Consume(ctx, consumer, func(_ context.Context, o *order, _ jetstream.Msg) error {
			good = append(good, o.ID)
			if len(good) == 2 && (!keep || kept == 4) {
				cancel()
			}
			if len(good) == 2 && keep {
				go func() { time.Sleep(200 * time.Millisecond); cancel() }()
			}
			return nil
		}, o)
		cancel()
		if !errors.Is(err, context.Canceled) || fmt.Sprint(good) != "[1 2]" {
			t.Errorf("%v; good messages: %v", err, good)
		}
		if keep && kept != 4 {
			t.Errorf("Bad stored %d messages, want 4", kept)
		}
		if !keep && strings.Count(log.String(), "cannot be decoded") != 4 {
			t.Errorf("the log: %s", log.String())
		}
		settled(t, consumer)
	}
}

// TestShutdown checks that messages that were fetched and not handled are delivered to another consumer
// immediately.
func TestShutdown(t *testing.T) {
	js := connect(t)
	subject, consumer := stream(t, js, jetstream.ConsumerConfig{AckWait: time.Minute})
	orders := honenats.New[order](honenats.Wire())
	const n = 20
	for i := range n {
		if _, err := orders.Publish(t.Context(), js, subject, &order{ID: i}); err != nil {
			t.Fatal(err)
		}
	}
	var mu sync.Mutex
	seen := map[int]int{}
	for stop := range 2 {
		ctx, cancel := context.WithTimeout(t.Context(), 10*time.Second)
		err := orders.Consume(ctx, consumer, func(ctx context.Context, o *order, _ jetstream.Msg) error {
			mu.Lock()
			defer mu.Unlock()
			if stop == 0 { // interrupted at its first message
				cancel()
				return ctx.Err()
			}
			if seen[o.ID]++; len(seen) == n {
				cancel()
			}
			return nil
		})
		cancel()
		if !errors.Is(err, context.Canceled) {
			t.Errorf("Consume: %v: messages were not delivered again before AckWait", err)
		}
	}
	settled(t, consumer)
}

func TestConsumerGone(t *testing.T) {
	js := connect(t)
	subject, consumer := stream(t, js, jetstream.ConsumerConfig{})
	go func() {
		time.Sleep(100 * time.Millisecond)
		_ = js.DeleteConsumer(context.Background(), subject, consumer.CachedInfo().Name)
	}()
	ctx, cancel := context.WithTimeout(t.Context(), 10*time.Second)
	defer cancel()
	err := honenats.New[order](honenats.Wire()).Consume(ctx, consumer, func(context.Context, *order, jetstream.Msg) error { return nil })
	if !errors.Is(err, jetstream.ErrConsumerDeleted) {
		t.Errorf("%v", err)
	}
}

func TestBucket(t *testing.T) {
	js := connect(t)
	for _, codec := range []honenats.Codec{honenats.JSON(), honenats.Wire()} {
		name := "hone-test-" + rand.Text()
		kv, err := js.CreateKeyValue(t.Context(), jetstream.KeyValueConfig{Bucket: name, Storage: jetstream.MemoryStorage})
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { _ = js.DeleteKeyValue(context.Background(), name) })
		ctx := t.Context()
		b := honenats.NewBucket[order](kv, codec)
		if e, err := b.Get(ctx, "a"); err != nil || e.IsSome() {
			t.Errorf("a missing key: %v, %v", e, err)
		}
		first, err := b.Create(ctx, "a", &order{ID: 1})
		if err != nil {
			t.Fatal(err)
		}
		if _, err := b.Create(ctx, "a", &order{ID: 2}); !errors.Is(err, jetstream.ErrKeyExists) {
			t.Errorf("Create of an existing key: %v", err)
		}
		if _, err := b.Update(ctx, "a", &order{ID: 3}, first); err != nil {
			t.Fatal(err)
		}
		if _, err := b.Update(ctx, "a", &order{ID: 4}, first); err == nil {
			t.Error("no error for an update of an old revision")
		}
		e, err := b.Get(ctx, "a")
		if err != nil || e.OrEmpty().Value.ID != 3 || e.OrEmpty().Revision <= first {
			t.Errorf("%+v, %v", e, err)
		}
		if _, err := b.Put(ctx, "a", nil); err == nil {
			t.Error("no error for storing nil")
		}
		if _, err := kv.Put(ctx, "bad", []byte{0xff}); err != nil {
			t.Fatal(err)
		}
		var decodeErr *honenats.DecodeError
		if _, err := b.Get(ctx, "bad"); !errors.As(err, &decodeErr) || decodeErr.Subject != "bad" {
			t.Errorf("the error for an entry that cannot be decoded: %v", err)
		}
		ctx, cancel := context.WithTimeout(ctx, 10*time.Second)
		go func() {
			time.Sleep(50 * time.Millisecond)
			_ = kv.Delete(ctx, "a")
		}()
		var seen []string
		for c, err := range b.Watch(ctx, ">") {
			var decodeErr *honenats.DecodeError
			switch {
			case errors.Is(err, context.Canceled):
				seen = append(seen, "end")
			case errors.As(err, &decodeErr):
				seen = append(seen, "decodeErr "+c.Key)
			case err != nil:
				t.Fatal(err)
			case c.Value.IsNone():
				seen = append(seen, "deleted "+c.Key)
				cancel()
			default:
				seen = append(seen, fmt.Sprint(c.Key, " ", c.Value.MustGet().ID))
			}
		}
		cancel()
		if got := strings.Join(seen, ", "); got != "a 3, decodeErr bad, deleted a, end" {
			t.Errorf("Watch: %s", got)
		}
		if e, err := b.Get(t.Context(), "a"); err != nil || e.IsSome() {
			t.Errorf("a deleted key: %v, %v", e, err)
		}
	}
}
