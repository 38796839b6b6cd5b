package queue

import (
	"bytes"
	"cmp"
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net"
	"os"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"

	"github.com/hone-go/hone/examples/pulse/telemetry"
	"github.com/hone-go/hone/internal/test/testkit"
	"github.com/hone-go/hone/mo"
	"github.com/hone-go/hone/wire"
)

// source returns the address of NATS.
func source() string { return cmp.Or(os.Getenv("HONE_NATS"), "nats://127.0.0.1:4222") }

// fresh returns a unique name.
func fresh() string { return "pulse-test-" + strings.ToLower(rand.Text()[:12]) }

func broker(t testing.TB) jetstream.JetStream {
	t.Helper()
	c, err := nats.Connect(source(), nats.Timeout(5*time.Second))
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

// stream makes a stream for a number of messages and returns its name.
func stream(t *testing.T, room int) string {
	t.Helper()
	js, name := broker(t), fresh()
	_, err := js.CreateStream(t.Context(), jetstream.StreamConfig{
		Name: name, Subjects: []string{name + ".batches"}, Retention: jetstream.WorkQueuePolicy,
		MaxMsgs: int64(room), Discard: jetstream.DiscardNew,
	})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = js.DeleteStream(context.Background(), name) })
	return name
}

func dial(t *testing.T, w Writer, options Options) *JetStream {
	t.Helper()
	if options.Log == nil {
		options.Log = slog.New(slog.NewTextHandler(t.Output(), nil))
	}
	q, err := Dial(source(), w, options)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = q.Close() })
	if q.conn.IsConnected() {
		// After this call the broker has the subscription, so q is told about each reading that any
		// server stores from now on.
		if err := q.conn.FlushTimeout(putTimeout); err != nil {
			t.Fatal(err)
		}
	}
	return q
}

// messagesLeft returns the number of messages in the stream.
func messagesLeft(t *testing.T, q *JetStream) uint64 {
	t.Helper()
	s, err := q.js.Stream(t.Context(), q.options.Name)
	if err != nil {
		t.Fatal(err)
	}
	return s.CachedInfo().State.Msgs
}

// TestStreamIsMade: the first server with a name creates the stream, and other servers use it.
func TestStreamIsMade(t *testing.T) {
	js, name := broker(t), fresh()
	// This runs after the queues are closed. An open queue would create the stream again.
	t.Cleanup(func() { _ = js.DeleteStream(context.Background(), name) })
	var w memory
	for range 3 {
		dial(t, &w, Options{Name: name})
	}
	waitFor(t, "the stream is there", func() bool { _, err := js.Stream(t.Context(), name); return err == nil })
	s, err := js.Stream(t.Context(), name)
	if err != nil {
		t.Fatal(err)
	}
	c := s.CachedInfo().Config
	if c.Retention != jetstream.WorkQueuePolicy || c.Storage != jetstream.FileStorage || c.Discard != jetstream.DiscardNew || c.MaxBytes <= 0 || c.MaxMsgs <= 0 {
		t.Errorf("%+v", c)
	}
}

// TestPoison: messages that can never be stored are dropped, and do not block other messages.
func TestPoison(t *testing.T) {
	name := stream(t, plenty)
	js := broker(t)
	for i, m := range []*nats.Msg{
		{Subject: name + ".batches", Data: []byte("hello")},
		message(name+".batches", []byte("\xff\xff\xff\xff\xff")),
		message(name+".batches", nil),
	} {
		if _, err := js.PublishMsg(t.Context(), m); err != nil {
			t.Fatal(i, err)
		}
	}
	var w memory
	w.set(func(batches [][]telemetry.Reading) error {
		for _, b := range batches {
			if b[0].Host == "poison" {
				return errors.New("refused")
			}
		}
		return nil
	})
	q := dial(t, &w, Options{Name: name})
	for i := range 20 {
		host := "good"
		if i%7 == 3 {
			host = "poison"
		}
		if _, err := q.Put(t.Context(), batch(host, i, 1)); err != nil {
			t.Fatal(err)
		}
	}
	waitFor(t, "the others are stored", func() bool { return w.len() == 17 })
	waitFor(t, "poison is dropped", func() bool { return messagesLeft(t, q) == 0 })
	if w.len() != 17 {
		t.Errorf("%d stored", w.len())
	}
}

// TestOtherFormatWaits: batches in the format of a newer server wait for that server.
func TestOtherFormatWaits(t *testing.T) {
	name := stream(t, plenty)
	m := message(name+".batches", []byte("a newer batch"))
	m.Header.Set(formatHeader, "3")
	if _, err := broker(t).PublishMsg(t.Context(), m); err != nil {
		t.Fatal(err)
	}
	var w memory
	q := dial(t, &w, Options{Name: name})
	if _, err := q.Put(t.Context(), batch("a", 0, 1)); err != nil {
		t.Fatal(err)
	}
	waitFor(t, "others are stored", func() bool { return w.len() == 1 && messagesLeft(t, q) == 1 })
}

