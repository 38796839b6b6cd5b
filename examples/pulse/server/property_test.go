package server

import (
	"encoding/json"
	"testing"

	"github.com/hone-go/hone/api/apitest"
	"github.com/hone-go/hone/api/openapi"
	"github.com/hone-go/hone/examples/pulse/queue"
)

// TestDocument makes random requests of the document that the server hands out: never a 500,
// never an answer that the document does not describe. Times and cursors have more rules
// than tags can say, so the server may refuse values that the document allows.
func TestDocument(t *testing.T) {
	s := serve(t, queue.Options{})
	document := new(openapi.Document)
	if err := json.Unmarshal(s.get("/openapi.json").body, document); err != nil {
		t.Fatal(err)
	}
	apitest.Run(t, s.Config.Handler, document, apitest.Options{Lenient: true, Requests: 200})
}
