package document_test

// The recipes of docs/documents.md: the page has the text of each function, and a test compares them.

import (
	"fmt"
	"io"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/hone-go/hone/json/document"
)

type invoice struct {
	ID     string `json:"id"`
	Amount int64  `json:"amount_due"`
}

func handle(body []byte, paid func(invoice) error) error {
	doc, err := document.Parse(body)
	if err != nil {
		return err
	}
	event := doc.Root()
	kind, err := event.Get("type").String()
	if err != nil {
		return err // document: /type: no such member
	}
	switch kind {
	case "invoice.paid":
		var object invoice
		if err := event.Pointer("/data/object").Decode(&object); err != nil {
			return err
		}
		return paid(object)
	}
	return nil // an event that this program does not need
}

func Example_route() {
	body := `{"id":"evt_1","type":"invoice.paid","data":{"object":{"id":"in_7","amount_due":1200,"lines":{"data":[{"amount":1200}]}}}}`
	err := handle([]byte(body), func(i invoice) error {
		fmt.Println(i.ID, i.Amount)
		return nil
	})
	fmt.Println(err, handle([]byte(`{"id":"evt_2"}`), nil))
	// Output:
	// in_7 1200
	// <nil> document: /type: no such member
}

func total(export io.Reader) (sum float64, err error) {
	for doc, err := range document.Documents(export) {
		if err != nil {
			return sum, err
		}
		amount, err := doc.Root().Get("amount").Float64()
		if err != nil {
			return sum, err
		}
		sum += amount
	}
	return sum, nil
}

func Example_export() {
	fmt.Println(total(strings.NewReader(`{"id":1,"amount":9.5}` + "\n" + `{"id":2,"amount":12,"note":"rush"}` + "\n")))
	// Output: 21.5 <nil>
}

var secrets = document.MustCompilePath("$..['password', 'token']")

func redact(body []byte) ([]byte, error) {
	doc, err := document.Parse(body, document.Options{RejectDuplicateNames: true})
	if err != nil {
		return nil, err
	}
	var found []string
	for v := range doc.Root().Select(secrets) {
		if err := v.Err(); err != nil {
			return nil, err // the query took too many steps
		}
		found = append(found, v.Location())
	}
	edit := doc.Edit()
	for _, pointer := range slices.Backward(found) { // a secret within a secret comes first
		if err := edit.Set(pointer, "***"); err != nil {
			return nil, err
		}
	}
	return edit.Append(nil)
}

func Example_redact() {
	out, err := redact([]byte(`{"user": "ada", "password": {"token": 1}, "sessions": [ {"token": "t1", "ip": "192.0.2.1"} ]}`))
	fmt.Println(string(out), err)
	// Output: {"user": "ada", "password": "***", "sessions": [ {"token": "***", "ip": "192.0.2.1"} ]} <nil>
}

func setPort(config []byte, port int) ([]byte, error) {
	doc, err := document.Parse(config, document.Options{AllowComments: true})
	if err != nil {
		return nil, err
	}
	edit := doc.Edit()
	if err := edit.Set("/server/port", port); err != nil {
		return nil, err
	}
	return edit.Append(nil)
}

func Example_configuration() {
	out, err := setPort([]byte(`{
  // the public server
  "server": {
    "port": 80, // behind the proxy
  },
}`), 8080)
	fmt.Println(string(out), err)
	// Output:
	// {
	//   // the public server
	//   "server": {
	//     "port": 8080, // behind the proxy
	//   },
	// } <nil>
}

var slow = document.MustCompilePath("$.spans[?@.ms > 250 && search(@.url, '/api/')].url")

func printSlow(w io.Writer, log io.Reader) error {
	for doc, err := range document.Documents(log) {
		if err != nil {
			return err
		}
		for url := range doc.Root().Select(slow) {
			if err := url.Err(); err != nil {
				return err
			}
			fmt.Fprintln(w, url.Raw())
		}
	}
	return nil
}

func Example_logs() {
	log := `{"level":"info","spans":[{"url":"/api/users","ms":310},{"url":"/health","ms":900}]}
{"level":"warn"}
{"level":"info","spans":[{"url":"/api/orders","ms":20}]}`
	fmt.Println(printSlow(os.Stdout, strings.NewReader(log)))
	// Output:
	// "/api/users"
	// <nil>
}

// TestPage compares the functions of docs/documents.md with those of this file.
func TestPage(t *testing.T) {
	page, err := os.ReadFile("../../docs/documents.md")
	if err != nil {
		t.Fatal(err)
	}
	source, err := os.ReadFile("recipes_test.go")
	if err != nil {
		t.Fatal(err)
	}
	recipes := 0
	_, section, _ := strings.Cut(string(page), "\n## Recipes\n")
	for i, block := range strings.Split(section, "```go\n")[1:] {
		code, _, ok := strings.Cut(block, "```\n")
		if !ok || !strings.Contains(string(source), code) {
			t.Errorf("recipe %d of the page is not in this file", i+1)
		}
		recipes++
	}
	if recipes != 5 {
		t.Errorf("the page has %d recipes", recipes)
	}
}
