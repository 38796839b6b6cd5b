package wire_test

import (
	"errors"
	"fmt"

	"github.com/hone-go/hone/wire"
)

// Three versions of a job. The second version adds a field, and the third one removes the first
// field.
type (
	JobV1 struct {
		_     wire.Evolving
		Queue string
		Tries uint8 `wire:",varint"`
	}
	JobV2 struct {
		_        wire.Evolving
		Queue    string
		Attempts uint16 `wire:",was=Tries"`
		Tags     []string
	}
	JobV3 struct {
		_        wire.Evolving
		_        wire.Removed[string] `wire:",was=Queue"`
		Attempts uint32               `wire:",was=Tries"`
		Tags     []string
	}
)

// Each version reads the encodings of the others.
func ExampleRemoved() {
	first, _ := wire.Marshal(&JobV1{Queue: "mail", Tries: 3})
	third, _ := wire.Marshal(&JobV3{Attempts: 5, Tags: []string{"urgent"}})

	var v3 JobV3
	err := wire.Unmarshal(first, &v3)
	fmt.Println(v3.Attempts, v3.Tags, err)
	var v1 JobV1
	err = wire.Unmarshal(third, &v1)
	fmt.Printf("%q %d %v\n", v1.Queue, v1.Tries, err)

	older, _ := wire.SchemaOf[JobV1]()
	newer, _ := wire.SchemaOf[JobV3]()
	fmt.Println(newer.Reads(older))
	fmt.Println(older.Reads(newer))
	// Output:
	// 3 [] <nil>
	// "" 5 <nil>
	// []
	// [.Tries is read as uint8 varint and written as uint32 varint: it may not fit]
}

// A proxy knows an older version of the struct. It reads and changes the fields of its version, and
// writes the fields of newer versions unchanged.
func ExampleUnknown() {
	type Job struct {
		_     wire.Evolving
		Queue string
		wire.Unknown
	}
	in, _ := wire.Marshal(&JobV2{Queue: "mail", Attempts: 300, Tags: []string{"urgent"}})

	var passing Job
	if err := wire.Unmarshal(in, &passing); err != nil {
		fmt.Println(err)
		return
	}
	passing.Queue = "bulk " + passing.Queue
	out, _ := wire.Marshal(&passing)

	var job JobV2
	err := wire.Unmarshal(out, &job)
	fmt.Println(job.Queue, job.Attempts, job.Tags, err)
	// Output: bulk mail 300 [urgent] <nil>
}

// An envelope is routed by its topic, and its body is decoded by the recipient alone.
func ExampleRaw() {
	type Envelope struct {
		Topic string
		Body  wire.Raw[JobV1]
	}
	body, _ := wire.Marshal(&JobV1{Queue: "mail"})
	data, _ := wire.Marshal(&Envelope{Topic: "jobs", Body: body})

	var e Envelope
	if err := wire.Unmarshal(data, &e); err != nil {
		fmt.Println(err)
		return
	}
	var job JobV1
	err := e.Body.Decode(&job)
	fmt.Println(e.Topic, job.Queue, err)
	// Output: jobs mail <nil>
}

// A framework has values of type any, usually pointers.
func ExampleAppendAny() {
	encode := func(message any) []byte {
		data, err := wire.AppendAny(nil, message)
		if err != nil {
			fmt.Println(err)
		}
		return data
	}
	job := JobV1{Queue: "mail", Tries: 3}
	fmt.Printf("%q %q\n", encode(&job), encode(job))
	encode(nil)

	var back JobV1
	err := wire.UnmarshalAny(encode(&job), any(&back))
	fmt.Println(back.Queue, err)
	// Output:
	// "\x06\x04mail\x03" "\x06\x04mail\x03"
	// wire: encode: v is nil; pass the address of a value
	// mail <nil>
}

// A codec for any type has options: here limits for input from outside.
func ExampleForAny() {
	codec := wire.ForAny(wire.Options{Limits: wire.Limits{Bytes: 1 << 10}})
	long, _ := codec.Append(nil, "short")
	var s string
	fmt.Println(codec.Unmarshal(long, &s), s)

	big, _ := wire.Marshal(ptr(string(make([]byte, 2000))))
	fmt.Println(codec.Unmarshal(big, &s))
	// Output:
	// <nil> short
	// wire: decode (string) at byte 2002: value takes more memory than the limit allows; set Limits.Bytes for encoding and for decoding
}

// A codec with fingerprints refuses a value of another type, whose bytes would be read as other values.
func ExampleAnyCodec_WithFingerprint() {
	type trip struct{ From, To string }
	type parcel struct{ To, From string }
	codec := wire.Must(wire.ForAny().WithFingerprint())
	data, err := codec.Append(nil, &trip{From: "Oslo", To: "Rome"})
	fmt.Println(len(data), err)

	var p parcel
	err = codec.Unmarshal(data, &p)
	var other *wire.FingerprintError
	fmt.Println(errors.As(err, &other), p)
	// Output:
	// 18 <nil>
	// true { }
}