// TestOlderFormat: a batch of an older server is stored.
func TestOlderFormat(t *testing.T) {
	data, err := os.ReadFile("../telemetry/testdata/layout1.wire")
	if err != nil {
		t.Fatal(err)
	}
	readings, err := decode(nats.Header{formatHeader: {format1}}, data)
	if err != nil || len(readings) != 1 || readings[0].Host != "a" || readings[0].Disks[0].Device != "b" {
		t.Errorf("%+v %v", readings, err)
	}
	if _, err := decode(nats.Header{formatHeader: {format}}, data); err == nil {
		t.Error("layout 1 is read as the present layout")
	}
}

// TestWriterDiesBeforeItAcknowledges: if a server dies before it acknowledges its batches, another
// server gets them and stores them again. The second time changes nothing in the database, and no
// reading is announced twice.
func TestWriterDiesBeforeItAcknowledges(t *testing.T) {
	testkit.SkipUnlessSlow(t)
	name := stream(t, plenty)
	var w memory
	var live heardReadings
	q := dial(t, &w, Options{Name: name, Stored: live.stored})
	var once sync.Once
	put := make(chan struct{}) // closed when Put has returned: the broker may deliver a batch before it confirms it
	w.set(func(batches [][]telemetry.Reading) error {
		once.Do(func() {
			w.set(nil)
			if _, err := w.Write(t.Context(), batches); err != nil { // the database has the batches, but the broker has no acknowledgement
				t.Error(err)
			}
			<-put
			q.conn.Close() // as if the process had died
		})
		return nil
	})
	_, err := q.Put(t.Context(), batch("a", 0, 3))
	close(put)
	if err != nil {
		t.Fatal(err)
	}
	waitFor(t, "the first writes", func() bool { return w.len() == 3 })
	next := dial(t, &w, Options{Name: name, Stored: live.stored})
	waitFor(t, "the next acknowledges", func() bool { return messagesLeft(t, next) == 0 })
	if w.len() != 3 || live.len() != 0 {
		t.Errorf("%d stored, %d told", w.len(), live.len())
	}
}

// TestEveryServerHears: each server announces each new reading once, even if another server has stored the reading.
func TestEveryServerHears(t *testing.T) {
	name := stream(t, plenty)
	var w memory
	var ears [3]heardReadings
	var servers [3]*JetStream
	for i := range servers {
		servers[i] = dial(t, &w, Options{Name: name, Stored: ears[i].stored})
	}
	for i := range 90 {
		if _, err := servers[i%3].Put(t.Context(), batch("a", i, 1)); err != nil {
			t.Fatal(err)
		}
	}
	waitFor(t, "all hear", func() bool { return ears[0].len() == 90 && ears[1].len() == 90 && ears[2].len() == 90 })
	for i := range ears {
		for key, n := range ears[i].seen {
			if n != 1 {
				t.Errorf("server %[1]d announced %[3]s %[2]d times", i, n, key)
			}
		}
	}
}

// wide returns a reading with a long encoding.
func wide(second, disks int) telemetry.Reading {
	r := telemetry.Reading{Host: "wide", At: t0.Add(time.Duration(second) * time.Second)}
	for i := range disks {
		r.Disks = append(r.Disks, telemetry.Disk{Mount: fmt.Sprint(i, strings.Repeat("ö", 250)), Device: strings.Repeat("x", 255), Used: mo.Some[uint64](1)})
	}
	return r
}

// In TestLargeBatches large batches are split into messages that the broker accepts, both for the
// store and for the announcement. A single reading that is too large is refused.
func TestLargeBatches(t *testing.T) {
	var w memory
	var live heardReadings
	q := dial(t, &w, Options{Name: stream(t, plenty), Stored: live.stored})
	var large []telemetry.Reading
	for i := range 20 {
		large = append(large, wide(i, 400)) // 300 KB each
	}
	if r, err := q.Put(t.Context(), large); err != nil || r.Queued != 20 {
		t.Fatalf("%+v %v", r, err)
	}
	waitFor(t, "all is stored and told", func() bool { return w.len() == 20 && live.len() == 20 })
	if _, err := q.Put(t.Context(), []telemetry.Reading{wide(0, 1024), wide(1, 1024)}); err != nil {
		t.Logf("two of 0.8 MB: %v", err)
	}
	r := wide(0, 1024)
	r.Disks = append(r.Disks, wide(0, 1024).Disks...)
	if _, err := q.Put(t.Context(), []telemetry.Reading{r}); !errors.Is(err, ErrTooLarge) {
		t.Errorf("1.6 MB in one reading: %v", err)
	}
}

// TestSlowServerDropsLiveReadings: if Options.Stored is slow, the server drops live readings, and
// continues to store readings.
func TestSlowServerDropsLiveReadings(t *testing.T) {
	name := stream(t, plenty)
	var w memory
	release := make(chan struct{})
	slow := dial(t, &w, Options{Name: name, Stored: func([]telemetry.Reading) { <-release }})
	defer close(release)
	if err := slow.live.SetPendingLimits(8, 1<<20); err != nil {
		t.Fatal(err)
	}
	var live heardReadings
	quick := dial(t, &w, Options{Name: name, Stored: live.stored})
	// Batches that arrive together are stored and announced together, in one message. So each batch
	// here waits for the batch before it, and each is a message of its own.
	for i := range 30 {
		if _, err := quick.Put(t.Context(), batch("a", i, 1)); err != nil {
			t.Fatal(err)
		}
		waitFor(t, "the batch is stored, and told to who listens", func() bool { return w.len() == i+1 && live.len() == i+1 })
	}
	waitFor(t, "drops are counted", func() bool { return slow.Dropped() > 0 })
}

