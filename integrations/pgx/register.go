// Package pgx makes pgx encode and scan the types of package mo with its own plans, in the binary format
// if pgx supports it for the type. It also makes pgx use package json for JSON columns.
//
//	config.AfterConnect = func(ctx context.Context, c *pgx.Conn) error {
//		honepgx.Register(c.TypeMap())
//		return nil
//	}
//
// Without this package, pgx uses the interfaces of database/sql for an Option, which support only
// numbers, text, bytes and times. With it, pgx treats an Option like its value, which may be an address,
// a range, a map in a JSON column or an element of an array. This applies to parameters, Scan,
// CollectRows, CopyFrom and batches.
//
// # Null and absent
//
//   - mo.Option[T]: NULL is None, and so is JSON's null.
//   - mo.Nullable[T]: NULL is null, and so is JSON's null. As a parameter an absent Nullable is
//     NULL. So a statement must not name a column that must not change.
//   - mo.Result[T]: if a column cannot be scanned, such as NULL into an int, the Result contains the
//     error, and the other columns of the row are scanned. A statement with a parameter that is a
//     failed Result returns the error of the Result, and is not sent.
//
// A scan that fails leaves an Option and a Nullable unchanged.
//
// # Which types
//
// If pgx can encode a T as a parameter, it can encode the types of mo with a T. If pgx can scan into a *T,
// it can scan into them, except that
//
//   - a type that is defined in the database, such as an enumeration, a composite type or a range, must be
//     in [Options.Loaded]. For an Option and a Nullable of another such type, pgx uses the interfaces of
//     database/sql, which support only numbers, text, bytes and times.
//   - a type that is not known from its column and is only given to Map.RegisterDefaultPgType is not known
//     for the types of mo.
//
// The types bool, string, []byte, any, time.Time, time.Duration, [16]byte, netip.Addr, netip.Prefix,
// json.RawMessage, map[string]any, map[string]string, integers and floats are accessed without reflection.
// For any other type, encoding and scanning an Option take some 100 ns more.
//
// # JSON
//
// Columns of json and jsonb are read and written by package json, with the rules of encoding/json.
// Scanned values share no memory with pgx's buffers. PostgreSQL limits a document to 1 GB for json
// and 256 MB for jsonb. The memory for decoding is limited only by the size of the document, so limit
// documents before they are stored.
package pgx

import (
	"sync"

	"github.com/jackc/pgx/v5/pgtype"

	honejson "github.com/hone-go/hone/json"
)

// Options change the defaults of Register.
type Options struct {
	// JSON has the options for columns of JSON. AliasInput is ignored.
	JSON honejson.Config
	// Loaded are types of the database that [pgx.Conn.LoadTypes] has returned, such as
	// enumerations. Register registers them.
	Loaded []*pgtype.Type
}

// Register makes a connection's type map support the types of package mo, and use package json. It
// wraps the codecs of the map, which still handle all other types. Call Register once for each
// connection, before the first query.
func Register(m *pgtype.Map, options ...Options) {
	var o Options
	if len(options) > 1 {
		panic("pgx: more than one Options")
	}
	if len(options) == 1 {
		o = options[0]
	}
	registerJSON(m, o.JSON)
	m.RegisterTypes(o.Loaded)
	for _, oid := range builtin() {
		if t, ok := m.TypeForOID(oid); ok {
			wrap(m, t)
		}
	}
	for _, t := range o.Loaded {
		wrap(m, t)
	}
	m.TryWrapEncodePlanFuncs = append(append([]pgtype.TryWrapEncodePlanFunc{wrapEncode}, m.TryWrapEncodePlanFuncs...), wrapEncodeSlice)
	m.TryWrapScanPlanFuncs = append(append([]pgtype.TryWrapScanPlanFunc{wrapScan}, m.TryWrapScanPlanFuncs...), wrapScanSlice)
	registerDefaults(m)
}

// wrap registers t with a codec that supports the types of mo.
func wrap(m *pgtype.Map, t *pgtype.Type) {
	var c pgtype.Codec
	switch of := t.Codec.(type) {
	case *codec, *arrayCodec:
		return
	case *pgtype.ArrayCodec:
		c = &arrayCodec{codec{of}}
	default:
		c = &codec{of}
	}
	m.RegisterType(&pgtype.Type{Name: t.Name, OID: t.OID, Codec: c})
}

// registerDefaults registers the types of mo like the types of their values, for columns whose type pgx does
// not know.
func registerDefaults(m *pgtype.Map) {
	type defaults struct {
		name   string
		values []any
	}
	var list []defaults // registering a type clears the map's cache, so the names are looked up first
	for _, f := range frequent {
		f.defaults(func(like any, values ...any) {
			if t, ok := m.TypeForValue(like); ok {
				list = append(list, defaults{t.Name, values})
			}
		})
	}
	for _, d := range list {
		for _, v := range d.values {
			m.RegisterDefaultPgType(v, d.name)
		}
	}
}

// registerJSON registers the types json and jsonb, and their arrays, with codecs that use package
// json.
func registerJSON(m *pgtype.Map, c honejson.Config) {
	c.AliasInput, c.CopyInput = false, true
	text := &pgtype.Type{Name: "json", OID: pgtype.JSONOID, Codec: &codec{&pgtype.JSONCodec{Marshal: c.Marshal, Unmarshal: c.Unmarshal}}}
	binary := &pgtype.Type{Name: "jsonb", OID: pgtype.JSONBOID, Codec: &codec{&pgtype.JSONBCodec{Marshal: c.Marshal, Unmarshal: c.Unmarshal}}}
	m.RegisterType(text)
	m.RegisterType(binary)
	m.RegisterType(&pgtype.Type{Name: "_json", OID: pgtype.JSONArrayOID, Codec: &pgtype.ArrayCodec{ElementType: text}})
	m.RegisterType(&pgtype.Type{Name: "_jsonb", OID: pgtype.JSONBArrayOID, Codec: &pgtype.ArrayCodec{ElementType: binary}})
}

// builtin returns the OIDs of the types that pgx supports without registration. PostgreSQL's own
// types have OIDs below 10,000.
var builtin = sync.OnceValue(func() (oids []uint32) {
	m := pgtype.NewMap()
	for oid := range uint32(10_000) {
		if _, ok := m.TypeForOID(oid); ok {
			oids = append(oids, oid)
		}
	}
	return oids
})
