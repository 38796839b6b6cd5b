package option

import (
	"fmt"
	"os"
)

// An Engine is the implementation that does the work of a call.
type Engine uint8

// The engines.
const (
	DefaultEngine Engine = iota
	HoneEngine
	StdEngine
)

// EngineByDefault is the engine that DefaultEngine stands for in this program.
var EngineByDefault = EngineNamed(os.Getenv("HONE_JSON"))

// EngineNamed returns the engine with the name. It reports an unknown name on the standard error.
func EngineNamed(name string) Engine {
	switch name {
	case "std":
		return StdEngine
	case "", "hone":
	default:
		fmt.Fprintf(os.Stderr, "json: HONE_JSON is %q, and neither \"std\" nor \"hone\": Hone's engine does the work\n", name)
	}
	return HoneEngine
}

// engine returns the engine of the options.
func (s *Set) engine() Engine {
	if s.Has(ByStandard) {
		return StdEngine
	}
	return HoneEngine
}
