package stream

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"strconv"
	"strings"
	"testing"
)

// A plainLevel is a level of a plainStack: the number of its values, and the names so far.
type plainLevel struct {
	object bool
	count  int
	names  []string
}

// A plainStack is a simple implementation of a stack. It keeps all names as strings.
type plainStack []plainLevel

var escapeStep = strings.NewReplacer("~", "~0", "/", "~1")

func (p plainStack) top() *plainLevel { return &p[len(p)-1] }

func (p plainStack) wantsName() bool { return p.top().object && p.top().count%2 == 0 }

// pointer returns the JSON pointer of the value that the argument to selects.
func (p plainStack) pointer(to Where) string {
	var steps []string
	for i, l := range p[1:] {
		index := l.count - 1
		if i == len(p)-2 { // the innermost level
			between := l.object && l.count%2 == 1
			switch {
			case to == Previous && l.count == 0, to == Ambiguous && !between, to == Next && l.object && !between:
				continue
			case to == Next:
				index = l.count
			}
		}
		if l.object {
			steps = append(steps, escapeStep.Replace(l.names[len(l.names)-1]))
		} else {
			steps = append(steps, strconv.Itoa(index))
		}
	}
	var b strings.Builder
	for _, s := range steps {
		b.WriteString("/" + s)
	}
	return b.String()
}

// TestStack makes the same random changes to a stack and to a plainStack, which must be equal after
// each change. Names are often equal, and some objects have more than linearNames names.
func TestStack(t *testing.T) {
	for seed := range uint64(50) {
		r := rand.New(rand.NewPCG(seed, 1))
		unique := seed%2 == 0
		names := 3
		if seed%5 == 0 {
			names = 4 * linearNames
		}
		var s stack
		p := plainStack{{}}
		for range 1000 {
			step := r.IntN(10)
			switch {
			case p.wantsName() && step < 8:
				text := strings.Repeat("~n/ä", r.IntN(3)) + strconv.Itoa(r.IntN(names))
				escaped := r.IntN(2) == 0
				quoted := `"` + text + `"`
				if escaped {
					quoted = `"` + strings.ReplaceAll(text, "n", `\u006e`) + `"`
				}
				isNew := true
				for _, n := range p.top().names {
					isNew = isNew && n != text
				}
				got := s.name([]byte(quoted), !strings.Contains(quoted, `\`), unique)
				if want := isNew || !unique; got != want {
					t.Fatalf("seed %d: name %s is new: %v, want %v", seed, quoted, got, want)
				}
				if got {
					p.top().names = append(p.top().names, text)
					p.top().count++
					s.top.count++
				}
			case p.wantsName() && step == 8:
				if err := s.scalar(); !errors.Is(err, ErrNonStringName) {
					t.Fatalf("seed %d: a number as a name: %v", seed, err)
				}
			case step < 2 && len(p) < 40:
				object := r.IntN(2) == 0
				if err := s.push(object); p.wantsName() != errors.Is(err, ErrNonStringName) {
					t.Fatalf("seed %d: an array or object, where a name is wanted: %v: %v", seed, p.wantsName(), err)
				}
				if !p.wantsName() {
					p.top().count++
					p = append(p, plainLevel{object: object})
				}
			case step < 4 && len(p) > 1 && !s.top.wantsMember() && p.top().count > r.IntN(names):
				s.pop()
				p = p[:len(p)-1]
			case !p.wantsName():
				if err := s.scalar(); err != nil {
					t.Fatalf("seed %d: %v", seed, err)
				}
				p.top().count++
			}
			compareStacks(t, seed, &s, p)
		}
	}
}

func compareStacks(t *testing.T, seed uint64, s *stack, p plainStack) {
	t.Helper()
	if s.depth() != len(p)-1 || s.top.wantsName() != p.wantsName() {
		t.Fatalf("seed %d: depth %d, wants a name: %v; want %d and %v", seed, s.depth(), s.top.wantsName(), len(p)-1, p.wantsName())
	}
	for i, want := range p {
		object, count, last := s.describe(i)
		name := ""
		if len(want.names) > 0 {
			name = want.names[len(want.names)-1]
		}
		if object != want.object || int(count) != want.count || string(last) != name {
			t.Fatalf("seed %d: level %d: object %v, count %d, name %q; want %+v", seed, i, object, count, last, want)
		}
	}
	for _, to := range []Where{Previous, Ambiguous, Next} {
		if got, want := string(s.appendPointer(nil, to)), p.pointer(to); got != want {
			t.Fatalf("seed %d: pointer %d is %q, want %q", seed, to, got, want)
		}
	}
}

// TestStackDepth opens MaxDepth arrays and then one more, which must be refused.
func TestStackDepth(t *testing.T) {
	var s stack
	for range MaxDepth {
		if err := s.push(false); err != nil {
			t.Fatal(err)
		}
	}
	if err := s.push(false); !errors.Is(err, ErrMaxDepth) {
		t.Errorf("the level after the last: %v", err)
	}
	if s.depth() != MaxDepth {
		t.Errorf("a refused array changed the depth to %d", s.depth())
	}
	s.cut(1, 7)
	if object, count, _ := s.describe(1); s.depth() != 1 || object || count != 7 {
		t.Errorf("after cut: depth %d, object %v, count %d", s.depth(), object, count)
	}
	s.reset()
	if s.depth() != 0 || s.top.count != 0 || cap(s.levels) > 1<<10 {
		t.Errorf("after reset: depth %d, count %d, room for %d levels", s.depth(), s.top.count, cap(s.levels))
	}
}

// TestDigest checks that names with equal digests, which differ only in their middle, are compared by
// their bytes.
func TestDigest(t *testing.T) {
	var s stack
	if err := s.push(true); err != nil {
		t.Fatal(err)
	}
	for i := range 3 * linearNames {
		text := fmt.Appendf(nil, `"12345678%04d12345678"`, i)
		if !s.name(text, true, true) {
			t.Fatalf("%s is not new", text)
		}
		if s.name(text, true, true) {
			t.Fatalf("%s is new twice", text)
		}
	}
}
