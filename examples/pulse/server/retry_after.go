package server

import (
	"net/http"

	"github.com/hone-go/hone/web"
)

// retryAfter adds the header Retry-After to responses that refuse a request for now.
func retryAfter(next web.HandlerFunc) web.HandlerFunc {
	return func(c *web.Context) error {
		err := next(c)
		switch web.StatusCode(err) {
		case http.StatusServiceUnavailable:
			c.Response().Header().Set("Retry-After", "1")
		case http.StatusInsufficientStorage:
			c.Response().Header().Set("Retry-After", "30") // the disk will not be free sooner
		}
		return err
	}
}
