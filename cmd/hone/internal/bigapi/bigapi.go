// Package bigapi is an invented API of more than sixty operations, which uses all features of
// package api. Tests pass its document to other tools. Its handlers are never called.
package bigapi

import (
	"context"
	"io"
	"mime/multipart"
	"net/http"
	"net/url"
	"time"

	"github.com/hone-go/hone/api"
	"github.com/hone-go/hone/api/openapi"
	"github.com/hone-go/hone/api/security"
	"github.com/hone-go/hone/mo"
)

// Document is the API's document.
func Document() *openapi.Document {
	a := api.New(nowhere{})
	Routes(a)
	return openapi.Describe(a, openapi.Config{
		Title: "Everything & more", Version: "2.1", Description: "A made-up API.\n\n# Heading\n\n- \"quoted\": yes\n- \ttab",
		Servers: []string{"https://example.com/v2"},
		Routes:  map[string]openapi.Route{"GET /raw/{rest...}": {Summary: "Not typed", Tags: []string{"raw"}, ContentType: "text/plain"}},
	})
}

type nowhere struct{}

func (nowhere) AddHandler(string, string, http.Handler) error { return nil }

type (
	// A Status has a method that lists its values.
	Status string
	// A Color has a tag that lists its values.
	Color string

	ID struct {
		ID int64 `path:"id" doc:"The number that the server has given it." min:"1"`
	}
	Page struct {
		Limit  mo.Option[int]    `query:"limit" min:"1" max:"1000" doc:"100 by default."`
		Cursor mo.Option[string] `query:"cursor" length:"1..200"`
		Sort   []string          `query:"sort" enum:"name,-name,made,-made"`
	}
	Stamp struct {
		Made    time.Time            `json:"made" doc:"When it came to be."`
		Changed mo.Option[time.Time] `json:"changed"`
	}
	List[T any] struct {
		Items []T               `json:"items"`
		Next  mo.Option[string] `json:"next"`
	}
	ListIn struct {
		Page
		Since  mo.Option[time.Time] `query:"since"`
		Status mo.Option[Status]    `query:"status"`
		Tags   []string             `query:"tag" pattern:"^[a-z]+$"`
		Trace  mo.Option[string]    `header:"X-Trace" format:"uuid"`
		Theme  mo.Option[Color]     `cookie:"theme" enum:"red,green"`
	}
	PutIn[T any] struct {
		ID
		IfMatch mo.Option[string] `header:"If-Match"`
		Body    T                 `body:""`
	}
	PatchIn[T any] struct {
		ID
		Body struct {
			Name   mo.Nullable[string] `json:"name"`
			Status mo.Option[Status]   `json:"status,omitzero"`
			Limits *T                  `json:"limits,omitempty"`
		} `body:""`
	}
	Made[T any] struct {
		_        struct{} `status:"201"`
		Location string   `header:"Location"`
		Body     T        `body:""`
	}
	None struct{}
)

// Values lists the values that a Status may have.
func (Status) Values() []Status { return []Status{"open", "closed", "on hold"} }

type (
	Person struct {
		Stamp
		ID     int64             `json:"id" readOnly:"true"`
		Name   string            `json:"name" length:"1..64" example:"Ada"`
		Mail   mo.Option[string] `json:"mail" format:"email"`
		Secret string            `json:"secret,omitempty" writeOnly:"true"`
		Boss   *Person           `json:"boss,omitempty"`
		Team   []*Person         `json:"team,omitempty" length:"0..50"`
		Labels map[string]string `json:"labels,omitempty"`
		Site   mo.Option[string] `json:"site" format:"uri"`
		Role   string            `json:"role" enum:"reader,writer,admin" default:"reader"`
	}
	Order struct {
		Stamp
		Number  int64                     `json:"number,string"`
		Lines   []Line                    `json:"lines" length:"1..100"`
		Paid    mo.Either[Card, Transfer] `json:"paid"`
		Notes   mo.Nullable[string]       `json:"notes,omitzero"`
		Wait    time.Duration             `json:"wait"`
		Extra   any                       `json:"extra,omitempty"`
		Status  Status                    `json:"status"`
		Weights map[string][]float64      `json:"weights,omitempty"`
	}
	Line struct {
		Name  string  `json:"name"`
		Count uint32  `json:"count" min:"1"`
		Price float64 `json:"price" min:"0" multipleOf:"0.01"`
	}
	Card struct {
		Number string `json:"number" pattern:"^[0-9]{16}$"`
	}
	Transfer struct {
		IBAN string `json:"iban"`
	}
	Device struct {
		Name  string     `json:"name"`
		At    [2]float64 `json:"at"`
		Key   []byte     `json:"key"`
		Ports []uint16   `json:"ports" uniqueItems:"true"`
		Color Color      `json:"color" enum:"red,green,blue"`
	}
	Node struct {
		Value    int             `json:"value"`
		Children []Node          `json:"children,omitempty"`
		Links    map[string]Node `json:"links,omitempty"`
	}
	Reading struct {
		Host string             `json:"host" format:"hostname"`
		CPU  mo.Option[float64] `json:"cpu"`
		At   time.Time          `json:"at"`
	}
	File struct {
		Name string `json:"name"`
		Size int64  `json:"size"`
	}
	Gone struct {
		_      struct{} `status:"303"`
		Target string   `header:"Location"`
	}
)

