package stream

// A Place is the position of a text within an enclosing text that the engine reads or writes. The
// position is computed only when it is needed.
type Place struct {
	// Track returns a Track of the enclosing text at this position. If it is nil, the position is At
	// in Text, and Own is the Track, which is created when it is needed.
	Track func() *Track
	Text  []byte
	At    int
	Own   *Track

	// Reader is the engine's state of the call that passed the text to a method.
	Reader any

	in    Stream // the stream of the enclosing text, or nil
	depth int    // the depth plus one; 0 if not yet computed
}

// A Stream is a [Decoder] or an [Encoder].
type Stream interface {
	StackDepth() int
	Level(i int) (object bool, count int64, name []byte)
	// gather appends the levels of the enclosing texts, and then the open levels of this stream, to
	// list.
	gather(list *levels)
}

// Set prepares p for another text: the depth is computed again from the position that Track
// returns. If the enclosing text is read from or written to a stream, the argument in is this
// stream, otherwise nil.
func (p *Place) Set(in Stream) { p.in, p.depth = in, 0 }

func (p *Place) track() *Track {
	if p.Track != nil {
		return p.Track()
	}
	if p.Own == nil {
		p.Own = new(Track)
	}
	p.Own.Move(p.Text, p.At)
	return p.Own
}

// Depth returns the number of arrays and objects that enclose the text.
func (p *Place) Depth() int {
	if p.depth == 0 {
		p.depth = p.track().Depth() + 1
		if p.in != nil {
			p.depth += p.in.StackDepth()
		}
	}
	return p.depth - 1
}

// Level returns level i, counted from the outermost one: whether it is an object, the number of its
// values so far, including names, and its last name.
func (p *Place) Level(i int) (object bool, count int64, name []byte) {
	depth := 0
	if p.in != nil {
		if depth = p.in.StackDepth(); i <= depth {
			object, count, name = p.in.Level(i)
		}
	}
	switch {
	case i < depth:
		return object, count, name
	case i == depth:
		_, more, _ := p.track().Level(0)
		return object, count + more, name
	}
	return p.track().Level(i - depth)
}

func (p *Place) gather(list *levels) {
	if p.in != nil {
		p.in.gather(list)
	}
	list.add(&p.track().stack)
}

func (d *Decoder) gather(list *levels) { gather(&d.stack, d.Outer, list) }

func (e *Encoder) gather(list *levels) { gather(&e.stack, e.Outer, list) }

func gather(s *stack, o *Place, list *levels) {
	if o != nil {
		o.gather(list)
	}
	list.add(s)
}

// levels builds the JSON pointer of a text that may be nested in other texts, up to 10,000 levels
// deep. One pass collects the levels of all these texts.
type levels struct {
	pointer []byte // the pointer to the innermost level so far
	inner   bool   // the innermost level is an array or object, not the stream itself
	object  bool
	count   int64
	name    []byte // the last name
}

// add adds the levels of a stack, outermost first.
func (l *levels) add(s *stack) {
	l.count += s.levelAt(0).count
	for i := 1; i <= s.depth(); i++ {
		l.pass(-1)
		l.inner = true
		l.object, l.count, l.name = s.describe(i)
	}
}

// pass appends the reference token for a value in the innermost level. If the level is an array,
// the token is the level's count plus step.
func (l *levels) pass(step int64) {
	if l.inner {
		l.pointer = appendStep(l.pointer, l.object, l.count+step, l.name)
	}
}

// outerPointer returns the JSON pointer of the text at o, or nil if o is nil.
func outerPointer(o *Place) []byte { return pointerIn(o, Next) }

// pointerIn returns the JSON pointer of the value that sel selects, relative to the position o.
func pointerIn(o *Place, sel Where) []byte {
	if o == nil {
		return nil
	}
	var l levels
	o.gather(&l)
	innermost := level{count: l.count}
	if l.object {
		innermost.object = 1
	}
	if step, ok := innermost.step(sel); ok {
		l.pass(step)
	}
	return l.pointer
}

// Level returns level i, counted from the outermost one: whether it is an object, the number of its
// values so far, including names, and its last name.
func (e *Encoder) Level(i int) (object bool, count int64, name []byte) {
	return levelAt(&e.stack, e.Outer, i)
}

// Level returns level i, counted from the outermost one: whether it is an object, the number of its
// values so far, including names, and its last name.
func (d *Decoder) Level(i int) (object bool, count int64, name []byte) {
	return levelAt(&d.stack, d.Outer, i)
}

func levelAt(s *stack, o *Place, i int) (object bool, count int64, name []byte) {
	if o == nil {
		return s.describe(i)
	}
	switch inner := i - o.Depth(); {
	case inner < 0:
		return o.Level(i)
	case inner == 0:
		object, count, name = o.Level(i)
		return object, count + s.levelAt(0).count, name
	default:
		return s.describe(inner)
	}
}

func stackDepth(s *stack, o *Place) int {
	if o != nil {
		return o.Depth() + s.depth()
	}
	return s.depth()
}

func stackIndex(s *stack, o *Place, i int) (Kind, int64) {
	var object bool
	var count int64
	inner := i
	if o != nil {
		inner -= o.Depth()
	}
	switch {
	case inner < 0:
		object, count, _ = o.Level(i)
	case inner == 0 && o != nil:
		object, count, _ = o.Level(i)
		count += s.levelAt(0).count
	default:
		l := s.levelAt(inner)
		object, count = l.object != 0, l.count
	}
	switch {
	case i <= 0:
		return 0, count
	case object:
		return '{', count
	}
	return '[', count
}

func stackPointer(s *stack, o *Place) Pointer {
	if o == nil {
		return Pointer(s.appendPointer(nil, Previous))
	}
	if s.depth() == 0 && s.top.object != 0 && s.top.count > 0 { // the text is the name of a member
		return Pointer(outerPointer(o)).AppendToken(string(s.lastName(&s.top)))
	}
	if s.depth() == 0 && s.top.count == 0 {
		return Pointer(pointerIn(o, Previous)) // the pointer to the token before the text
	}
	return Pointer(s.appendPointer(outerPointer(o), Previous))
}
