//go:build go1.27 && goexperiment.jsonv2

package union_test

import (
	"bytes"
	"reflect"
	"testing"

	"github.com/hone-go/hone/json/jsontext"
	jsonv2 "github.com/hone-go/hone/json/v2"
	"github.com/hone-go/hone/json/v2/shadow"
)

// TestStdEngineV2 selects encoding/json/v2 in each call of version 2. Values with declared cases
// must still be handled by Hone's engine, since the other engine would lose their case.
func TestStdEngineV2(t *testing.T) {
	std := jsonv2.WithEngine(jsonv2.StdEngine)
	v := []Event{Empty{}}
	const want = `[{"type":"empty"}]`
	var written bytes.Buffer
	codec := jsonv2.For[[]Event](std)
	for name, encode := range map[string]func() ([]byte, error){
		"Marshal": func() ([]byte, error) { return jsonv2.Marshal(v, std) },
		"Append":  func() ([]byte, error) { return jsonv2.Append(nil, v, std) },
		"Codec":   func() ([]byte, error) { return codec.Append(nil, &v) },
		"MarshalWrite": func() ([]byte, error) {
			err := jsonv2.MarshalWrite(&written, v, std)
			return written.Bytes(), err
		},
		"MarshalEncode": func() ([]byte, error) {
			var out bytes.Buffer
			err := jsonv2.MarshalEncode(jsontext.NewEncoder(&out), v, std)
			return bytes.TrimSpace(out.Bytes()), err
		},
	} {
		if got, err := encode(); err != nil || string(got) != want {
			t.Errorf("%s: %s %v", name, got, err)
		}
	}
	for name, decode := range map[string]func(v *[]Event) error{
		"Unmarshal":     func(v *[]Event) error { return jsonv2.Unmarshal([]byte(want), v, std) },
		"Codec":         func(v *[]Event) error { return codec.Unmarshal([]byte(want), v) },
		"UnmarshalRead": func(v *[]Event) error { return jsonv2.UnmarshalRead(bytes.NewReader([]byte(want)), v, std) },
		"UnmarshalDecode": func(v *[]Event) error {
			return jsonv2.UnmarshalDecode(jsontext.NewDecoder(bytes.NewReader([]byte(want))), v, std)
		},
	} {
		var got []Event
		if err := decode(&got); err != nil || !reflect.DeepEqual(got, v) {
			t.Errorf("%s: %v %v", name, got, err)
		}
	}
}

// TestShadowV2 calls the shadow of version 2. Calls with declared cases must return the result of
// Hone's engine. They are not compared, and Counts.Passed counts them.
func TestShadowV2(t *testing.T) {
	shadow.Set(shadow.Settings{Share: 1})
	before := shadow.Report{}.Counts()
	got, err := shadow.Marshal([]Event{Empty{}})
	if err != nil || string(got) != `[{"type":"empty"}]` {
		t.Errorf("%s %v", got, err)
	}
	var v []Event
	if err := shadow.Unmarshal(got, &v); err != nil || !reflect.DeepEqual(v, []Event{Empty{}}) {
		t.Errorf("%v %v", v, err)
	}
	if after := (shadow.Report{}).Counts(); after.Passed != before.Passed+2 || after.Compared != before.Compared {
		t.Errorf("%+v, before %+v", after, before)
	}
}
