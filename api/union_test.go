package api_test

import (
	"context"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/hone-go/hone/api"
	"github.com/hone-go/hone/union"
)

type (
	notice interface{ isNotice() }
	opened struct {
		ID int `json:"id"`
	}
	closed struct {
		Reason string `json:"reason"`
	}
)

func (opened) isNotice()  {}
func (*closed) isNotice() {}

var _ = union.Internal[notice]("type", union.Case[opened]("opened", 1), union.Case[*closed]("closed", 2))

// TestEventsOfUnions sends the cases of an interface as events, by value, in the interface and by a
// pointer to it.
func TestEventsOfUnions(t *testing.T) {
	mux := http.NewServeMux()
	listed := true
	send := func(_ context.Context, _ *struct{}, events *api.Events) error {
		var n notice = &closed{"late"}
		for _, v := range []any{opened{1}, n, &n, notice(opened{2}), 3, nil} {
			if err := events.SendJSON("", v); err != nil {
				return err
			}
		}
		if err := events.SendJSON("", &opened{}); (err != nil) != listed {
			t.Errorf("a pointer to a case: %v", err)
		}
		return nil
	}
	api.HandleEvents(api.Mux(mux), "GET /listed", send, api.Operation{Events: map[string]any{"": (*notice)(nil), "x": 0}})
	api.HandleEvents(api.Mux(mux), "GET /unlisted", send)
	for path, want := range map[string]string{
		"/listed":   `{"type":"opened","id":1} {"type":"closed","reason":"late"} {"type":"closed","reason":"late"} {"type":"opened","id":2} 3 null `,
		"/unlisted": `{"id":1} {"reason":"late"} {"type":"closed","reason":"late"} {"id":2} 3 null {"id":0} `,
	} {
		listed = path == "/listed"
		w := httptest.NewRecorder()
		mux.ServeHTTP(w, httptest.NewRequest("GET", path, nil))
		got := strings.ReplaceAll(strings.ReplaceAll(w.Body.String(), "data: ", ""), "\n\n", " ")
		if got != want {
			t.Errorf("%s: %s\nwant %s", path, got, want)
		}
	}
}

// TestAnswersOfUnions answers with different cases under one status.
func TestAnswersOfUnions(t *testing.T) {
	mux := http.NewServeMux()
	type in struct {
		Late bool `query:"late"`
	}
	api.Handle(api.Mux(mux), "GET /notice", func(_ context.Context, in *in) (*notice, error) {
		var n notice = opened{1}
		if in.Late {
			n = &closed{"late"}
		}
		return &n, nil
	})
	for path, want := range map[string]string{"/notice": `{"type":"opened","id":1}`, "/notice?late=true": `{"type":"closed","reason":"late"}`} {
		w := httptest.NewRecorder()
		mux.ServeHTTP(w, httptest.NewRequest("GET", path, nil))
		if got := strings.TrimSpace(w.Body.String()); w.Code != 200 || got != want {
			t.Errorf("%s: %d %s", path, w.Code, got)
		}
	}
}

// TestUnionsAsParameters: the error at registration says why a union cannot be a parameter.
func TestUnionsAsParameters(t *testing.T) {
	defer func() {
		if text := fmt.Sprint(recover()); !strings.Contains(text, "its declared cases are identified in JSON, so it can only be in a body") {
			t.Errorf("%s", text)
		}
	}()
	api.Handle(api.Mux(http.NewServeMux()), "GET /x", func(context.Context, *struct {
		N []notice `query:"n"`
	}) (*struct{}, error) {
		return nil, nil
	})
}
