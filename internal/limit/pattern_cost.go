package limit

import (
	"math"
	"regexp/syntax"
	"slices"
	"unicode"
)

const (
	// Matching all patterns of a request may take stepsPerByte steps for each byte of the limit on
	// its body. A step is the visit of one instruction of a compiled pattern at one character, and
	// takes about 10 ns.
	stepsPerByte = 16
	// leastSize is the smallest body size that NewBudget assumes, in bytes.
	leastSize = 4 << 20
)

// A Budget is the number of steps that matching patterns may still take. All values of a request
// share one Budget, because a limit for each string does not limit a list of strings.
type Budget struct{ left int }

// NewBudget returns the budget of a request with a body of at most size bytes.
func NewBudget(size int64) Budget {
	return Budget{int(min(max(size, leastSize), math.MaxInt/stepsPerByte) * stepsPerByte)}
}

// Grow adds the steps for n more bytes of a stream. It does not raise the budget above the steps for
// a body of leastSize bytes.
func (b *Budget) Grow(n int64) {
	const full = leastSize * stepsPerByte
	b.left = max(b.left, int(min(int64(b.left)+min(n, leastSize)*stepsPerByte, full)))
}

// Unlimited returns a budget for values that do not come from a request.
func Unlimited() *Budget { return &Budget{math.MaxInt} }

// spend takes n steps from the budget. It returns false, and leaves nothing, if the budget has fewer
// steps.
func (b *Budget) spend(n int) bool {
	if n > b.left {
		b.left = 0
		return false
	}
	b.left -= n
	return true
}

const (
	// maxWork bounds the time of workOf, in visited instructions.
	maxWork = 1 << 16
	// For the first maxCounted characters of a string, the bounds are computed one by one.
	maxCounted = 64
)

// A work is an upper bound of the steps that package regexp takes to match a string against a
// pattern. At each character the matcher visits all instructions that are current. The pattern
// ^[0-9a-f]{64}$ has few current instructions, since only one repetition is current. The pattern
// ^([a-z]+[0-9]?){1,100}$ has hundreds after a hundred letters, since "aaa" may be one to three
// repetitions.
type work struct {
	bounds []int // bounds[n] is the bound for a string of n characters
	width  int   // the bound for each further character
}

// steps returns the bound for a string of n characters. An empty string takes steps, too.
func (w *work) steps(n int) int {
	n = max(n, 1)
	last := len(w.bounds) - 1
	if n <= last {
		return w.bounds[n]
	}
	return w.bounds[last] + min(n-last, (math.MaxInt-w.bounds[last])/w.width)*w.width
}

// workOf converts the nondeterministic automaton of the pattern to a deterministic one by the
// subset construction. The bound for a character is the size of the largest state that the
// characters before it can reach. If the construction takes too long, the bound is the number of
// instructions. workOf assumes that assertions such as \b hold everywhere, except ^. This can only
// add instructions.
func workOf(pattern string) (*work, error) {
	parsed, err := syntax.Parse(pattern, syntax.Perl)
	if err != nil {
		return nil, err
	}
	prog, err := syntax.Compile(parsed.Simplify())
	if err != nil {
		return nil, err
	}
	s := subsets{prog: prog, marks: make([]int, len(prog.Inst)), known: map[string]bool{}}
	s.classes = s.runeClasses()
	w := &work{bounds: []int{0}}
	// After each round, states contains the new sets that one more character reaches.
	states := s.add(nil, []uint32{uint32(prog.Start)})
	for len(states) > 0 && s.work <= maxWork {
		if n := len(w.bounds); n <= maxCounted {
			w.bounds = append(w.bounds, w.bounds[n-1]+s.largest)
		}
		states = s.step(states)
	}
	w.width = s.largest
	if len(states) > 0 {
		w.width = len(prog.Inst)
	}
	return w, nil
}

// subsets are the sets of instructions that can be current at the same time.
type subsets struct {
	prog    *syntax.Prog
	classes []rune // one character of each class that the instructions distinguish
	marks   []int  // the number of the set that an instruction was last added to
	set     int
	known   map[string]bool
	largest int // the size of the largest set
	work    int // number of visited instructions so far
}

