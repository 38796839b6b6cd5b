package main

import (
	"net/http/httptest"
	"slices"
	"testing"

	"github.com/hone-go/hone/api/apitest"
	"github.com/hone-go/hone/mo"
)

func Test(t *testing.T) {
	var orders []Order
	for i := range int64(10) {
		orders = append(orders, Order{i, []string{"ink", "pen"}[i%2]})
	}
	h := handler(orders)
	c := apitest.NewClient(h)
	for _, test := range []struct {
		in   pageIn
		want []int64
	}{
		{pageIn{Limit: 20}, []int64{0, 1, 2, 3, 4, 5, 6, 7, 8, 9}},
		{pageIn{Limit: 3}, []int64{0, 1, 2, 3, 4, 5, 6, 7, 8, 9}},
		{pageIn{Limit: 2, Item: mo.Some("pen")}, []int64{1, 3, 5, 7, 9}},
		{pageIn{Limit: 5, After: mo.Some[int64](0)}, []int64{1, 2, 3, 4, 5, 6, 7, 8, 9}},
		{pageIn{Limit: 1, After: mo.Some[int64](9)}, nil},
		{pageIn{Limit: 1, Item: mo.Some("paper")}, nil},
	} {
		var got []int64
		for o, err := range allOrders(t.Context(), c, test.in) {
			if err != nil {
				t.Fatal(err)
			}
			got = append(got, o.ID)
		}
		if !slices.Equal(got, test.want) {
			t.Errorf("%+v: %v, want %v", test.in, got, test.want)
		}
	}
	for path, want := range map[string]string{
		"/v1/orders?limit=4&item=pen": `<?after=7&item=pen&limit=4>; rel="next"`,
		"/v1/orders?limit=5&item=pen": "",
		"/v1/orders?limit=0":          "",
	} {
		w := httptest.NewRecorder()
		h.ServeHTTP(w, httptest.NewRequest("GET", path, nil))
		if got := w.Header().Get("Link"); got != want {
			t.Errorf("%s: %d, Link %q, want %q", path, w.Code, got, want)
		}
	}
}
