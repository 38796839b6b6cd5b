package nats

import (
	"context"
	"errors"
	"iter"

	"github.com/nats-io/nats.go/jetstream"

	"github.com/hone-go/hone/mo"
)

// A Bucket is a key-value bucket with values of type T. It is safe for concurrent use. Its methods
// return the errors of jetstream.KeyValue, and errors of this package.
type Bucket[T any] struct {
	kv    jetstream.KeyValue
	codec Codec
}

// An Entry is a value with its revision, which Update needs to replace the value.
type Entry[T any] struct {
	Value    T
	Revision uint64
}

// NewBucket returns kv as a bucket of values that codec encodes. Entries have no header, so
// all programs that use a bucket must agree on the codec.
func NewBucket[T any](kv jetstream.KeyValue, codec Codec) *Bucket[T] { return &Bucket[T]{kv, codec} }

// Get returns the entry of a key, or None if the key does not exist or was deleted. If the value
// cannot be decoded, the error is a [*DecodeError].
func (b *Bucket[T]) Get(ctx context.Context, key string) (mo.Option[Entry[T]], error) {
	e, err := b.kv.Get(ctx, key)
	if errors.Is(err, jetstream.ErrKeyNotFound) || errors.Is(err, jetstream.ErrKeyDeleted) {
		return mo.None[Entry[T]](), nil
	}
	if err != nil {
		return mo.None[Entry[T]](), err
	}
	v, err := decode[T](b.codec, key, nil, e.Value())
	if err != nil {
		return mo.None[Entry[T]](), err
	}
	return mo.Some(Entry[T]{*v, e.Revision()}), nil
}

// Put stores v, replacing any current value, and returns the new revision. A nil v is an error.
func (b *Bucket[T]) Put(ctx context.Context, key string, v *T) (revision uint64, err error) {
	data, err := encode(b.codec, key, v)
	if err != nil {
		return 0, err
	}
	return b.kv.Put(ctx, key, data)
}

// Create stores v if the key has no entry, and returns the revision. Otherwise the error is
// jetstream.ErrKeyExists.
func (b *Bucket[T]) Create(ctx context.Context, key string, v *T, options ...jetstream.KVCreateOpt) (revision uint64, err error) {
	data, err := encode(b.codec, key, v)
	if err != nil {
		return 0, err
	}
	return b.kv.Create(ctx, key, data, options...)
}

// Update stores v if the entry still has the revision previous, and returns the new revision.
// Otherwise it returns an error of jetstream.
func (b *Bucket[T]) Update(ctx context.Context, key string, v *T, previous uint64) (revision uint64, err error) {
	data, err := encode(b.codec, key, v)
	if err != nil {
		return 0, err
	}
	return b.kv.Update(ctx, key, data, previous)
}

// A Change is a new value of a key or, if Value is None, the deletion of a key.
type Change[T any] struct {
	Key      string
	Value    mo.Option[T]
	Revision uint64
}

// Watch yields the entries of keys, such as "host.*", and then their changes, until ctx is done. It
// then yields ctx's error. An entry that cannot be decoded is yielded as a [*DecodeError] with its
// key and revision, and Watch continues.
func (b *Bucket[T]) Watch(ctx context.Context, keys string, options ...jetstream.WatchOpt) iter.Seq2[Change[T], error] {
	return func(yield func(Change[T], error) bool) {
		w, err := b.kv.Watch(ctx, keys, options...)
		if err != nil {
			yield(Change[T]{}, err)
			return
		}
		defer func() { _ = w.Stop() }()
		for {
			select {
			case <-ctx.Done():
				yield(Change[T]{}, ctx.Err())
				return
			case e, ok := <-w.Updates():
				if !ok {
					err := ctx.Err()
					if err == nil {
						err = errors.New("nats: the watch has ended")
					}
					yield(Change[T]{}, err)
					return
				}
				if e == nil { // all existing entries have been received
					continue
				}
				change := Change[T]{Key: e.Key(), Revision: e.Revision()}
				var err error
				if e.Operation() == jetstream.KeyValuePut {
					var v *T
					if v, err = decode[T](b.codec, e.Key(), nil, e.Value()); err == nil {
						change.Value = mo.Some(*v)
					}
				}
				if !yield(change, err) {
					return
				}
			}
		}
	}
}
