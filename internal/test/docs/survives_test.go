package docs_test

import (
	"bytes"
	"math"
	"os"
	"reflect"
	"strings"
	"testing"

	"github.com/hone-go/hone/json"
	"github.com/hone-go/hone/mo"
	"github.com/hone-go/hone/wire"
	"github.com/hone-go/hone/wire/container"
)

// A change is a change of a struct: a row of the tables in docs/wire-versions.md. old and new are the versions
// of a struct, and evolvingOld and evolvingNew are the same with an Evolving.
type change struct {
	name string
	// newReadsOld and oldReadsNew have a result for each way of writing and reading.
	newReadsOld, oldReadsNew map[string]string
}

// A reading is a value that one version writes, and the value that the other version should read.
type reading[W, R any] struct {
	written W
	read    R
}

func fingerprinted() *wire.FingerprintCodec { return wire.Must(wire.ForAny().WithFingerprint()) }

// The words for the results.
const (
	yes         = "yes"
	failure     = "error"
	wrong       = "wrong"
	fits        = "if it fits"
	unreadable  = "error at start" // the reader cannot be made
	unsupported = "no codec"
)

// changeOf runs the readings in all ways.
func changeOf[Old, New, EvolvingOld, EvolvingNew any](name string, forward []reading[Old, New], back []reading[New, Old]) change {
	forwardEvolving, backEvolving := evolving[Old, New, EvolvingOld, EvolvingNew](forward), evolving[New, Old, EvolvingNew, EvolvingOld](back)
	return change{name, allWays(forward, forwardEvolving), allWays(back, backEvolving)}
}

// evolving returns the same readings of the evolving versions.
func evolving[W, R, EW, ER any](list []reading[W, R]) []reading[EW, ER] {
	var out []reading[EW, ER]
	for _, r := range list {
		var e reading[EW, ER]
		copyFields(reflect.ValueOf(&e.written).Elem(), reflect.ValueOf(r.written))
		copyFields(reflect.ValueOf(&e.read).Elem(), reflect.ValueOf(r.read))
		out = append(out, e)
	}
	return out
}

func copyFields(to, from reflect.Value) {
	for i := range from.NumField() {
		if f := from.Type().Field(i); f.IsExported() {
			to.FieldByName(f.Name).Set(from.Field(i))
		}
	}
}

func allWays[W, R, EW, ER any](plain []reading[W, R], evolving []reading[EW, ER]) map[string]string {
	return map[string]string{
		"plain":       result(plain, wireBytes[W], wireValue[R]),
		"evolving":    result(evolving, wireBytes[EW], wireValue[ER]),
		"json":        result(plain, func(v *W) ([]byte, error) { return json.Marshal(v) }, func(b []byte, v *R) error { return json.Unmarshal(b, v) }),
		"fingerprint": result(evolving, withCodec[EW](fingerprinted()), readBy[ER](fingerprinted())),
		"declared":    declared(evolving),
		"container":   contained(evolving),
	}
}

func wireBytes[T any](v *T) ([]byte, error)    { return wire.Marshal(v) }
func wireValue[T any](data []byte, v *T) error { return wire.Unmarshal(data, v) }

func withCodec[T any](c *wire.FingerprintCodec) func(*T) ([]byte, error) {
	return func(v *T) ([]byte, error) { return c.Append(nil, v) }
}

func readBy[T any](c *wire.FingerprintCodec) func([]byte, *T) error {
	return func(data []byte, v *T) error { return c.Unmarshal(data, v) }
}

// declared reads values with the fingerprint of a version that the reader has declared.
func declared[W, R any](list []reading[W, R]) string {
	s, err := wire.SchemaOf[W]()
	if err != nil {
		return unsupported
	}
	c, err := wire.ForAny().WithFingerprint(wire.Fingerprints{Versions: []wire.Version{wire.Accept[R](s)}})
	if err != nil {
		return unreadable
	}
	return result(list, withCodec[W](fingerprinted()), readBy[R](c))
}

