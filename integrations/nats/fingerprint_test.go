package nats_test

import (
	"context"
	"crypto/rand"
	"errors"
	"testing"

	"github.com/nats-io/nats.go/jetstream"

	honenats "github.com/hone-go/hone/integrations/nats"
	"github.com/hone-go/hone/wire"
)

type (
	trip    struct{ From, To string }
	swapped struct{ To, From string }
)

// TestFingerprints publishes a value of one type and reads it as another type with fields of the same types.
// The table says which codec reads the messages of which.
func TestFingerprints(t *testing.T) {
	js := connect(t)
	codecs := map[string]honenats.Codec{
		"without":       honenats.Wire(),
		"with":          wire.Must(honenats.Fingerprinted(wire.Fingerprints{})),
		"with, or none": wire.Must(honenats.Fingerprinted(wire.Fingerprints{Plain: true})),
	}
	type result struct{ same, swapped bool }
	want := map[[2]string]result{ // writer, reader
		{"without", "without"}: {true, true}, {"without", "with, or none"}: {true, true},
		{"with", "with"}: {true, false}, {"with", "with, or none"}: {true, false},
		{"with, or none", "with"}: {true, false}, {"with, or none", "with, or none"}: {true, false},
	}
	for writing, w := range codecs {
		subject, consumer := stream(t, js, jetstream.ConsumerConfig{})
		if _, err := honenats.New[trip](w).Publish(t.Context(), js, subject, &trip{"Oslo", "Rome"}); err != nil {
			t.Fatal(err)
		}
		msg, err := consumer.Next()
		if err != nil {
			t.Fatal(err)
		}
		for reading, r := range codecs {
			v, err := honenats.New[trip](r).Decode(msg)
			other, otherErr := honenats.New[swapped](r).Decode(msg)
			got := result{err == nil && *v == trip{"Oslo", "Rome"}, otherErr == nil}
			if got != want[[2]string{writing, reading}] {
				t.Errorf("written %s, read %s: %v, %v, %v, %v", writing, reading, v, err, other, otherErr)
			}
			var decode *honenats.DecodeError
			if err != nil && !errors.As(err, &decode) || otherErr != nil && !errors.As(otherErr, &decode) {
				t.Errorf("written %s, read %s: not a DecodeError: %v, %v", writing, reading, err, otherErr)
			}
		}
	}
	// The entries of a bucket have no header.
	kv, err := js.CreateKeyValue(t.Context(), jetstream.KeyValueConfig{Bucket: "hone-test-" + rand.Text(), Storage: jetstream.MemoryStorage})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = js.DeleteKeyValue(context.Background(), kv.Bucket()) })
	if _, err := honenats.NewBucket[trip](kv, codecs["with"]).Put(t.Context(), "a", &trip{"Oslo", "Rome"}); err != nil {
		t.Fatal(err)
	}
	if _, err := honenats.NewBucket[trip](kv, codecs["without"]).Put(t.Context(), "b", &trip{"Oslo", "Rome"}); err != nil {
		t.Fatal(err)
	}
	for key, test := range map[string]struct {
		reader        string
		same, swapped bool
	}{"a": {"with", true, false}, "b": {"with, or none", true, true}} {
		same, err := honenats.NewBucket[trip](kv, codecs[test.reader]).Get(t.Context(), key)
		_, otherErr := honenats.NewBucket[swapped](kv, codecs[test.reader]).Get(t.Context(), key)
		if (err == nil && same.IsSome()) != test.same || (otherErr == nil) != test.swapped {
			t.Errorf("entry %s: %v, %v", key, err, otherErr)
		}
	}
	var fingerprint *wire.FingerprintError
	if _, err := honenats.NewBucket[trip](kv, codecs["with"]).Get(t.Context(), "b"); !errors.As(err, &fingerprint) {
		t.Errorf("an entry without a fingerprint: %v", err)
	}
}
