package kafka_test

import (
	"context"
	"errors"
	"fmt"
	"reflect"
	"testing"
	"time"

	"github.com/twmb/franz-go/pkg/kfake"
	"github.com/twmb/franz-go/pkg/kgo"
	"github.com/twmb/franz-go/pkg/sr"

	"github.com/hone-go/hone/json"
	"github.com/hone-go/hone/mo"
	"github.com/hone-go/hone/wire"
)

type Order struct {
	ID   int
	Item mo.Option[string]
}

type Invoice struct {
	Order int
	Cents map[string]int64
}

func serde() *sr.Serde {
	var serde sr.Serde
	serde.Register(1, Order{}, sr.AppendEncodeFn(wire.AppendAny), sr.DecodeFn(wire.UnmarshalAny))
	serde.Register(2, Invoice{}, sr.AppendEncodeFn(json.Append), sr.DecodeFn(json.Unmarshal))
	return &serde
}

// TestConsumer copies records that cannot be decoded to a separate topic before it commits.
func TestConsumer(t *testing.T) {
	cluster, err := kfake.NewCluster(kfake.NumBrokers(1), kfake.SeedTopics(1, "orders", "orders.bad"))
	if err != nil {
		t.Fatal(err)
	}
	defer cluster.Close()
	ctx, cancel := context.WithTimeout(t.Context(), 20*time.Second)
	defer cancel()
	client, err := kgo.NewClient(kgo.SeedBrokers(cluster.ListenAddrs()...), kgo.ConsumeTopics("orders"), kgo.ConsumerGroup("store"), kgo.DisableAutoCommit(),
		kgo.ConsumeResetOffset(kgo.NewOffset().AtStart()))
	if err != nil {
		t.Fatal(err)
	}
	defer client.Close()
	s := serde()
	want := []any{&Order{1, mo.Some("ink")}, &Invoice{1, map[string]int64{"total": 250}}, &Order{2, mo.None[string]()}}
	var records []*kgo.Record
	for _, v := range want {
		data, err := s.Encode(reflect.ValueOf(v).Elem().Interface())
		if err != nil {
			t.Fatal(err)
		}
		records = append(records, &kgo.Record{Topic: "orders", Value: data})
	}
	for _, bad := range [][]byte{nil, {0}, {1, 0, 0, 0, 1}, {0, 0, 0, 0, 9, 1}, {0, 0, 0, 0, 1, 0xff}, []byte("\x00\x00\x00\x00\x02{")} {
		records = append(records, &kgo.Record{Topic: "orders", Value: bad})
	}
	if err := client.ProduceSync(ctx, records...).FirstErr(); err != nil {
		t.Fatal(err)
	}
	var got []any
	bad := 0
	for len(got)+bad < len(records) {
		fetches := client.PollFetches(ctx)
		if err := fetches.Err(); err != nil {
			t.Fatal(err)
		}
		for _, r := range fetches.Records() {
			v, err := s.DecodeNew(r.Value)
			if err != nil {
				bad++
				reason := kgo.RecordHeader{Key: "error", Value: []byte(err.Error())}
				if err := client.ProduceSync(ctx, &kgo.Record{Topic: "orders.bad", Value: r.Value, Headers: []kgo.RecordHeader{reason}}).FirstErr(); err != nil {
					t.Fatal(err)
				}
				continue
			}
			got = append(got, v)
		}
		if err := client.CommitUncommittedOffsets(ctx); err != nil {
			t.Fatal(err)
		}
	}
	if !reflect.DeepEqual(got, want) || bad != 6 {
		t.Errorf("%+v, and %d bad records", got, bad)
	}
}

func TestSerde(t *testing.T) {
	s := serde()
	if _, err := s.Encode(struct{}{}); !errors.Is(err, sr.ErrNotRegistered) {
		t.Errorf("the error for a type that is not registered: %v", err)
	}
	if _, err := s.Encode(nil); err == nil {
		t.Error("no error for encoding nil")
	}
	if _, err := s.Encode(&Order{}); err == nil {
		t.Error("no error for encoding a pointer, although the package comment forbids pointers")
	}
	data, err := s.Encode(Order{7, mo.Some("ink")})
	if err != nil {
		t.Fatal(err)
	}
	var o Order
	if err := s.Decode(data, &o); err != nil {
		t.Fatal(err)
	}
	for i := range data {
		data[i] = 0xee
	}
	if o != (Order{7, mo.Some("ink")}) {
		t.Errorf("the value shares memory with the record: %v", o)
	}
}

func Example() {
	var serde sr.Serde
	serde.Register(1, Order{}, sr.AppendEncodeFn(wire.AppendAny), sr.DecodeFn(wire.UnmarshalAny))

	data, err := serde.Encode(Order{ID: 1, Item: mo.Some("ink")})
	fmt.Println(len(data), err)
	v, err := serde.DecodeNew(data)
	fmt.Println(v.(*Order).Item.MustGet(), err)
	// Output:
	// 11 <nil>
	// ink <nil>
}
