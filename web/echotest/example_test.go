package echotest_test

import (
	"fmt"
	"net/http"
	"testing"

	"github.com/hone-go/hone/web"
	"github.com/hone-go/hone/web/echotest"
)

func rename(c *web.Context) error {
	var in struct {
		Name string `json:"name"`
	}
	if err := c.Bind(&in); err != nil {
		return err
	}
	return c.String(http.StatusOK, c.Param("id")+" is "+in.Name)
}

// A handler is tested without a server and without its route. In a test, pass the test's own t.
func ExampleContextConfig_ServeWithHandler() {
	t := new(testing.T)
	rec := echotest.ContextConfig{
		PathValues: web.PathValues{{Name: "id", Value: "7"}},
		JSONBody:   []byte(`{"name":"ann"}`),
	}.ServeWithHandler(t, rename)
	fmt.Println(rec.Code, rec.Body)
	// Output: 200 7 is ann
}
