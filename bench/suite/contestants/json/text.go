package json

import (
	"bytes"
	stdjson "encoding/json"
	"errors"

	"github.com/bytedance/sonic"
	goccy "github.com/goccy/go-json"
	segmentio "github.com/segmentio/encoding/json"

	"github.com/hone-go/hone/bench/suite/contest"
	"github.com/hone-go/hone/json"
)

// A textWork is a function that processes JSON text without Go types. It writes its output to w.
type textWork func(w *bytes.Buffer, text []byte) error

// checking is the work of a function that reports whether a text is valid.
func checking(valid func([]byte) bool) textWork {
	return func(_ *bytes.Buffer, text []byte) error {
		if !valid(text) {
			return errors.New("the function Valid returns false for a valid text")
		}
		return nil
	}
}

func indenting(indent func(w *bytes.Buffer, text []byte, prefix, indent string) error) textWork {
	return func(w *bytes.Buffer, text []byte) error { return indent(w, text, "", "  ") }
}

type textEngine struct {
	name string
	work textWork
}

// textContests process the text of the Twitter document without Go types. All contestants write to one
// buffer, which grows only once.
func textContests() []contest.Contest {
	return []contest.Contest{
		textContest("json/twitter text/valid", validates, validTexts, []textEngine{
			{"hone", checking(json.Valid)}, {"encoding/json", checking(stdjson.Valid)}, {"goccy/go-json", checking(goccy.Valid)},
			{"sonic ConfigStd", checking(sonic.ConfigStd.Valid)}, {"segmentio/encoding", checking(segmentio.Valid)},
		}),
		textContest("json/twitter text/compact", compacts, compactTexts, []textEngine{
			{"hone", json.Compact}, {"encoding/json", stdjson.Compact}, {"goccy/go-json", goccy.Compact}, {"segmentio/encoding", segmentio.Compact},
		}),
		textContest("json/twitter text/indent", indents, indentTexts, []textEngine{
			{"hone", indenting(json.Indent)}, {"encoding/json", indenting(stdjson.Indent)}, {"goccy/go-json", indenting(goccy.Indent)},
			{"segmentio/encoding", indenting(segmentio.Indent)},
		}),
	}
}

// textContest returns a contest of functions whose output must equal encoding/json's. If promises
// is set, the contestants are probed with texts.
func textContest(name, promises string, texts []textProbe, engines []textEngine) contest.Contest {
	c := contest.Contest{Name: name, Promises: promises}
	for _, engine := range engines {
		var probes *contest.Probes
		if promises != "" {
			probes = onText(engine.work, texts)
		}
		c.Contestants = append(c.Contestants, contest.Contestant{Name: engine.name, Probes: probes, New: func() (func(int), error) {
			text, err := goDocument("twitter_status")
			if err != nil {
				return nil, err
			}
			var got, want bytes.Buffer
			if err := errors.Join(engine.work(&got, text), engines[1].work(&want, text)); err != nil {
				return nil, err
			}
			if !bytes.Equal(got.Bytes(), want.Bytes()) {
				return nil, errors.New("the output differs from encoding/json's")
			}
			return contest.Loop(func() {
				got.Reset()
				_ = engine.work(&got, text)
			}), nil
		}})
	}
	return c
}
