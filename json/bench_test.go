package json

import (
	"bytes"
	"encoding/json"
	"os"
	"testing"
	"time"
)

type tenRec struct {
	ID      int64     `json:"id"`
	Name    string    `json:"name"`
	Email   string    `json:"email"`
	Age     int       `json:"age"`
	Active  bool      `json:"active"`
	Score   float64   `json:"score"`
	Tags    []string  `json:"tags"`
	Created time.Time `json:"created"`
	Note    *string   `json:"note"`
	Addr    struct {
		City string `json:"city"`
		Zip  string `json:"zip"`
	} `json:"addr"`
}

type geo struct {
	Type     string `json:"type"`
	Features []struct {
		Type       string            `json:"type"`
		Properties map[string]string `json:"properties"`
		Geometry   struct {
			Type        string         `json:"type"`
			Coordinates [][][2]float64 `json:"coordinates"`
		} `json:"geometry"`
	} `json:"features"`
}

func zzrec() tenRec {
	return tenRec{ID: 123456789, Name: "Alexander Petrov", Email: "alexander@example.com", Age: 42, Active: true, Score: 98.765, Tags: []string{"alpha", "beta", "gamma"}, Created: time.Date(2026, 1, 2, 3, 4, 5, 678000000, time.UTC)}
}

func BenchmarkZZ(b *testing.B) {
	one := zzrec()
	one.Addr.City = "Berlin"
	one.Addr.Zip = "10115"
	hundred := make([]tenRec, 100)
	for i := range hundred {
		hundred[i] = one
		hundred[i].ID += int64(i)
	}
	bench := func(name string, v func() any, data []byte) {
		x := v()
		if data == nil {
			panic(name)
		}
		if err := json.Unmarshal(data, x); err != nil {
			panic(err)
		}
		var buf []byte
		b.Run(name+"/enc/ours", func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				buf, _ = Append(buf[:0], x)
			}
		})
		var w bytes.Buffer
		b.Run(name+"/enc/std", func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				w.Reset()
				json.NewEncoder(&w).Encode(x)
			}
		})
		b.Run(name+"/dec/ours", func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				Unmarshal(data, v())
			}
		})
		b.Run(name+"/dec/std", func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				json.Unmarshal(data, v())
			}
		})
	}
	d1, _ := json.Marshal(one)
	d2, _ := json.Marshal(hundred)
	bench("rec", func() any { return new(tenRec) }, d1)
	bench("100", func() any { return new([]tenRec) }, d2)
	canada, _ := os.ReadFile("/tmp/payloads/canada_geometry.json")
	bench("canada", func() any { return new(geo) }, canada)
	twitter, _ := os.ReadFile("/tmp/payloads/twitter_status.json")
	bench("anytwitter", func() any { return new(any) }, twitter)
	citm, _ := os.ReadFile("/tmp/payloads/citm_catalog.json")
	bench("anycitm", func() any { return new(any) }, citm)
}
