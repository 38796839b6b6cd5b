// Package problem defines the problem document that packages web and api share.
package problem

import "fmt"

// An Error is a problem document (RFC 9457). It implements error.
type Error struct {
	Type     string `json:"type"`               // a URI for the type of problem; about:blank if the status says enough
	Title    string `json:"title"`              // the same for all problems of a Type
	Status   int    `json:"status"`             // the HTTP status
	Detail   string `json:"detail,omitempty"`   // a description of this occurrence
	Instance string `json:"instance,omitempty"` // a URI that identifies this occurrence
}

func (e *Error) Error() string {
	if e.Detail == "" {
		return fmt.Sprintf("code=%d, message=%s", e.Status, e.Title)
	}
	return fmt.Sprintf("code=%d, message=%s: %s", e.Status, e.Title, e.Detail)
}

// StatusCode returns Status.
func (e *Error) StatusCode() int { return e.Status }

// A StatusCoder is an error with an HTTP status.
type StatusCoder interface{ StatusCode() int }

// A Detailer is an error with a text for the client.
type Detailer interface{ Detail() string }

var _ StatusCoder = (*Error)(nil)