// step returns the sets that are reached from the sets in states by reading one character, except
// known sets.
func (s *subsets) step(states [][]uint32) (reached [][]uint32) {
	for _, from := range states {
		for _, r := range s.classes {
			next := []uint32{uint32(s.prog.Start)} // a match may begin at any character
			for _, pc := range from {
				if inst := &s.prog.Inst[pc]; inst.MatchRune(r) {
					next = append(next, inst.Out)
				}
			}
			reached = s.add(reached, next)
			if s.work += len(from) + 1; s.work > maxWork {
				return append(reached, nil)
			}
		}
	}
	return reached
}

// add follows the instructions in the argument initial, and appends the set of instructions that they
// reach, unless the set is known.
func (s *subsets) add(sets [][]uint32, initial []uint32) [][]uint32 {
	runes, size := s.closure(initial)
	s.largest = max(s.largest, size)
	key := make([]byte, 0, 4*len(runes))
	for _, pc := range runes {
		key = append(key, byte(pc), byte(pc>>8), byte(pc>>16), byte(pc>>24))
	}
	if s.known[string(key)] {
		return sets
	}
	s.known[string(key)] = true
	return append(sets, runes)
}

// closure follows the instructions in the argument initial, up to instructions that read a
// character. It returns the instructions that read a character, sorted, and the number of all
// visited instructions.
func (s *subsets) closure(initial []uint32) (runes []uint32, size int) {
	s.set++
	stack := slices.Clone(initial)
	for len(stack) > 0 {
		pc := stack[len(stack)-1]
		stack = stack[:len(stack)-1]
		if s.marks[pc] == s.set {
			continue
		}
		s.marks[pc] = s.set
		size++
		switch inst := &s.prog.Inst[pc]; inst.Op {
		case syntax.InstAlt, syntax.InstAltMatch:
			stack = append(stack, inst.Out, inst.Arg)
		case syntax.InstCapture, syntax.InstNop:
			stack = append(stack, inst.Out)
		case syntax.InstEmptyWidth:
			// The assertion ^ holds only at the beginning, where the first set is reached.
			if s.set == 1 || syntax.EmptyOp(inst.Arg)&syntax.EmptyBeginText == 0 {
				stack = append(stack, inst.Out)
			}
		case syntax.InstRune, syntax.InstRune1, syntax.InstRuneAny, syntax.InstRuneAnyNotNL:
			runes = append(runes, pc)
		}
	}
	s.work += size
	slices.Sort(runes)
	return runes, size
}

// runeClasses returns one character of each class. All characters of a class are matched by the same
// instructions. If there are too many characters to compare, runeClasses returns only one, and sets
// s.work so that the construction stops.
func (s *subsets) runeClasses() []rune {
	bounds := []rune{0, '\n', '\n' + 1}
	var reading []*syntax.Inst
	for i := range s.prog.Inst {
		inst := &s.prog.Inst[i]
		if len(inst.Rune) == 0 {
			continue
		}
		reading = append(reading, inst)
		bounds = append(bounds, boundsOf(inst)...)
	}
	slices.Sort(bounds)
	bounds = slices.Compact(bounds)
	if len(bounds)*len(reading) > maxWork {
		s.work = maxWork
		return bounds[:1]
	}
	classes, known := bounds[:0], map[string]bool{}
	for _, r := range bounds {
		key := make([]byte, len(reading))
		for i, inst := range reading {
			if inst.MatchRune(r) {
				key[i] = 1
			}
		}
		if !known[string(key)] {
			known[string(key)] = true
			classes = append(classes, r)
		}
	}
	return classes
}

// boundsOf returns the characters at which inst starts or stops to match.
func boundsOf(inst *syntax.Inst) (bounds []rune) {
	if len(inst.Rune) > 1 {
		for i := 0; i < len(inst.Rune); i += 2 {
			bounds = append(bounds, inst.Rune[i], inst.Rune[i+1]+1)
		}
		return bounds
	}
	only := inst.Rune[0]
	bounds = append(bounds, only, only+1)
	if syntax.Flags(inst.Arg)&syntax.FoldCase != 0 {
		for r := unicode.SimpleFold(only); r != only; r = unicode.SimpleFold(r) {
			bounds = append(bounds, r, r+1)
		}
	}
	return bounds
}
