package main

import (
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"
)

func TestBehind(t *testing.T) {
	now := time.Date(2026, 11, 25, 0, 0, 0, 0, time.UTC)
	days := func(n int) published { return published{"v1.2.3", now.AddDate(0, 0, -n)} }
	for name, test := range map[string]struct {
		f    followed
		want bool
	}{
		"nothing newer":         {followed{replaced: true}, false},
		"new":                   {followed{replaced: true, since: []published{days(13)}}, false},
		"old":                   {followed{replaced: true, since: []published{days(15)}}, true},
		"old, with a newer one": {followed{replaced: true, since: []published{days(15), days(1)}}, true},
		"old, of a peer":        {followed{since: []published{days(400)}}, false},
		"listed, and not there": {followed{replaced: true, refused: []string{"v1.2.3"}}, false},
	} {
		if got := test.f.behind(now); got != test.want {
			t.Errorf("%s: %t", name, got)
		}
	}
	if got := next("v5.4.4"); !slices.Equal(got, []string{"v5.4.5", "v5.5.0", "v5.4.6", "v5.6.0"}) {
		t.Error(got)
	}
}

// TestReadmeNamesVersions checks that the README names the versions that Hone follows.
func TestReadmeNamesVersions(t *testing.T) {
	read := func(name string) string {
		text, err := os.ReadFile("../../" + name)
		if err != nil {
			t.Fatal(err)
		}
		return string(text)
	}
	want := map[string]string{
		"Echo's":      "v" + regexp.MustCompile(`const Version = "(.*)"`).FindStringSubmatch(read("web/echo.go"))[1],
		"samber/mo's": regexp.MustCompile(`github.com/samber/mo (v\S+)`).FindStringSubmatch(read("bench/suite/go.mod"))[1],
	}
	for _, m := range pinned.FindAllStringSubmatch(read(".ci/run"), -1) {
		want[m[1]+"'s"] = strings.TrimPrefix(m[2], "go")
	}
	if len(want) < 4 {
		t.Errorf("only %v are followed", want)
	}
	table, _, _ := strings.Cut(read("README.md"), "\n## ")
	for whose, version := range want {
		if !strings.Contains(table, version) {
			t.Errorf("README.md does not name %s version %s", whose, version)
		}
	}
}