// A gate is a TCP proxy to NATS that can refuse connections.
type gate struct {
	net.Listener
	mu   sync.Mutex
	shut bool
	open []net.Conn
}

func newGate(t *testing.T) *gate {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	g := &gate{Listener: l}
	t.Cleanup(func() { l.Close(); g.cut(false) })
	target := strings.TrimPrefix(source(), "nats://")
	go func() {
		for {
			in, err := l.Accept()
			if err != nil {
				return
			}
			out, err := net.Dial("tcp", target)
			g.mu.Lock()
			if err != nil || g.shut {
				in.Close()
				g.mu.Unlock()
				continue
			}
			g.open = append(g.open, in, out)
			g.mu.Unlock()
			pass := func(to, from net.Conn) {
				buffer := make([]byte, 32<<10)
				for {
					n, err := from.Read(buffer)
					if _, werr := to.Write(buffer[:n]); err != nil || werr != nil {
						to.Close()
						return
					}
				}
			}
			go pass(out, in)
			go pass(in, out)
		}
	}()
	return g
}

// cut closes all connections. If shut is set, it refuses new ones.
func (g *gate) cut(shut bool) {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.shut = shut
	for _, c := range g.open {
		c.Close()
	}
	g.open = nil
}

// TestBrokerAway: a server starts without a broker, and Put fails at once. Put succeeds when the
// broker is reachable.
func TestBrokerAway(t *testing.T) {
	name := stream(t, plenty)
	g := newGate(t)
	g.cut(true)
	var w memory
	q, err := Dial("nats://"+g.Addr().String(), &w, Options{Name: name, Log: slog.New(slog.NewTextHandler(t.Output(), nil))})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = q.Close() })
	for round := range 3 {
		for i := range 20 {
			start := time.Now()
			_, err := q.Put(t.Context(), batch("lost", i, 1))
			if took := time.Since(start); !errors.Is(err, ErrUnavailable) || took > 2*putTimeout {
				t.Fatalf("without a broker: %v after %s", err, took)
			}
		}
		if err := q.Check(t.Context()); !errors.Is(err, ErrUnavailable) {
			t.Errorf("Check: %v", err)
		}
		g.cut(false)
		waitFor(t, "the broker is back", func() bool { return q.Check(t.Context()) == nil })
		waitFor(t, "batches are taken", func() bool {
			_, err := q.Put(t.Context(), batch("a", 10*round, 10))
			return err == nil
		})
		waitFor(t, "all is stored", func() bool { return w.len() == 10*(round+1) })
		g.cut(true)
		waitFor(t, "it is away again", func() bool { return !q.conn.IsConnected() })
	}
	if n := q.conn.NumSubscriptions(); n > 20 {
		t.Errorf("%d subscriptions: each fetch leaks a subscription", n)
	}
}

// TestBadServers: errors about servers do not contain their passwords.
func TestBadServers(t *testing.T) {
	for _, servers := range []string{"nats://user:secret@[::1", "nats://user:secret@host:port", "http://user:secret@%zz"} {
		var log bytes.Buffer
		q, err := Dial(servers, &memory{}, Options{Log: slog.New(slog.NewTextHandler(io.Writer(&log), nil))})
		if err == nil {
			_ = q.Close()
			continue
		}
		if text := err.Error() + log.String(); strings.Contains(text, "secret") {
			t.Errorf("%s: %s", servers, text)
		}
	}
}

// TestTimeZones: readings from the broker get their time in UTC.
func TestTimeZones(t *testing.T) {
	readings := batch("a", 0, 2)
	for i := range readings {
		readings[i].At = readings[i].At.In(time.FixedZone("x", 20*3600))
	}
	data, err := wire.Marshal(&telemetry.Batch{Readings: readings})
	if err != nil {
		t.Fatal(err)
	}
	m := message("subject", data)
	got, err := decode(m.Header, m.Data)
	if err != nil || len(got) != 2 {
		t.Fatal(got, err)
	}
	for i := range got {
		if want := t0.Add(time.Duration(i) * time.Second); got[i].At != want {
			t.Errorf("%s, want %s", got[i].At, want)
		}
	}
}

// TestLooksReachAllServers: all servers of a queue are told about a look at one of them.
func TestLooksReachAllServers(t *testing.T) {
	name := stream(t, plenty)
	var w memory
	var looked [2]atomic.Int64
	var servers [2]*JetStream
	for i := range servers {
		servers[i] = dial(t, &w, Options{Name: name, Looked: func() { looked[i].Add(1) }})
	}
	servers[0].Look()
	waitFor(t, "both are told", func() bool { return looked[0].Load() == 1 && looked[1].Load() == 1 })
}