// contained reads a container whose header has the schema of the writer.
func contained[W, R any](list []reading[W, R]) string {
	return result(list, func(v *W) ([]byte, error) {
		var out bytes.Buffer
		w, err := container.NewWriter[W](&out, nil, container.Options{})
		if err != nil {
			return nil, err
		}
		if err := w.Write(v); err != nil {
			return nil, err
		}
		err = w.Close()
		return out.Bytes(), err
	}, func(data []byte, v *R) error {
		r, err := container.NewReader[R](bytes.NewReader(data), nil, container.ReaderOptions{})
		if err != nil {
			return err
		}
		return r.Read(v)
	})
}

// result returns the word for the results of all readings.
func result[W, R any](list []reading[W, R], write func(*W) ([]byte, error), read func([]byte, *R) error) string {
	right, failed := 0, 0
	for _, r := range list {
		data, err := write(&r.written)
		if err != nil {
			return unsupported
		}
		var got R
		switch err := read(data, &got); {
		case err != nil:
			failed++
		case !reflect.DeepEqual(got, r.read):
			return wrong
		default:
			right++
		}
	}
	switch {
	case failed == 0:
		return yes
	case right == 0:
		return failure
	}
	return fits
}

type (
	city string
	Part struct {
		A int
		B string
	}
	innerOld struct {
		_ wire.Evolving
		X int
	}
	innerNew struct {
		_ wire.Evolving
		X int
		Y int
	}
)

func pointerTo[T any](v T) *T { return &v }

