package gate

import (
	"cmp"
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/hone-go/hone/bench/suite/contest"
)

// around returns samples with some noise around a time.
func around(ns, allocs float64, seed uint64) []contest.Sample {
	random := rand.New(rand.NewPCG(seed, 1))
	list := make([]contest.Sample, 10)
	for i := range list {
		list[i] = contest.Sample{Value: ns * (1 + 0.02*random.Float64()), Allocs: allocs}
	}
	return list
}

func pair(name string, base, now, baseAllocs, newAllocs float64) Pair {
	return Pair{name, around(base, baseAllocs, 1), around(now, newAllocs, 2)}
}

func names(changes []Change) string {
	var list []string
	for _, c := range changes {
		list = append(list, c.Name)
	}
	return strings.Join(list, " ")
}

func TestJudge(t *testing.T) {
	type test struct {
		name           string
		pairs          []Pair
		loss           float64 // percent; 5 if it is 0
		each           float64 // percent
		failed         bool
		mean           float64
		slower, faster string
		allocs         string
	}
	for _, c := range []test{
		{name: "nothing", mean: 1},
		{name: "the same", pairs: []Pair{pair("a", 100, 100, 2, 2), pair("b", 5000, 5000, 0, 0)}, mean: 1},
		{name: "4 % slower", pairs: []Pair{pair("a", 100, 104, 0, 0)}, mean: 1.04},
		{name: "4 % slower, 2 % allowed", pairs: []Pair{pair("a", 100, 104, 0, 0)}, loss: 2, failed: true, mean: 1.04},
		{name: "8 % slower", pairs: []Pair{pair("a", 100, 108, 0, 0)}, failed: true, mean: 1.08, slower: "a"},
		{name: "8 % slower, 10 % allowed", pairs: []Pair{pair("a", 100, 108, 0, 0)}, loss: 10, mean: 1.08, slower: "a"},
		{name: "one of four slower by half", pairs: []Pair{pair("a", 10, 10, 0, 0), pair("b", 100, 150, 0, 0), pair("c", 10, 10, 0, 0), pair("d", 7, 7, 0, 0)},
			failed: true, mean: math.Pow(1.5, .25), slower: "b"},
		{name: "one slower, one as much faster", pairs: []Pair{pair("a", 100, 120, 0, 0), pair("b", 120, 100, 0, 0)}, mean: 1, slower: "a", faster: "b"},
		{name: "5 % slower, each 3 % allowed", pairs: []Pair{pair("a", 100, 105, 0, 0), pair("b", 100, 97, 0, 0)}, each: 3, failed: true, mean: 1.01, slower: "a"},
		{name: "2 % slower, each 3 % allowed", pairs: []Pair{pair("a", 100, 102, 0, 0)}, each: 3, mean: 1.02},
		{name: "8 % slower, each 10 % allowed", pairs: []Pair{pair("a", 100, 108, 0, 0)}, loss: 10, each: 10, mean: 1.08, slower: "a"},
		{name: "worst first", pairs: []Pair{pair("a", 100, 110, 0, 0), pair("b", 100, 200, 0, 0), pair("c", 100, 130, 0, 0)},
			failed: true, mean: math.Cbrt(1.1 * 2 * 1.3), slower: "b c a"},
		{name: "faster, with a new allocation", pairs: []Pair{pair("a", 100, 50, 0, 1)}, failed: true, mean: .5, faster: "a", allocs: "a"},
		{name: "fewer allocations", pairs: []Pair{pair("a", 100, 100, 3, 2)}, mean: 1},
		{name: "what the runtime adds", pairs: []Pair{pair("a", 100, 100, 2, 2.03), pair("b", 100, 100, 2000, 2001)}, mean: 1},
	} {
		v := Judge(c.pairs, Bounds{cmp.Or(c.loss, 5), c.each})
		if v.Passed == c.failed || math.Abs(v.Mean-c.mean) > 0.03 || v.Pairs != len(c.pairs) ||
			names(v.Slower) != c.slower || names(v.Faster) != c.faster || names(v.Allocs) != c.allocs {
			t.Errorf("%s: %+v", c.name, v)
		}
		var b strings.Builder
		v.Print(&b)
		if strings.Contains(b.String(), "FAILED") != c.failed {
			t.Errorf("%s: %s", c.name, &b)
		}
		for _, list := range []string{c.slower, c.allocs} {
			for _, name := range strings.Fields(list) {
				if !strings.Contains(b.String(), "  "+name+" ") {
					t.Errorf("%s: %s is not named:\n%s", c.name, name, &b)
				}
			}
		}
	}
}

// TestJudgeNoise checks that overlapping times with a spread of a half do not count as
// different.
func TestJudgeNoise(t *testing.T) {
	noisy := func(seed uint64) (list []contest.Sample) {
		random := rand.New(rand.NewPCG(seed, 7))
		for range 10 {
			list = append(list, contest.Sample{Value: 100 + 50*random.Float64()})
		}
		return list
	}
	if v := Judge([]Pair{{"noisy", noisy(3), noisy(4)}}, Bounds{5, 3}); len(v.Slower)+len(v.Faster) > 0 {
		t.Errorf("%+v", v)
	}
}
