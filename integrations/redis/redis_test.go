package redis_test

import (
	"cmp"
	"context"
	"crypto/rand"
	"errors"
	"math"
	"os"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/redis/go-redis/v9"

	honeredis "github.com/hone-go/hone/integrations/redis"
	"github.com/hone-go/hone/json"
	"github.com/hone-go/hone/mo"
	"github.com/hone-go/hone/wire"
)

// connect returns a client, and a prefix of keys that are deleted after the test. The
// environment variable HONE_REDIS says where Redis is.
func connect(t *testing.T) (client *redis.Client, prefix string) {
	t.Helper()
	client = redis.NewClient(&redis.Options{Addr: cmp.Or(os.Getenv("HONE_REDIS"), "127.0.0.1:6379"), ContextTimeoutEnabled: true})
	t.Cleanup(func() { client.Close() })
	ctx, cancel := context.WithTimeout(t.Context(), 5*time.Second)
	defer cancel()
	if err := client.Ping(ctx).Err(); err != nil {
		if os.Getenv("HONE_REQUIRE_SERVICES") != "" {
			t.Fatalf("Redis is not reachable, and HONE_REQUIRE_SERVICES is set: %v", err)
		}
		t.Skipf("Redis is not reachable: %v", err)
	}
	prefix = "hone:test:" + rand.Text() + ":"
	t.Cleanup(func() {
		ctx := context.Background()
		keys := client.Scan(ctx, 0, prefix+"*", 1000).Iterator()
		for keys.Next(ctx) {
			client.Del(ctx, keys.Val())
		}
		if err := keys.Err(); err != nil {
			t.Error(err)
		}
	})
	return client, prefix
}

type session struct {
	User  string
	Roles []string
	Until mo.Option[time.Time]
}

func TestValues(t *testing.T) {
	client, prefix := connect(t)
	for name, codec := range map[string]honeredis.Codec{"json": json.Config{}, "wire": wire.ForAny()} {
		t.Run(name, func(t *testing.T) {
			ctx := t.Context()
			values := honeredis.NewValues[session](client, codec)
			a, b, missing := prefix+name+":a", prefix+name+":b", prefix+name+":missing"
			want := session{"ada", []string{"admin", "\x00\n"}, mo.Some(time.Date(2026, 11, 22, 0, 0, 0, 0, time.UTC))}
			if err := values.Set(ctx, a, &want, time.Minute); err != nil {
				t.Fatal(err)
			}
			got, err := values.Get(ctx, a)
			if err != nil || !reflect.DeepEqual(got, mo.Some(want)) {
				t.Errorf("%+v, %v", got, err)
			}
			if ttl := client.TTL(ctx, a).Val(); ttl <= 0 || ttl > time.Minute {
				t.Errorf("time to live: %v", ttl)
			}
			if got, err := values.Get(ctx, missing); err != nil || got.IsSome() {
				t.Errorf("a missing key: %v, %v", got, err)
			}
			if added, err := values.Add(ctx, a, &session{}, time.Minute); err != nil || added {
				t.Errorf("Add replaced a value: %v, %v", added, err)
			}
			if added, err := values.Add(ctx, b, &session{User: "b"}, time.Minute); err != nil || !added {
				t.Errorf("Add: %v, %v", added, err)
			}
			all, err := values.GetAll(ctx, a, missing, b)
			if err != nil || all[0].OrEmpty().User != "ada" || all[1].IsSome() || all[2].OrEmpty().User != "b" {
				t.Errorf("GetAll: %v, %v", all, err)
			}
			if all, err := values.GetAll(ctx); err != nil || len(all) > 0 {
				t.Errorf("GetAll without keys: %v, %v", all, err)
			}
			// A value of another type is an error for its key, and does not affect the other
			// values.
			if err := client.Set(ctx, b, "\xff\xff\xff\xff\xff\xff\xff\xff\xff\x01", time.Minute).Err(); err != nil {
				t.Fatal(err)
			}
			var decodeErr *honeredis.DecodeError
			if got, err := values.Get(ctx, b); !errors.As(err, &decodeErr) || decodeErr.Key != b || got.IsSome() {
				t.Errorf("Get of a value that cannot be decoded: %v, %v", got, err)
			}
			if all, err := values.GetAll(ctx, b, a); !errors.As(err, &decodeErr) || all[0].IsSome() || all[1].IsNone() {
				t.Errorf("GetAll: %v, %v", all, err)
			}
			// A key whose Redis type is not a string is an error too.
			if err := client.Del(ctx, b).Err(); err != nil {
				t.Fatal(err)
			}
			if err := client.RPush(ctx, b, "x").Err(); err != nil {
				t.Fatal(err)
			}
			if _, err := values.Get(ctx, b); err == nil || errors.As(err, &decodeErr) {
				t.Errorf("a list: %v", err)
			}
			if values.Set(ctx, a, nil, 0) == nil {
				t.Error("no error for storing nil")
			}
			// An expired value is not kept.
			for _, ttl := range []time.Duration{-2, -time.Second, -time.Hour} {
				late := prefix + name + ":late"
				if err := values.Set(ctx, late, &session{}, ttl); err == nil {
					t.Errorf("Set for %v", ttl)
				}
				if added, err := values.Add(ctx, late, &session{}, ttl); err == nil || added {
					t.Errorf("Add for %v: %v, %v", ttl, added, err)
				}
				if n := client.Exists(ctx, late).Val(); n != 0 {
					t.Errorf("a value with the time to live %v was stored", ttl)
				}
			}
			if err := values.Set(ctx, a, &want, redis.KeepTTL); err != nil || client.TTL(ctx, a).Val() <= 0 {
				t.Errorf("KeepTTL: %v", err)
			}
			cancelled, cancel := context.WithCancel(ctx)
			cancel()
			if err := values.Set(cancelled, a, &session{}, 0); !errors.Is(err, context.Canceled) {
				t.Errorf("cancelled: %v", err)
			}
			if got, _ := values.Get(ctx, a); got.OrEmpty().User != "ada" {
				t.Errorf("a failed call changed the value to %v", got)
			}
		})
	}
	if err := honeredis.NewValues[float64](client, json.Config{}).Set(t.Context(), prefix+"nan", new(math.NaN()), 0); err == nil || !strings.Contains(err.Error(), "nan") {
		t.Errorf("NaN as JSON: %v", err)
	}
}
