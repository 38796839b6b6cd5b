package model

import (
	"time"

	"github.com/hone-go/hone/mo"
	"github.com/hone-go/hone/wire"
)

// A User is in the registry.
type User struct {
	_     wire.Evolving
	Name  string
	Age   uint8
	Email mo.Option[string]
	Seen  time.Time
}
