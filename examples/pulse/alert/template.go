package alert

import (
	"bytes"
	"embed"
	"errors"
	"fmt"
	"io/fs"
	"net/url"
	"os"
	"strconv"
	"strings"
	"text/template"
	"time"

	"github.com/hone-go/hone/json"
	"github.com/hone-go/hone/mo"
)

//go:embed templates
var templates embed.FS

const templateSuffix = ".json.tmpl"

// Templates returns the names of the templates that are part of pulse.
func Templates() (names []string) {
	files, _ := fs.ReadDir(templates, "templates") // the folder exists
	for _, f := range files {
		names = append(names, strings.TrimSuffix(f.Name(), templateSuffix))
	}
	return names
}

// A Message is the value that a template of a webhook is executed with: the fields and methods of the
// report, and the parameters of the webhook.
type Message struct {
	*Report
	parameters url.Values
}

// Parameter returns a parameter in the fragment of the webhook's URL, such as 123 for chat_id in
// https://api.telegram.org/bot…/sendMessage#chat_id=123. The fragment is not part of the request. An
// error says that the parameter is missing.
func (m *Message) Parameter(name string) (string, error) {
	if m.parameters.Get(name) == "" {
		return "", fmt.Errorf("the URL must end in #%s=…", name)
	}
	return m.parameters.Get(name), nil
}

// readTemplate returns a template of pulse with the name, or else the template in the file with the
// name.
func readTemplate(name string) (*template.Template, error) {
	text, err := templates.ReadFile("templates/" + name + templateSuffix)
	if err != nil {
		if text, err = os.ReadFile(name); err != nil {
			shown := strconv.Quote(name)
			if strings.Contains(name, "/") && errors.Is(err, fs.ErrNotExist) {
				shown = "the word before the URL" // it may be a URL with a secret
			}
			return nil, fmt.Errorf("%s is neither a template (%s) nor a file that can be read", shown, strings.Join(Templates(), ", "))
		}
	}
	return template.New(name).Funcs(template.FuncMap{
		"json": func(v any) (string, error) {
			text, err := json.Marshal(v)
			return string(text), err
		},
		"entities": strings.NewReplacer("&", "&amp;", "<", "&lt;", ">", "&gt;").Replace,
	}).Parse(string(text))
}

// body returns the body of a request, and its type: JSON if the text is an object, and otherwise
// plain text.
func body(t *template.Template, m *Message) (text []byte, mediaType string, err error) {
	var out bytes.Buffer
	if err := t.Execute(&out, m); err != nil {
		var failed template.ExecError
		if errors.As(err, &failed) && errors.Unwrap(failed.Err) != nil {
			err = errors.Unwrap(failed.Err) // the error of a function, without the place in the template
		}
		return nil, "", err
	}
	text = bytes.TrimSpace(out.Bytes())
	if !bytes.HasPrefix(text, []byte("{")) {
		return text, "text/plain; charset=utf-8", nil
	}
	if !json.Valid(text) {
		return nil, "", errors.New("the text begins with { and is not JSON: write values as {{json .Rule}}")
	}
	return text, "application/json", nil
}

// Sample returns a report for tests of targets: the beginning or the end of an alert that does not
// exist.
func Sample(key, state string, at time.Time, link string) *Report {
	return &Report{
		Key: key, State: state, Host: "test", Rule: "high disk:/srv > 80", Level: "high", At: at, Since: at.Add(-time.Minute),
		Value: mo.Some(81.5), Unit: "%", Part: "/srv", Link: link, Number: 1, Count: 1, Hosts: []string{"test"}, Recovered: []string{},
	}
}
