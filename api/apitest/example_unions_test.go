package apitest_test

import (
	"bytes"
	"context"
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"sync"
	"testing"

	"github.com/hone-go/hone/api"
	"github.com/hone-go/hone/api/apitest"
	"github.com/hone-go/hone/api/client"
	"github.com/hone-go/hone/api/openapi"
	"github.com/hone-go/hone/internal/test/testkit"
	"github.com/hone-go/hone/json"
	"github.com/hone-go/hone/union"
	"github.com/hone-go/hone/web"
	"github.com/hone-go/hone/wire"
	"github.com/hone-go/hone/wire/container"
)

// An Event is an entry of the log.
type (
	Event interface{ isEvent() }

	OrderPlaced struct {
		ID    int    `json:"id" min:"1"`
		Items []Item `json:"items" length:"1..20"`
		Pay   Pay    `json:"pay"`
	}
	OrderShipped struct {
		ID   int    `json:"id" min:"1"`
		Code string `json:"code" pattern:"^[A-Z]{2}[0-9]{4}$"`
	}
	OrderCancelled struct {
		ID     int    `json:"id" min:"1"`
		Reason string `json:"reason,omitempty" length:"..40"`
	}
	Item struct {
		Name  string `json:"name" length:"1..20"`
		Count int    `json:"count" min:"1" max:"99"`
	}

	// A Pay has the adjacent form, so its cases need not be structs.
	Pay     interface{ isPay() }
	Card    struct{ Last4 string }
	Invoice string
)

func (OrderPlaced) isEvent()    {}
func (*OrderShipped) isEvent()  {}
func (OrderCancelled) isEvent() {}
func (Card) isPay()             {}
func (Invoice) isPay()          {}

var _ = union.Internal[Event]("type",
	union.Case[OrderPlaced]("placed", 1),
	union.Case[*OrderShipped]("shipped", 2),
	union.Case[OrderCancelled]("cancelled", 3))

var _ = union.Adjacent[Pay]("by", "with",
	union.Case[Card]("card", 1),
	union.Case[Invoice]("invoice", 2))

// A log keeps events in a file.
type eventLog struct {
	mu   sync.Mutex
	path string
}

var eventCodec = wire.Must(wire.For[Event]())

// add appends events to the file.
func (l *eventLog) add(events ...Event) (err error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	file, err := os.OpenFile(l.path, os.O_RDWR|os.O_CREATE, 0o600)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, file.Close()) }()
	w, _, err := container.OpenAppend(file, eventCodec, container.Options{})
	if err != nil {
		return err
	}
	for i := range events {
		if err := w.Write(&events[i]); err != nil {
			return err
		}
	}
	return w.Close()
}

