package document_test

import (
	"encoding/json"
	"fmt"
	"os"
	"testing"

	honejson "github.com/hone-go/hone/json"
	"github.com/hone-go/hone/json/document"
)

// benchText returns a text that is similar to an answer of a service with a list of messages, or the text
// of the file in HONE_BENCH_FILE.
func benchText(b *testing.B) []byte {
	if name := os.Getenv("HONE_BENCH_FILE"); name != "" {
		text, err := os.ReadFile(name)
		if err != nil {
			b.Fatal(err)
		}
		return text
	}
	return []byte(`{"statuses": ` + bigArray(500, `{
      "metadata": {"result_type": "recent", "iso_language_code": "ja"}, "created_at": "Sun Aug 31 00:29:15 +0000 2014", "id": 5059248%00, "id_str": "5059248%00",
      "text": "@aym0566x \n\n名前:前田あゆみ\n第一印象:なんか怖っ！\n今の印象:とりあえずキモい。噛み合わない", "truncated": false, "in_reply_to_status_id": null,
      "user": {"id": 1186275104, "name": "AYUMI", "screen_name": "ayuu0123", "location": "", "url": null, "entities": {"description": {"urls": []}}, "followers_count": 262},
      "geo": null, "retweet_count": 0, "entities": {"hashtags": [], "user_mentions": [{"screen_name": "aym0566x", "id": 866260188, "indices": [0, 9]}]}}`) +
		`, "search_metadata": {"completed_in": 0.087, "count": 500, "query": "%E4%B8%80"}}`)
}

// BenchmarkParse compares parsing and reading with decoding into an interface.
func BenchmarkParse(b *testing.B) {
	text := benchText(b)
	run := func(name string, f func() error) {
		b.Run(name, func(b *testing.B) {
			b.SetBytes(int64(len(text)))
			b.ReportAllocs()
			for b.Loop() {
				if err := f(); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
	var doc document.Document
	run("parse", func() error { _, err := document.Parse(text); return err })
	run("parse-reused", func() error { return doc.Parse(text) })
	run("parse+five", func() error {
		doc, err := document.Parse(text)
		if err != nil {
			return err
		}
		return readFive(doc.Root())
	})
	run("parse-reused+walk", func() error {
		err := doc.Parse(text)
		sink += walk(doc.Root())
		return err
	})
	run("parse+walk", func() error {
		doc, err := document.Parse(text)
		sink += walk(doc.Root())
		return err
	})
	run("strict", func() error {
		return doc.Parse(text, document.Options{RejectDuplicateNames: true, RejectInvalidUTF8: true})
	})
	run("any", func() error { var x any; return honejson.Unmarshal(text, &x) })
	run("any-std", func() error { var x any; return json.Unmarshal(text, &x) })
}

var sink int

func readFive(root document.Value) error {
	status := root.Get("statuses").Index(10)
	if _, err := status.Get("id").Int64(); err != nil {
		return err
	}
	if _, err := status.Get("text").String(); err != nil {
		return err
	}
	if _, err := status.Pointer("/user/screen_name").String(); err != nil {
		return err
	}
	if _, err := status.Get("truncated").Bool(); err != nil {
		return err
	}
	_, err := root.Get("search_metadata").Get("completed_in").Float64()
	return err
}

// walk visits all values, and converts the scalars.
func walk(v document.Value) (n int) {
	switch v.Kind() {
	case document.Object:
		for _, member := range v.Members() {
			n += walk(member)
		}
	case document.Array:
		for _, elem := range v.Elements() {
			n += walk(elem)
		}
	case document.String:
		s, _ := v.String()
		n += len(s)
	case document.Number:
		f, _ := v.Float64()
		n += int(f)
	default:
		n++
	}
	return n
}

// BenchmarkGet parses an object, and reads some of its members. The name has both numbers.
func BenchmarkGet(b *testing.B) {
	for _, members := range []int{16, 32, 48, 64, 96, 128} {
		text := "{"
		for i := range members {
			text += fmt.Sprintf(`"name_%d_of_member":%d,`, i, i)
		}
		data := []byte(text[:len(text)-1] + "}")
		for _, reads := range []int{0, 1, 5, 20, 100} {
			var doc document.Document
			b.Run(fmt.Sprintf("%d/%d", members, reads), func(b *testing.B) {
				for b.Loop() {
					if err := doc.Parse(data); err != nil {
						b.Fatal(err)
					}
					for range reads {
						if doc.Root().Get("name_3_of_member").Kind() != document.Number {
							b.Fatal("no member")
						}
					}
				}
			})
		}
	}
}
