package apitest

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"hash/fnv"
	"io"
	"maps"
	"math/rand/v2"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/hone-go/hone/api"
	"github.com/hone-go/hone/api/openapi"
	"github.com/hone-go/hone/internal/variadic"
)

// Options configure [Run]. The zero value is the default.
type Options struct {
	// Requests is the number of requests for each operation; 0 means 100.
	Requests int
	// Seed selects the random requests; 0 means a new seed, which a failure reports.
	Seed uint64
	// Prepare is called with each request, for example to add credentials. If it is set, one request
	// in ten of an operation that requires credentials is sent without it.
	Prepare func(*http.Request)
	// PrepareUnscoped adds valid credentials that grant no scopes. If it is set, operations that
	// require scopes get such requests too.
	PrepareUnscoped func(*http.Request)
	// Skip reports whether to omit an operation, by its name.
	Skip func(operationID string) bool
	// Timeout is the longest time that an answer may take, with its body; 0 means 10 s. The first answer
	// that takes longer is a failure, and ends the requests of its operation. A stream of events, or of
	// elements, need not end: Run reads its beginning.
	Timeout time.Duration
	// Lenient allows the status 400, 415 or 422 for a request that matches the document. Set it if handlers
	// and Validate methods require more than the tags.
	Lenient bool
}

const (
	defaultRequests = 100
	defaultTimeout  = 10 * time.Second
	maxFailures     = 10
	eventsTime      = 20 * time.Millisecond // the time for which a stream of events is read
	elementsTime    = time.Second           // the time for which a stream of elements is read
	maxSlow         = 20                    // the maximum number of requests of one operation with events
	streamsTime     = time.Second           // no request for a stream begins later than this after the first one of its operation
	maxAnswer       = 8 << 20
)

// errTimeout is the cause with which the context of a request ends after Options.Timeout.
var errTimeout = errors.New("apitest: the answer takes too long")

// Run sends random requests for all operations of a document to h. It fails the test if an answer
//
//   - has status 500, or a status that the document does not list for the operation,
//   - has a media type, a JSON body or a value of a header field that the document does not describe,
//   - takes longer than Options.Timeout,
//   - is a success although the request violates the document, or lacks required credentials, or
//   - has status 400, 415 or 422 although the request matches the document; see Options.Lenient.
//
// About half of the requests match the document. Each of the others is changed in one place, and usually
// violates the document. Run calls the handlers, so h should not use real data. A body is JSON or a form. A few
// bodies are not valid JSON. The content of files and of streams of bytes is random.
func Run(t testing.TB, h http.Handler, document *openapi.Document, options ...Options) {
	t.Helper()
	o := variadic.Only(options)
	if o.Requests == 0 {
		o.Requests = defaultRequests
	}
	if o.Timeout == 0 {
		o.Timeout = defaultTimeout
	}
	if o.Seed == 0 {
		o.Seed = rand.Uint64()
	}
	// Decode the document as clients do, without the Go types of its fields.
	text, err := document.JSON()
	if err != nil {
		t.Fatal(err)
	}
	doc := new(openapi.Document)
	if err := json.Unmarshal(text, doc); err != nil {
		t.Fatal(err)
	}
	p := &runner{t: t, client: &http.Client{Transport: Transport(h), CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }}, options: o}
	p.maker = maker{checker: checker{components: doc.Components.Schemas, request: true}}
	made := 0
	for _, path := range slices.Sorted(maps.Keys(doc.Paths)) {
		for method, op := range doc.Paths[path].Operations() {
			if o.Skip != nil && o.Skip(op.OperationID) {
				continue
			}
			made++
			if p.sendAll(method, path, op); p.failures >= maxFailures {
				t.Fatalf("apitest: stopped after %d failures; the seed is %d", p.failures, o.Seed)
			}
		}
	}
	if made == 0 {
		t.Error("apitest: the document has no operations")
	}
	if p.failures > 0 {
		t.Logf("apitest: the seed of the failures is %d", o.Seed)
	}
}

// sendAll sends the requests of one operation. They depend on the seed and the name of the operation only.
func (p *runner) sendAll(method, path string, op *openapi.Operation) {
	name := fnv.New64a()
	_, _ = io.WriteString(name, op.OperationID)
	p.Rand = rand.New(rand.NewPCG(p.options.Seed, name.Sum64()))
	requests, ok := p.options.Requests, op.Responses["200"]
	if hasEvents(ok) {
		requests = min(requests, maxSlow)
	}
	streams, began := hasEvents(ok) || hasElements(ok), time.Now()
	for p.stuck = false; requests > 0 && !p.stuck && p.failures < maxFailures; requests-- {
		p.sendOne(method, path, op)
		if streams && time.Since(began) > streamsTime {
			return
		}
	}
}

