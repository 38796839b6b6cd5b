package contestants

import (
	"bytes"
	"encoding/gob"
	stdjson "encoding/json"
	"errors"
	"fmt"
	"net/http/httptest"
	"os"
	"runtime"
	"runtime/debug"
	"strconv"
	"strings"
	"time"

	"github.com/hone-go/hone/bench/suite/contest"
	"github.com/hone-go/hone/bench/suite/contestants/web"
	"github.com/hone-go/hone/json"
	"github.com/hone-go/hone/wire"
)

// memoryContests measure the memory of a process that does the work once: the peak during the work,
// as the system counts it, minus the memory before the work.
func memoryContests() []contest.Contest {
	const n = 100_000
	people := func() []web.Person {
		v := make([]web.Person, n)
		for i := range v {
			v[i] = web.Person{Name: "some name " + strconv.Itoa(i), Email: "some.name@example.org", Age: i % 100, Tags: []string{"a", "b"}}
		}
		return v
	}
	document := func() ([]byte, error) {
		return []byte("[" + strings.Repeat(`{"name":"some name","email":"some.name@example.org","age":36,"tags":["a","b"]},`, n-1) +
			`{"name":"some name","email":"some.name@example.org","age":36,"tags":["a","b"]}]`), nil
	}
	decoding := func(decode func(data []byte, v *[]web.Person) error, input func() ([]byte, error)) func() error {
		return func() error {
			data, err := input()
			if err != nil {
				return err
			}
			var v []web.Person
			if err := decode(data, &v); err != nil {
				return err
			}
			if len(v) != n || v[n-1].Age == 0 || len(v[n-1].Tags) != 2 {
				return errors.New("the decoded value differs")
			}
			runtime.KeepAlive(data)
			return nil
		}
	}
	encoding := func(encode func(v []web.Person) (int, error)) func() error {
		return func() error {
			v := people()
			size, err := encode(v)
			if err == nil && size < 4*n {
				err = fmt.Errorf("the encoding has only %d bytes, want at least %d", size, 4*n)
			}
			runtime.KeepAlive(v)
			return err
		}
	}
	routed := func(r web.Router) func() error {
		return func() error {
			var report web.Hit
			routes := web.ManyRoutes(1000)
			h := r.Make(routes, 0, &report)
			for i := 0; i < len(routes); i += 100 {
				want := routes[i]
				h.ServeHTTP(httptest.NewRecorder(), httptest.NewRequest(want.Request().Method, want.Request().Path, nil))
				if err := report.Check(want); err != nil {
					return err
				}
			}
			return nil
		}
	}
	work := func(name string, do func() error, notes ...string) contest.Contestant {
		return contest.Contestant{Name: name, Notes: notes, Measure: func() (func(time.Duration) (contest.Sample, error), error) {
			return func(time.Duration) (contest.Sample, error) {
				before, err := forgetPeak()
				if err != nil {
					return contest.Sample{}, err
				}
				if err := do(); err != nil {
					return contest.Sample{}, err
				}
				most, err := processMemory("VmHWM:")
				return contest.Sample{Value: most - before}, err
			}, nil
		}}
	}
	all := []contest.Contest{
		{Name: "memory/decoding 100,000 records from JSON", Contestants: []contest.Contestant{
			work("hone", decoding(func(data []byte, v *[]web.Person) error { return json.Unmarshal(data, v) }, document)),
			work("encoding/json", decoding(func(data []byte, v *[]web.Person) error { return stdjson.Unmarshal(data, v) }, document)),
		}},
		{Name: "memory/encoding 100,000 records to JSON", Contestants: []contest.Contestant{
			work("hone", encoding(func(v []web.Person) (int, error) { b, err := json.Marshal(v); return len(b), err })),
			work("encoding/json", encoding(func(v []web.Person) (int, error) { b, err := stdjson.Marshal(v); return len(b), err })),
		}},
		{Name: "memory/encoding 100,000 records to binary", Contestants: []contest.Contestant{
			work("hone", encoding(func(v []web.Person) (int, error) { b, err := wire.Marshal(&v); return len(b), err })),
			work("encoding/gob", encoding(func(v []web.Person) (int, error) {
				var b bytes.Buffer
				err := gob.NewEncoder(&b).Encode(v)
				return b.Len(), err
			})),
		}},
		{Name: "memory/1,000 routes, some of them asked"},
	}
	for _, r := range web.Routers {
		all[3].Contestants = append(all[3].Contestants, work(r.Name, routed(r), r.Notes...))
	}
	all[3] = web.ByRouters(all[3])
	for i := range all {
		all[i].Unit, all[i].Way = contest.Bytes, contest.Cold
	}
	return all
}

// forgetPeak returns free memory to the system, and resets the peak memory of the process to its current
// memory. It returns the current memory, in bytes.
func forgetPeak() (float64, error) {
	debug.FreeOSMemory()
	if err := os.WriteFile("/proc/self/clear_refs", []byte("5"), 0); err != nil {
		return 0, fmt.Errorf("this system cannot reset the peak memory of a process: %w", err)
	}
	return processMemory("VmRSS:")
}

// processMemory returns one of the memory figures of this process in /proc/self/status, in bytes. name
// is the name of the figure with its colon, such as "VmHWM:".
func processMemory(name string) (float64, error) {
	status, err := os.ReadFile("/proc/self/status")
	if err != nil {
		return 0, fmt.Errorf("this system does not report the memory of a process: %w", err)
	}
	for line := range strings.Lines(string(status)) {
		if kb, ok := strings.CutPrefix(line, name); ok {
			n, err := strconv.ParseFloat(strings.TrimSpace(strings.TrimSuffix(strings.TrimSpace(kb), "kB")), 64)
			return n * 1024, err
		}
	}
	return 0, fmt.Errorf("/proc/self/status has no %s", name)
}
