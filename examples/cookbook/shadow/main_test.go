package main

import (
	"net/http/httptest"
	"strings"
	"testing"

	hone "github.com/hone-go/hone/json"
	json "github.com/hone-go/hone/json/shadow"
)

func Test(t *testing.T) {
	h := handler()
	defer json.Set(json.Settings{})
	defer json.Answer(hone.StdEngine)
	for _, engine := range []hone.Engine{hone.StdEngine, hone.HoneEngine} {
		json.Answer(engine)
		json.Set(json.Settings{Share: 1, Report: func(d json.Difference) { t.Errorf("%+v", d) }})
		before := json.Report{}.Counts()
		for body, want := range map[string]string{
			`{"terms":[1,2.5,-0.25]}`: `{"terms":[1,2.5,-0.25],"sum":3.25}`,
			`{"TERMS":null}`:          `{"terms":null,"sum":0}`,
			`{"terms":[1e400]}`:       "",
			`{"terms":`:               "",
		} {
			w := httptest.NewRecorder()
			h.ServeHTTP(w, httptest.NewRequest("POST", "/sum", strings.NewReader(body)))
			if got := strings.TrimSpace(w.Body.String()); want != "" && got != want || (w.Code == 200) != (want != "") {
				t.Errorf("%s: %d %s, want %s", body, w.Code, got, want)
			}
		}
		if after := (json.Report{}).Counts(); after.Compared-before.Compared < 5 || after.Different != before.Different {
			t.Errorf("engine %v: before %+v, after %+v", engine, before, after)
		}
	}
	w := httptest.NewRecorder()
	h.ServeHTTP(w, httptest.NewRequest("GET", "/debug/vars", nil))
	if !strings.Contains(w.Body.String(), `"json_shadow"`) {
		t.Errorf("/debug/vars: %s", w.Body)
	}
}
