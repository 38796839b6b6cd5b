package limit_test

import (
	"reflect"
	"strings"
	"testing"

	"github.com/hone-go/hone/internal/limit"
)

type costly struct {
	Bounded string            `json:"bounded" length:"1..64" pattern:"^([a-z]+[0-9]?){1,100}$"`
	Open    string            `json:"open" pattern:"^([a-z]+[0-9]?){1,100}$"`
	List    []string          `json:"list" length:"..2" pattern:"^([a-z]+[0-9]?){1,100}$"`
	Map     map[string]string `json:"map" pattern:"^([a-z]+[0-9]?){1,100}$"`
	Least   string            `json:"least" length:"3.." pattern:"^([a-z]+[0-9]?){1,100}$"`
	Mail    string            `json:"mail" format:"email"`
	Host    string            `json:"host" format:"hostname"`
	Enum    string            `json:"enum" enum:"a,b" pattern:"^([a-z]+[0-9]?){1,100}$"`
}

func fair() *costly {
	return &costly{Bounded: "a", Open: "a", Least: "abc", Mail: "a@example.org", Host: "a", Enum: "a"}
}

// TestCostOfRefusedStrings checks strings of 4 MiB. None of them is matched against the pattern, which
// would take many seconds: no string fits its pattern, and only the other fault is reported.
func TestCostOfRefusedStrings(t *testing.T) {
	long := strings.Repeat("A", 4<<20)
	for name, test := range map[string]struct {
		change func(*costly)
		want   string
	}{
		"a length":         {func(v *costly) { v.Bounded = long }, ".bounded must have 1 to 64 characters"},
		"no length":        {func(v *costly) { v.Open = long }, ".open must have at most 65536 characters"},
		"a list's length":  {func(v *costly) { v.List = []string{long} }, ".list[0] must have at most 65536 characters"},
		"a map":            {func(v *costly) { v.Map = map[string]string{"k": long} }, `.map.k must have at most 65536 characters`},
		"a length at last": {func(v *costly) { v.Least = long }, ".least must have at most 65536 characters"},
		"email":            {func(v *costly) { v.Mail = long }, ".mail must be an email address"},
		"hostname":         {func(v *costly) { v.Host = long }, ".host must be a host name"},
		"enum":             {func(v *costly) { v.Enum = long }, ".enum must be one of a, b"},
	} {
		v := fair()
		test.change(v)
		got := check(t, v)
		if !reflect.DeepEqual(got, []string{test.want}) {
			t.Errorf("%s: got %q, want %q", name, got, test.want)
		}
	}
}

// TestLongestMatched checks strings of about MaxMatched characters. A longer string must be
// refused, unless the tag length permits it.
func TestLongestMatched(t *testing.T) {
	for _, test := range []struct {
		text string
		ok   bool
	}{
		{strings.Repeat("é", limit.MaxMatched), true},
		{strings.Repeat("é", limit.MaxMatched+1), false},
		{strings.Repeat("\xff", limit.MaxMatched), true},
	} {
		type open struct {
			Text string `json:"text" pattern:"^[^a]*$"`
		}
		if got := check(t, &open{test.text}); (got == nil) != test.ok {
			t.Errorf("%d bytes: %q", len(test.text), got)
		}
		type bounded struct {
			Text string `json:"text" length:"..1000000" pattern:"^[^a]*$"`
		}
		if got := check(t, &bounded{test.text}); got != nil {
			t.Errorf("%d bytes, with a length: %q", len(test.text), got)
		}
	}
}
