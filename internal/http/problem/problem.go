// Package problem has the problem document that web and api agree on.
package problem

import "fmt"

// An Error is a problem document (RFC 9457) that is an error.
type Error struct {
	Type     string `json:"type"`               // a URI; about:blank where only the status counts
	Title    string `json:"title"`              // the same for every problem of a Type
	Status   int    `json:"status"`             // of HTTP
	Detail   string `json:"detail,omitempty"`   // what is wrong this time
	Instance string `json:"instance,omitempty"` // a URI of this very problem
}

func (e *Error) Error() string {
	if e.Detail == "" {
		return fmt.Sprintf("code=%d, message=%s", e.Status, e.Title)
	}
	return fmt.Sprintf("code=%d, message=%s: %s", e.Status, e.Title, e.Detail)
}

// StatusCode returns Status.
func (e *Error) StatusCode() int { return e.Status }