// Routes registers the handlers.
func Routes(r api.Router) {
	a, ok := r.(*api.API)
	if !ok {
		a = api.New(r)
	}
	session := security.Bearer[Person]("session", nil)
	key := security.APIKey[Person]("key", "header", "X-Key", nil)
	oauth := security.OAuth2[Person]("oauth", security.Flows{AuthorizationCode: &security.Flow{
		AuthorizationURL: "https://example.com/authorize", TokenURL: "https://example.com/token", Scopes: map[string]string{"write": "Change things."},
	}, DeviceAuthorization: &security.Flow{
		DeviceURL: "https://example.com/device", TokenURL: "https://example.com/token", Scopes: map[string]string{"write": "Change things."},
	}}, nil)
	a.Defaults = api.Operation{Security: []security.Requirement{session.With(), key.With()}}

	resource[Person](a, "people")
	resource[Order](a, "orders")
	resource[Device](a, "devices")
	resource[Node](a, "nodes")
	resource[File](a, "files")
	resource[Reading](a, "readings")
	resource[List[Person]](a, "groups")

	streams(a)
	forms(a)
	answers(a, oauth)
}

// resource registers the usual operations of a resource.
func resource[T any](a *api.API, name string) {
	op := func(id, summary string) api.Operation {
		return api.Operation{Name: id + name, Summary: summary, Tags: []string{name}}
	}
	list := op("list", "A page of them")
	list.ETag = true
	api.Handle(a, "GET /"+name, func(context.Context, *ListIn) (*List[T], error) { return nil, nil }, list)
	api.Handle(a, "POST /"+name, func(context.Context, *T) (*Made[T], error) { return nil, nil }, op("make", "Make one"))
	get := op("get", "One of them")
	get.Errors = []error{api.NewProblem(404, "No record has this number.")}
	api.Handle(a, "GET /"+name+"/{id}", func(context.Context, *ID) (*T, error) { return nil, nil }, get)
	api.Handle(a, "PUT /"+name+"/{id}", func(context.Context, *PutIn[T]) (*T, error) { return nil, nil }, op("put", "Replace one"))
	api.Handle(a, "PATCH /"+name+"/{id}", func(context.Context, *PatchIn[T]) (*T, error) { return nil, nil }, op("patch", "Change one"))
	api.Handle(a, "DELETE /"+name+"/{id}", func(context.Context, *ID) (*None, error) { return nil, nil }, op("delete", "Remove one"))
	api.Handle(a, "GET /"+name+"/{id}/history", func(context.Context, *struct {
		ID
		Page
	}) (*api.Elements[Line], error) {
		return nil, nil
	}, op("history", "What it was"))
	api.Handle(a, "POST /"+name+"/{id}/copies", func(context.Context, *ID) (*mo.Either[Made[T], Gone], error) { return nil, nil }, op("copy", "Copy one"))
}

