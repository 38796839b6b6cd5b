package client

import (
	"io"
	"net/http"
)

// once sends a copy of a request once: Prepare changes the copy, so each attempt starts with the
// same request. once returns the answer if its status is a success, and otherwise the error from
// problemFrom.
func (c *Client) once(r *http.Request, pattern string) (*http.Response, error) {
	sent := r.Clone(r.Context())
	if r.GetBody != nil {
		var err error
		if sent.Body, err = r.GetBody(); err != nil {
			return nil, err
		}
	}
	if c.options.Prepare != nil {
		if err := c.options.Prepare(sent); err != nil {
			if sent.Body != nil {
				_ = sent.Body.Close()
			}
			return nil, &prepareError{err}
		}
	}
	resp, err := c.http.Do(sent)
	if err != nil {
		return nil, err
	}
	if resp.StatusCode/100 == 2 || isAnswer(r, resp.StatusCode) {
		return resp, nil
	}
	defer drainBody(resp.Body)
	return nil, problemFrom(resp, pattern)
}

// drainBody reads up to 64 KiB of the rest of a body and closes it. The connection of a body
// that was read to its end can be reused for another request.
func drainBody(body io.ReadCloser) {
	_, _ = io.CopyN(io.Discard, body, 64<<10)
	_ = body.Close()
}
