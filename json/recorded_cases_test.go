//lint:file-ignore SA5008,SA9005,U1000 some cases need wrong tags or unused fields

package json

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"strings"
	"time"

	"github.com/hone-go/hone/internal/test/testkit/keys"
)

// A recordedTarget creates values to decode into. Its texts are decoded in addition to the texts
// for all targets.
type recordedTarget struct {
	make  func() any
	texts []string
}

func recTarget[T any](texts ...string) recordedTarget {
	return recordedTarget{func() any { return new(T) }, texts}
}

// filled returns a recordedTarget whose values are not zero.
func filled[T any](v func() T, texts ...string) recordedTarget {
	return recordedTarget{func() any { x := v(); return &x }, texts}
}

type (
	recInner struct {
		A int    `json:"a"`
		B string `json:"b,omitempty"`
	}
	recNode struct {
		V    int
		Next *recNode
		All  []recNode
		Of   map[string]*recNode
	}
	recTags struct {
		Plain   int
		Renamed int    `json:"renamed"`
		Empty   string `json:",omitempty"`
		Zero    int    `json:",omitzero"`
		Both    []int  `json:"both,omitempty,omitzero"`
		Dash    int    `json:"-"`
		Comma   int    `json:"-,"`
		String  int    `json:",string"`
		hidden  int
		Odd     int `json:"a b"`
		Bad     int `json:"a\\b"`
		Quote   int `json:"\"q\""`
		Unknown int `json:"u,nonsense"`
		Value   int `json:"v,string=x"`
		Html    int `json:"<&>"`
		Unicode int `json:"é\u2028"`
		Broken  int `json:"\xff"`
		Single  int `json:"'single'"`
		Double  int `json:"'do,ble',string"`
		Percent int `json:"%"`
	}
	recCase struct {
		Strict int `json:"strict,case:strict"`
		Ignore int `json:"ig_nore,case:ignore"`
		Plain  int `json:"plain"`
		PLAIN  int `json:"PLAIN"`
		KelviN int `json:"Kelvin"`
	}
	recQuoted struct {
		B   bool        `json:",string"`
		S   string      `json:",string"`
		I   int8        `json:",string"`
		U   uint64      `json:",string"`
		F   float64     `json:",string"`
		F3  float32     `json:",string"`
		N   json.Number `json:",string"`
		P   *int        `json:",string"`
		PP  **bool      `json:",string"`
		PS  *string     `json:",string"`
		A   any         `json:",string"`
		L   []int       `json:",string"`
		D   recDuration `json:",string"`
		T   recText     `json:",string"`
		J   recJSON     `json:",string"`
		Up  uintptr     `json:",string"`
		Tim time.Time   `json:",string"`
	}
	recDuration time.Duration
	recEmbedded struct {
		recInner
		*recPointer
		Named recInner `json:"named"`
		recOne
		recTwo
		recText
	}
	recPointer struct{ P int }
	RecPublic  struct{ X, Y int }
	recOne     struct{ Same, One int }
	recTwo     struct{ Same, Two int }
	recEmbeds  struct {
		RecPublic
		*recInner
	}
	recEmbedsText struct {
		recTextual
		A int
	}
	recTextual struct{ T int }
	recRest    struct {
		A     int
		Other map[string]any `json:",embed"`
	}
	recRestRaw struct {
		A     int
		Other json.RawMessage `json:",embed"`
	}
	recRestInts struct {
		Other map[string]int `json:",embed"`
		B     int            `json:"b"`
	}
	recStrictKeys struct {
		Int    map[int]int
		Int8   map[int8]int
		Uint   map[uint16]int
		String map[recName]int
	}
	recName    string
	recText    struct{ S string }
	recTextP   struct{ S string }
	recJSON    struct{ S string }
	recJSONP   struct{ S string }
	recFails   struct{ S string }
	recFailing struct {
		A int
		F recFails
		B int
		G []recFails
	}
	recMulti  struct{ S string } // has methods for JSON and for text
	recAppend struct{ S string }
	recRaw    struct {
		R json.RawMessage
		P *json.RawMessage
		M map[string]json.RawMessage
	}
	recFace struct {
		A any
		E error
		S fmt.Stringer
		P any
	}
	recBytes struct {
		B  []byte
		N  []recByte
		A  [3]byte
		T  []recByteText
		NB recByteSlice
	}
	recByte      byte
	recByteSlice []byte
	recByteText  byte
	recKinds     struct {
		I    int
		I8   int8
		U    uint
		U8   uint8
		F    float64
		F3   float32
		S    string
		B    bool
		P    *int
		L    []int
		Arr  [2]int
		M    map[string]int
		A    any
		St   recInner
		Nu   json.Number
		Ti   time.Time
		Du   time.Duration
		Anon struct{ X int }
	}
	recTimes struct {
		T time.Time
		P *time.Time
		L []time.Time
		M map[string]time.Time
		A struct{ time.Time }
	}
	recFloat32 float32
	recEOF     struct{}
	recSyntax  struct{}
	recStop    struct{ N int }
)