// all reads the events.
func (l *eventLog) all() (events []Event, err error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	data, err := os.ReadFile(l.path)
	if errors.Is(err, os.ErrNotExist) || err == nil && len(data) == 0 {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	r, err := container.NewReader(bytes.NewReader(data), eventCodec, container.ReaderOptions{})
	if err != nil {
		return nil, err
	}
	for {
		var event Event
		switch err := r.Read(&event); err {
		case nil:
			events = append(events, event)
		case io.EOF:
			return events, nil
		default:
			return events, err
		}
	}
}

type (
	eventIn struct {
		Event Event `body:""`
	}
	eventsOut struct {
		Events []Event `json:"events"`
	}
)

func eventService(path string) (*web.Echo, *api.API) {
	router := web.New()
	a := api.New(router)
	log := &eventLog{path: path}
	api.Handle(a, "POST /events", func(_ context.Context, in *eventIn) (*struct{}, error) {
		return nil, log.add(in.Event)
	}, api.Operation{Unknown: api.UnknownRefused})
	api.Handle(a, "GET /events", func(context.Context, *struct{}) (*eventsOut, error) {
		events, err := log.all()
		return &eventsOut{events}, err
	})
	api.Handle(a, "POST /import", func(_ context.Context, in *api.Elements[Event]) (*struct{}, error) {
		for event, err := range *in {
			if err != nil {
				return nil, err
			}
			if err := log.add(event); err != nil {
				return nil, err
			}
		}
		return nil, nil
	})
	api.Handle(a, "GET /export", func(context.Context, *struct{}) (*api.Elements[Event], error) {
		events, err := log.all()
		return api.ElementsOf(func(yield func(Event, error) bool) {
			for _, event := range events {
				if !yield(event, nil) {
					return
				}
			}
		}), err
	})
	return router, a
}

// TestEventLog sends events as JSON, keeps them in a container of package wire, and reads them by a typed client, as
// JSON and in the binary format.
func TestEventLog(t *testing.T) {
	router, a := eventService(filepath.Join(t.TempDir(), "events"))
	send := func(body string) (int, string) {
		r := httptest.NewRequest(http.MethodPost, "/events", strings.NewReader(body))
		r.Header.Set("Content-Type", "application/json")
		w := httptest.NewRecorder()
		router.ServeHTTP(w, r)
		return w.Code, w.Body.String()
	}
	for _, test := range []struct {
		body string
		code int
		text string
	}{
		{`{"type":"placed","id":1,"items":[{"name":"tea","count":2}],"pay":{"by":"card","with":{"Last4":"1234"}}}`, 204, ""},
		{`{"id":1,"code":"DE1234","type":"shipped"}`, 204, ""},
		{`{"type":"cancelled","id":1}`, 204, ""},
		{`{"type":"cancelled"}`, 422, `"name":".id","detail":"is required"`},
		{`{"type":"cancelled","id":0}`, 422, `"name":".id","detail":"must be at least 1"`},
		{`{"type":"placed","id":1,"items":[{"name":"tea","count":200}],"pay":{"by":"invoice","with":"7"}}`, 422, `"name":".items[0].count","detail":"must be at most 99"`},
		{`{"type":"placed","id":1,"items":[],"pay":null}`, 422, `"name":".pay","detail":"must not be null"`},
		{`{"type":"placed","id":1,"items":[],"pay":{"by":"gold"}}`, 422, `"name":".pay.by","detail":"must be one of card, invoice"`},
		{`{"type":"moved","id":1}`, 422, `"name":".type","detail":"must be one of placed, shipped, cancelled"`},
		{`{"id":1}`, 422, `needs a member \"type\", whose value is one of placed, shipped, cancelled`},
		{`{"type":"cancelled","id":1,"x":1}`, 422, `"name":".x"`},
		{`"cancelled"`, 400, "string"},
		{`null`, 422, "must not be null"},
	} {
		if code, text := send(test.body); code != test.code || !strings.Contains(text, test.text) {
			t.Errorf("%s: %d %s", test.body, code, text)
		}
	}
	want := []Event{
		OrderPlaced{ID: 1, Items: []Item{{"tea", 2}}, Pay: Card{"1234"}}, &OrderShipped{1, "DE1234"}, OrderCancelled{ID: 1},
	}
	c := apitest.NewClient(router)
	got, err := client.Call[struct{}, eventsOut](c, "GET /events")(t.Context(), &struct{}{})
	if err != nil || !reflect.DeepEqual(got.Events, want) {
		t.Errorf("%+v %v", got, err)
	}
	if _, err := client.Call[eventIn, struct{}](c, "POST /events")(t.Context(), &eventIn{&OrderShipped{2, "FR0001"}}); err != nil {
		t.Error(err)
	}
	for _, accept := range []string{"application/x-ndjson", api.MediaTypeWireStream} {
		r := httptest.NewRequest(http.MethodGet, "/export", nil)
		r.Header.Set("Accept", accept)
		w := httptest.NewRecorder()
		router.ServeHTTP(w, r)
		var n int
		decode := wire.NewDecoder(w.Body, 0).Decode
		if accept != api.MediaTypeWireStream {
			decode = json.NewDecoder(w.Body).Decode
		}
		for ; ; n++ {
			var event Event
			if err := decode(&event); err == io.EOF {
				break
			} else if err != nil {
				t.Fatal(accept, err)
			}
			if n < len(want) && !reflect.DeepEqual(event, want[n]) {
				t.Errorf("%s: %+v", accept, event)
			}
		}
		if n != 4 {
			t.Errorf("%s: %d events", accept, n)
		}
	}
	document := openapi.Describe(a, openapi.Config{})
	text, err := json.Marshal(document.Components.Schemas)
	if err != nil {
		t.Fatal(err)
	}
	for _, part := range []string{
		`"discriminator":{"propertyName":"type","mapping":{"cancelled":"#/components/schemas/EventCancelled","placed":"#/components/schemas/EventPlaced","shipped":"#/components/schemas/EventShipped"}}`,
		`"oneOf":[{"$ref":"#/components/schemas/EventPlaced"},{"$ref":"#/components/schemas/EventShipped"},{"$ref":"#/components/schemas/EventCancelled"}]`,
		`"required":["by","with"]`,
		`"type":{"type":"string","enum":["shipped"]}`,
	} {
		if !strings.Contains(string(text), part) {
			t.Errorf("%s is not in %s", part, text)
		}
	}
	apitest.Run(t, router, document, apitest.Options{Requests: 150})
}

const eventScript = `
import { Client, type Event } from "./client.js";

function tell(event: Event): string {
  switch (event.type) {
    case "placed": return "placed " + event.items.length + (event.pay.by === "card" ? " by card " + event.pay.with.Last4 : "");
    case "shipped": return "shipped " + event.code;
    case "cancelled": return "cancelled " + (event.reason ?? "");
  }
  const none: never = event;
  return none;
}

const api = new Client(process.argv[2]);
await api.postEvents({ type: "placed", id: 7, items: [{ name: "tea", count: 1 }], pay: { by: "card", with: { Last4: "9876" } } });
await api.postEvents({ type: "shipped", id: 7, code: "DE0001" });
const out: string[] = [];
for (const event of (await api.getEvents()).events ?? []) out.push(tell(event));
for await (const event of api.getExport()) out.push(event.type);
console.log(JSON.stringify(out));
`

// TestEventLogTypeScript uses the service by the client that Hone makes in TypeScript. The compiler narrows an event by
// its type.
func TestEventLogTypeScript(t *testing.T) {
	router, a := eventService(filepath.Join(t.TempDir(), "events"))
	server := httptest.NewServer(router)
	defer server.Close()
	made, err := openapi.Describe(a, openapi.Config{}).TypeScript()
	if err != nil {
		t.Fatal(err)
	}
	got := testkit.RunTypeScript(t, string(made), eventScript, server.URL)
	if want := `["placed 1 by card 9876","shipped DE0001","placed","shipped"]` + "\n"; got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
}
