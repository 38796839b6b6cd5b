// Command shadow answers requests with encoding/json. For a fraction of the calls it compares the
// result with the result of Hone's engine. The counts are at /debug/vars, and differences are
// logged.
//
//	curl http://127.0.0.1:8080/sum -d '{"terms":[1,2,3]}'
//	curl http://127.0.0.1:8080/debug/vars
package main

import (
	"expvar"
	"flag"
	"log"
	"net/http"
	"time"

	hone "github.com/hone-go/hone/json"
	json "github.com/hone-go/hone/json/shadow" // was encoding/json
)

type sum struct {
	Terms []float64 `json:"terms"`
	Sum   float64   `json:"sum"`
}

func handler() http.Handler {
	mux := http.NewServeMux()
	mux.HandleFunc("POST /sum", func(w http.ResponseWriter, r *http.Request) {
		var s sum
		if err := json.NewDecoder(http.MaxBytesReader(w, r.Body, 1<<20)).Decode(&s); err != nil {
			http.Error(w, err.Error(), http.StatusBadRequest)
			return
		}
		s.Sum = 0
		for _, term := range s.Terms {
			s.Sum += term
		}
		w.Header().Set("Content-Type", "application/json")
		if err := json.NewEncoder(w).Encode(s); err != nil {
			log.Print(err)
		}
	})
	mux.Handle("GET /debug/vars", expvar.Handler())
	return mux
}

func init() { expvar.Publish("json_shadow", json.Report{}) }

func main() {
	share := flag.Float64("share", 0.01, "the share of calls that are compared")
	answer := flag.Bool("hone", false, "answer with Hone's engine, and compare encoding/json")
	flag.Parse()
	json.Set(json.Settings{Share: *share})
	if *answer {
		json.Answer(hone.HoneEngine)
	}
	s := &http.Server{Addr: ":8080", Handler: handler(), ReadHeaderTimeout: 5 * time.Second}
	log.Fatal(s.ListenAndServe())
}