// A runner is the state of one Run.
type runner struct {
	maker
	t        testing.TB
	client   *http.Client
	options  Options
	failures int
	stuck    bool // an answer of the operation has taken too long
}

// A request is a request of one operation.
type request struct {
	method, path string
	query        url.Values
	header       http.Header
	body         []byte
	wrong        string // the reason why the request does not match the document; "" if it does
	unsure       bool   // the request may be invalid in a way that the document cannot express
}

// sendOne sends a random request for op and checks the answer.
func (p *runner) sendOne(method, path string, op *openapi.Operation) {
	r := p.request(method, path, op)
	ctx, cancel := context.WithTimeoutCause(context.Background(), p.options.Timeout, errTimeout)
	defer cancel()
	target := "http://api.test" + r.path
	if len(r.query) > 0 {
		target += "?" + r.query.Encode()
	}
	sent, err := http.NewRequestWithContext(ctx, method, target, bytes.NewReader(r.body))
	if err != nil {
		p.t.Fatal(err)
	}
	if r.body == nil {
		sent.Body, sent.ContentLength = nil, 0
	}
	sent.Header = r.header
	p.prepare(sent, op, r)
	if wrong := p.answer(cancel, sent, op, r); wrong != "" {
		p.failures++
		about := "valid request"
		if r.wrong != "" {
			about = "invalid request: " + r.wrong
		}
		p.t.Errorf("%s (%s)\n%s %s %.2000s\n%s", op.OperationID, about, method, sent.URL.RequestURI(), r.body, wrong)
	}
}

// answer sends a request and returns the fault of the answer, or "" if the answer matches the
// document. It calls cancel to end a stream of events.
func (p *runner) answer(cancel func(), sent *http.Request, op *openapi.Operation, r *request) string {
	// A handler may also end its answer properly when the context of its request ends.
	timedOut := func() bool { return context.Cause(sent.Context()) == errTimeout }
	resp, err := p.client.Do(sent)
	if p.stuck = timedOut(); p.stuck {
		if err == nil {
			_ = resp.Body.Close()
		}
		return fmt.Sprintf("no answer within %v", p.options.Timeout)
	}
	if err != nil {
		return "no answer: " + err.Error()
	}
	defer resp.Body.Close()
	mediaType, _, _ := strings.Cut(resp.Header.Get("Content-Type"), ";")
	described := op.Responses[strconv.Itoa(resp.StatusCode)]
	switch {
	case mediaType == api.MediaTypeEvents:
		defer time.AfterFunc(eventsTime, cancel).Stop()
	case hasElements(described):
		defer time.AfterFunc(elementsTime, cancel).Stop()
	}
	body, err := io.ReadAll(io.LimitReader(resp.Body, maxAnswer))
	unfinished := errors.Is(sent.Context().Err(), context.Canceled) // a stream that need not end
	if p.stuck = timedOut(); p.stuck {
		return fmt.Sprintf("status %d, and the body has not ended within %v: %.2000s", resp.StatusCode, p.options.Timeout, body)
	}
	if err != nil && !unfinished {
		return fmt.Sprintf("status %d, and the body is incomplete: %v", resp.StatusCode, err)
	}
	what := fmt.Sprintf("status %d %s %.2000s", resp.StatusCode, mediaType, body)
	if resp.StatusCode == http.StatusInternalServerError {
		return what
	}
	success := resp.StatusCode < 400
	if described == nil && !success {
		described = op.Responses["default"]
	}
	if described == nil {
		return what + "\nthe document does not list the status"
	}
	switch {
	case r.unsure:
	case success && r.wrong != "":
		return what + "\nthe server should have refused the request"
	case r.wrong == "" && !p.options.Lenient && (resp.StatusCode == 400 || resp.StatusCode == 422 || resp.StatusCode == 415):
		return what + "\nthe server should not have refused the request"
	}
	if wrong := p.header(resp.Header, described.Headers); wrong != "" {
		return what + "\n" + wrong
	}
	if len(body) == 0 && !(unfinished && success) {
		return ""
	}
	media, ok := described.Content[mediaType]
	if _, anything := described.Content["*/*"]; !ok && !anything {
		return what + "\nthe document does not list the media type"
	}
	if unfinished || media.Schema == nil || !strings.HasSuffix(mediaType, "json") || mediaType == api.MediaTypeNDJSON {
		return ""
	}
	d := json.NewDecoder(bytes.NewReader(body))
	d.UseNumber()
	var v any
	if err := d.Decode(&v); err != nil {
		return what + "\nthe body is not JSON: " + err.Error()
	}
	answers := checker{components: p.components}
	if wrong := answers.check(media.Schema, v, ""); wrong != "" {
		return what + "\n" + wrong
	}
	return ""
}

