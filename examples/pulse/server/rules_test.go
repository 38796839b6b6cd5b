package server

import (
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/hone-go/hone/examples/pulse/queue"
	"github.com/hone-go/hone/examples/pulse/store"
	"github.com/hone-go/hone/examples/pulse/watch"
	"github.com/hone-go/hone/json"
)

// TestRules: an administrator makes the server read its rules again. A mistake changes nothing.
func TestRules(t *testing.T) {
	text := "high cpu > 80"
	rules, err := watch.NewRules(func() (watch.Set, error) {
		if text == "" {
			return watch.Set{}, errors.New("open rules: no such file")
		}
		return watch.Read(strings.NewReader(text))
	})
	if err != nil {
		t.Fatal(err)
	}
	s := serveWith(t, queue.Options{}, func(o *Options) { o.Rules = rules })
	if err := s.options.Store.AddToken(t.Context(), store.Token{Name: "boss", Right: store.MayAdmin, Hosts: "*"}, "secret"); err != nil {
		t.Fatal(err)
	}
	reload := func(token string) answer { return s.ask("POST", "/v1/rules", nil, "Authorization", "Bearer "+token) }
	for _, test := range []struct {
		text, token string
		status      int
		want        string
	}{
		{"critical cpu > 90", "", 401, ""},
		{"critical cpu > 90", "secret", 200, "critical cpu \\u003e 90"},
		{"high cpu", "secret", 422, "line 1"},
		{"high cpu > 80\nmaintenance daily 02:00 because x", "secret", 422, "line 2"},
		{"", "secret", 422, "no such file"},
	} {
		text = test.text
		if a := reload(test.token); a.StatusCode != test.status || !strings.Contains(strings.ReplaceAll(string(a.body), ">", "\\u003e"), test.want) {
			t.Errorf("%+v: %s %s", test, a.Status, a.body)
		}
	}
	if a := s.get("/v1/rules"); a.StatusCode != 200 || !strings.Contains(string(a.body), "critical cpu") {
		t.Errorf("%s %s", a.Status, a.body)
	}

	// A maintenance window that lasts is a silence.
	text = "high cpu > 80\nmaintenance daily 00:00-24:00 Europe/Berlin on db-* because the disks are replaced"
	if a := reload("secret"); !strings.Contains(string(a.body), `"maintenance":["maintenance daily 00:00-24:00 Europe/Berlin on db-*`) {
		t.Errorf("%s %s", a.Status, a.body)
	}
	var got silencesOutput
	if a := s.get("/v1/silences"); json.Unmarshal(a.body, &got) != nil || len(got.Silences) != 1 || got.Silences[0].Schedule != "daily 00:00-24:00 Europe/Berlin" || !got.Silences[0].Until.After(time.Now()) {
		t.Errorf("%s", a.body)
	}
}

// TestSilences: an administrator adds and ends silences.
func TestSilences(t *testing.T) {
	s := serveWith(t, queue.Options{}, func(*Options) {})
	if err := s.options.Store.AddToken(t.Context(), store.Token{Name: "boss", Right: store.MayAdmin, Hosts: "*"}, "secret"); err != nil {
		t.Fatal(err)
	}
	ask := func(method, path, body, token string) answer {
		return s.ask(method, path, []byte(body), "Authorization", "Bearer "+token, "Content-Type", "application/json")
	}
	for _, test := range []struct {
		body, token string
		status      int
	}{
		{`{"for":"2h","reason":"disks are replaced"}`, "", 401},
		{`{"for":"2h"}`, "secret", 422},
		{`{"for":"-2h","reason":"x"}`, "secret", 422},
		{`{"for":"long","reason":"x"}`, "secret", 422},
		{`{"for":"9000h","reason":"x"}`, "secret", 422},
		{`{"for":"2h","reason":"x","hosts":"["}`, "secret", 422},
		{`{"for":"2h","reason":"x","rule":"dsk"}`, "secret", 422},
		{`{"for":"2h","reason":"disks are replaced","hosts":"db-*"}`, "secret", 201},
	} {
		if a := ask("POST", "/v1/silences", test.body, test.token); a.StatusCode != test.status {
			t.Errorf("%+v: %s %s", test, a.Status, a.body)
		}
	}
	var got silencesOutput
	if a := s.get("/v1/silences"); json.Unmarshal(a.body, &got) != nil || len(got.Silences) != 1 || got.Silences[0].Hosts != "db-*" || got.Silences[0].Who != "token boss" {
		t.Fatalf("%s", a.body)
	}
	for i, status := range []int{204, 404} {
		if a := ask("DELETE", "/v1/silences/"+got.Silences[0].ID, "", "secret"); a.StatusCode != status {
			t.Errorf("%d: %s %s", i, a.Status, a.body)
		}
	}
	if a := s.get("/v1/silences"); json.Unmarshal(a.body, &got) != nil || len(got.Silences) != 0 {
		t.Errorf("%s", a.body)
	}
}
