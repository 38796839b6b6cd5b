// Package redis stores typed values in Redis, and limits the rate of requests to several servers
// together.
//
//	sessions := honeredis.NewValues[Session](client, wire.ForAny())
//	err := sessions.Set(ctx, "session:"+id, &session, time.Hour)
//	session, err := sessions.Get(ctx, "session:"+id) // a mo.Option: None if there is none
//
//	limiter, err := honeredis.NewLimiter(client, honeredis.LimiterConfig{Rate: 20, Burst: 100})
//	e.Use(middleware.RateLimiter(limiter))
//
// Both accept a client of a single server, of a cluster or of a ring.
//
// # Versions
//
// A value of the wire format has no names of fields and types. With the codec wire.ForAny, a value that
// another type or version has written is decoded by the positions of its fields: two fields of the same
// type that have changed places are exchanged without an error. A codec with fingerprints writes 8 bytes
// before each value, and refuses such a value with a [*DecodeError]:
//
//	codec, err := wire.ForAny().WithFingerprint(wire.Fingerprints{Plain: true}) // also reads values without fingerprints
//	sessions := honeredis.NewValues[Session](client, codec)
//
// See [wire.FingerprintCodec] for deployments that change a type. docs/wire-versions.md lists the changes
// that a value survives.
package redis

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/redis/go-redis/v9"

	"github.com/hone-go/hone/mo"
)

// A Codec encodes and decodes values. A json.Config is a Codec, and so are the results of wire.ForAny
// and of its method WithFingerprint. For wire, wire.Options.Limits limits the memory for decoding.
// Redis limits a value to 512 MB, so set Limits if others may write values.
type Codec interface {
	// Append appends the encoding of the value that v points to.
	Append(dst []byte, v any) ([]byte, error)
	// Unmarshal decodes data into the value that v points to. It may retain data.
	Unmarshal(data []byte, v any) error
}

// A DecodeError reports a value in Redis that the codec cannot decode into the type. A cache treats such a
// value as missing. Of a value from another version of a program, only JSON and a codec with fingerprints
// notice for certain that it does not fit: see the package comment.
type DecodeError struct {
	Key string
	Err error // the error of the codec
}

func (e *DecodeError) Error() string { return fmt.Sprintf("redis: the value of %q: %v", e.Key, e.Err) }

// Unwrap returns the codec's error.
func (e *DecodeError) Unwrap() error { return e.Err }

// Values stores values of one type under keys, as strings of Redis. It is safe for concurrent use.
// It returns its own errors, and the errors of the client.
type Values[T any] struct {
	client redis.UniversalClient
	codec  Codec
}

// NewValues returns Values that are encoded by codec.
func NewValues[T any](client redis.UniversalClient, codec Codec) *Values[T] {
	return &Values[T]{client, codec}
}

// Set stores v under key. A ttl of 0 means that the value does not expire, and redis.KeepTTL keeps the
// expiry of the key. Any other negative ttl is an error, because the client would store the value
// without an expiry. A nil v is an error too. Set does not retain v. It allocates the encoding.
func (s *Values[T]) Set(ctx context.Context, key string, v *T, ttl time.Duration) error {
	data, err := s.encode(key, v, ttl)
	if err != nil {
		return err
	}
	return s.client.Set(ctx, key, data, ttl).Err()
}

// Add is like Set if there is no value under key. It reports whether it has stored v.
func (s *Values[T]) Add(ctx context.Context, key string, v *T, ttl time.Duration) (added bool, err error) {
	data, err := s.encode(key, v, ttl)
	if err != nil {
		return false, err
	}
	err = s.client.SetArgs(ctx, key, data, redis.SetArgs{Mode: "NX", TTL: ttl, KeepTTL: ttl == redis.KeepTTL}).Err()
	if errors.Is(err, redis.Nil) {
		return false, nil
	}
	return err == nil, err
}

func (s *Values[T]) encode(key string, v *T, ttl time.Duration) ([]byte, error) {
	if ttl < 0 && ttl != redis.KeepTTL {
		return nil, fmt.Errorf("redis: the value for %q has the negative time to live %v", key, ttl)
	}
	if v == nil {
		return nil, fmt.Errorf("redis: the value for %q is nil", key)
	}
	data, err := s.codec.Append(nil, v)
	if err != nil {
		return nil, fmt.Errorf("redis: cannot encode the value for %q: %w", key, err)
	}
	return data, nil
}

// Get returns the value under key, or None if the key has no value. If the value cannot be decoded,
// the error is a [*DecodeError].
func (s *Values[T]) Get(ctx context.Context, key string) (mo.Option[T], error) {
	data, err := s.client.Get(ctx, key).Bytes()
	if errors.Is(err, redis.Nil) {
		return mo.None[T](), nil
	}
	if err != nil {
		return mo.None[T](), err
	}
	return s.decode(key, data)
}

// GetAll returns the values under several keys, in the order of the keys, with one request. The
// result for a key without a value is None. In a cluster all keys must be in one slot. The result for
// a value that cannot be decoded is also None, and the error joins a [*DecodeError] for each such value.
func (s *Values[T]) GetAll(ctx context.Context, keys ...string) ([]mo.Option[T], error) {
	if len(keys) == 0 {
		return nil, nil
	}
	found, err := s.client.MGet(ctx, keys...).Result()
	if err != nil {
		return nil, err
	}
	all := make([]mo.Option[T], len(keys))
	var errs []error
	for i, v := range found {
		if text, ok := v.(string); ok {
			if all[i], err = s.decode(keys[i], []byte(text)); err != nil {
				errs = append(errs, err)
			}
		}
	}
	return all, errors.Join(errs...)
}

func (s *Values[T]) decode(key string, data []byte) (mo.Option[T], error) {
	var v T
	if err := s.codec.Unmarshal(data, &v); err != nil {
		return mo.None[T](), &DecodeError{key, err}
	}
	return mo.Some(v), nil
}
