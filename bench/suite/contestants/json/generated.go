package json

import (
	stdjson "encoding/json"
	"reflect"
	"unsafe"

	"github.com/hone-go/hone/bench/suite/contestants/generated/jsonpeer"
	"github.com/hone-go/hone/json"
)

// generatedName is the name of the contestants with generated code of Hone.
const generatedName = "hone gen -go"

// A twin is the type with generated code that has the same fields as the type of a payload.
type twin struct {
	typ    reflect.Type
	decode func(data []byte, v any) error // v is a pointer to a payload
}

// twins maps the pointer to the type of each payload to its twin.
var twins = map[reflect.Type]twin{}

func init() {
	addTwin[jsonpeer.API, jsonpeer.HoneAPI]()
	addTwin[jsonpeer.APIs, []jsonpeer.HoneAPI]()
	addTwin[jsonpeer.PlaceDocument, jsonpeer.HonePlaces]()
	addTwin[jsonpeer.PulseBatch, jsonpeer.HoneBatch]()
	addTwin[jsonpeer.CanadaDocument, jsonpeer.HoneCanada]()
	addTwin[jsonpeer.CitmDocument, jsonpeer.HoneCitm]()
	addTwin[jsonpeer.SourceDocument, jsonpeer.HoneSource]()
	addTwin[jsonpeer.FhirDocument, jsonpeer.HoneFhir]()
	addTwin[jsonpeer.TwitterDocument, jsonpeer.HoneTwitter]()
}

// addTwin adds Twin as the twin of T. Both have the same layout in memory, so a T is decoded as a Twin.
func addTwin[T, Twin any]() {
	twins[reflect.TypeFor[*T]()] = twin{reflect.TypeFor[Twin](), func(data []byte, v any) error {
		return json.Unmarshal(data, (*Twin)(unsafe.Pointer(v.(*T))))
	}}
}

// hasTwin reports whether there is generated code for the payload v, a pointer.
func hasTwin(v any) bool { return twins[reflect.TypeOf(v)].typ != nil }

// decodeTwin decodes into a payload with the code of its twin.
func decodeTwin(data []byte, v any) error { return twins[reflect.TypeOf(v)].decode(data, v) }

// encodeTwin returns an encoder for payloads with a twin. It converts a payload on the first call.
func encodeTwin() func(buf []byte, v any) ([]byte, error) {
	var payload, twin any
	return func(buf []byte, v any) ([]byte, error) {
		if v != payload {
			p, err := twinOf(v)
			if err != nil {
				return nil, err
			}
			payload, twin = v, p
		}
		return json.Append(buf[:0], twin)
	}
}

// twinOf returns a pointer to the twin of *v. The elements of a slice cannot be converted, so a slice
// is copied through its JSON.
func twinOf(v any) (any, error) {
	t := twins[reflect.TypeOf(v)].typ
	if from := reflect.ValueOf(v); from.Elem().CanConvert(t) {
		return from.Convert(reflect.PointerTo(t)).Interface(), nil
	}
	to := reflect.New(t).Interface()
	text, err := stdjson.Marshal(v)
	if err == nil {
		err = stdjson.Unmarshal(text, to)
	}
	return to, err
}
