package bind

import (
	"net/url"
	"strings"
)

// maxParams is the maximum number of query parameters, as in net/url.
const maxParams = 10_000

func tooMany(query string) bool {
	return len(query) >= maxParams && strings.Count(query, "&")+1 > maxParams
}

// QueryValue returns the first value of the parameter name in a raw query, and whether the query
// has the parameter. It follows [net/url.ParseQuery]: it skips malformed parameters, and finds
// nothing in a query of more than 10,000 parameters. Only names with escapes and values of this
// parameter are decoded. A value without escapes is a substring of rawQuery. Only decoding
// allocates.
func QueryValue(rawQuery, name string) (value string, ok bool) {
	if tooMany(rawQuery) {
		return "", false
	}
	for rawQuery != "" {
		key, value, inKey, inPair, rest := cutPair(rawQuery)
		rawQuery = rest
		if inKey&escapeByte == 0 && key != name || isEmpty(key, inPair) || inPair&semiByte != 0 {
			continue
		}
		if inPair&escapeByte == 0 {
			return value, true
		}
		if key, err := url.QueryUnescape(key); err != nil || key != name {
			continue
		}
		if value, err := url.QueryUnescape(value); err == nil {
			return value, true
		}
	}
	return "", false
}

// A byteClass is the meaning of a byte in a query. The classes of several bytes are combined with |.
type byteClass uint8

const (
	plainByte  byteClass = 0
	equalsByte byteClass = 1 << iota // ends a key
	endByte                          // ends a parameter
	escapeByte                       // needs decoding
	semiByte                         // makes the parameter invalid
)

var classes = [256]byteClass{'=': equalsByte, '&': endByte, '%': escapeByte, '+': escapeByte, ';': semiByte}

// cutPair splits off the first parameter of a query, without decoding it. It returns the
// classes of the bytes in its key and in the whole parameter. It looks at each byte once.
func cutPair(query string) (key, value string, inKey, inPair byteClass, rest string) {
	end, inKey := classesUntil(query, equalsByte|endByte)
	key, inPair = query[:end], inKey
	if end < len(query) && query[end] == '=' {
		query = query[end+1:]
		end, inPair = classesUntil(query, endByte)
		value, inPair = query[:end], inPair|inKey|equalsByte
	}
	return key, value, inKey, inPair, query[min(end+1, len(query)):]
}

// classesUntil returns the offset of the first byte whose class is in the set stop, or the length
// of s, and the classes of the bytes before it.
func classesUntil(s string, stop byteClass) (end int, seen byteClass) {
	for end < len(s) {
		if c := classes[s[end]]; c != plainByte {
			if c&stop != 0 {
				break
			}
			seen |= c
		}
		end++
	}
	return end, seen
}

// isEmpty reports whether a parameter is empty, as between two '&'.
func isEmpty(key string, inPair byteClass) bool { return key == "" && inPair == plainByte }
