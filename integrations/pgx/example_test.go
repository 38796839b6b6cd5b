package pgx_test

import (
	"fmt"
	"net/netip"

	"github.com/jackc/pgx/v5/pgtype"

	honepgx "github.com/hone-go/hone/integrations/pgx"
	"github.com/hone-go/hone/mo"
)

// For a pool, register in pgxpool.Config.AfterConnect; for a single connection, after
// pgx.Connect. This example only uses a type map.
func Example() {
	m := pgtype.NewMap()
	honepgx.Register(m)

	peer := mo.Some(netip.MustParseAddr("10.0.0.1"))
	data, err := m.Encode(pgtype.InetOID, pgtype.BinaryFormatCode, peer, nil)
	fmt.Println(len(data), err)

	var back mo.Option[netip.Addr]
	err = m.Scan(pgtype.InetOID, pgtype.BinaryFormatCode, data, &back)
	fmt.Println(back.MustGet(), err)
	err = m.Scan(pgtype.InetOID, pgtype.BinaryFormatCode, nil, &back)
	fmt.Println(back.IsNone(), err)
	// Output:
	// 8 <nil>
	// 10.0.0.1 <nil>
	// true <nil>
}
