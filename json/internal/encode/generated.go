package encode

import (
	"reflect"

	"github.com/hone-go/hone/internal/memory/mem"
	"github.com/hone-go/hone/json/internal/option"
	"github.com/hone-go/hone/json/internal/rules"
	"github.com/hone-go/hone/shape"
)

// A Code is the generated code of a struct type: a function that appends the JSON of the value at a.
// It replaces the instructions of p, a program whose steps have the same fingerprint. It stores an error in the
// Encoder.
type Code = rules.Code[func(e *Encoder, p *Program, dst []byte, a mem.Pointer) []byte]

// Generated is implemented by pointers to types with generated encoders.
type Generated interface{ HoneEncodeJSON() Code }

// compile returns the program for key. It uses generated code, if a type has any.
func (m *Mode) compile(key Key) *Program {
	c := Compiler{Mode: m, programs: map[Key]*Program{}}
	p := c.Program(key)
	c.attach()
	return p
}

// attach makes the programs of c run the generated code of their types. It ignores generated code
// whose fingerprint differs from the program's.
func (c *Compiler) attach() {
	codes := rules.Codes[func(*Encoder, *Program, []byte, mem.Pointer) []byte]{}
	for key := range c.programs {
		codes.Add(key.Shape, func(pointer any) (code Code, ok bool) {
			if g, ok := pointer.(Generated); ok {
				return g.HoneEncodeJSON(), true
			}
			return Code{}, false
		})
	}
	if len(codes) == 0 {
		return
	}
	for key, p := range c.programs {
		s := key.Shape
		code := codes[s.Type]
		switch {
		case s.Kind != shape.Struct || code.Run == nil:
		case code.Fingerprint == p.fingerprint(s.Type):
			p.plain = &Program{code: p.code, refs: p.refs, namedTypes: p.namedTypes, reserve: p.reserve}
			p.generated, p.parts = code.Run, p.split()
			p.code = []instr{{op: opGenerated}}
		// Code is generated for the rules of version 1, so for other rules a different fingerprint
		// is expected. In version 1 a different fingerprint means that the code is out of date.
		case c.Mode.IsV1() && !isCurrent(s, code.Fingerprint):
			rules.ReportStale(s.Type)
		}
	}
}

// isCurrent reports whether the fingerprint matches a program of version 1 for values of shape s,
// for any release.
func isCurrent(s *shape.Shape, fingerprint uint64) bool {
	for _, release := range []option.Flag{0, option.FirstEngine, option.NewestPatch} {
		if v1Mode(release).interpreted(s).fingerprint(s.Type) == fingerprint {
			return true
		}
	}
	return false
}

// split returns the instructions of p as separate programs.
func (p *Program) split() []Program {
	parts := make([]Program, len(p.code))
	for i := range p.code {
		part := &parts[i]
		part.code, part.refs = p.code[i:i+1:i+1], p.refs
		if t := p.namedTypes[i]; t != nil {
			part.namedTypes = map[int]reflect.Type{0: t}
		}
		part.reserve = int(p.code[i].reserve) + len(p.code[i].literal) + maxNumber
	}
	return parts
}

// Part runs instruction i without generated code: it appends the instruction's literal and value. a
// is the address of the struct. If Part returns false, the error is in e, and the generated code
// must return.
func (p *Program) Part(i int, e *Encoder, dst []byte, a mem.Pointer) ([]byte, bool) {
	dst, e.err = p.parts[i].Run(e, dst, a)
	return dst, e.err == nil
}

// Fail is called by generated code that has written the literal of instruction i and cannot encode
// its value. It removes the literal and runs the instruction like Part, to get the error.
func (p *Program) Fail(i int, e *Encoder, dst []byte, a mem.Pointer) []byte {
	dst, _ = p.Part(i, e, dst[:len(dst)-int(p.plain.code[i].size)], a)
	return dst
}

// Omits reports whether instruction i omits the field that it tests.
func (p *Program) Omits(i int, a mem.Pointer) bool {
	in := &p.plain.code[i]
	return p.refs[in.arg].omit(a, uintptr(in.off))
}
