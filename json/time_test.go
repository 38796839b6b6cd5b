package json

import (
	"encoding/json"
	"math/rand/v2"
	"reflect"
	"testing"
	"time"
)

func checkTime(t *testing.T, v time.Time) {
	t.Helper()
	want, wantErr := json.Marshal(v)
	got, err := Marshal(v)
	if !sameError(err, wantErr) || string(got) != string(want) {
		t.Fatalf("%v: %s, %v; want %s, %v", v, got, err, want, wantErr)
	}
	if err == nil {
		checkReadTime(t, string(got))
	}
}

func checkReadTime(t *testing.T, raw string) {
	t.Helper()
	if !json.Valid([]byte(raw)) {
		return
	}
	want, got := time.Unix(1, 0), time.Unix(1, 0)
	wantErr, err := json.Unmarshal([]byte(raw), &want), Unmarshal([]byte(raw), &got)
	if !sameError(err, wantErr) || !reflect.DeepEqual(got, want) {
		t.Fatalf("%s: %v, %v; want %v, %v", raw, got, err, want, wantErr)
	}
}

func TestTimes(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	zones := []*time.Location{time.UTC, time.FixedZone("", 3600), time.FixedZone("x", -(5*3600 + 30*60)), time.FixedZone("", 61), time.FixedZone("", 23*3600+59*60), time.FixedZone("", 24*3600), time.FixedZone("", 0)}
	for _, zone := range zones {
		for _, year := range []int{-1, 0, 1, 99, 1970, 2024, 9999, 10000} {
			for _, nano := range []int{0, 1, 10, 120, 100_000_000, 120_000_000, 123_000_000, 123_456_789, 999_999_990, 5_000} {
				checkTime(t, time.Date(year, time.Month(1+r.IntN(12)), 1+r.IntN(31), r.IntN(24), r.IntN(60), r.IntN(60), nano, zone))
			}
		}
	}
	checkTime(t, time.Time{})
	for _, raw := range []string{
		`"2024-02-29T00:00:00Z"`, `"2023-02-29T00:00:00Z"`, `"2024-01-02T24:00:00Z"`, `"2024-01-02T23:60:00Z"`, `"2024-01-02T23:59:60Z"`, `"2024-00-02T00:00:00Z"`,
		`"2024-13-02T00:00:00Z"`, `"2024-01-00T00:00:00Z"`, `"2024-01-02t00:00:00Z"`, `"2024-01-02T00:00:00z"`, `"2024-01-02T00:00:00,5Z"`, `"2024-01-02T00:00:00.Z"`,
		`"2024-01-02T00:00:00.1234567891Z"`, `"2024-01-02T00:00:00.123456789Z"`, `"2024-01-02T0:00:00Z"`, `"2024-01-02T00:00:00"`, `"2024-01-02T00:00:00ZZ"`,
		`"2024-01-02T00:00:00+00:00"`, `"20x4-01-02T00:00:00Z"`, `"/024-01-02T00:00:00Z"`, `"2024\u002d01-02T00:00:00Z"`, `"2024-01-02T00:00:00.5"`, `"2024-01-02"`, `5`, `{}`,
	} {
		checkReadTime(t, raw)
	}
}

func FuzzTime(f *testing.F) {
	f.Add(int64(0), int64(0), 0, `"2024-02-28T00:00:00.5Z"`)
	f.Add(int64(1<<36), int64(1000), -3600, `"9999-12-31T23:59:59.999999999Z"`)
	f.Fuzz(func(t *testing.T, sec, nano int64, offset int, raw string) {
		checkTime(t, time.Unix(sec, nano).In(time.FixedZone("", offset)))
		checkTime(t, time.Unix(sec, nano).UTC())
		checkReadTime(t, raw)
	})
}
