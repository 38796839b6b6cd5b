package watermill_test

import (
	"cmp"
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/ThreeDotsLabs/watermill"
	"github.com/ThreeDotsLabs/watermill-nats/v2/pkg/jetstream"
	"github.com/ThreeDotsLabs/watermill/components/cqrs"
	"github.com/ThreeDotsLabs/watermill/message"
	"github.com/ThreeDotsLabs/watermill/message/router/middleware"
	"github.com/ThreeDotsLabs/watermill/pubsub/gochannel"
	"github.com/nats-io/nats.go"
	natsjs "github.com/nats-io/nats.go/jetstream"

	honewatermill "github.com/hone-go/hone/integrations/watermill"
	"github.com/hone-go/hone/mo"
)

type Ordered struct {
	ID   int
	Item string
	Note mo.Option[string]
}

// A broker returns a publisher and a subscriber. The subscriber also receives messages that were
// published before it subscribed.
type broker func(t *testing.T) (message.Publisher, message.Subscriber)

func channel(t *testing.T) (message.Publisher, message.Subscriber) {
	c := gochannel.NewGoChannel(gochannel.Config{Persistent: true}, watermill.NopLogger{})
	t.Cleanup(func() { c.Close() })
	return c, c
}

func jetStream(t *testing.T) (message.Publisher, message.Subscriber) {
	url := cmp.Or(os.Getenv("HONE_NATS"), "nats://127.0.0.1:4222")
	conn, err := nats.Connect(url, nats.Timeout(5*time.Second))
	if err != nil {
		if os.Getenv("HONE_REQUIRE_SERVICES") != "" {
			t.Fatalf("NATS is not reachable, and HONE_REQUIRE_SERVICES is set: %v", err)
		}
		t.Skipf("NATS is not reachable: %v", err)
	}
	t.Cleanup(conn.Close)
	subscriber, err := jetstream.NewSubscriber(jetstream.SubscriberConfig{
		URL: url, Logger: watermill.NopLogger{}, NakDelay: jetstream.NewStaticDelay(10 * time.Millisecond),
		ResourceInitializer: jetstream.GroupedConsumer("hone-test"),
	})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { subscriber.Close() })
	publisher, err := jetstream.NewPublisher(jetstream.PublisherConfig{URL: url, Logger: watermill.NopLogger{}})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { publisher.Close() })
	return publisher, initialized{subscriber, conn, t}
}

// initialized creates a stream for each topic, and deletes the streams after the test.
type initialized struct {
	*jetstream.Subscriber
	conn *nats.Conn
	t    *testing.T
}

func (s initialized) Subscribe(ctx context.Context, topic string) (<-chan *message.Message, error) {
	js, err := natsjs.New(s.conn)
	if err != nil {
		return nil, err
	}
	if _, err := js.CreateStream(ctx, natsjs.StreamConfig{Name: topic, Subjects: []string{topic}, Storage: natsjs.MemoryStorage}); err != nil {
		return nil, err
	}
	s.t.Cleanup(func() { _ = js.DeleteStream(context.Background(), topic) })
	return s.Subscriber.Subscribe(ctx, topic)
}

// run starts a router until the test ends.
func run(t *testing.T, router *message.Router) {
	t.Helper()
	failed := make(chan error, 1)
	go func() { failed <- router.Run(context.Background()) }()
	t.Cleanup(func() { router.Close() })
	select {
	case <-router.Running():
	case err := <-failed:
		t.Fatal(err)
	}
}

// TestRouter publishes good and bad messages. A handler fails once for each good one.
func TestRouter(t *testing.T) {
	for name, connect := range map[string]broker{"channel": channel, "JetStream": jetStream} {
		for _, m := range []*honewatermill.Marshaler{honewatermill.JSON(), honewatermill.Wire()} {
			t.Run(name+"/"+m.ContentType, func(t *testing.T) {
				publisher, subscriber := connect(t)
				topic := "hone-test-" + rand.Text()
				router, err := message.NewRouter(message.RouterConfig{CloseTimeout: 5 * time.Second}, watermill.NopLogger{})
				if err != nil {
					t.Fatal(err)
				}
				poison, err := middleware.PoisonQueueWithFilter(publisher, topic+"-bad", honewatermill.IsBad)
				if err != nil {
					t.Fatal(err)
				}
				var mu sync.Mutex
				tries := map[int]int{}
				done := make(chan Ordered, 10)
				handler := router.AddConsumerHandler("store", topic, subscriber, honewatermill.Handle(m, func(ctx context.Context, o *Ordered) error {
					mu.Lock()
					defer mu.Unlock()
					if tries[o.ID]++; tries[o.ID] == 1 {
						return errors.New("not yet")
					}
					done <- *o
					return nil
				}))
				handler.AddMiddleware(poison)
				bad := make(chan *message.Message, 10)
				router.AddConsumerHandler("bad", topic+"-bad", subscriber, func(msg *message.Message) error {
					bad <- msg
					return nil
				})
				run(t, router)
				other := honewatermill.JSON()
				if other.ContentType == m.ContentType {
					other = honewatermill.Wire()
				}
				wrong, err1 := other.Marshal(&Ordered{ID: 9})
				first, err2 := m.Marshal(&Ordered{1, "ink", mo.Some("blue")})
				second, err3 := m.Marshal(Ordered{ID: 2})
				broken := message.NewMessage(watermill.NewUUID(), []byte{0xff})
				empty := message.NewMessage(watermill.NewUUID(), nil)
				if err := errors.Join(err1, err2, err3, publisher.Publish(topic, broken, first, wrong, empty, second)); err != nil {
					t.Fatal(err)
				}
				got := map[int]Ordered{}
				var reasons []string
				for range 5 {
					select {
					case o := <-done:
						got[o.ID] = o
					case msg := <-bad:
						reasons = append(reasons, msg.Metadata.Get(middleware.ReasonForPoisonedKey))
					case <-time.After(10 * time.Second):
						t.Fatalf("a message was not delivered: good messages %v, bad messages %v", got, reasons)
					}
				}
				if got[1] != (Ordered{1, "ink", mo.Some("blue")}) || got[2].ID != 2 {
					t.Errorf("good messages: %v", got)
				}
				if len(reasons) != 3 || !slices.ContainsFunc(reasons, func(r string) bool { return strings.Contains(r, "the message has the Content-Type") }) {
					t.Errorf("bad messages: %q", reasons)
				}
			})
		}
	}
}