func streams(a *api.API) {
	api.Handle(a, "POST /import/{host}", func(context.Context, *struct {
		Host string                `path:"host"`
		Body api.Elements[Reading] `body:""`
	}) (*List[Reading], error) {
		return nil, nil
	}, api.Operation{Name: "import", Summary: "Read many", Tags: []string{"streams"}})
	api.HandleEvents(a, "GET /live", func(context.Context, *struct {
		Host mo.Option[string] `query:"host"`
		Last mo.Option[string] `header:"Last-Event-ID"`
	}, *api.Events) error {
		return nil
	}, api.Operation{Name: "live", Summary: "Follow readings", Tags: []string{"streams"}, Events: map[string]any{"": Reading{}, "people": Person{}}})
	api.HandleEvents(a, "GET /ticks", func(context.Context, *None, *api.Events) error { return nil },
		api.Operation{Name: "ticks", Summary: "Follow a clock", Tags: []string{"streams"}, Events: map[string]any{"": time.Time{}}})
	api.HandleEvents(a, "GET /lines", func(context.Context, *None, *api.Events) error { return nil },
		api.Operation{Name: "lines", Summary: "Follow lines of text", Tags: []string{"streams"}})
	api.Handle(a, "PUT /photos/{id}", func(context.Context, *struct {
		ID
		Type string    `header:"Content-Type"`
		Body io.Reader `body:"image/png,image/jpeg"`
	}) (*None, error) {
		return nil, nil
	}, api.Operation{Name: "putPhoto", Summary: "Keep a photo", Tags: []string{"streams"}})
	api.Handle(a, "GET /photos/{id}", func(context.Context, *ID) (*api.Content, error) { return nil, nil },
		api.Operation{Name: "getPhoto", Summary: "A photo", Tags: []string{"streams"}, ContentType: "image/png"})
	api.Handle(a, "HEAD /photos/{id}", func(context.Context, *ID) (*api.Content, error) { return nil, nil },
		api.Operation{Name: "headPhoto", Summary: "About a photo", Tags: []string{"streams"}, ContentType: "image/png"})
}

func forms(a *api.API) {
	op := func(id, summary string) api.Operation {
		return api.Operation{Name: id, Summary: summary, Tags: []string{"forms"}}
	}
	api.Handle(a, "POST /login", func(context.Context, *struct {
		User     string            `form:"user" required:"true" length:"1..64"`
		Password string            `form:"password" required:"true"`
		Stay     bool              `form:"stay"`
		Roles    []string          `form:"role"`
		Theme    mo.Option[string] `form:"theme"`
	}) (*Person, error) {
		return nil, nil
	}, op("login", "Log in"))
	api.Handle(a, "POST /uploads", func(context.Context, *struct {
		Title string                  `form:"title"`
		One   *multipart.FileHeader   `form:"one"`
		Many  []*multipart.FileHeader `form:"many"`
	}) (*File, error) {
		return nil, nil
	}, op("upload", "Send files"))
	api.Handle(a, "GET /search", func(context.Context, *struct {
		Text   string        `query:"q" required:"true"`
		Exact  bool          `query:"exact"`
		Within time.Duration `query:"within" default:"1h"`
		Others url.Values    `query:"*" doc:"Any other condition."`
	}) (*List[mo.Either3[Person, Order, Device]], error) {
		return nil, nil
	}, op("search", "Look for anything"))
	api.Handle(a, "QUERY /search", func(context.Context, *struct {
		Text string   `json:"text" length:"1..64"`
		Tags []string `json:"tags"`
	}) (*List[Person], error) {
		return nil, nil
	}, op("query", "Look for people"))
	api.Handle(a, "PURGE /search", func(context.Context, *None) (*None, error) { return nil, nil }, op("purge", "Forget results"))
}

func answers(a *api.API, oauth *security.Scheme) {
	op := func(id, summary string) api.Operation {
		return api.Operation{Name: id, Summary: summary, Tags: []string{"answers"}, Description: "Of *several* kinds."}
	}
	strict := op("strict", "Refuse what is not known")
	strict.Unknown, strict.Security = api.UnknownRefused, []security.Requirement{oauth.With("write"), {}}
	api.Handle(a, "POST /strict", func(context.Context, *Node) (*Node, error) { return nil, nil }, strict)
	old := op("old", "As it was")
	old.Deprecated, old.Security = true, []security.Requirement{}
	api.Handle(a, "GET /old", func(context.Context, *None) (*map[string]Node, error) { return nil, nil }, old)
	api.Handle(a, "GET /maybe", func(context.Context, *None) (*mo.Option[Person], error) { return nil, nil }, op("maybe", "Perhaps"))
	api.Handle(a, "GET /any", func(context.Context, *None) (*any, error) { return nil, nil }, op("any", "Anything"))
	api.Handle(a, "GET /names", func(context.Context, *None) (*[]string, error) { return nil, nil }, op("names", "Names"))
	api.Handle(a, "POST /jobs", func(context.Context, *struct {
		Body *Node `body:""`
	}) (*struct {
		Status  int                  `status:"200,202"`
		After   mo.Option[int]       `header:"Retry-After"`
		Expires mo.Option[time.Time] `header:"Expires"`
		Cookie  http.Cookie          `cookie:"job"`
		Body    Node                 `body:""`
	}, error) {
		return nil, nil
	}, op("job", "Begin"))
	api.Handle(a, "OPTIONS /jobs", func(context.Context, *None) (*None, error) { return nil, nil }, op("options", "What may be done"))
}