// header returns the fault of the header of an answer, or "".
func (p *runner) header(h http.Header, described map[string]*openapi.Header) string {
	for name, values := range h {
		if slices.ContainsFunc(values, func(v string) bool { return strings.ContainsFunc(v, isControl) }) {
			return "the header field has a control character: " + name
		}
	}
	for name, d := range described {
		values := h.Values(name)
		if d.Required && len(values) == 0 {
			return "a header field is missing: " + name
		}
		for _, value := range values {
			if wrong := p.wrongText(p.resolve(d.Schema), value); wrong != "" {
				return "the header field " + name + ": " + wrong
			}
		}
	}
	return ""
}

func isControl(c rune) bool { return c < ' ' && c != '\t' || c == '\x7f' }

// request generates a request for op. For half of the requests it chooses a parameter or the body, and changes
// it in one place. The change usually violates the document.
func (p *runner) request(method, path string, op *openapi.Operation) *request {
	r := &request{method: method, query: url.Values{}, header: http.Header{"Accept": {"application/json, */*"}}}
	spoilt := -1 // index of the parameter to spoil, or len(op.Parameters) for the body; -1 for neither
	if p.IntN(2) == 0 {
		spoilt = p.IntN(len(op.Parameters) + 1)
	}
	for i, param := range op.Parameters {
		value, present, wrong := p.param(param, i == spoilt)
		if wrong != "" {
			r.wrong = param.In + " " + param.Name + ": " + wrong
		}
		path = r.place(path, param, value, present)
	}
	r.path = path
	if op.UnknownParameters != "" && spoilt >= 0 && p.IntN(8) == 0 {
		r.query.Set("unexpected", "1")
		r.wrong = "query unexpected: the document does not list it"
	}
	if op.RequestBody != nil {
		p.body(r, op.RequestBody, spoilt == len(op.Parameters))
	}
	return r
}

// place adds the values of a parameter to its part of the request, if present is true. It returns path with the
// values of a path parameter filled in.
func (r *request) place(path string, param *openapi.Parameter, values []string, present bool) string {
	if param.In == "path" {
		escaped := make([]string, len(values))
		for i, v := range values {
			escaped[i] = url.PathEscape(v)
		}
		return strings.ReplaceAll(path, "{"+param.Name+"}", strings.Join(escaped, ","))
	}
	if !present {
		return path
	}
	switch param.In {
	case "query":
		if param.Style == "form" && param.Schema != nil && param.Schema.AdditionalProperties != nil {
			r.query["other"] = values
		} else {
			r.query[param.Name] = values
		}
	case "header":
		r.header[http.CanonicalHeaderKey(param.Name)] = []string{headerList(param.Schema, values)}
	case "cookie":
		r.header["Cookie"] = append(r.header["Cookie"], param.Name+"="+strings.Join(values, ","))
	}
	return path
}

