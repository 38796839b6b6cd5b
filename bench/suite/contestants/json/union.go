package json

import (
	"bytes"
	stdjson "encoding/json"
	"fmt"
	"reflect"
	"time"

	"github.com/bytedance/sonic"
	goccy "github.com/goccy/go-json"

	"github.com/hone-go/hone/bench/suite/contest"
	"github.com/hone-go/hone/json"
	"github.com/hone-go/hone/union"
)

// An Event has one of three types. The member "type" of its JSON identifies the type.
type Event interface{ isEvent() }

// OrderPlaced is an [Event].
type OrderPlaced struct {
	ID       int64     `json:"id"`
	Customer string    `json:"customer"`
	At       time.Time `json:"at"`
	Items    []Item    `json:"items"`
}

// An Item is a part of an [OrderPlaced].
type Item struct {
	Article string `json:"article"`
	Count   int    `json:"count"`
	Cents   int64  `json:"cents"`
}

// OrderShipped is an [Event].
type OrderShipped struct {
	ID      int64     `json:"id"`
	Carrier string    `json:"carrier"`
	Code    string    `json:"code"`
	At      time.Time `json:"at"`
}

// OrderCancelled is an [Event].
type OrderCancelled struct {
	ID     int64   `json:"id"`
	Reason *string `json:"reason"`
}

func (*OrderPlaced) isEvent()    {}
func (*OrderShipped) isEvent()   {}
func (*OrderCancelled) isEvent() {}

var _ = union.Internal[Event]("type",
	union.Case[*OrderPlaced]("placed", 1),
	union.Case[*OrderShipped]("shipped", 2),
	union.Case[*OrderCancelled]("cancelled", 3))

// events returns a hundred events.
func events() []Event {
	all := make([]Event, 100)
	for i := range all {
		id, at := int64(7000+i), time.Unix(1790000000+int64(i), 0).UTC()
		switch i % 4 {
		case 0, 1:
			all[i] = &OrderPlaced{id, fmt.Sprint("customer-", i), at, []Item{{"tea", 1 + i%3, 499}, {"green \"mug\"", 1, 1250}}}
		case 2:
			all[i] = &OrderShipped{id, "post", fmt.Sprintf("DE%04d", i), at}
		default:
			all[i] = &OrderCancelled{id, nil}
		}
	}
	return all
}

// An eventCodec is the library that the methods of type eventBy use.
type eventCodec interface {
	marshal(v any) ([]byte, error)
	unmarshal(data []byte, v any) error
}

type (
	byStandard struct{}
	byGoccy    struct{}
	bySonic    struct{}
)

func (byStandard) marshal(v any) ([]byte, error)      { return stdjson.Marshal(v) }
func (byStandard) unmarshal(data []byte, v any) error { return stdjson.Unmarshal(data, v) }
func (byGoccy) marshal(v any) ([]byte, error)         { return goccy.Marshal(v) }
func (byGoccy) unmarshal(data []byte, v any) error    { return goccy.Unmarshal(data, v) }
func (bySonic) marshal(v any) ([]byte, error)         { return sonic.ConfigStd.Marshal(v) }
func (bySonic) unmarshal(data []byte, v any) error    { return sonic.ConfigStd.Unmarshal(data, v) }

// An eventBy encodes and decodes an Event by methods, as programs do without declared cases.
type eventBy[C eventCodec] struct{ Event }

// MarshalJSON adds the tag to the members of the event.
func (e eventBy[C]) MarshalJSON() ([]byte, error) {
	var c C
	switch v := e.Event.(type) {
	case *OrderPlaced:
		return c.marshal(struct {
			Type string `json:"type"`
			*OrderPlaced
		}{"placed", v})
	case *OrderShipped:
		return c.marshal(struct {
			Type string `json:"type"`
			*OrderShipped
		}{"shipped", v})
	case *OrderCancelled:
		return c.marshal(struct {
			Type string `json:"type"`
			*OrderCancelled
		}{"cancelled", v})
	}
	return nil, fmt.Errorf("%T is not a case", e.Event)
}

