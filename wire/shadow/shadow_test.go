package shadow_test

import (
	"bytes"
	"errors"
	"log/slog"
	"strings"
	"testing"
	"time"

	"github.com/hone-go/hone/wire"
	"github.com/hone-go/hone/wire/shadow"
)

type reading struct {
	Host   string
	Values []float64
	At     time.Time
	Labels map[string]string
}

func example() *reading {
	return &reading{"a", []float64{1, 2.5}, time.Date(2026, 1, 2, 3, 4, 5, 6, time.UTC), map[string]string{"k": "v"}}
}

// TestSame encodes with gob and compares the wire format. There must be no difference.
func TestSame(t *testing.T) {
	var log bytes.Buffer
	codec, err := wire.For[reading]()
	if err != nil {
		t.Fatal(err)
	}
	c := shadow.New(shadow.Gob[reading](), codec, shadow.Settings{Share: 1, Logger: slog.New(slog.NewTextHandler(&log, nil))})
	data, err := c.Marshal(example())
	if err != nil {
		t.Fatal(err)
	}
	var back reading
	if err := c.Unmarshal(data, &back); err != nil || back.Host != "a" || !back.At.Equal(example().At) {
		t.Errorf("%+v, %v", back, err)
	}
	if err := c.Unmarshal([]byte("x"), &back); err == nil {
		t.Error("no error for bytes that are not a gob")
	}
	n := c.Counts()
	if n.Calls != 3 || n.Compared != 2 || n.Passed != 1 || n.Different != 0 || n.BytesOther == 0 || n.BytesOther >= n.BytesAnswered {
		t.Errorf("%+v", n)
	}
	if log.Len() > 0 {
		t.Error(log.String())
	}
}

// TestDifferent compares gob with formats that lose an element, fail, or panic. Each difference
// must be counted and reported.
func TestDifferent(t *testing.T) {
	codec, err := wire.For[reading]()
	if err != nil {
		t.Fatal(err)
	}
	for want, other := range map[string]shadow.Funcs[reading]{
		"value .Values 2 elements": {Encode: codec.Marshal, Decode: func(data []byte, v *reading) error {
			err := codec.Unmarshal(data, v)
			v.Values = v.Values[:1]
			return err
		}},
		"error  no error": {Encode: func(*reading) ([]byte, error) { return nil, errors.New("secret") }},
		"panic  a result": {Encode: codec.Marshal, Decode: func([]byte, *reading) error { panic("secret") }},
	} {
		var got []string
		var log bytes.Buffer
		c := shadow.New(shadow.Codec[reading](codec), shadow.Codec[reading](other), shadow.Settings{
			Share: 1, Logger: slog.New(slog.NewTextHandler(&log, nil)),
			Report: func(d shadow.Difference) { got = append(got, d.What+" "+d.Path+" "+d.Answered) },
		})
		data, err := c.Marshal(example())
		if err != nil {
			t.Fatal(err)
		}
		var back reading
		if err := c.Unmarshal(data, &back); err != nil || len(back.Values) != 2 {
			t.Errorf("the caller got %+v, %v", back, err)
		}
		if len(got) != 2 || got[0] != want || got[1] != want || strings.Contains(log.String(), "secret") {
			t.Errorf("%q, want %q twice\n%s", got, want, &log)
		}
	}
}
