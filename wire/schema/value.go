package schema

import "time"

// The Go types for values of every kind, for [Schema.Decode] and [Schema.Encode]:
//
//	bool                        bool
//	int, uint                   int64, uint64, for any number of bits
//	bigint                      BigInt
//	float                       float32 or float64, by the number of bits
//	complex                     complex64 or complex128, by the number of bits
//	string, text                string
//	bytes, binary               []byte
//	time, time utc/location     Time
//	array, slice                []any
//	map                         Map
//	optional                    nil, or Some
//	struct                      Struct
//	union                       Union; nil for the 0 of a uvarint
//	skip                        nil, or a []byte if one of its bytes is not 0
type (
	// A Struct has the fields of a struct in their order. An evolving struct may lack fields at its
	// end, and may have a last member with the name [Unknown]: a []byte with the bytes that a
	// newer version has written after the known fields. A skip whose bytes are all 0 has no
	// member, except in an evolving struct.
	Struct []Member

	// A Member is a field and its value. It has the name of the field if this name is unique, is
	// valid UTF-8 and does not begin with "#". Otherwise its name is "#" and the number of the
	// field, counted from 0.
	Member struct {
		Name  string
		Value any
	}

	// A Map has the entries of a map in the order of the encoding.
	Map []Entry

	// An Entry is a key and its value.
	Entry struct{ Key, Value any }

	// Some is an optional with a value. It distinguishes Some{nil}, an optional whose value is
	// nil, from nil.
	Some struct{ Value any }

	// A Union is the case of a union with the given ID. Value is nil if the case has no value.
	Union struct {
		ID    uint32
		Value any
	}

	// A BigInt is an integer of any size. Its magnitude has the most significant byte first and
	// no leading zeros, so the magnitude of 0 is empty.
	BigInt struct {
		Negative  bool
		Magnitude []byte
	}
)

// Unknown is the name of the member of an evolving [Struct] with the bytes that a newer version
// has written and the schema does not know.
const Unknown = "#unknown"

// A Time is an instant with its zone, as in the encoding. All values of Seconds are valid;
// package time represents them from the year -292277022399 on.
type Time struct {
	Seconds     int64  // since 1970-01-01 00:00:00 UTC
	Nanoseconds uint32 // below 1e9
	Zone        Zone
	Offset      int32  // offset of a Named or a Local zone, in seconds east of UTC; 0 in a layout, which does not write it
	Name        string // name of a Named zone; not always UTF-8
}

// A Zone is the kind of the zone of a [Time].
type Zone uint8

// The zones: UTC, a zone with a name, and the local zone of the writer.
const (
	ZoneUTC Zone = iota
	ZoneNamed
	ZoneLocal
)

// Time returns t as a time.Time, in UTC or in a zone of t's name and fixed offset.
// The name is not looked up in the time zone database.
func (t Time) Time() time.Time {
	at := time.Unix(t.Seconds, int64(t.Nanoseconds))
	if t.Zone == ZoneUTC {
		return at.UTC()
	}
	return at.In(time.FixedZone(t.Name, int(t.Offset)))
}
