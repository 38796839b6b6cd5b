package api_test

import (
	"context"
	"errors"
	"net/http"
	"testing"

	"github.com/hone-go/hone/api"
	"github.com/hone-go/hone/internal/test/testkit"
)

type checkedRow struct {
	Name  string `json:"name" length:"1..5"`
	Share int    `json:"share" max:"100"`
}

func (r checkedRow) Validate(context.Context) error {
	if r.Name == "odd" {
		return errors.New("is odd")
	}
	return nil
}

type checkedRows struct {
	Rows []checkedRow `json:"rows" length:"1..5"`
}

// TestUnchecked: a handler takes the valid rows of a body. The other rows break limits.
func TestUnchecked(t *testing.T) {
	check, err := api.NewChecker[checkedRow]()
	if err != nil {
		t.Fatal(err)
	}
	type taken struct {
		Taken  []string `json:"taken"`
		Faults []string `json:"faults"`
	}
	onEach(t, func(t *testing.T, a *api.API, h http.Handler) {
		api.Handle(a, "POST /rows", func(ctx context.Context, in *checkedRows) (*taken, error) {
			out := &taken{}
			for i := range in.Rows {
				var p *api.Problem
				if err := check.Check(ctx, &in.Rows[i]); errors.As(err, &p) {
					out.Faults = append(out.Faults, p.Errors[0].Name+" "+p.Errors[0].Detail)
				} else {
					out.Taken = append(out.Taken, in.Rows[i].Name)
				}
			}
			return out, nil
		}, api.Operation{Unchecked: true})
		expect(t, "good and bad", send(h, sent{"POST", "/rows", `{"rows":[{"name":"a","share":1},{"name":"longer","share":1},{"name":"odd","share":1},{"name":"b","share":101},{"name":"c","share":100}]}`, nil}), 200,
			`{"taken":["a","c"],"faults":[".name must have 1 to 5 characters"," is odd",".share must be at most 100"]}`)
		expect(t, "a missing member", send(h, sent{"POST", "/rows", `{"rows":[{"name":"a"}]}`, nil}), 422, `~"name":".rows[0].share","detail":"is required"`)
	})
}

func TestCheckerAllocs(t *testing.T) {
	testkit.SkipIfInstrumented(t)
	check, err := api.NewChecker[checkedRow]()
	if err != nil {
		t.Fatal(err)
	}
	row, ctx := &checkedRow{Name: "a"}, t.Context()
	if n := testing.AllocsPerRun(100, func() {
		if err := check.Check(ctx, row); err != nil {
			t.Fatal(err)
		}
	}); n > 2 { // the Validate method allocates twice
		t.Errorf("a check of an allowed value allocates %v times", n)
	}
}
