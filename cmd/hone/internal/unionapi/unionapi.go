// Package unionapi has an API with interfaces that have declared cases, in each JSON representation. Tests
// pass its document to third-party tools.
package unionapi

import (
	"context"
	"net/http"

	"github.com/hone-go/hone/api"
	"github.com/hone-go/hone/api/openapi"
	"github.com/hone-go/hone/mo"
	"github.com/hone-go/hone/union"
)

type (
	// An Event has the internal representation, and is recursive.
	Event   interface{ isEvent() }
	Created struct {
		ID     int64            `json:"id" min:"1"`
		Secret string           `json:"secret,omitempty" writeOnly:"true"`
		At     mo.Option[Place] `json:"at"`
	}
	Batch struct {
		Events []Event          `json:"events" length:"..5"`
		ByName map[string]Event `json:"byName"`
	}
	Other struct{ union.Unknown }

	// A Place has the adjacent representation.
	Place   interface{ isPlace() }
	City    string
	Address struct {
		Street string `json:"street"`
	}

	// An Amount has the external representation.
	Amount interface{ isAmount() }
	Cents  int64
	Items  []string

	// These types are the cases of the Eithers, whose cases are declared too.
	Card struct {
		Last4 string `json:"last4" pattern:"^[0-9]{4}$"`
		Note  string `json:"note,omitempty"`
	}
	Transfer struct {
		IBAN string `json:"iban" length:"1..34"`
	}
	Named    = mo.Either[Card, Transfer]
	Internal = mo.Either3[Card, Transfer, struct{}]
	Adjacent = mo.Either3[Card, string, []int]
	Untagged = mo.Either4[Card, Transfer, string, []int]
)

func (Created) isEvent()  {}
func (*Batch) isEvent()   {}
func (Other) isEvent()    {}
func (City) isPlace()     {}
func (*Address) isPlace() {}
func (Cents) isAmount()   {}
func (Items) isAmount()   {}

var (
	_ = union.Internal[Event]("type", union.Case[Created]("created", 1), union.Case[*Batch]("batch", 2), union.Default[Other]())
	_ = union.Adjacent[Place]("kind", "data", union.Case[City]("city", 1), union.Case[*Address]("address", 2))
	_ = union.External[Amount](union.Case[Cents]("cents", 1), union.Case[Items]("items", 2))
	_ = union.External[Named](union.Case[Card]("card", 1), union.Case[Transfer]("transfer", 2))
	_ = union.Internal[Internal]("by", union.Case[Card]("card", 1), union.Case[Transfer]("transfer", 2), union.Case[struct{}]("none", 3))
	_ = union.Adjacent[Adjacent]("by", "with", union.Case[Card]("card", 1), union.Case[string]("text", 2), union.Case[[]int]("list", 3))
	_ = union.Untagged[Untagged]()
)

// An Entry has unions in two representations: internal and external.
type Entry struct {
	Event  Event  `json:"event"`
	Amount Amount `json:"amount"`
}

// Payments have an Either in each representation.
type Payments struct {
	Named    Named    `json:"named"`
	Internal Internal `json:"internal"`
	Adjacent Adjacent `json:"adjacent"`
	Untagged Untagged `json:"untagged"`
}

// Document returns the document of the API.
func Document() *openapi.Document {
	a := api.New(api.Mux(http.NewServeMux()))
	api.Handle(a, "POST /v1/events", func(_ context.Context, in *struct {
		Event Event `body:""`
	}) (*Event, error) {
		return &in.Event, nil
	})
	api.Handle(a, "PUT /v1/entries", func(_ context.Context, in *Entry) (*Entry, error) { return in, nil })
	api.Handle(a, "PUT /v1/strict", func(_ context.Context, in *Entry) (*[]Place, error) { return nil, nil }, api.Operation{Unknown: api.UnknownRefused})
	api.Handle(a, "PUT /v1/payments", func(_ context.Context, in *Payments) (*Payments, error) { return in, nil })
	return openapi.Describe(a, openapi.Config{
		Title: "Unions", Version: "1.0.0",
		Servers: []string{"https://example.com/v1"},
	})
}
