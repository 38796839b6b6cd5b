package contestants

import "time"

// Record is the six-field record that Go's codecs are compared on.
type Record struct {
	Name     string
	BirthDay time.Time
	Phone    string
	Siblings int
	Spouse   bool
	Money    float64
}

func record() Record {
	return Record{
		Name: "a name of sixteen"[:16], BirthDay: time.Unix(1_700_000_000, 123_456_789).UTC(), Phone: "0123456789",
		Siblings: 4, Spouse: true, Money: 12345.678,
	}
}

// Simple and Nested are the structs of row 2.
type Simple struct {
	I int
	U uint
	S string
	L []int
	P *int
	M map[int]int
}

type Nested struct {
	I int
	U uint
	S string
	L []int
	P *int
	N Inner
}

type Inner struct {
	A [4]int
	B byte
}

func simple() Simple { return Simple{1, 2, "3", []int{4, 5}, new(int), map[int]int{6: 7, 8: 9}} }

func nested() Nested { return Nested{1, 2, "3", []int{4, 5}, new(int), Inner{[4]int{1, 2, 3, 4}, 5}} }

// API is a record of ten fields as an API answers with.
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

func api() API {
	mail := "octo@example.org"
	return API{
		ID: 583231, Login: "octo", Name: "The <Octo> Cat", Email: &mail, Score: 98.6, Followers: 21_345,
		Created: time.Date(2011, 1, 25, 18, 44, 36, 0, time.UTC), Tags: []string{"go", "json", "größer"},
		Links: map[string]string{"self": "/users/octo", "repos": "/users/octo/repos"},
	}
}
