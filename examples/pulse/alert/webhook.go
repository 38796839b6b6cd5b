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
	"text/template"
	"time"

	"github.com/hone-go/hone/json"
)

// A Webhook posts reports as JSON to a URL. The header Idempotency-Key has the ID of the report. A
// status from 200 to 299 means that the report was accepted. Redirects are not followed.
type Webhook struct {
	url        string
	name       string
	parameters url.Values
	template   *template.Template // nil for the report itself as JSON
}

// NewWebhook returns a webhook. If form is not "", it is the name of one of [Templates] or of a file with a
// template, which makes the body of requests from a [Message]. The error does not contain the URL, which
// may have a secret.
func NewWebhook(form, address string) (*Webhook, error) {
	u, err := url.Parse(address)
	if err != nil || u.Host == "" || u.Scheme != "http" && u.Scheme != "https" {
		return nil, errors.New("not a URL that begins with http:// or https://")
	}
	identity := address
	if form != "" { // two templates may have one URL
		identity = form + " " + address
	}
	w := &Webhook{name: fmt.Sprintf("webhook %s %x", u.Host, sha256.Sum256([]byte(identity)))[:len("webhook  ")+len(u.Host)+8]}
	if form == "" {
		w.url = address
		return w, nil
	}
	if w.parameters, err = url.ParseQuery(u.EscapedFragment()); err != nil {
		return nil, errors.New("the part of the URL after # must have a form such as chat_id=123")
	}
	u.Fragment, u.RawFragment = "", ""
	w.url = u.String()
	if w.template, err = readTemplate(form); err != nil {
		return nil, err
	}
	for number, state := range []string{"over", "firing", "firing"} {
		r := Sample("test", state, time.Unix(0, 0), "http://monitor.example")
		r.Host, r.Rule, r.Part, r.Number = r.Host+awkward, r.Rule+awkward, r.Part+awkward, number
		r.Hosts, r.Recovered, r.Count, r.Over = []string{r.Host, r.Host}, []string{r.Host}, 2, 1
		if _, _, err := w.body(r); err != nil {
			return nil, fmt.Errorf("template %s: %w", form, err)
		}
	}
	return w, nil
}

// awkward has characters that a template must not write into JSON as they are.
const awkward = "\"\\\n"

// body returns the body of a request and its type.
func (w *Webhook) body(r *Report) (text []byte, mediaType string, err error) {
	if w.template == nil {
		text, err = json.Marshal(r)
		return text, "application/json", err
	}
	return body(w.template, &Message{r, w.parameters})
}

// Name returns a name with the host of the URL and a part of the hash of the URL and the template.
func (w *Webhook) Name() string { return w.name }

var webhooks = &http.Client{CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }}

// Send posts a report. The error does not contain the URL.
func (w *Webhook) Send(ctx context.Context, r *Report) error {
	body, mediaType, err := w.body(r)
	if err != nil {
		return err
	}
	request, err := http.NewRequestWithContext(ctx, http.MethodPost, w.url, bytes.NewReader(body))
	if err != nil {
		return errors.New("the request cannot be made")
	}
	request.Header.Set("Content-Type", mediaType)
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
