package alert

import (
	"bytes"
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"

	"github.com/hone-go/hone/json"
)

// A Webhook posts reports as JSON to a URL. The header Idempotency-Key has the ID of the report. A
// status from 200 to 299 means that the report was accepted. Redirects are not followed.
type Webhook struct {
	url  string
	name string
}

// NewWebhook returns a webhook. The error does not contain the URL, which may have a secret.
func NewWebhook(address string) (*Webhook, error) {
	u, err := url.Parse(address)
	if err != nil || u.Host == "" || u.Scheme != "http" && u.Scheme != "https" {
		return nil, errors.New("not a URL that begins with http:// or https://")
	}
	return &Webhook{address, fmt.Sprintf("webhook %s %x", u.Host, sha256.Sum256([]byte(address)))[:len("webhook  ")+len(u.Host)+8]}, nil
}

// Name returns a name with the host of the URL and a part of the URL's hash.
func (w *Webhook) Name() string { return w.name }

var webhooks = &http.Client{CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }}

// Send posts a report. The error does not contain the URL.
func (w *Webhook) Send(ctx context.Context, r *Report) error {
	body, err := json.Marshal(r)
	if err != nil {
		return err
	}
	request, err := http.NewRequestWithContext(ctx, http.MethodPost, w.url, bytes.NewReader(body))
	if err != nil {
		return errors.New("the request cannot be made")
	}
	request.Header.Set("Content-Type", "application/json")
	request.Header.Set("Idempotency-Key", r.ID())
	response, err := webhooks.Do(request)
	if failed := (*url.Error)(nil); errors.As(err, &failed) {
		return failed.Err // failed itself contains the URL
	} else if err != nil {
		return err
	}
	defer response.Body.Close()
	_, _ = io.CopyN(io.Discard, response.Body, 64<<10) // so that the connection can be used again
	if response.StatusCode/100 != 2 {
		return fmt.Errorf("the target answered %s", response.Status)
	}
	return nil
}