func (d recDuration) String() string               { return "duration" }
func (t recTextual) MarshalText() ([]byte, error)  { return []byte(fmt.Sprint("textual ", t.T)), nil }
func (t *recTextual) UnmarshalText(b []byte) error { t.T = len(b); return nil }
func (t recText) MarshalText() ([]byte, error)     { return []byte("<" + t.S + "\xff>"), nil }
func (t *recText) UnmarshalText(b []byte) error    { t.S = string(b); return nil }
func (t *recTextP) MarshalText() ([]byte, error)   { return []byte("p" + t.S), nil }
func (t *recTextP) UnmarshalText(b []byte) error   { t.S = string(b); return nil }
func (t recJSON) MarshalJSON() ([]byte, error)     { return []byte("[ \"" + t.S + "<\xff\" ]"), nil }
func (t *recJSON) UnmarshalJSON(b []byte) error    { t.S = fmt.Sprint("json:", len(b)); return nil }
func (t *recJSONP) MarshalJSON() ([]byte, error)   { return []byte(` { "p" : 1 } `), nil }
func (t *recJSONP) UnmarshalJSON(b []byte) error   { t.S = string(b); return nil }
func (t recFails) MarshalJSON() ([]byte, error)    { return nil, errors.New("does not encode") }
func (t *recFails) UnmarshalJSON(b []byte) error   { return fmt.Errorf("does not decode %s", b) }
func (t recMulti) MarshalJSON() ([]byte, error)    { return []byte(`"json"`), nil }
func (t recMulti) MarshalText() ([]byte, error)    { return []byte("text"), nil }
func (t *recMulti) UnmarshalJSON(b []byte) error   { t.S = "json:" + string(b); return nil }
func (t *recMulti) UnmarshalText(b []byte) error   { t.S = "text:" + string(b); return nil }
func (t recAppend) AppendText(b []byte) ([]byte, error) {
	return append(append(b, "append "...), t.S...), nil
}
func (b recByteText) MarshalText() ([]byte, error)  { return []byte{'b', byte(b)}, nil }
func (b *recByteText) UnmarshalText(t []byte) error { *b = recByteText(len(t)); return nil }
func (*recEOF) UnmarshalJSON([]byte) error          { return io.EOF }
func (*recSyntax) UnmarshalJSON(b []byte) error     { return json.Unmarshal([]byte(`{"x`), new(any)) }
func (s *recStop) UnmarshalText(b []byte) error     { return errors.ErrUnsupported }

