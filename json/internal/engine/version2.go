package engine

import (
	"reflect"
	"time"

	"github.com/hone-go/hone/internal/memory/mem"
	"github.com/hone-go/hone/shape"
)

// version2 is what decoding by the rules of v2 does otherwise than v1.
type version2 interface {
	// Values: of the kinds of node that v1 does not have, null, and those of a kind.
	valueV2(n *Node, t int, a mem.Pointer, off uintptr) (int, error)
	nullV2(n *Node, t int, a mem.Pointer, off uintptr) error
	interfaceV2(n *Node, t int, a mem.Pointer, off uintptr) error
	bytesV2(n *Node, t int, a mem.Pointer, off uintptr) error
	numberV2(n *Node, t int, a mem.Pointer, off uintptr) error
	numberInAny(t int) (any, error)
	timeV2(t int, v *time.Time) error
	mapV2(n *Node, t int, a mem.Pointer, off uintptr, room int) (int, error)
	skipV2(t int) (int, error)

	// The text, as a stream of tokens reads it.
	readable(t int, whole bool) error
	isUnicode(t int) bool
	syntax(whole int) error
	brokenNull() (isNull bool, err error)
	brokenValue() error

	// Errors.
	refuse(t int, typ reflect.Type, cause error, form misfitForm) error
	refuseName(t int, typ reflect.Type, cause error) error
	refuseScalar(n *Node, t int, a mem.Pointer, off uintptr) error
	arrayLength(n *Node, t int, cause, before error) error
	ambiguous(t int, typ reflect.Type) error
	duplicateName(t int) error
}

type decodeRules interface {
	custom(c *nodeCompiler, key nodeKey, n *Node) bool
	fault(k *modeKey, s *shape.Shape) *shape.Fault
}

type encodeRules interface {
	custom(w *writer, key programKey, off uintptr) bool
	mapValue(w *writer, s *shape.Shape, off uintptr)
}

type encodeVersion2 interface {
	runV2(r *ref, o op, dst []byte, a mem.Pointer, off uintptr) ([]byte, error)
	canonical(dst []byte, s string) []byte
	timeV2(dst []byte, t *time.Time) ([]byte, error)
	castV2(c mapCast, dst []byte, a mem.Pointer, off uintptr) ([]byte, error)
	objectV2(dst []byte, m map[string]any) ([]byte, error)
	restOfText(w *restWriter, dst, text []byte, names *nameSet) ([]byte, error)
	mapByNames(r *ref, dst []byte, m reflect.Value) ([]byte, error)
}

type customNodes struct{}

func (customNodes) fault(k *modeKey, s *shape.Shape) *shape.Fault { return k.faultOf(s) }

type customPrograms struct{}

// The rules of v2 without options.
var (
	v2Encode = encodeMode{rules: customPrograms{}}
	v2Decode = decodeMode{rules: customNodes{}}
)

func newEncodeMode(k modeKey) *encodeMode { return &encodeMode{modeKey: k, rules: customPrograms{}} }
func newDecodeMode(k modeKey) *decodeMode { return &decodeMode{modeKey: k, rules: customNodes{}} }