// UnmarshalJSON reads the tag, and then the members.
func (e *eventBy[C]) UnmarshalJSON(data []byte) error {
	var c C
	var tag struct {
		Type string `json:"type"`
	}
	if err := c.unmarshal(data, &tag); err != nil {
		return err
	}
	switch tag.Type {
	case "placed":
		e.Event = new(OrderPlaced)
	case "shipped":
		e.Event = new(OrderShipped)
	case "cancelled":
		e.Event = new(OrderCancelled)
	default:
		return fmt.Errorf("%q is not a case", tag.Type)
	}
	return c.unmarshal(data, e.Event)
}

// unionContests encode and decode a list of events. The types of the events are declared with package union, or
// have methods for JSON.
func unionContests() []contest.Contest {
	encode := contest.Contest{Name: "json/union/encode", Promises: encodes}
	decode := contest.Contest{Name: "json/union/decode", Promises: decodes}
	add := func(name string, encoder, decoder contest.Contestant) {
		encoder.Name, decoder.Name = name, name
		encode.Contestants, decode.Contestants = append(encode.Contestants, encoder), append(decode.Contestants, decoder)
	}
	same := func(e Event) Event { return e }
	for _, e := range jsonEngines {
		switch e.name {
		case "hone", "hone v2":
			enc, dec := unionEntrant(e, same, same)
			add(e.name, enc, dec)
		case "encoding/json":
			enc, dec := unionEntrant(e, eventWith[byStandard], eventOf[byStandard])
			add(e.name, enc, dec)
		case "goccy/go-json":
			enc, dec := unionEntrant(e, eventWith[byGoccy], eventOf[byGoccy])
			add(e.name, enc, dec)
		case "sonic ConfigStd":
			enc, dec := unionEntrant(e, eventWith[bySonic], eventOf[bySonic])
			add(e.name, enc, dec)
		}
	}
	return []contest.Contest{encode, decode}
}

func eventWith[C eventCodec](e Event) eventBy[C] { return eventBy[C]{e} }
func eventOf[C eventCodec](e eventBy[C]) Event   { return e.Event }

// unionEntrant returns the contestants of an engine. They encode and decode a list with elements of
// type T.
func unionEntrant[T any](engine jsonEngine, wrap func(Event) T, unwrap func(T) Event) (encoder, decoder contest.Contestant) {
	payload := func() (list []T, text []byte, err error) {
		for _, e := range events() {
			list = append(list, wrap(e))
		}
		text, err = json.Marshal(new(events()))
		return list, text, err
	}
	encoder = contest.Contestant{Notes: engine.notes, Probes: encoding[engine.name], New: func() (func(int), error) {
		list, want, err := payload()
		if err != nil {
			return nil, err
		}
		encode := engine.encode()
		buf, err := encode(nil, &list)
		if err != nil {
			return nil, err
		}
		if got := bytes.TrimSpace(buf); !bytes.Equal(got, want) {
			return nil, fmt.Errorf("the output differs: %s", got)
		}
		return contest.Loop(func() { buf, _ = encode(buf, &list) }), nil
	}}
	decoder = contest.Contestant{Notes: engine.notes[1:], Probes: decoding[engine.name], New: func() (func(int), error) {
		_, text, err := payload()
		if err != nil {
			return nil, err
		}
		var got []T
		if err := engine.decode(text, &got); err != nil {
			return nil, err
		}
		for i, want := range events() {
			if !reflect.DeepEqual(unwrap(got[i]), want) {
				return nil, fmt.Errorf("event %d is decoded to another value", i)
			}
		}
		return contest.Loop(func() {
			list := new([]T)
			_ = engine.decode(text, list)
		}), nil
	}}
	return encoder, decoder
}