var recordedTargets = []recordedTarget{
	recTarget[any](), recTarget[string](), recTarget[bool](), recTarget[int](), recTarget[int8]("127", "128", "-129", "1.0", "1e2"), recTarget[uint64]("18446744073709551615", "18446744073709551616"),
	recTarget[float64]("1e308", "-1e400", "5e-324", "1e-400"), recTarget[float32]("3.5e38", "1e39", "-1e39"), recTarget[recFloat32]("1e39"), recTarget[uintptr](),
	filled(func() float64 { return 1.5 }, "1e400"), filled(func() any { return 7.5 }, "1e400", "[1e400]"), filled(func() any { v := 3; return &v }), filled(func() any { p := new(int); return &p }),
	recTarget[*int](), recTarget[**string](), recTarget[[]int]("[1,2,3]", `[1,"x",3]`), recTarget[[2]int]("[1]", "[1,2,3]"), recTarget[[]any](), recTarget[map[string]int](`{"a":1,"b":"x","c":3}`), recTarget[map[string]any](),
	filled(func() []int { return []int{1, 2, 3, 4}[:2] }, "[9]", "[9,8,7]", "null"), filled(func() map[string]int { return map[string]int{"a": 9, "z": 8} }, `{"a":null}`, `{"a":"x"}`, "null"),
	filled(func() map[string]recInner { return map[string]recInner{"a": {1, "b"}} }, `{"a":{"b":"c"}}`), filled(func() [3]int { return [3]int{7, 8, 9} }, "[1]"), filled(func() []recInner { return []recInner{{1, "x"}, {2, "y"}} }, `[{"a":5}]`),
	recTarget[recInner](`{"a":1,"a":2}`, `{"A":3,"a":"x"}`, `{"a":1,"c":{"a":[1,2]}}`, `{"a":"\u0031"}`), recTarget[recNode](`{"V":1,"Next":{"V":"x","All":[{"V":2},{"Next":{"V":[]}}],"Of":{"k~/":{"V":true}}}}`),
	recTarget[recTags](`{"Plain":1,"renamed":2,"Empty":"e","Zero":3,"both":[1],"Dash":4,"-":5,"String":"6","hidden":7,"a b":8,"a\\b":9,"\"q\"":10,"u":11,"v":"12","Bad":13,"Quote":14}`, `{" sp ":"1","sp":2,"<&>":3,"é\u2028":4,"Broken":5,"\ufffd":6,"single":7,"'single'":8,"do,ble":"9","%":10,"Space":"1"}`, `{"v":12," sp ":1}`),
	recTarget[recCase](`{"STRICT":1,"strict":2}`, `{"IGNORE":1,"ig-nore":2,"ig_NORE":3}`, `{"Plain":1}`, `{"plain":1,"PLAIN":2,"pLAIN":3}`, "{\"\u212aelvin\":4}"),
	recTarget[recQuoted](`{"B":"true","S":"\"s\"","I":"5","U":"7","F":"1.5","F3":"2.5","N":"3","P":"4","PP":"true","PS":"\"x\"","A":"1","L":[1],"D":"9","T":"t","J":"j","Up":"5","Tim":"2000-01-01T00:00:00Z"}`,
		`{"B":true}`, `{"S":"s"}`, `{"S":"null"}`, `{"S":null}`, `{"I":5}`, `{"I":"300"}`, `{"I":"0x5"}`, `{"I":"+5"}`, `{"I":" 5"}`, `{"I":"null"}`, `{"I":""}`, `{"I":"5 "}`, `{"I":"1.0"}`, `{"U":"-1"}`, `{"F":"x"}`, `{"F":"1e400"}`, `{"F":"NaN"}`, `{"F":"Infinity"}`, `{"F":"0x1p4"}`, `{"F3":"1e39"}`, `{"N":3}`, `{"N":"x"}`, `{"N":"null"}`, `{"N":""}`, `{"N":"\"3\""}`,
		`{"P":"null"}`, `{"P":null}`, `{"P":4}`, `{"PP":"false"}`, `{"PP":"null"}`, `{"PS":"null"}`, `{"PS":"\"null\""}`, `{"PS":"x"}`, `{"D":9}`, `{"D":"x"}`, `{"B":"True"}`, `{"B":"null"}`, `{"B":[]}`, `{"S":5}`, `{"S":{}}`, `{"I":[1]}`, `{"I":{"a":1}}`, `{"I":true}`, `{"J":5}`, `{"T":5}`, `{"F":1e400}`, `{"S":"\"a"}`, `{"S":"\"a\" "}`, `{"S":"\"\\q\""}`, `{"B":"tr"}`, `{"I":"1x"}`, `{"A":1}`, `{"L":"x"}`),
	recTarget[recEmbedded](`{"a":1,"P":2,"named":{"a":3},"Same":4,"One":5,"Two":6}`), recTarget[recEmbeds](`{"X":1,"a":2}`, `{"Y":1}`), recTarget[recEmbedsText](`{"A":1}`, `"abc"`),
	recTarget[recRest](`{"A":1,"z":2,"y":[1]}`, `{"z":1,"z":2}`), recTarget[recRestRaw](`{"A":1,"z": 2 ,"y":[1, 2]}`), recTarget[recRestInts](`{"b":1,"z":2,"y":"x","w":3}`),
	recTarget[recStrictKeys](`{"Int":{"1":1,"x":2,"+3":3,"04":4},"Int8":{"300":1},"Uint":{"-1":1,"2":2},"String":{"a":1}}`, `{"Int":{"null":1}}`, `{"Int8":{"300":"x"}}`, `{"Int":{"1":"x"}}`),
	recTarget[recText](`""`), recTarget[recTextP](), recTarget[recJSON](), recTarget[recJSONP](), recTarget[recFails](), recTarget[recFailing](`{"A":1,"F":2,"B":3,"G":[1,2]}`, `{"A":"x","F":1}`, `{"G":[{}],"B":2}`), recTarget[recMulti](), recTarget[recAppend](), recTarget[recStop](`"x"`),
	recTarget[*recText](), recTarget[[]recText](`["a","b",3]`), recTarget[map[string]recJSON](`{"a":[ 1 , 2 ]}`), recTarget[map[recText]int](`{"a":1}`), recTarget[map[recMulti]int](`{"a":1}`), recTarget[map[recStop]int](`{"a":1}`),
	recTarget[recRaw](`{"R": [1 , 2] ,"P":null,"M":{"a": 1 }}`, `{"R":null,"P":5}`), recTarget[recFace](`{"E":"x"}`, `{"E":null,"S":{}}`, `{"E":1e400}`, `{"A":{"b":[1e400]}}`),
	filled(func() recFace { return recFace{E: &recError{}, P: &recInner{A: 1}} }, `{"P":{"b":"x"},"E":{"N":1}}`, `{"P":null}`, `{"P":5}`),
	filled(func() recFace { return recFace{E: recValueError(1), S: recDuration(3), A: (*int)(nil), P: 5} }, recordedFaces...),
	filled(func() recFace {
		return recFace{E: (*recError)(nil), S: (*recDuration)(nil), A: recValueError(2), P: (**int)(nil)}
	}, recordedFaces...),
	filled(func() error { return recValueError(1) }), filled(func() error { return (*recError)(nil) }), filled(func() error { return &recError{1} }, `{"N":"x"}`), filled(func() fmt.Stringer { return recDuration(3) }),
	filled(func() []error { return []error{recValueError(1), (*recError)(nil), &recError{1}, nil} }, `[1,"x",{"N":2},[]]`, `[null,null,null]`, `[[],{},5]`), filled(func() map[string]error { return map[string]error{"a": recValueError(1), "b": &recError{2}} }, `{"a":1,"b":{"N":5}}`, `{"a":null,"b":null}`), filled(func() [2]fmt.Stringer { return [2]fmt.Stringer{recDuration(1), (*recDuration)(nil)} }, `[1,2]`, `[{}]`),
	filled(func() *error { e := error(recValueError(1)); return &e }, `[1]`),
	recTarget[recBytes](`{"B":"AQID","N":"AQID","A":[1,2,3],"T":["x","yy"],"NB":"AQ=="}`, `{"B":"AQ"}`, `{"B":"!!!!"}`, `{"B":"A\r\nQ=="}`, `{"B":""}`, `{"B":[1,2]}`, `{"B":[300]}`, `{"A":"AQID"}`, `{"T":"AQID"}`, `{"N":[1,2]}`, `{"B":5}`, `{"B":"AQID!"}`),
	filled(func() recBytes { return recBytes{B: []byte("abcdef")} }, `{"B":"AQ=="}`, `{"B":"AQ=!"}`, `{"B":null}`),
	recTarget[recKinds](recordedAllKinds...), recTarget[[]recKinds](`[{"I":"x"},{"I":1}]`), recTarget[map[string]recKinds](`{"k":{"L":[1,"x"]}}`), recTarget[*recKinds](`{"Anon":{"X":"y"}}`, `{"P":"x"}`, `{"St":{"a":"x"}}`, `{"St":5}`),
	recTarget[recTimes](`{"T":"2000-01-02T03:04:05Z"}`, `{"T":"2000-01-02T03:04:05.123456789+01:00"}`, `{"T":"2000-01-02t03:04:05z"}`, `{"T":"2000-1-2T03:04:05Z"}`, `{"T":"2000-01-02T3:04:05Z"}`, `{"T":"2000-01-02T03:04:05,5Z"}`, `{"T":"2000-01-02T03:04:05+24:00"}`, `{"T":"x"}`, `{"T":5}`, `{"T":{}}`, `{"T":null}`, `{"P":"2000-01-02T03:04:05Z"}`, `{"L":["2000-01-02T03:04:05Z",5]}`, `{"M":{"a":true}}`, `{"A":"2000-01-02T03:04:05Z"}`, `{"T":"2000\u002d01-02T03:04:05Z"}`, `{"T":"2000-02-30T03:04:05Z"}`),
	recTarget[json.Number](`"12"`, `"x"`, `""`, `" 1"`, `1e999`), recTarget[[]json.Number](`[1,"2","x",true]`), recTarget[json.RawMessage](), recTarget[*json.RawMessage](), recTarget[time.Duration](), recTarget[recEOF](), recTarget[recSyntax](), recTarget[struct{ E recEOF }](`{"E":1}`), recTarget[[]recSyntax](`[1,2]`),
	recTarget[chan int](), recTarget[func()](), recTarget[complex128](), recTarget[struct{ C chan int }](`{"C":1}`, `{"C":null}`), recTarget[map[string]chan int](`{"a":1}`), recTarget[error](), recTarget[fmt.Stringer](),
	recTarget[map[int]int](recordedKeys...), recTarget[map[int8]int](recordedKeys...), recTarget[map[uint]int](recordedKeys...), recTarget[map[float64]int](recordedKeys...), recTarget[map[float32]int](recordedKeys...), recTarget[map[bool]int](recordedKeys...), recTarget[map[any]int](recordedKeys...), recTarget[map[recInner]int](recordedKeys...), recTarget[map[[1]int]int](recordedKeys...),
	recTarget[map[fmt.Stringer]int](recordedKeys...), recTarget[map[chan int]int](recordedKeys...), recTarget[map[json.Number]int](recordedKeys...), recTarget[map[time.Time]int](`{"2000-01-01T00:00:00Z":1}`, `{"x":1}`), recTarget[map[time.Duration]int](recordedKeys...), recTarget[map[recName]int](recordedKeys...), recTarget[map[uintptr]int](recordedKeys...),
	recTarget[map[keys.Text]int](recordedKeys...), recTarget[map[keys.TextPointer]int](recordedKeys...), recTarget[map[keys.Append]int](recordedKeys...), recTarget[map[keys.JSON]int](recordedKeys...), recTarget[map[keys.JSONPointer]int](recordedKeys...), recTarget[map[keys.TextInt]int](recordedKeys...), recTarget[map[keys.JSONInt]int](recordedKeys...), recTarget[map[keys.TextUint]int](recordedKeys...), recTarget[map[keys.TextStruct]int](recordedKeys...), recTarget[map[keys.TextBool]int](recordedKeys...), recTarget[map[keys.TextFloat]int](recordedKeys...), recTarget[map[keys.Plain]int](recordedKeys...), recTarget[map[keys.Both]int](recordedKeys...),
	recTarget[struct{ M map[string]map[float64]int }](`{"M":{"a~/":{"x":1}}}`, ` { "M" : { "a" : { "1" : 1 , "x" : 2 } } }`), recTarget[struct{ M []map[int8]recInner }](`{"M":[{"1":{"a":"x"}},{"300":{"a":1}},{"2":{"a":2}}]}`),
}

