package nats_test

import (
	"context"
	"fmt"
	"log"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"

	honenats "github.com/hone-go/hone/integrations/nats"
)

type Order struct{ ID, Item string }

// This example is compiled and not run, because it needs a server.
func Example() {
	conn, err := nats.Connect(nats.DefaultURL)
	if err != nil {
		log.Fatal(err)
	}
	defer conn.Close()
	js, err := jetstream.New(conn)
	if err != nil {
		log.Fatal(err)
	}
	ctx := context.Background()
	consumer, err := js.CreateOrUpdateConsumer(ctx, "ORDERS", jetstream.ConsumerConfig{Durable: "store", MaxDeliver: 10})
	if err != nil {
		log.Fatal(err)
	}

	orders := honenats.New[Order](honenats.Wire())
	order := Order{"1", "ink"}
	if _, err := orders.Publish(ctx, js, "orders.new", &order, jetstream.WithMsgID(order.ID)); err != nil {
		log.Fatal(err)
	}
	err = orders.Consume(ctx, consumer, func(_ context.Context, o *Order, _ jetstream.Msg) error {
		fmt.Println(o.Item)
		return nil
	})
	log.Fatal(err)
}
