// Package jsonpeer has the values for measuring JSON, and the code that easyjson generates for them.
// This command, with the version of easyjson in go.mod, generates the code for each marked type:
//
//	easyjson -no_std_marshalers -pkg -output_filename easyjson.go .
package jsonpeer

import "time"

// API is a record of ten fields, as in the answers of many APIs.
//
//easyjson:json
type API struct {
	ID        int64             `json:"id"`
	Login     string            `json:"login"`
	Name      string            `json:"name"`
	Email     *string           `json:"email"`
	Admin     bool              `json:"admin"`
	Score     float64           `json:"score"`
	Followers uint32            `json:"followers"`
	Created   time.Time         `json:"created_at"`
	Tags      []string          `json:"tags"`
	Links     map[string]string `json:"links,omitempty"`
}

// APIs is a list of records. It is a named type, so that it can have the methods of easyjson.
//
//easyjson:json
type APIs []API

// Octo is a record as in GitHub's API.
func Octo() API {
	mail := "octo@example.org"
	return API{
		ID: 583231, Login: "octo", Name: "The <Octo> Cat", Email: &mail, Score: 98.6, Followers: 21_345,
		Created: time.Date(2011, 1, 25, 18, 44, 36, 0, time.UTC), Tags: []string{"go", "json", "größer"},
		Links: map[string]string{"self": "/users/octo", "repos": "/users/octo/repos"},
	}
}

// A PulseReading is a reading of a telemetry agent, which posts all readings of a minute at a
// time. A sensor that the machine lacks is null.
type PulseReading struct {
	Time    time.Time          `json:"time"`
	CPU     []float32          `json:"cpu"`
	Memory  uint64             `json:"memory"`
	Load    [3]float64         `json:"load"`
	Celsius *float64           `json:"celsius"`
	Disks   map[string]float64 `json:"disks"`
}

// A PulseBatch has the readings of one host for a minute.
//
//easyjson:json
type PulseBatch struct {
	Host     string         `json:"host"`
	Kernel   *string        `json:"kernel"`
	Readings []PulseReading `json:"readings"`
}