// headerList returns the values of a header field, separated by commas. A value of an array that contains a comma or
// begins with a quote is a quoted string.
func headerList(schema *openapi.Schema, values []string) string {
	quoted := slices.Clone(values)
	for i, v := range quoted {
		if slices.Contains(typesOf(schema), "array") && (strings.Contains(v, ",") || strings.HasPrefix(v, `"`)) {
			quoted[i] = `"` + strings.NewReplacer(`\`, `\\`, `"`, `\"`).Replace(v) + `"`
		}
	}
	return strings.Join(quoted, ", ")
}

// param generates the values of a parameter. If the parameter is omitted, present is false. If the
// values violate the document, wrong is the reason, and otherwise "". The values violate the document
// only if spoil is set.
func (p *runner) param(param *openapi.Parameter, spoil bool) (values []string, present bool, wrong string) {
	if !param.Required && p.IntN(2) == 0 {
		return nil, false, ""
	}
	schema := p.resolve(param.Schema)
	if spoil && param.Required && param.In != "path" && p.IntN(3) == 0 {
		return nil, false, "required, but missing"
	}
	v := p.value(schema)
	for range 20 { // try another value if a value cannot be sent, such as a line break in a header field
		if list := texts(v); len(list) > 0 && sendable(param.In, list) {
			break
		}
		v = p.value(schema)
	}
	values = texts(v)
	if len(values) == 0 || !sendable(param.In, values) {
		if param.In == "path" {
			return []string{"x"}, true, ""
		}
		return nil, false, ""
	}
	if spoil && schema != nil {
		values = []string{[]string{"0", "-1", "x", "99999999999999999999", "1e5", "true", strings.Repeat("y", 300), "é"}[p.IntN(8)]}
		if !sendable(param.In, values) {
			values[0] = "x"
		}
		wrong = p.wrongText(schema, values[0])
	}
	return values, true, wrong
}

// wrongText returns the reason why a parameter with the only value text violates the schema, or "".
func (p *runner) wrongText(schema *openapi.Schema, text string) string {
	if names := typesOf(schema); slices.Contains(names, "array") {
		if schema.MinItems > 1 {
			return "too few elements"
		}
		return p.wrongText(p.resolve(schema.Items), text)
	}
	var v any = text
	if names := typesOf(schema); slices.Contains(names, "integer") || slices.Contains(names, "number") {
		v = json.Number(text)
		if _, ok := valueOf(v); !ok || slices.Contains(names, "integer") && strings.ContainsAny(text, ".e") {
			return "not a number"
		}
	} else if slices.Contains(names, "boolean") {
		if text != "true" && text != "false" {
			return "not a boolean"
		}
		return ""
	}
	return p.check(schema, v, text)
}

// texts returns the strings that are sent for a parameter's value. An array has one string for each element. An
// object is replaced by an arbitrary string.
func texts(v any) (list []string) {
	switch v := v.(type) {
	case nil:
		return nil
	case []any:
		for _, e := range v {
			list = append(list, texts(e)...)
		}
		return list
	case map[string]any:
		return []string{"kept"}
	}
	return []string{fmt.Sprint(v)}
}

// sendable reports whether the texts in list arrive unchanged when they are sent in one part of a request. in
// is the part, such as "header".
func sendable(in string, list []string) bool {
	for _, text := range list {
		switch {
		case text == "", in == "path" && strings.ContainsAny(text, "/\\") || in == "path" && strings.Trim(text, ".") == "":
			return false
		case in == "header" && (text != strings.TrimSpace(text) || strings.ContainsFunc(text, func(c rune) bool { return c < ' ' || c > '~' })):
			return false
		case in == "cookie" && strings.ContainsFunc(text, func(c rune) bool { return c < ' ' || c > '~' || strings.ContainsRune(`",;\ %`, c) }):
			return false
		}
	}
	return true
}

// body adds a random body to r. It sometimes omits an optional body. If spoil is set, the body usually violates
// the document.
func (p *runner) body(r *request, body *openapi.RequestBody, spoil bool) {
	if !body.Required && p.IntN(4) == 0 {
		return
	}
	asJSON, schema := body.JSON()
	form, isForm := body.Content["application/x-www-form-urlencoded"]
	switch {
	case asJSON != "":
		v := p.value(schema)
		if spoil {
			v = p.spoil(v)
		}
		text, err := json.Marshal(v)
		if err != nil {
			text = []byte("null")
		}
		if spoil && p.IntN(10) == 0 {
			text = text[:p.IntN(len(text))]
		}
		r.header.Set("Content-Type", asJSON)
		r.body = text
		if v = decoded(text); v == nil && string(text) != "null" {
			r.wrong = "the body is not JSON"
		} else if wrong := p.check(schema, v, ""); wrong != "" {
			r.wrong = "the body: " + wrong
		}
		r.unsure = tooLarge(v)
	case isForm:
		values := url.Values{}
		if fields, ok := p.value(form.Schema).(map[string]any); ok {
			for name, v := range fields {
				if list := texts(v); len(list) > 0 {
					values[name] = list
				}
			}
		}
		for _, name := range form.Schema.Required {
			if values.Get(name) == "" {
				r.wrong = "form " + name + ": required, but missing"
			}
		}
		r.header.Set("Content-Type", "application/x-www-form-urlencoded")
		r.body = []byte(values.Encode())
	default:
		if types := slices.Sorted(maps.Keys(body.Content)); len(types) > 0 {
			r.header.Set("Content-Type", strings.ReplaceAll(types[0], "*", "octet-stream"))
			r.body = []byte(p.letters(p.IntN(100)))
			if strings.HasPrefix(types[0], "multipart/") {
				r.header.Set("Content-Type", types[0]+"; boundary=b")
				r.body = []byte("--b--\r\n")
				r.unsure = true // the document does not say whether files are required
			}
		}
	}
}

func hasEvents(r *openapi.Response) bool {
	if r == nil {
		return false
	}
	_, ok := r.Content[api.MediaTypeEvents]
	return ok
}

// hasElements reports whether r describes a stream of elements.
func hasElements(r *openapi.Response) bool {
	if r == nil {
		return false
	}
	_, ok := r.Content[api.MediaTypeNDJSON]
	return ok
}
