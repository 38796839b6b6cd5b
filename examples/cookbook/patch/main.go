// Command patch changes some fields of a stored value. If a member is absent from a PATCH, the field does not
// change. If the member is null, the field loses its value. Otherwise the field gets the member's value.
//
//	curl -X PATCH http://127.0.0.1:8080/v1/people/1 -H 'Content-Type: application/json' -d '{"mail":null,"name":"Ann"}'
package main

import (
	"context"
	"log"
	"net/http"
	"sync"

	"github.com/hone-go/hone/api"
	"github.com/hone-go/hone/mo"
	"github.com/hone-go/hone/web"
)

type Person struct {
	ID   int64             `json:"id"`
	Name string            `json:"name"`
	Mail mo.Option[string] `json:"mail"`
	Tags []string          `json:"tags"`
}

type getIn struct {
	ID int64 `path:"id"`
}

type patchIn struct {
	ID   int64 `path:"id"`
	Body struct {
		Name mo.Option[string]     `json:"name,omitzero" length:"1..64"`
		Mail mo.Nullable[string]   `json:"mail,omitzero" format:"email"`
		Tags mo.Nullable[[]string] `json:"tags,omitzero" length:"..10"`
	} `body:""`
}

type people struct {
	mu  sync.Mutex
	all map[int64]Person
}

func (p *people) get(_ context.Context, in *getIn) (*Person, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	v, ok := p.all[in.ID]
	if !ok {
		return nil, api.NewProblem(http.StatusNotFound, "no such person")
	}
	return &v, nil
}

func (p *people) patch(_ context.Context, in *patchIn) (*Person, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	v, ok := p.all[in.ID]
	if !ok {
		return nil, api.NewProblem(http.StatusNotFound, "no such person")
	}
	v.Name = in.Body.Name.OrElse(v.Name)
	in.Body.Mail.ApplyOption(&v.Mail)
	in.Body.Tags.Apply(&v.Tags)
	p.all[in.ID] = v
	return &v, nil
}

func handler() *web.Echo {
	p := &people{all: map[int64]Person{1: {ID: 1, Name: "Anna", Mail: mo.Some("anna@example.org"), Tags: []string{"go"}}}}
	e := web.New()
	api.Handle(e, "GET /v1/people/{id}", p.get)
	api.Handle(e, "PATCH /v1/people/{id}", p.patch, api.Operation{Unknown: api.UnknownRefused})
	return e
}

func main() {
	if err := handler().Start(":8080"); err != nil {
		log.Fatal(err)
	}
}