// TestCQRS publishes an event on an event bus, and expects its handler to get an equal event.
func TestCQRS(t *testing.T) {
	for name, connect := range map[string]broker{"channel": channel, "JetStream": jetStream} {
		t.Run(name, func(t *testing.T) {
			publisher, subscriber := connect(t)
			prefix := "hone-test-" + rand.Text() + "-"
			router, err := message.NewRouter(message.RouterConfig{CloseTimeout: 5 * time.Second}, watermill.NopLogger{})
			if err != nil {
				t.Fatal(err)
			}
			m := honewatermill.Wire()
			m.GenerateName = cqrs.StructName
			processor, err := cqrs.NewEventProcessorWithConfig(router, cqrs.EventProcessorConfig{
				GenerateSubscribeTopic: func(p cqrs.EventProcessorGenerateSubscribeTopicParams) (string, error) {
					return prefix + p.EventName, nil
				},
				SubscriberConstructor: func(cqrs.EventProcessorSubscriberConstructorParams) (message.Subscriber, error) {
					return subscriber, nil
				},
				Marshaler: m, Logger: watermill.NopLogger{},
			})
			if err != nil {
				t.Fatal(err)
			}
			done := make(chan Ordered, 1)
			err = processor.AddHandlers(cqrs.NewEventHandler("store", func(_ context.Context, o *Ordered) error {
				done <- *o
				return nil
			}))
			if err != nil {
				t.Fatal(err)
			}
			run(t, router)
			bus, err := cqrs.NewEventBusWithConfig(publisher, cqrs.EventBusConfig{
				GeneratePublishTopic: func(p cqrs.GenerateEventPublishTopicParams) (string, error) { return prefix + p.EventName, nil },
				Marshaler:            m, Logger: watermill.NopLogger{},
			})
			if err != nil {
				t.Fatal(err)
			}
			if err := bus.Publish(t.Context(), &Ordered{7, "ink", mo.None[string]()}); err != nil {
				t.Fatal(err)
			}
			select {
			case o := <-done:
				if o != (Ordered{7, "ink", mo.None[string]()}) {
					t.Errorf("%+v", o)
				}
			case <-time.After(10 * time.Second):
				t.Error("the event was not delivered")
			}
		})
	}
}

// TestCompatible decodes messages of Watermill's own JSON marshaler, and lets it decode messages of this
// package.
func TestCompatible(t *testing.T) {
	theirs, ours := cqrs.JSONMarshaler{}, honewatermill.JSON()
	msg, err := theirs.Marshal(&Ordered{ID: 1})
	var o Ordered
	if err = errors.Join(err, ours.Unmarshal(msg, &o)); err != nil || o.ID != 1 || ours.NameFromMessage(msg) != ours.Name(&o) {
		t.Errorf("%+v, %v", o, err)
	}
	msg, err = ours.Marshal(&Ordered{ID: 2})
	if err = errors.Join(err, theirs.Unmarshal(msg, &o)); err != nil || o.ID != 2 || theirs.NameFromMessage(msg) != "watermill_test.Ordered" {
		t.Errorf("%+v, %v", o, err)
	}
}

func TestRefused(t *testing.T) {
	for _, m := range []*honewatermill.Marshaler{honewatermill.JSON(), honewatermill.Wire()} {
		for _, v := range []any{nil, (*Ordered)(nil), make(chan int)} {
			if msg, err := m.Marshal(v); err == nil {
				t.Errorf("no error for encoding a %T: %v", v, msg)
			}
		}
		for _, v := range []any{nil, (*Ordered)(nil), Ordered{}} {
			if err := m.Unmarshal(message.NewMessage("1", []byte("{}")), v); !honewatermill.IsBad(err) {
				t.Errorf("%T: %v", v, err)
			}
		}
	}
	if err := honewatermill.JSON().Unmarshal(&message.Message{Payload: []byte("{}")}, &Ordered{}); err != nil {
		t.Errorf("a message without metadata: %v", err)
	}
}

func Example() {
	orders := honewatermill.Wire()
	msg, err := orders.Marshal(&Ordered{ID: 1, Item: "ink"})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(len(msg.Payload), msg.Metadata.Get("Content-Type"))
	store := honewatermill.Handle(orders, func(_ context.Context, o *Ordered) error {
		fmt.Println(o.Item)
		return nil
	})
	fmt.Println(store(msg))
	// Output:
	// 6 application/vnd.hone.wire
	// ink
	// <nil>
}