// changes has a function for each row of the tables.
var changes = []func() change{
	func() change {
		type (
			old struct {
				A int
				B string
			}
			latest struct {
				A int
				B string
				C []int
			}
			evolvingOld struct {
				_ wire.Evolving
				A int
				B string
			}
			evolvingNew struct {
				_ wire.Evolving
				A int
				B string
				C []int
			}
		)
		return changeOf[old, latest, evolvingOld, evolvingNew]("a field is added at the end",
			[]reading[old, latest]{{old{A: 1, B: "x"}, latest{A: 1, B: "x"}}},
			[]reading[latest, old]{{latest{A: 1, B: "x", C: []int{7}}, old{A: 1, B: "x"}}})
	},
	func() change {
		type (
			old struct {
				A int
				B string
			}
			latest struct {
				A int
				C int
				B string
			}
			evolvingOld struct {
				_ wire.Evolving
				A int
				B string
			}
			evolvingNew struct {
				_ wire.Evolving
				A int
				C int
				B string
			}
		)
		return changeOf[old, latest, evolvingOld, evolvingNew]("a field is added before others",
			[]reading[old, latest]{{old{A: 1, B: "\x01z"}, latest{A: 1, B: "\x01z"}}, {old{A: 1, B: "x"}, latest{A: 1, B: "x"}}},
			[]reading[latest, old]{{latest{A: 1, C: 2, B: "ab\x00"}, old{A: 1, B: "ab\x00"}}, {latest{A: 1, C: 7, B: "x"}, old{A: 1, B: "x"}}, {latest{A: 1}, old{A: 1}}})
	},
	func() change {
		type (
			old struct {
				A int
				B string
				C []int
			}
			latest struct {
				A int
				B string
			}
			evolvingOld struct {
				_ wire.Evolving
				A int
				B string
				C []int
			}
			evolvingNew struct {
				_ wire.Evolving
				A int
				B string
			}
		)
		return changeOf[old, latest, evolvingOld, evolvingNew]("the last field is deleted",
			[]reading[old, latest]{{old{A: 1, B: "x", C: []int{7}}, latest{A: 1, B: "x"}}},
			[]reading[latest, old]{{latest{A: 1, B: "x"}, old{A: 1, B: "x"}}})
	},
	func() change {
		type (
			old struct {
				A int
				C int
				B string
			}
			latest struct {
				A int
				B string
			}
			evolvingOld struct {
				_ wire.Evolving
				A int
				C int
				B string
			}
			evolvingNew struct {
				_ wire.Evolving
				A int
				B string
			}
		)
		return changeOf[old, latest, evolvingOld, evolvingNew]("another field is deleted",
			[]reading[old, latest]{{old{A: 1, C: 2, B: "ab\x00"}, latest{A: 1, B: "ab\x00"}}, {old{A: 1, C: 7, B: "x"}, latest{A: 1, B: "x"}}, {old{A: 1}, latest{A: 1}}},
			[]reading[latest, old]{{latest{A: 1, B: "\x01z"}, old{A: 1, B: "\x01z"}}, {latest{A: 1, B: "x"}, old{A: 1, B: "x"}}})
	},
	func() change {
		type (
			old struct {
				A int
				C string
				B string
			}
			latest struct {
				A int
				_ wire.Removed[string] `wire:",was=C"`
				B string
			}
			evolvingOld struct {
				_ wire.Evolving
				A int
				C string
				B string
			}
			evolvingNew struct {
				_ wire.Evolving
				A int
				_ wire.Removed[string] `wire:",was=C"`
				B string
			}
		)
		return changeOf[old, latest, evolvingOld, evolvingNew]("a field becomes a `wire.Removed`",
			[]reading[old, latest]{{old{A: 1, C: "y", B: "x"}, latest{A: 1, B: "x"}}},
			[]reading[latest, old]{{latest{A: 1, B: "x"}, old{A: 1, B: "x"}}})
	},
	func() change {
		type (
			old struct {
				A int
				B string
			}
			latest struct {
				A    int
				Name string
			}
			evolvingOld struct {
				_ wire.Evolving
				A int
				B string
			}
			evolvingNew struct {
				_    wire.Evolving
				A    int
				Name string
			}
		)
		return changeOf[old, latest, evolvingOld, evolvingNew]("a field is renamed",
			[]reading[old, latest]{{old{A: 1, B: "x"}, latest{A: 1, Name: "x"}}},
			[]reading[latest, old]{{latest{A: 1, Name: "x"}, old{A: 1, B: "x"}}})
	},
	func() change {
		type (
			old struct {
				A int
				B string
			}
			latest struct {
				A    int
				Name string `wire:",was=B" json:"B"`
			}
			evolvingOld struct {
				_ wire.Evolving
				A int
				B string
			}
			evolvingNew struct {
				_    wire.Evolving
				A    int
				Name string `wire:",was=B" json:"B"`
			}
		)
		return changeOf[old, latest, evolvingOld, evolvingNew]("a field is renamed, with the tag `was`",
			[]reading[old, latest]{{old{A: 1, B: "x"}, latest{A: 1, Name: "x"}}},
			[]reading[latest, old]{{latest{A: 1, Name: "x"}, old{A: 1, B: "x"}}})
	},
	func() change {
		type (
			old struct {
				From string
				To   string
			}
			latest struct {
				To   string
				From string
			}
			evolvingOld struct {
				_    wire.Evolving
				From string
				To   string
			}
			evolvingNew struct {
				_    wire.Evolving
				To   string
				From string
			}
		)
		return changeOf[old, latest, evolvingOld, evolvingNew]("two fields of the same type change places",
			[]reading[old, latest]{{old{From: "x", To: "y"}, latest{From: "x", To: "y"}}},
			[]reading[latest, old]{{latest{From: "x", To: "y"}, old{From: "x", To: "y"}}})
	},
	func() change {
		type (
			old struct {
				A int
				B string
			}
			latest struct {
				B string
				A int
			}
			evolvingOld struct {
				_ wire.Evolving
				A int
				B string
			}
			evolvingNew struct {
				_ wire.Evolving
				B string
				A int
			}
		)
		return changeOf[old, latest, evolvingOld, evolvingNew]("two fields of different types change places",
			[]reading[old, latest]{{old{A: -1, B: "\x02"}, latest{A: -1, B: "\x02"}}, {old{A: 1, B: "x"}, latest{A: 1, B: "x"}}, {old{A: 0, B: ""}, latest{A: 0, B: ""}}, {old{A: 1, B: "abc"}, latest{A: 1, B: "abc"}}},
			[]reading[latest, old]{{latest{B: "\x02z", A: 1}, old{B: "\x02z", A: 1}}, {latest{A: 1, B: "x"}, old{A: 1, B: "x"}}, {latest{A: -1, B: "abc"}, old{A: -1, B: "abc"}}})
	},
	func() change {
		type (
			old struct {
				A int
				B string
			}
			latest struct {
				A int
				B string
			}
			evolvingOld struct {
				_ wire.Evolving
				A int
				B string
			}
			evolvingNew struct {
				_ wire.Evolving
				A int
				B string
			}
		)
		return changeOf[old, latest, evolvingOld, evolvingNew]("the type of the struct is renamed",
			[]reading[old, latest]{{old{A: 1, B: "x"}, latest{A: 1, B: "x"}}},
			[]reading[latest, old]{{latest{A: 1, B: "x"}, old{A: 1, B: "x"}}})
	},
	func() change {
		type (
			old struct {
				A int
				B string
			}
			latest struct {
				A int
				B city
			}
			evolvingOld struct {
				_ wire.Evolving
				A int
				B string
			}
			evolvingNew struct {
				_ wire.Evolving
				A int
				B city
			}
		)
		return changeOf[old, latest, evolvingOld, evolvingNew]("the type of a field gets a name (`string` becomes `City`)",
			[]reading[old, latest]{{old{A: 1, B: "x"}, latest{A: 1, B: "x"}}},
			[]reading[latest, old]{{latest{A: 1, B: "x"}, old{A: 1, B: "x"}}})
	},
	func() change {
		type (
			old struct {
				A int
				B string
			}
			latest struct {
				Part
			}
			evolvingOld struct {
				_ wire.Evolving
				A int
				B string
			}
			evolvingNew struct {
				_ wire.Evolving
				Part
			}
		)
		return changeOf[old, latest, evolvingOld, evolvingNew]("fields move into an embedded struct",
			[]reading[old, latest]{{old{A: 1, B: "x"}, latest{Part: Part{A: 1, B: "x"}}}},
			[]reading[latest, old]{{latest{Part: Part{A: 1, B: "x"}}, old{A: 1, B: "x"}}})
	},
	func() change {
		type (
			old struct {
				A int16
				B int
			}
			latest struct {
				A int32
				B int64
			}
			evolvingOld struct {
				_ wire.Evolving
				A int16
				B int
			}
			evolvingNew struct {
				_ wire.Evolving
				A int32
				B int64
			}
		)
		return changeOf[old, latest, evolvingOld, evolvingNew]("`int16` becomes `int32`, or `int` becomes `int64`",
			[]reading[old, latest]{{old{A: -300, B: 1}, latest{A: -300, B: 1}}},
			[]reading[latest, old]{{latest{A: -300, B: 1}, old{A: -300, B: 1}}, {latest{A: 70_000, B: 1}, old{A: 0, B: 1}}})
	},
	func() change {
		type (
			old struct {
				A int8
				B string
			}
			latest struct {
				A int32
				B string
			}
			evolvingOld struct {
				_ wire.Evolving
				A int8
				B string
			}
			evolvingNew struct {
				_ wire.Evolving
				A int32
				B string
			}
		)
		return changeOf[old, latest, evolvingOld, evolvingNew]("`int8` becomes `int32`",
			[]reading[old, latest]{{old{A: 2, B: "x"}, latest{A: 2, B: "x"}}, {old{A: -100, B: "x"}, latest{A: -100, B: "x"}}},
			[]reading[latest, old]{{latest{A: 2, B: "x"}, old{A: 2, B: "x"}}, {latest{A: 300, B: "x"}, old{B: "x"}}})
	},
	func() change {
		type (
			old struct {
				A int8 `wire:",varint"`
				B string
			}
			latest struct {
				A int32
				B string
			}
			evolvingOld struct {
				_ wire.Evolving
				A int8 `wire:",varint"`
				B string
			}
			evolvingNew struct {
				_ wire.Evolving
				A int32
				B string
			}
		)
		return changeOf[old, latest, evolvingOld, evolvingNew]("`int8` with the tag `varint` becomes `int32`",
			[]reading[old, latest]{{old{A: 2, B: "x"}, latest{A: 2, B: "x"}}, {old{A: -100, B: "x"}, latest{A: -100, B: "x"}}},
			[]reading[latest, old]{{latest{A: 2, B: "x"}, old{A: 2, B: "x"}}, {latest{A: 300, B: "x"}, old{B: "x"}}})
	},
	func() change {
		type (
			old struct {
				A int
				B string
			}
			latest struct {
				A uint
				B string
			}
			evolvingOld struct {
				_ wire.Evolving
				A int
				B string
			}
			evolvingNew struct {
				_ wire.Evolving
				A uint
				B string
			}
		)
		return changeOf[old, latest, evolvingOld, evolvingNew]("`int` becomes `uint`",
			[]reading[old, latest]{{old{A: 2, B: "x"}, latest{A: 2, B: "x"}}},
			[]reading[latest, old]{{latest{A: 2, B: "x"}, old{A: 2, B: "x"}}})
	},
	func() change {
		type (
			old struct {
				A int
				B string
			}
			latest struct {
				A float64
				B string
			}
			evolvingOld struct {
				_ wire.Evolving
				A int
				B string
			}
			evolvingNew struct {
				_ wire.Evolving
				A float64
				B string
			}
		)
		return changeOf[old, latest, evolvingOld, evolvingNew]("`int` becomes `float64`",
			[]reading[old, latest]{{old{A: 2, B: "abcdef\x01z"}, latest{A: 2, B: "abcdef\x01z"}}, {old{A: 2, B: "x"}, latest{A: 2, B: "x"}}},
			[]reading[latest, old]{{latest{A: math.Float64frombits(0x4000_0000_0000_0700)}, old{A: 2}}, {latest{A: 2, B: "x"}, old{A: 2, B: "x"}}})
	},
	func() change {
		type (
			old struct {
				A float32
				B string
			}
			latest struct {
				A float64
				B string
			}
			evolvingOld struct {
				_ wire.Evolving
				A float32
				B string
			}
			evolvingNew struct {
				_ wire.Evolving
				A float64
				B string
			}
		)
		return changeOf[old, latest, evolvingOld, evolvingNew]("`float32` becomes `float64`",
			[]reading[old, latest]{{old{A: 2, B: "abc\x01z"}, latest{A: 2, B: "abc\x01z"}}, {old{A: 2, B: "x"}, latest{A: 2, B: "x"}}},
			[]reading[latest, old]{{latest{A: math.Float64frombits(0x4000_0004_0000_0000)}, old{A: 2}}, {latest{A: 2, B: "x"}, old{A: 2, B: "x"}}})
	},
	func() change {
		type (
			old struct {
				A bool
				B string
			}
			latest struct {
				A int
				B string
			}
			evolvingOld struct {
				_ wire.Evolving
				A bool
				B string
			}
			evolvingNew struct {
				_ wire.Evolving
				A int
				B string
			}
		)
		return changeOf[old, latest, evolvingOld, evolvingNew]("`bool` becomes `int`",
			[]reading[old, latest]{{old{A: true, B: "x"}, latest{A: 1, B: "x"}}},
			[]reading[latest, old]{{latest{A: 1, B: "x"}, old{A: true, B: "x"}}})
	},
	func() change {
		type (
			old struct {
				A string
				B int
			}
			latest struct {
				A []byte
				B int
			}
			evolvingOld struct {
				_ wire.Evolving
				A string
				B int
			}
			evolvingNew struct {
				_ wire.Evolving
				A []byte
				B int
			}
		)
		return changeOf[old, latest, evolvingOld, evolvingNew]("`string` becomes `[]byte`",
			[]reading[old, latest]{{old{A: "abcd", B: 1}, latest{A: []byte("abcd"), B: 1}}},
			[]reading[latest, old]{{latest{A: []byte("abcd"), B: 1}, old{A: "abcd", B: 1}}})
	},
	func() change {
		type (
			old struct {
				A string
				B int
			}
			latest struct {
				A mo.Option[string]
				B int
			}
			evolvingOld struct {
				_ wire.Evolving
				A string
				B int
			}
			evolvingNew struct {
				_ wire.Evolving
				A mo.Option[string]
				B int
			}
		)
		return changeOf[old, latest, evolvingOld, evolvingNew]("`string` becomes `mo.Option[string]`",
			[]reading[old, latest]{{old{A: "x", B: 1}, latest{A: mo.Some("x"), B: 1}}, {old{A: "", B: 1}, latest{A: mo.Some(""), B: 1}}},
			[]reading[latest, old]{{latest{A: mo.Some(""), B: 1}, old{B: 1}}, {latest{A: mo.Some("x"), B: 1}, old{A: "x", B: 1}}, {latest{B: 1}, old{B: 1}}})
	},
	func() change {
		type (
			old struct {
				A string
				B int
			}
			latest struct {
				A *string
				B int
			}
			evolvingOld struct {
				_ wire.Evolving
				A string
				B int
			}
			evolvingNew struct {
				_ wire.Evolving
				A *string
				B int
			}
		)
		return changeOf[old, latest, evolvingOld, evolvingNew]("`string` becomes `*string`",
			[]reading[old, latest]{{old{A: "x", B: 1}, latest{A: pointerTo("x"), B: 1}}, {old{A: "", B: 1}, latest{A: pointerTo(""), B: 1}}},
			[]reading[latest, old]{{latest{A: pointerTo(""), B: 1}, old{B: 1}}, {latest{A: pointerTo("x"), B: 1}, old{A: "x", B: 1}}, {latest{B: 1}, old{B: 1}}})
	},
	func() change {
		type (
			old struct {
				A *string
				B int
			}
			latest struct {
				A mo.Option[string]
				B int
			}
			evolvingOld struct {
				_ wire.Evolving
				A *string
				B int
			}
			evolvingNew struct {
				_ wire.Evolving
				A mo.Option[string]
				B int
			}
		)
		return changeOf[old, latest, evolvingOld, evolvingNew]("`*string` becomes `mo.Option[string]`",
			[]reading[old, latest]{{old{A: pointerTo("x"), B: 1}, latest{A: mo.Some("x"), B: 1}}, {old{B: 1}, latest{B: 1}}},
			[]reading[latest, old]{{latest{A: mo.Some("x"), B: 1}, old{A: pointerTo("x"), B: 1}}, {latest{B: 1}, old{B: 1}}})
	},
	func() change {
		type (
			old struct {
				A int
				B string
			}
			latest struct {
				A []int
				B string
			}
			evolvingOld struct {
				_ wire.Evolving
				A int
				B string
			}
			evolvingNew struct {
				_ wire.Evolving
				A []int
				B string
			}
		)
		return changeOf[old, latest, evolvingOld, evolvingNew]("`int` becomes `[]int`",
			[]reading[old, latest]{{old{A: -1, B: "\x01z"}, latest{A: []int{-1}, B: "\x01z"}}, {old{A: 2, B: "x"}, latest{A: []int{2}, B: "x"}}},
			[]reading[latest, old]{{latest{A: []int{1}, B: "x"}, old{A: 1, B: "x"}}, {latest{A: []int{2}, B: "x"}, old{A: 2, B: "x"}}})
	},
	func() change {
		type (
			old struct {
				A [2]int
				B string
			}
			latest struct {
				A []int
				B string
			}
			evolvingOld struct {
				_ wire.Evolving
				A [2]int
				B string
			}
			evolvingNew struct {
				_ wire.Evolving
				A []int
				B string
			}
		)
		return changeOf[old, latest, evolvingOld, evolvingNew]("`[2]int` becomes `[]int`",
			[]reading[old, latest]{{old{A: [2]int{1, 3}, B: "\x01z"}, latest{A: []int{1, 3}, B: "\x01z"}}, {old{A: [2]int{2, 3}, B: "x"}, latest{A: []int{2, 3}, B: "x"}}},
			[]reading[latest, old]{{latest{A: []int{2, 1}, B: "x"}, old{A: [2]int{2, 1}, B: "x"}}, {latest{A: []int{2, 3}, B: "x"}, old{A: [2]int{2, 3}, B: "x"}}})
	},
	func() change {
		type (
			old struct {
				A []struct{ X int }
				B string
			}
			latest struct {
				A []struct {
					X int
					Y int
				}
				B string
			}
			evolvingOld struct {
				_ wire.Evolving
				A []struct{ X int }
				B string
			}
			evolvingNew struct {
				_ wire.Evolving
				A []struct {
					X int
					Y int
				}
				B string
			}
		)
		return changeOf[old, latest, evolvingOld, evolvingNew]("a struct in a slice gets a field at its end",
			[]reading[old, latest]{{old{A: []struct{ X int }{{5}}, B: "\x01z"}, latest{A: []struct{ X, Y int }{{X: 5}}, B: "\x01z"}}, {old{A: []struct{ X int }{{1}, {2}}, B: "x"}, latest{A: []struct{ X, Y int }{{X: 1}, {X: 2}}, B: "x"}}},
			[]reading[latest, old]{{latest{A: []struct{ X, Y int }{{1, 2}}, B: "abc"}, old{A: []struct{ X int }{{1}}, B: "abc"}}, {latest{A: []struct{ X, Y int }{{1, 0}, {2, 5}}, B: ""}, old{A: []struct{ X int }{{1}, {2}}, B: ""}}, {latest{A: []struct{ X, Y int }{{1, 4}}, B: "abc"}, old{A: []struct{ X int }{{1}}, B: "abc"}}})
	},
	func() change {
		type (
			old struct {
				A []innerOld
				B string
			}
			latest struct {
				A []innerNew
				B string
			}
			evolvingOld struct {
				_ wire.Evolving
				A []innerOld
				B string
			}
			evolvingNew struct {
				_ wire.Evolving
				A []innerNew
				B string
			}
		)
		return changeOf[old, latest, evolvingOld, evolvingNew]("an evolving struct in a slice gets a field at its end",
			[]reading[old, latest]{{old{A: []innerOld{{X: 1}, {X: 2}}, B: "x"}, latest{A: []innerNew{{X: 1}, {X: 2}}, B: "x"}}},
			[]reading[latest, old]{{latest{A: []innerNew{{X: 1, Y: 7}, {X: 2, Y: 7}}, B: "x"}, old{A: []innerOld{{X: 1}, {X: 2}}, B: "x"}}})
	},
}

