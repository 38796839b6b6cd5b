package contestants

import (
	"bytes"
	"encoding/gob"
	stdjson "encoding/json"
	"fmt"
	"slices"

	"github.com/hone-go/hone/bench/suite/contest"
	"github.com/hone-go/hone/bench/suite/contestants/web"
	"github.com/hone-go/hone/json"
	"github.com/hone-go/hone/wire"
)

func growthContests() []contest.Contest {
	var all []contest.Contest
	for _, n := range []int{10, 100, 1000, 10_000, 100_000, 1_000_000} {
		all = append(all, grown("elements", n, func() []int64 { return integers(n) })...)
	}
	for _, n := range []int{1, 2, 4, 8, 16, 32} {
		all = append(all, grown("levels", n, func() *Level { return nest(n) })...)
	}
	for _, n := range []int{1, 10, 100, 1000} {
		routes := web.ManyRoutes(n)
		c := web.Routing(fmt.Sprintf("growth/route, one of %d", n), routes, routes[n/2:n/2+1], 0)
		c.Curve = contest.Curve{Name: "finding a route", Size: n, Of: "routes"}
		all = append(all, c)
	}
	for _, n := range []int{1, 4, 16, 64} {
		c := web.Connected(fmt.Sprintf("growth/requests from %d clients", n), n, slices.DeleteFunc(web.BareServers(), func(s web.Server) bool {
			return s.Name == web.ChiName || s.Name == web.GinName
		}))
		c.Curve = contest.Curve{Name: "a request over TCP", Size: n, Of: "clients"}
		all = append(all, c)
	}
	return all
}

// integers returns integers of all lengths, the same in each call.
func integers(n int) []int64 {
	v := make([]int64, n)
	x := uint64(88172645463325252)
	for i := range v {
		x ^= x << 13
		x ^= x >> 7
		x ^= x << 17
		v[i] = int64(x) >> (x % 60)
	}
	return v
}

// A Level contains the next deeper Level.
type Level struct {
	Name  string `json:"name"`
	Depth int    `json:"depth"`
	Next  *Level `json:"next"`
}

func nest(n int) *Level {
	var v *Level
	for i := range n {
		v = &Level{"some level", n - i, v}
	}
	return v
}

// grown returns the contests in encoding and decoding a value of some size, as JSON and in the
// binary format. If possible, encoding writes into a reused buffer; decoding makes a new value.
func grown[T any](of string, size int, make func() T) []contest.Contest {
	engines := []struct {
		format, name string
		append       func(dst []byte, v *T) ([]byte, error)
		decode       func(data []byte, v *T) error
	}{
		{"JSON", "hone", func(dst []byte, v *T) ([]byte, error) { return json.Append(dst, v) }, func(data []byte, v *T) error { return json.Unmarshal(data, v) }},
		{"JSON", "encoding/json", func(dst []byte, v *T) ([]byte, error) {
			b := bytes.NewBuffer(dst)
			err := stdjson.NewEncoder(b).Encode(v)
			return b.Bytes(), err
		}, func(data []byte, v *T) error { return stdjson.Unmarshal(data, v) }},
		{"binary", "hone", wire.Append[T], wire.Unmarshal[T]},
		{"binary", "encoding/gob", func(dst []byte, v *T) ([]byte, error) {
			b := bytes.NewBuffer(dst)
			err := gob.NewEncoder(b).Encode(v)
			return b.Bytes(), err
		}, func(data []byte, v *T) error { return gob.NewDecoder(bytes.NewReader(data)).Decode(v) }},
	}
	var all []contest.Contest
	for _, format := range []string{"JSON", "binary"} {
		encode := contest.Contest{Name: fmt.Sprintf("growth/%s encode, %d %s", format, size, of), Curve: contest.Curve{Name: "encoding " + format, Size: size, Of: of}}
		decode := contest.Contest{Name: fmt.Sprintf("growth/%s decode, %d %s", format, size, of), Curve: contest.Curve{Name: "decoding " + format, Size: size, Of: of}}
		for _, e := range engines {
			if e.format != format {
				continue
			}
			// Both contests check that a value is the same after encoding and decoding.
			prepare := func() (v T, data []byte, err error) {
				v = make()
				if data, err = e.append(nil, &v); err != nil {
					return v, nil, err
				}
				var back T
				if err := e.decode(data, &back); err != nil {
					return v, nil, err
				}
				if contest.Same(back, v) != nil {
					return v, nil, fmt.Errorf("the decoded value differs from the original")
				}
				return v, data, nil
			}
			encode.Contestants = append(encode.Contestants, contest.Contestant{Name: e.name, New: func() (func(int), error) {
				v, buf, err := prepare()
				return contest.Loop(func() { buf, _ = e.append(buf[:0], &v) }), err
			}})
			decode.Contestants = append(decode.Contestants, contest.Contestant{Name: e.name, New: func() (func(int), error) {
				_, data, err := prepare()
				return contest.Loop(func() {
					var fresh T
					_ = e.decode(data, &fresh)
				}), err
			}})
		}
		all = append(all, encode, decode)
	}
	return all
}