// recordedFaces set each field of recFace to each kind of value.
var recordedFaces = func() (list []string) {
	for _, name := range strings.Fields("A E S P") {
		for _, value := range []string{`"x"`, "1", "1e400", "true", "null", "[1]", "{}", `{"N":"x"}`} {
			list = append(list, fmt.Sprintf(`{"%s":%s}`, name, value))
		}
	}
	return list
}()

type recError struct{ N int }

type recValueError int

func (recValueError) Error() string { return "an error by value" }

func (*recError) Error() string { return "an error" }

// recordedKeys are objects that are decoded into maps with all kinds of keys.
var recordedKeys = []string{
	`{"1":1}`, `{"1.5":1,"x":2,"3":3}`, `{"-1":1}`, `{"+1":1}`, `{"01":1}`, `{" 1":1}`, `{"":1}`, `{"null":1}`, `{"true":1,"false":2}`, `{"1e400":1}`, `{"300":1}`, `{"0x10":1}`, `{"1_0":1}`, `{"\u0031":1}`,
	`{"t:1":1,"t:fail":2,"a":3}`, `{"a":"x"}`, `{"1":"x"}`, `{"1":null}`, `{"a":1,"a":2}`,
}

// recordedAllKinds sets each field of recKinds to each kind of value.
var recordedAllKinds = func() (list []string) {
	for _, name := range strings.Fields("I I8 U U8 F F3 S B P L Arr M A St Nu Ti Du Anon") {
		for _, value := range []string{`"x"`, "1", "-1", "1.5", "300", "1e400", "true", "null", "[1]", "{}", `[[],"x"]`, `{"a":"x","X":[1]}`} {
			list = append(list, fmt.Sprintf(`{"%s":%s,"S":"after"}`, name, value))
		}
	}
	return list
}()

