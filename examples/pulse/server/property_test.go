package server

import (
	"encoding/json"
	"testing"

	"github.com/hone-go/hone/api/apitest"
	"github.com/hone-go/hone/api/openapi"
	"github.com/hone-go/hone/examples/pulse/queue"
)

// TestDocument sends random requests, made from the server's document. Every answer conforms to the
// document, and none has status 500. Tags cannot express the rules for times and cursors, so the
// server may refuse values that the document allows.
func TestDocument(t *testing.T) {
	s := serve(t, queue.Options{})
	document := new(openapi.Document)
	if err := json.Unmarshal(s.get("/openapi.json").body, document); err != nil {
		t.Fatal(err)
	}
	apitest.Run(t, s.Config.Handler, document, apitest.Options{Lenient: true, Requests: 200})
}
