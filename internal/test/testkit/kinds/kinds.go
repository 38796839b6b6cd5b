//lint:file-ignore SA5008 the kinds include a tag that does not fit its field

// Package kinds has a struct with a field of each kind that some option of package json treats
// differently.
package kinds

import (
	"encoding/json"
	"time"

	"github.com/hone-go/hone/mo"
)

// Struct has one field of each kind.
type Struct struct {
	Bool       bool              `json:",string"`
	Text       string            `json:",string"`
	Int        int               `json:",string"`
	Plain      int               `json:",omitempty"`
	Float      *float64          `json:",string"`
	Far        **int             `json:",string"`
	Bytes      []byte            `json:",omitempty"`
	Named      []NamedByte       `length:"..3"`
	Array      [4]byte           `json:",omitzero"`
	List       []int             `json:",omitempty" length:"..3"`
	Duration   time.Duration     `json:"duration"`
	Time       time.Time         `json:",omitzero"`
	Number     json.Number       `json:",string"`
	ByInt      map[int]string    `json:",omitempty"`
	ByName     map[string]any    `required:"true"`
	ByMethod   map[NamedText]int `json:"by_method"`
	ByNumber   map[json.Number]PointerText
	Any        any
	Option     mo.Option[int] `json:",omitempty"`
	Method     NamedText
	Pointer    PointerText
	Hidden     string `writeOnly:"true"`
	Given      string `readOnly:"true"`
	Defaulted  int    `default:"7"`
	Cased      string `json:",case:ignore"`
	CasedAgain string `json:"ca_sed,case:ignore"`
	Next       *Struct
}

// A NamedByte is a byte type with a name.
type NamedByte byte

// A NamedText encodes itself as text. A PointerText has methods for text and JSON, all with pointer
// receivers.
type (
	NamedText   struct{ S string }
	PointerText struct{ S string }
)

func (n NamedText) MarshalText() ([]byte, error)    { return []byte(n.S), nil }
func (n *NamedText) UnmarshalText(b []byte) error   { n.S = string(b); return nil }
func (n *PointerText) MarshalText() ([]byte, error) { return []byte(n.S), nil }
func (n *PointerText) UnmarshalText(b []byte) error { n.S = string(b); return nil }
func (n *PointerText) MarshalJSON() ([]byte, error) { return []byte(`"` + n.S + `"`), nil }
func (n *PointerText) UnmarshalJSON(b []byte) error { n.S = string(b); return nil }
