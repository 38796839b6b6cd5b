package openapi

import (
	"strconv"
	"strings"
	"unicode"

	"github.com/hone-go/hone/api"
)

// summaryOf returns the summary of an operation that has none: the words of the operation's name,
// such as "List hosts" for listHosts. Without a name, the summary is the method and the path.
func summaryOf(d api.Description, path string) string {
	words := wordsOf(d.Name)
	for i, word := range words {
		// Words in capital letters, such as GET and ID, are not changed.
		if letters := []rune(word); i > 0 && len(letters) > 1 && unicode.IsLower(letters[1]) {
			words[i] = strings.ToLower(word)
		} else if i == 0 {
			words[i] = string(unicode.ToUpper(letters[0])) + string(letters[1:])
		}
	}
	if len(words) == 0 {
		return d.Method + " " + path
	}
	return strings.Join(words, " ")
}

// wordsOf splits an identifier in camel case, or with other characters between its words.
func wordsOf(name string) []string {
	var b strings.Builder
	letters := []rune(name)
	isLower := func(i int) bool { return i >= 0 && i < len(letters) && unicode.IsLower(letters[i]) }
	for i, r := range letters {
		switch {
		case !unicode.IsLetter(r) && !unicode.IsDigit(r):
			r = ' '
		case unicode.IsUpper(r) && (isLower(i-1) || isLower(i+1)):
			b.WriteByte(' ')
		}
		b.WriteRune(r)
	}
	return strings.Fields(b.String())
}

// idOf returns the operation's identifier, and adds it to ids. The identifier is the operation's
// name, or the method and the path as one word if there is no name or the name is not an
// identifier. A number follows if the identifier is taken.
func idOf(d api.Description, path string, ids map[string]bool) string {
	id := d.Name
	if id == "" || strings.ContainsAny(id, " /:{}") {
		var b strings.Builder
		b.WriteString(strings.ToLower(d.Method))
		for word := range strings.FieldsFuncSeq(path, func(r rune) bool {
			return (r < '0' || r > '9') && (r < 'a' || r > 'z') && (r < 'A' || r > 'Z')
		}) {
			b.WriteString(strings.ToUpper(word[:1]) + word[1:])
		}
		id = b.String()
	}
	for base, n := id, 2; ids[id]; n++ {
		id = base + strconv.Itoa(n)
	}
	ids[id] = true
	return id
}
