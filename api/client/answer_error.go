package client

import (
	"fmt"
	"io"
	"net/http"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/hone-go/hone/api"
	"github.com/hone-go/hone/api/internal/message"
	"github.com/hone-go/hone/internal/http/header"
	"github.com/hone-go/hone/json"
)

// An AnswerError is the error of a [Call] if the server has sent an answer, but not the expected one. It contains the
// pattern of the call, and the status and the header of the answer. An error that wraps a [*api.Problem] of the server
// also wraps an AnswerError.
type AnswerError struct {
	Pattern string // the pattern of the call
	Status  int
	Header  http.Header // the header of the answer
	// Err is the reason why the answer cannot be read. It is nil if the answer is a problem.
	Err error
}

// Error names the operation and the status. It leaves out the header, which may hold secrets.
func (e *AnswerError) Error() string {
	if e.Err == nil {
		return fmt.Sprintf("%s was answered with status %d", e.Pattern, e.Status)
	}
	return fmt.Sprintf("api: the answer of status %d to %s cannot be read: %v", e.Status, e.Pattern, e.Err)
}

// Unwrap returns the cause.
func (e *AnswerError) Unwrap() error { return e.Err }

// RetryAfter returns the time for which the server asks the client to wait before the next
// attempt, or 0.
func (e *AnswerError) RetryAfter() time.Duration {
	return parseRetryAfter(e.Header.Get("Retry-After"), time.Now())
}

// problemFrom returns the error of an answer whose status is not a success.
func problemFrom(resp *http.Response, pattern string) error {
	if resp.StatusCode == http.StatusNotModified {
		return ErrNotModified
	}
	cause := &AnswerError{Pattern: pattern, Status: resp.StatusCode, Header: resp.Header}
	data, err := io.ReadAll(io.LimitReader(resp.Body, maxProblem))
	p := new(api.Problem)
	mediaType := strings.ToLower(header.MediaType(resp.Header.Get("Content-Type")))
	isJSON := mediaType == api.MediaTypeProblem || mediaType == message.JSON
	if err != nil || !isJSON || json.Unmarshal(data, p) != nil {
		p = &api.Problem{}
		if isText := isJSON || strings.HasPrefix(mediaType, "text/") || mediaType == ""; isText {
			p.Detail = excerpt(data)
		}
	}
	p.Status = resp.StatusCode // the status of the answer takes precedence over the status in the document
	if p.Title == "" {
		p.Title = http.StatusText(p.Status)
	}
	return p.Wrap(cause)
}

// excerpt returns the first KiB of data as text. Bytes that are not UTF-8 become U+FFFD.
func excerpt(data []byte) string {
	data = data[:min(len(data), maxProblemText)]
	for i := 0; i < utf8.UTFMax && len(data) > 0; i++ { // remove a character that the limit has cut in two
		if r, size := utf8.DecodeLastRune(data); r != utf8.RuneError || size != 1 {
			break
		}
		data = data[:len(data)-1]
	}
	return strings.TrimSpace(strings.ToValidUTF8(string(data), "\uFFFD"))
}
