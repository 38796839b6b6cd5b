package store

import (
	"encoding/base64"

	"github.com/hone-go/hone/examples/pulse/telemetry"
	"github.com/hone-go/hone/wire"
)

// A position is the last row of a page. The next page starts after this row, so rows that are added or deleted
// meanwhile do not move other rows to another page.
type position struct {
	At   int64
	Host string
}

func (p position) cursor() (string, error) {
	b, err := wire.Marshal(&p)
	return base64.RawURLEncoding.EncodeToString(b), err
}

func parseCursor(cursor string) (p position, err error) {
	b, err := base64.RawURLEncoding.DecodeString(cursor)
	if err == nil {
		err = wire.Unmarshal(b, &p)
	}
	if err != nil || telemetry.HostFault(p.Host) != "" { // PostgreSQL does not accept every string
		return p, ErrBadCursor
	}
	return p, nil
}