// recordedTexts are decoded into all targets.
var recordedTexts = []string{
	"null", "true", "false", "0", "-1", "1.5", "1e400", "12345678901234567890123", `"x"`, `""`, `"null"`, `"1"`, "[]", "[1]", "[null]", `["x"]`, "{}", `{"a":1}`, `{"A":null}`, `{"a":{"b":[1,{"c":2}]}}`, `{"x":1,"x":"y"}`, ` [ 1 , 2 ] `, "\t\n{ }\r",
	`"\u00e9\ud83d\ude00\ud800x"`, "\"\xff\xfe\"", "{\"\xff\":1}", `"<&>\u2028"`, `{"<":"\u003c"}`,
	"", " ", "tru", "nulx", "-", "1.", "1e", "01", "+1", `"`, `"\q"`, `"\u12"`, "\"a\nb\"", "[1", "[1,]", "[,1]", "[1 2]", `{"a"`, `{"a":}`, `{"a":1,}`, `{"a" 1}`, `{a:1}`, "{1:2}", "1 2", "{}x", "]", "}", "[}", "\xef\xbb\xbf1", "é", `{"a":tru}`, `[[[[[1]]]]`, "nul", "'x'", "[1]]",
}

// recordedStreams are the inputs of recordedScripts.
var recordedStreams = []string{
	"", " ", "1", " 1 ", "1 2 3", "1\n2", `"a""b"`, `"a" "b"`, "[1,2][3]", `{"a":1} {"a":2}`, "null true false", "[1,2,3]", `{"a":1,"b":[2,{"c":"d"}],"e":{}}`, "[[],[[]],{}]", `{"a":1}x`, "[1,2,]", "[1,,2]", "[1 2]", `{"a":1,}`, `{"a":1,]`, `{"a" 1}`, `{"a"}`, `{"a":}`, `{1:2}`, `{"a":1 "b":2}`, "[1", "[1,", `{"a"`, `{"a":`, `{"a":1`, `{"a":1,`, `"abc`, "tru", "nul ", "[tru]", "1x", "-", "[-]", "1.5e", "]", "}", "[}", "{]", ",", ":", ",1", ":1", "1,2", "1:2", "[:1]", "[,1]", "{,}", "{:", `{"a"::1}`, `{"a",1}`, `[1:2]`, `["a":1]`,
	"1e400 2", "[1e400,2]", `"\q"`, `[1,"\q",2]`, "1   \"x\"   3", `{"a":"x"}{"a":1}`, "[{\"a\":\"x\"},{\"a\":1}]", `{"z":1,"a":2} {"a":3}`, "\xff", "[\"\xff\"]", " \t\r\n[ \n1 ,\t2 ] \r\n", `[{"a":1},{"b":2}] [3]`, `{"k":{"a":1},"l":5}`, "12345678901234567890 1.0 -0", `{"a":1,"a":2}`, "[1]]", `{"a":1}}`, "[[1]", `{"a":[1}`, "{tru", "{-x", "[1,tru]", `{"a":nul`, `[1 , `, `{"a" : `, "1 ]", "[1]2", "true1", "truefalse", `"a"1`, "1\"a\"", "{}{}", "[][]", "nulltrue", "1.5.5", "--1", "[1]  ", "{\"a\":[1,{\"b\":tru}]}", "[{\"a\":1},tru]", "[1,2] tru", "\"\\ud800\" 1", "[\"a\\", "{\"a\\", "[\"\xe2\x82", "é", "[é]", "{é", "{\"a\"é", `{"a":1} ,`, `["a" , "b" : 1]`, `[1,2`, `["\u12"]`, `{"\q":1}`, "[\n\n}",
}

