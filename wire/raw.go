package wire

// Raw is the encoding of a T that the program decodes later. Its own encoding is its length and
// its bytes. The bytes come from [Raw.Encode] or from another encoder:
//
//	type Message struct {
//		Topic string
//		Body  wire.Raw[Order]
//	}
//	message.Body = order // a []byte from Marshal or a codec's Append
//	err := message.Body.Decode(&order)
//
// A decoder copies the bytes, or with [Options.AliasInput] refers to them in the input. The
// decoder does not examine the bytes in any mode. [Raw.Decode] decodes the bytes and fails if they
// do not encode a T; its limits depend only on the length of the Raw. The Unmarshal method of a
// codec accepts a Raw too.
//
// An empty Raw holds no T, unless the encoding of a T is empty. A []byte has the same encoding
// as a Raw, but the schema of a Raw also describes T.
type Raw[T any] []byte

// Encode sets r to the encoding of *v, in a new slice. On error r is not changed. The errors
// are the same as for [Append].
func (r *Raw[T]) Encode(v *T) error {
	data, err := Marshal(v)
	if err == nil {
		*r = data
	}
	return err
}

// Decode decodes r into *v, as [Unmarshal] does.
func (r Raw[T]) Decode(v *T) error { return Unmarshal(r, v) }
