package web_test

import (
	"net/http/httptest"
	"testing"

	"github.com/hone-go/hone/internal/test/testkit"
	"github.com/hone-go/hone/web"
)

// A binder and its functions stay on the stack even if the caller is in another
// package. So this test is in an external package.
func TestValueBinderAllocs(t *testing.T) {
	testkit.SkipIfInstrumented(t)
	c := web.NewContext(httptest.NewRequest("GET", "/?x=a&x=b&x=c,d&n=5&m=6", nil), httptest.NewRecorder())
	c.SetPathValues(web.PathValues{{Name: "id", Value: "7"}})
	c.QueryParams() // parse the query, which allocates once per request
	var texts []string
	var n, m, id int
	var text string
	var numbers []int
	for _, test := range []struct {
		name   string
		budget float64
		bind   func()
	}{
		{"Strings", 0, func() { web.QueryParamsBinder(c).Strings("x", &texts).MustStrings("x", &texts) }},
		{"Strings of a form", 0, func() { web.FormFieldBinder(c).Strings("x", &texts) }},
		{"Int", 0, func() { _ = web.QueryParamsBinder(c).Int("n", &n).MustInt("m", &m).String("x", &text).BindError() }},
		{"Int of the path", 0, func() { web.PathValuesBinder(c).Int("id", &id) }},
		{"Ints", 1, func() { web.QueryParamsBinder(c).Ints("n", &numbers) }},
		{"BindWithDelimiter", 5, func() { web.QueryParamsBinder(c).BindWithDelimiter("x", &texts, ",") }},
	} {
		if got := testing.AllocsPerRun(100, test.bind); got > test.budget {
			t.Errorf("%s: %v allocs, budget %v", test.name, got, test.budget)
		}
	}
	if len(texts) != 4 || n != 5 || m != 6 || id != 7 || text != "a" || len(numbers) != 1 {
		t.Errorf("bound %q, %d, %d, %d, %q and %d", texts, n, m, id, text, numbers)
	}
}