// recordedFaultyStreams are the inputs of testkit.FaultyReaders.
var recordedFaultyStreams = []string{`{"a":1} [2]`, `[12,{"\u0031":34}]`, `["x",tru] 1`, " 12 3 "}

// recordedScripts read a stream with different sequences of calls.
var recordedScripts = map[string]func(d recordedDecoder, step func(...any)){
	"tokens": func(d recordedDecoder, step func(...any)) {
		for fails := 0; fails < 3; {
			t, err := d.Token()
			step(t, err)
			if err != nil {
				fails++
			}
		}
	},
	"values": func(d recordedDecoder, step func(...any)) {
		for range 4 {
			var v any
			err := d.Decode(&v)
			step(v, err)
		}
	},
	"structs": func(d recordedDecoder, step func(...any)) {
		d.DisallowUnknownFields()
		for range 4 {
			var v recInner
			err := d.Decode(&v)
			step(v, err)
		}
	},
	"integers": func(d recordedDecoder, step func(...any)) {
		for range 4 {
			var v int
			err := d.Decode(&v)
			step(v, err)
		}
	},
	"elements": func(d recordedDecoder, step func(...any)) {
		d.UseNumber()
		t, err := d.Token()
		step(t, err)
		for i := 0; i < 4 && d.More(); i++ {
			step("more")
			var v any
			err := d.Decode(&v)
			step(v, err)
		}
		t, err = d.Token()
		step(t, err)
		step(d.More())
		t, err = d.Token()
		step(t, err)
	},
	"members": func(d recordedDecoder, step func(...any)) {
		t, err := d.Token()
		step(t, err)
		for i := 0; i < 4 && d.More(); i++ {
			t, err := d.Token()
			step(t, err)
			var v recInner
			err = d.Decode(&v)
			step(v, err)
		}
		t, err = d.Token()
		step(t, err)
		err = d.Decode(new(any))
		step(err)
	},
	"more": func(d recordedDecoder, step func(...any)) {
		for range 6 {
			step(d.More(), d.More())
			t, err := d.Token()
			step(t, err)
		}
	},
	"in turn": func(d recordedDecoder, step func(...any)) {
		for range 4 {
			t, err := d.Token()
			step(t, err)
			var raw json.RawMessage
			err = d.Decode(&raw)
			step(string(raw), err)
		}
	},
}

