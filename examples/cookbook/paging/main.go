// Command paging answers a long list in pages. A page begins after the last element of the previous page. So no
// other element is skipped or repeated if elements are added or removed between two requests.
//
//	curl -i 'http://127.0.0.1:8080/v1/orders?limit=2'
package main

import (
	"context"
	"fmt"
	"iter"
	"log"
	"net/url"
	"slices"

	"github.com/hone-go/hone/api"
	"github.com/hone-go/hone/api/client"
	"github.com/hone-go/hone/mo"
	"github.com/hone-go/hone/web"
)

type Order struct {
	ID   int64  `json:"id"`
	Item string `json:"item"`
}

type pageIn struct {
	After mo.Option[int64]  `query:"after" min:"0" doc:"The ID of the last order of the page before."`
	Item  mo.Option[string] `query:"item"`
	Limit int               `query:"limit" min:"1" max:"100" default:"20"`
}

type page struct {
	Link mo.Option[string] `header:"Link"` // RFC 8288, for clients that follow links
	Body struct {
		Orders []Order          `json:"orders"`
		Next   mo.Option[int64] `json:"next" doc:"The value of after for the next page, or null."`
	} `body:""`
}

// list returns a page of orders, which are sorted by ID. A database would have the condition
// "id > after ORDER BY id LIMIT limit + 1".
func list(orders []Order, in *pageIn) *page {
	start, _ := slices.BinarySearchFunc(orders, in.After.OrElse(-1)+1, func(o Order, id int64) int {
		return int(min(1, max(-1, o.ID-id)))
	})
	p := &page{}
	p.Body.Orders = []Order{}
	for _, o := range orders[start:] {
		if in.Item.IsSome() && in.Item.MustGet() != o.Item {
			continue
		}
		if len(p.Body.Orders) == in.Limit { // there is another page
			last := p.Body.Orders[in.Limit-1].ID
			p.Body.Next = mo.Some(last)
			query := url.Values{"after": {fmt.Sprint(last)}, "limit": {fmt.Sprint(in.Limit)}}
			in.Item.ForEach(func(item string) { query.Set("item", item) })
			p.Link = mo.Some("<?" + query.Encode() + `>; rel="next"`)
			break
		}
		p.Body.Orders = append(p.Body.Orders, o)
	}
	return p
}

// allOrders requests one page after the other, until the caller's loop ends.
func allOrders(ctx context.Context, c *client.Client, in pageIn) iter.Seq2[Order, error] {
	next := client.Call[pageIn, page](c, "GET /v1/orders")
	return func(yield func(Order, error) bool) {
		for {
			p, err := next(ctx, &in)
			if err != nil {
				yield(Order{}, err)
				return
			}
			for _, o := range p.Body.Orders {
				if !yield(o, nil) {
					return
				}
			}
			if in.After = p.Body.Next; in.After.IsNone() {
				return
			}
		}
	}
}

func handler(orders []Order) *web.Echo {
	e := web.New()
	api.Handle(e, "GET /v1/orders", func(_ context.Context, in *pageIn) (*page, error) {
		return list(orders, in), nil
	})
	return e
}

func main() {
	var orders []Order
	for i := range int64(1000) {
		orders = append(orders, Order{i + 1, []string{"ink", "pen", "paper"}[i%3]})
	}
	if err := handler(orders).Start(":8080"); err != nil {
		log.Fatal(err)
	}
}
