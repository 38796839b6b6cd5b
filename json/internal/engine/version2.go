package engine

import (
	"reflect"
	"time"

	"github.com/hone-go/hone/internal/memory/mem"
	"github.com/hone-go/hone/shape"
)

// What v2 does otherwise than v1 is reached through the two tables of this file, and not by
// calls of its functions. NewCall alone hands the tables out, with the modes of v2. A program
// that has no such call does not refer to them, and the linker leaves out all that they lead
// to: the streams of tokens, and the methods and functions that are given one.
//
// A function has a row if code that both versions run calls it. What needs little beside
// itself is called directly, behind a look at v2.

// decodeRules are how decoding differs from v1.
type decodeRules struct {
	// When a type is compiled: how functions, methods and options decode it, which custom
	// reports to have set, and what is wrong with a struct type.
	custom func(c *nodeCompiler, key nodeKey, n *Node) bool
	fault  func(k *modeKey, s *shape.Shape) *shape.Fault

	// Values: of the kinds of node that v1 does not have, null, and those of a kind.
	value   func(d *Decoder, n *Node, t int, a mem.Pointer, off uintptr) (int, error)
	null    func(d *Decoder, n *Node, t int, a mem.Pointer, off uintptr) error
	iface   func(d *Decoder, n *Node, t int, a mem.Pointer, off uintptr) error
	bytes   func(d *Decoder, n *Node, t int, a mem.Pointer, off uintptr) error
	number  func(d *Decoder, n *Node, t int, a mem.Pointer, off uintptr) error
	time    func(d *Decoder, t int, v *time.Time) error
	mapInto func(d *Decoder, n *Node, t int, a mem.Pointer, off uintptr, room int) (int, error)
	skip    func(d *Decoder, t int) (int, error)

	// The text, as a stream of tokens reads it.
	readable  func(d *Decoder, t int, whole bool) error
	isUnicode func(d *Decoder, t int) bool
	syntax    func(d *Decoder, whole int) error
	broken    func(d *Decoder) error

	// Errors.
	refuse        func(d *Decoder, t int, typ reflect.Type, cause error, form misfitForm) error
	refuseName    func(d *Decoder, t int, typ reflect.Type, cause error) error
	scalar        func(d *Decoder, n *Node, t int, a mem.Pointer, off uintptr) error
	arrayLength   func(d *Decoder, n *Node, t int, cause, before error) error
	ambiguous     func(d *Decoder, t int, typ reflect.Type) error
	duplicateName func(d *Decoder, t int) error

	release func(d *Decoder)
}

var v2DecodeRules = decodeRules{
	custom: (*nodeCompiler).custom,
	fault:  (*modeKey).faultOf,

	value:   (*Decoder).valueOfCall,
	null:    (*Decoder).nullOfCall,
	iface:   (*Decoder).ifaceOfCall,
	bytes:   (*Decoder).bytesOfCall,
	number:  (*Decoder).numberOfCall,
	time:    (*Decoder).timeOfCall,
	mapInto: (*Decoder).mapOfCall,
	skip:    (*Decoder).skipOfCall,

	readable:  (*Decoder).readable,
	isUnicode: (*Decoder).isUnicode,
	syntax:    (*Decoder).syntax,
	broken:    (*Decoder).brokenValue,

	refuse:        (*Decoder).refuse,
	refuseName:    (*Decoder).refuseName,
	scalar:        (*Decoder).refuseScalar,
	arrayLength:   (*Decoder).arrayLength,
	ambiguous:     (*Decoder).ambiguous,
	duplicateName: (*Decoder).duplicateName,

	release: (*Decoder).releaseCall,
}

// encodeRules are how encoding differs from v1.
type encodeRules struct {
	// When a type is compiled: how functions, methods and options encode it, which custom
	// reports to have emitted, and maps.
	custom   func(w *writer, key programKey, off uintptr) bool
	mapValue func(w *writer, s *shape.Shape, off uintptr)

	// Values: of the instructions that v1 does not have, and those of a kind.
	run    func(r *ref, e *Encoder, o op, dst []byte, a mem.Pointer, off uintptr) ([]byte, error)
	number func(e *Encoder, dst []byte, s string) []byte
	time   func(e *Encoder, dst []byte, t *time.Time) ([]byte, error)
	cast   func(e *Encoder, c mapCast, dst []byte, a mem.Pointer, off uintptr) ([]byte, error)
	object func(e *Encoder, dst []byte, m map[string]any) ([]byte, error)
	rest   func(w *restWriter, e *Encoder, dst, text []byte, names *nameSet) ([]byte, error)
	walk   func(r *ref, e *Encoder, dst []byte, m reflect.Value) ([]byte, error)
}

var v2EncodeRules = encodeRules{
	custom:   (*writer).custom,
	mapValue: (*writer).namedMap,

	run:    (*ref).runOfCall,
	number: (*Encoder).canonical,
	time:   (*Encoder).timeOfCall,
	cast:   (*Encoder).castOfCall,
	object: (*Encoder).objectOfCall,
	rest:   (*restWriter).restOfText,
	walk:   (*ref).walkNamed,
}

// The rules of v2 without options.
var (
	v2Encode = encodeMode{v2: &v2EncodeRules}
	v2Decode = decodeMode{v2: &v2DecodeRules}
)

func newEncodeMode(k modeKey) *encodeMode { return &encodeMode{modeKey: k, v2: &v2EncodeRules} }
func newDecodeMode(k modeKey) *decodeMode { return &decodeMode{modeKey: k, v2: &v2DecodeRules} }
