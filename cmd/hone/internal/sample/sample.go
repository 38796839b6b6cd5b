// Package sample has types and layouts for the tests of the command.
package sample

import (
	"math/big"
	"time"

	"github.com/hone-go/hone/mo"
	"github.com/hone-go/hone/wire"
	"github.com/hone-go/hone/wire/layout"
)

// Order has a field of every kind.
type Order struct {
	ID      int64
	Small   int8
	Code    uint16 `wire:",fixed"`
	Note    string
	Raw     []byte
	Paid    bool
	Price   float32
	Phase   complex128
	Due     mo.Option[int]
	Left    *Order
	Lines   []Line
	By      map[string]uint8
	Odd     map[bool]string
	Pairs   map[[2]int8]bool
	At      time.Time
	Total   *big.Int
	Outcome mo.Result[int]
	State   mo.Nullable[string]
	Config  Config
	Grid    [2][2]int
}

// Line is a part of an Order.
type Line struct{ Item, Count int }

// Config is a struct to which fields may be added.
type Config struct {
	_     wire.Evolving
	Level int
}

// Pet has a hand-written layout.
type Pet struct {
	Name string
	Born time.Time
	Legs []uint16
}

// Pets is the layout of a Pet.
var Pets = wire.Must(layout.New(func(l *layout.Fields, p *Pet) {
	layout.Field(l, &p.Name, layout.Varchar)
	layout.Field(l, &p.Born, layout.TimeLocation)
	layout.Field(l, &p.Legs, layout.Slice(layout.LenI16BE, layout.Uint16(layout.BE)))
	l.Skip(2)
}))

// A Page is a generic type.
type Page[T any] struct {
	Items []T
	Next  mo.Option[string]
}

// Pages is the codec of Page[Line], an instance of the generic type Page.
var Pages = wire.Must(wire.For[Page[Line]]())

// Zoo is a registry.
var Zoo = func() *layout.Models[uint8] {
	zoo := wire.Must(layout.NewModels(layout.Uint8))
	if err := layout.RegisterModel(zoo, 1, Pets); err != nil {
		panic(err)
	}
	return zoo
}()

// Text is not a codec, and lines is a codec that is not exported.
var (
	Text  = "text"
	lines = wire.Must(wire.For[[]Line]())
)

// Size is a constant, and Use a function.
const Size = 1

// Use uses lines, which would be unused otherwise.
func Use() { _ = lines }
