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
// [Register] supports the types of package mo for these types T, and for the types in
// [Options.Types]: booleans, integers, floats, string, []byte, any, time.Time, time.Duration,
// [16]byte, netip.Addr, netip.Prefix, json.RawMessage, map[string]any, map[string]string. With any
// other T, the types of package mo work as without this package.
//
// # JSON
//
// Columns of json and jsonb are read and written by package json, with the rules of encoding/json.
// Scanned values share no memory with pgx's buffers. PostgreSQL limits a document to 1 GB for json
// and 256 MB for jsonb. The memory for decoding is limited only by the size of the document, so limit
// documents before they are stored.
package pgx

import (
	"encoding/json"
	"net/netip"
	"reflect"
	"sync"
	"time"

	"github.com/jackc/pgx/v5/pgtype"

	honejson "github.com/hone-go/hone/json"
)

// Options change the defaults of Register.
type Options struct {
	// JSON has the options for columns of JSON. AliasInput is ignored.
	JSON honejson.Config
	// Types are types of values that Register supports in addition to the built-in ones. [For] returns
	// them.
	Types []Type
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
	r := &registry{scans: map[reflect.Type]scanPlanner{}, encodes: map[reflect.Type]encodePlanner{}}
	arrays := false
	for _, t := range append(known(), o.Types...) {
		t.add(r)
		arrays = arrays || t.array
	}
	r.registerJSON(m, o.JSON)
	m.RegisterTypes(o.Loaded)
	all := make([]*pgtype.Type, 0, len(builtin())+len(o.Loaded))
	for _, oid := range builtin() {
		if t, ok := m.TypeForOID(oid); ok {
			all = append(all, t)
		}
	}
	for _, t := range append(all, o.Loaded...) {
		if _, ok := t.Codec.(*codec); ok {
			continue
		}
		if _, ok := t.Codec.(*pgtype.ArrayCodec); ok && !arrays {
			continue
		}
		m.RegisterType(&pgtype.Type{Name: t.Name, OID: t.OID, Codec: &codec{t.Codec, r}})
	}
	// These functions apply to parameters and columns whose type pgx does not know. In the simple
	// protocol parameters have no types, and types that are defined in the database may not be loaded.
	m.TryWrapEncodePlanFuncs = append([]pgtype.TryWrapEncodePlanFunc{r.wrapEncode}, m.TryWrapEncodePlanFuncs...)
	m.TryWrapScanPlanFuncs = append([]pgtype.TryWrapScanPlanFunc{r.wrapScan}, m.TryWrapScanPlanFuncs...)
	names := make([]string, len(r.slices)) // registering a type clears the map's cache
	for i, s := range r.slices {
		if t, ok := m.TypeForValue(s[0]); ok {
			names[i] = t.Name
		}
	}
	for i, s := range r.slices {
		if names[i] != "" {
			m.RegisterDefaultPgType(s[1], names[i])
		}
	}
}

// registerJSON registers the types json and jsonb, and their arrays, with codecs that use package
// json.
func (r *registry) registerJSON(m *pgtype.Map, c honejson.Config) {
	c.AliasInput, c.CopyInput = false, true
	text := &pgtype.Type{Name: "json", OID: pgtype.JSONOID, Codec: &codec{&pgtype.JSONCodec{Marshal: c.Marshal, Unmarshal: c.Unmarshal}, r}}
	binary := &pgtype.Type{Name: "jsonb", OID: pgtype.JSONBOID, Codec: &codec{&pgtype.JSONBCodec{Marshal: c.Marshal, Unmarshal: c.Unmarshal}, r}}
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

// known returns the types that Register always supports in the types of package mo.
var known = sync.OnceValue(func() []Type {
	list := []Type{
		For[bool](), For[string](), For[[]byte](), For[any](),
		For[int](), For[int8](), For[int16](), For[int32](), For[int64](),
		For[uint](), For[uint8](), For[uint16](), For[uint32](), For[uint64](),
		For[float32](), For[float64](),
		For[time.Time](), For[time.Duration](), For[[16]byte](), For[netip.Addr](), For[netip.Prefix](),
		For[json.RawMessage](), For[map[string]any](), For[map[string]string](),
	}
	return list[:len(list):len(list)]
})
