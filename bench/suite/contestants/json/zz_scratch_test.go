package json

import (
	"strings"
	"testing"
)

func BenchmarkCorpora(b *testing.B) {
	for _, c := range CorpusContests() {
		if !strings.Contains(c.Name, "typed/") {
			continue
		}
		for i, d := range c.Documents {
			for _, x := range c.Contestants {
				if x.Name != "hone" && x.Name != "goccy/go-json" {
					continue
				}
				b.Run(c.Name+"/"+d+"/"+x.Name, func(b *testing.B) {
					f, err := x.Prepare(i)
					if err != nil {
						b.Skip(err)
					}
					b.ResetTimer()
					f(b.N)
				})
			}
		}
	}
}