// recordedValues are the values that are encoded.
var recordedValues = func() []any {
	one, text, pi := 1, "text", 3.14
	pointer := &one
	loop := &recNode{V: 1}
	loop.Next = loop
	loopMap := map[string]any{}
	loopMap["self"] = loopMap
	loopSlice := make([]any, 1)
	loopSlice[0] = loopSlice
	at := time.Date(2000, 2, 3, 4, 5, 6, 700, time.FixedZone("", 3600))
	far := time.Date(10000, 1, 1, 0, 0, 0, 0, time.UTC)
	list := []any{
		nil, true, 1, int8(-1), uint64(math.MaxUint64), uintptr(5), 1.5, float32(1.1), 1e21, 1e-7, 0.0, math.Copysign(0, -1), math.MaxFloat64, math.SmallestNonzeroFloat64, float32(1e-7), 100000000000000000000.0, "text", "", "<&>\u2028\u2029", "\xff\xfea", "\x00\x1f\x7f\b\f\n\r\t\"\\/", "é😀",
		math.NaN(), math.Inf(1), math.Inf(-1), float32(math.Inf(1)), recFloat32(math.Inf(-1)), []float64{1, math.NaN()}, map[string]float64{"a": math.Inf(1)}, struct{ F float32 }{float32(math.NaN())}, []any{math.NaN()}, map[string]any{"a": []any{1, math.Inf(1)}}, &recFace{A: math.NaN()},
		[]int(nil), []int{}, []int{1, 2}, [0]int{}, [2]string{"a", "\xff"}, map[string]int(nil), map[string]int{}, map[string]int{"b": 1, "a": 2, "<": 3, "\xff": 4, "é": 5}, []byte(nil), []byte{}, []byte{1, 2, 3}, [3]byte{1, 2, 3}, recBytes{}, recBytes{B: []byte{1}, N: []recByte{1, 2}, T: []recByteText{1}, NB: recByteSlice{5}},
		pointer, &pointer, (*int)(nil), &text, recInner{1, "b"}, &recInner{}, recNode{V: 1, Next: &recNode{V: 2}, All: []recNode{{}}, Of: map[string]*recNode{"a": nil}}, recTags{}, recTags{Plain: 1, Empty: "e", Zero: 2, Both: []int{}, String: 5, Value: 3, Broken: 5, Double: 6}, recCase{1, 2, 3, 4, 5},
		recQuoted{}, recQuoted{B: true, S: "s\"<\xff", I: 1, U: 2, F: 1.5, N: "3", P: pointer, PS: &text, A: 1, L: []int{1}, D: 5}, recQuoted{N: "x"}, recQuoted{F: math.NaN()}, recEmbedded{}, recEmbedded{recInner: recInner{1, "x"}, recPointer: &recPointer{2}}, recEmbeds{}, recEmbeds{recInner: &recInner{}}, recEmbedsText{}, &recEmbedsText{},
		recRest{}, recRest{1, map[string]any{"z": 1, "A": 2, "<": "\xff"}}, recRestRaw{}, recRestRaw{1, json.RawMessage(`{ "z" : [ 1 ] , "A":5}`)}, recRestRaw{1, json.RawMessage(`{}`)}, recRestRaw{1, json.RawMessage(`[]`)}, recRestRaw{1, json.RawMessage(`null`)}, recRestInts{map[string]int{"a": 1}, 2},
		recText{"a"}, &recText{"a"}, recTextP{"a"}, &recTextP{"a"}, []recTextP{{"a"}}, map[string]recTextP{"k": {"a"}}, recJSON{"a<\xff"}, &recJSON{"a"}, recJSONP{"a"}, &recJSONP{"a"}, []any{recJSONP{}, &recJSONP{}}, recFails{}, &recFails{}, []recFails{{}}, map[string]*recFails{"a": {}}, recFailing{}, struct{ P *recFails }{&recFails{}}, recMulti{}, recAppend{"a"}, &recAppend{"<"}, []recAppend{{"x"}},
		json.RawMessage(nil), json.RawMessage(` { "a" : 1 } `), json.RawMessage("{"), json.RawMessage("[1,]"), json.RawMessage("1 2"), json.RawMessage(""), []json.RawMessage{json.RawMessage("1"), json.RawMessage("tru")}, map[string]json.RawMessage{"a": json.RawMessage("\"<\xff\u2028\"")}, &recRaw{}, recRaw{R: json.RawMessage("-")}, struct {
			A int
			R json.RawMessage
		}{1, json.RawMessage(`"\q"`)},
		json.Number(""), json.Number("1.50"), json.Number("x"), json.Number("-"), json.Number("1 "), []json.Number{"1", "0x1"}, map[string]json.Number{"a": "01"}, map[json.Number]int{"1": 1, "x": 2},
		at, &at, far, &far, []time.Time{at, far}, map[string]time.Time{"a": far}, struct{ T time.Time }{far}, time.Date(-1, 1, 1, 0, 0, 0, 0, time.UTC), time.Date(2000, 1, 1, 0, 0, 0, 0, time.FixedZone("", 25*3600)), time.Date(2000, 1, 1, 0, 0, 0, 0, time.FixedZone("", 3601)), struct{ time.Time }{at}, struct{ time.Time }{far}, time.Second, recTimes{}, map[time.Time]int{at: 1},
		map[string]map[string]recFails{"a": {"b": {}}}, []*recText{{"x"}, nil}, []any{recFails{}, 1}, struct{ X any }{recFails{}}, struct{ X *recTextP }{&recTextP{"x"}}, struct{ X recTextP }{}, &struct{ X recTextP }{}, struct{ X, Y error }{X: &recError{1}}, [][]byte{nil, {}, {1}}, [2][]int{{1}, nil}, map[string][2]bool{"a": {true}}, struct{}{}, &struct{}{}, []struct{}{{}}, struct{ recInner }{}, struct{ *recInner }{}, struct{ *recPointer }{}, struct {
			*recInner
			A int
		}{A: 1},
		recStop{1}, recKinds{}, recKinds{A: 1.0, Nu: "1e5"}, recStrictKeys{Int: map[int]int{3: 1}, String: map[recName]int{"\xff": 1}}, recTimes{A: struct{ time.Time }{at}}, json.Delim('['), []recTextual{{1}}, map[string]recTextual{"a": {}}, recEOF{}, recSyntax{},
		make(chan int), func() {}, 1i, struct{ C chan int }{}, []any{make(chan int)}, map[string]any{"a": func() {}}, map[string]chan int{}, map[string]chan int(nil), []func(){}, []func(){nil},
		loop, loopMap, loopSlice, recFace{}, recFace{A: recInner{1, "x"}, E: &recError{1}, P: pointer}, errors.New("x"), []error{nil, &recError{2}},
		map[int]int{2: 1, 10: 2, -1: 3}, map[int8]int{-1: 1}, map[uint]int{1: 1}, map[recName]int{"a": 1}, map[bool]int{}, map[bool]int{true: 1}, map[bool]int(nil), map[float64]int{1.5: 1, 1e30: 2}, map[float64]int{math.NaN(): 1}, map[float32]int{1.1: 1}, map[recFloat32]int{recFloat32(math.Inf(1)): 1}, map[any]int{}, map[any]int{"a": 1, "b": 2}, map[any]int{1: 1}, map[any]int{1.5: 1}, map[any]int{float32(1.5): 1}, map[any]int{recFloat32(1.5): 1}, map[any]int{&pi: 1}, map[any]int{math.Inf(1): 1}, map[any]int{any("x"): 1, recName("y"): 2}, map[fmt.Stringer]int{recDuration(1): 1}, map[any]int{nil: 1}, map[any]int{true: 1}, map[any]int{recInner{}: 1}, map[any]int{recText{"k"}: 1}, map[any]int{recAppend{"k"}: 1}, map[any]int{recJSON{"k"}: 1}, map[any]int{1i: 1}, map[any]int{pointer: 1}, map[any]int{(*int)(nil): 1}, map[any]int{&text: 1}, map[any]int{json.Number("1"): 1}, map[any]int{at: 1}, map[any]int{time.Second: 1}, map[any]int{[1]int{1}: 1},
		map[*string]int{&text: 1}, map[*string]int{nil: 1}, map[*int]int{pointer: 1}, map[**int]int{&pointer: 1}, map[*recText]int{{"k"}: 1}, map[*recText]int{nil: 1}, map[*recInner]int{{}: 1}, map[recInner]int{{}: 1}, map[[1]int]int{{}: 1}, map[chan int]int{nil: 1}, map[complex64]int{1: 1}, map[recText]int{{"k"}: 1, {"<"}: 2}, map[recTextP]int{{"k"}: 1}, map[recMulti]int{{"k"}: 1}, map[recAppend]int{{"k"}: 1}, map[recJSON]int{{"k"}: 1},
		map[keys.Text]int{"a": 1}, map[keys.Text]int{"fail": 1}, map[keys.TextPointer]int{"a": 1}, map[keys.Append]int{"a": 1}, map[keys.JSON]int{"a": 1}, map[keys.JSONPointer]int{"a": 1}, map[keys.TextInt]int{1: 1}, map[keys.JSONInt]int{1: 1}, map[keys.TextUint]int{1: 1}, map[keys.TextStruct]int{{A: 1, B: 2}: 1}, map[keys.TextBool]int{true: 1}, map[keys.TextFloat]int{1.5: 1}, map[keys.TextArray]int{{"a"}: 1}, map[keys.Both]int{"a": 1}, map[*keys.Text]int{(*keys.Text)(&text): 1},
		map[string]any{"x": []any{1, map[bool]int{true: 1}}}, []any{"é", map[string]any{"a~/": map[any]any{false: 1}}}, map[string]map[float64][]any{"a": {1.5: {nil, "x", 1}}}, map[error]int{nil: 1}, map[fmt.Stringer]int{time.Second: 1},
		struct {
			Z  int       `json:",omitzero"`
			P  *int      `json:",omitempty"`
			A  any       `json:",omitempty"`
			F  float64   `json:",omitempty"`
			T  time.Time `json:",omitzero"`
			S  recInner  `json:",omitempty"`
			SZ recInner  `json:",omitzero"`
			E  [0]int    `json:",omitempty"`
		}{F: math.Copysign(0, -1)},
		struct {
			B []byte `json:",format:hex"`
		}{},
	}
	return list[:len(list)-1] // skip the tag option format, a known difference
}()
