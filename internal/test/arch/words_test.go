package arch

import (
	"bufio"
	"bytes"
	"fmt"
	"go/parser"
	"go/token"
	"maps"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/hone-go/hone/internal/gofile"
)

// oldWords match phrases that often make a sentence hard to read: a pronoun instead of a noun, or a
// preposition of place instead of one of time. A few of them in a package are right.
var oldWords = regexp.MustCompile(`(?i)\b(what (a|an|the|it|is|was|has|they|he|we|you|goes|comes|does|did|can|may|must|no|one|each|all|this|that|those|there|others|calls|[a-z]+s)|behind|beside|(those|that) of|is no|are no|held to|tells? of)\b`)

// wordLimit is the number of such words for each 1,000 lines of comments that a package may
// have: three times as many as in encoding/json and log/slog.
const wordLimit = 9

const wordsFile = "testdata/words.txt"

// TestWords counts old words in the comments of each package. A package with more than
// wordLimit is listed in a file with its count, which may only go down:
//
//	HONE_UPDATE=1 go test -run Words ./internal/test/arch
//
// writes the lower counts. The counts are only a hint: only a reader can judge whether a sentence
// is plain.
func TestWords(t *testing.T) {
	root := filepath.Join("..", "..", "..")
	lines, words := map[string]int{}, map[string]int{}
	err := filepath.WalkDir(root, func(name string, entry os.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if entry.IsDir() && (entry.Name() == "testdata" || entry.Name() == "node_modules" || strings.HasPrefix(entry.Name(), ".") && name != root) {
			return filepath.SkipDir
		}
		if filepath.Ext(name) != ".go" {
			return nil
		}
		f, err := gofile.ParseFile(token.NewFileSet(), name, parser.ParseComments|parser.SkipObjectResolution)
		if err != nil {
			return err
		}
		rel, err := filepath.Rel(root, filepath.Dir(name))
		if err != nil {
			return err
		}
		pkg := filepath.ToSlash(rel)
		for _, group := range f.Comments {
			text := group.Text()
			lines[pkg] += strings.Count(text, "\n")
			words[pkg] += len(oldWords.FindAllString(text, -1))
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	allowed, err := readWords()
	first := os.IsNotExist(err) && os.Getenv("HONE_UPDATE") != ""
	if err != nil && !first {
		t.Fatal(err)
	}
	now := map[string]int{}
	for pkg, n := range words {
		if n*1000 > wordLimit*max(lines[pkg], 100) {
			now[pkg] = n
		}
		switch most, listed := allowed[pkg]; {
		case now[pkg] > most && !first:
			t.Errorf("%s: %d old words in %d lines of comments, %d are allowed (listed: %v)", pkg, n, lines[pkg], max(most, wordLimit*max(lines[pkg], 100)/1000), listed)
			now[pkg] = most
		}
	}
	if os.Getenv("HONE_UPDATE") != "" {
		var b bytes.Buffer
		for _, pkg := range slices.Sorted(maps.Keys(now)) {
			if now[pkg] > 0 {
				fmt.Fprintf(&b, "%s %d\n", path.Clean(pkg), now[pkg])
			}
		}
		if err := os.WriteFile(wordsFile, b.Bytes(), 0o644); err != nil {
			t.Fatal(err)
		}
	}
}

func readWords() (map[string]int, error) {
	f, err := os.Open(wordsFile)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	allowed := map[string]int{}
	lines := bufio.NewScanner(f)
	for lines.Scan() {
		var pkg string
		var n int
		if _, err := fmt.Sscan(lines.Text(), &pkg, &n); err != nil {
			return nil, fmt.Errorf("%s: %q: %w", wordsFile, lines.Text(), err)
		}
		allowed[pkg] = n
	}
	return allowed, lines.Err()
}