// A column of the tables in docs/wire-versions.md: a way of writing and reading, and which version reads.
type column struct {
	way      string
	newReads bool
}

var columns = map[string]column{
	"plain: new reads old": {"plain", true}, "plain: old reads new": {"plain", false},
	"evolving: new reads old": {"evolving", true}, "evolving: old reads new": {"evolving", false},
	"fingerprint":             {"fingerprint", true},
	"declared: new reads old": {"declared", true}, "declared: old reads new": {"declared", false},
	"container: new reads old": {"container", true}, "container: old reads new": {"container", false},
	"JSON: new reads old": {"json", true}, "JSON: old reads new": {"json", false},
}

// TestSurvives compares the tables in docs/wire-versions.md with the results of reading each version with the
// other. With HONE_UPDATE=1 it writes the results into the rows of the page.
func TestSurvives(t *testing.T) {
	all := map[string]change{}
	for _, f := range changes {
		c := f()
		if _, ok := all[c.name]; ok {
			t.Errorf("two changes have the name %q", c.name)
		}
		all[c.name] = c
		if c.newReadsOld["fingerprint"] != c.oldReadsNew["fingerprint"] {
			t.Errorf("%s: the result with an undeclared fingerprint depends on the direction", c.name)
		}
		for _, results := range []map[string]string{c.newReadsOld, c.oldReadsNew} {
			for _, way := range []string{"fingerprint", "declared", "container"} {
				if results[way] == wrong {
					t.Errorf("%s: wrong values with a check (%s)", c.name, way)
				}
			}
		}
	}
	const path = "../../../docs/wire-versions.md"
	page, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	update := os.Getenv("HONE_UPDATE") != ""
	lines := strings.Split(string(page), "\n")
	var header []string
	shown := map[string]int{} // the number of results of each change on the page
	for i, line := range lines {
		cells := strings.Split(strings.Trim(line, "| "), " | ")
		switch {
		case !strings.HasPrefix(line, "|"):
			header = nil
		case cells[0] == "change":
			header = cells[1:]
		case header != nil && !strings.HasPrefix(line, "|-"):
			c, ok := all[cells[0]]
			if !ok {
				t.Errorf("no case tests the row %q", cells[0])
				continue
			}
			want := "| " + c.name + " |"
			for _, h := range header {
				at, ok := columns[h]
				if !ok {
					t.Fatalf("no case tests the column %q", h)
				}
				if at.newReads {
					want += " " + c.newReadsOld[at.way] + " |"
				} else {
					want += " " + c.oldReadsNew[at.way] + " |"
				}
				shown[c.name]++
			}
			if line != want && !update {
				t.Errorf("the page has the row\n%s\nand the results are\n%s", line, want)
			}
			lines[i] = want
		}
	}
	for name := range all {
		if shown[name] != len(columns) {
			t.Errorf("%q has %d results on the page; want %d", name, shown[name], len(columns))
		}
	}
	if update {
		if err := os.WriteFile(path, []byte(strings.Join(lines, "\n")), 0o644); err != nil {
			t.Fatal(err)
		}
	}
}
