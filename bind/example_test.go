package bind_test

import (
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"

	"github.com/hone-go/hone/bind"
	"github.com/hone-go/hone/mo"
)

func ExampleRequest() {
	type Search struct {
		Host  string            `path:"host"`
		Tags  []string          `query:"tag"`
		Limit int               `query:"limit"`
		After mo.Option[string] `query:"after"`
	}
	mux := http.NewServeMux()
	mux.HandleFunc("GET /hosts/{host}", func(w http.ResponseWriter, r *http.Request) {
		s := Search{Limit: 100}
		if err := bind.Request(r, &s); err != nil {
			http.Error(w, err.Error(), http.StatusBadRequest)
			return
		}
		fmt.Fprintln(w, s.Host, s.Tags, s.Limit, s.After.IsPresent())
	})
	for _, target := range []string{"/hosts/web-1?tag=a&tag=b", "/hosts/web-1?limit=ten"} {
		w := httptest.NewRecorder()
		mux.ServeHTTP(w, httptest.NewRequest("GET", target, nil))
		fmt.Print(w.Body)
	}
	// Output:
	// web-1 [a b] 100 false
	// bind: query "limit": not a whole number
}

func ExampleErrors() {
	var v struct {
		Limit int   `query:"limit"`
		IDs   []int `query:"id"`
	}
	err := bind.Query("limit=ten&id=1&id=x", &v)
	var errs bind.Errors
	if errors.As(err, &errs) {
		for _, e := range errs {
			fmt.Println(e.Source, e.Name, e.Field, e.Value, e.Err)
		}
	}
	// Output:
	// query limit .Limit ten invalid syntax
	// query id .IDs[1] x invalid syntax
}
