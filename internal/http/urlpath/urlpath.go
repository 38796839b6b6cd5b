// Package urlpath says what a path means that a request may have written in
// more than one way, for web and its middleware.
package urlpath

import (
	"bytes"
	"iter"
	"net/url"
	"strings"
)

// Plain reports whether a path, or the end of one from a slash on, is as plain
// as can be: without escapes, backslashes, parameters, empty segments and those of
// dots.
func Plain(p string) bool {
	for i := 0; i < len(p); i++ {
		switch p[i] {
		case '%', '\\', ';', '?', '#', 0:
			return false
		case '/':
			if segment := p[i+1:]; segment != "" && (segment[0] == '/' || segment[0] == '.' && dots(segment)) {
				return false
			}
		}
	}
	return true
}

// dots reports whether a path begins with the segment "." or "..".
func dots(p string) bool {
	p = strings.TrimPrefix(strings.TrimPrefix(p, "."), ".")
	return p == "" || p[0] == '/'
}

// decodings is how many times a path is decoded to find its plain forms: once by
// the server, and by what a handler hands the request on to.
const decodings = 3

// PlainForms are what servers, file systems and browsers may make of a path that
// begins with a slash: decoded or not, with backslashes for slashes or not, with
// the parameters of its segments or not, and with ".." for the segment before it,
// counting empty ones (RFC 3986, section 5.2.4) or not (package path). Each may
// clean the path before the next decodes it. The form of a directory is there with
// its slash and without. Each takes the memory of the path.
func PlainForms(p string) iter.Seq[string] {
	return func(yield func(string) bool) {
		for way := range everyWay + 1 {
			if way&backslashes != 0 && !strings.ContainsAny(p, `\%`) || way&parameters != 0 && !strings.ContainsAny(p, "%"+cutAt) {
				continue // it is another's twin
			}
			read := p
			for range decodings {
				form, directory := way.clean(read)
				if !yield(form) || directory && !yield(form+"/") {
					return
				}
				if way&early != 0 {
					if read = form; directory {
						read += "/"
					}
				}
				if !strings.Contains(read, "%") {
					break
				}
				read = decode(read)
			}
		}
	}
}

// A cleaning is a way to make a path plain, a set of the following.
type cleaning uint8

const (
	countEmpty  cleaning = 1 << iota // ".." stands for an empty segment too
	backslashes                      // are slashes
	parameters                       // are left out
	early                            // before the path is decoded again, and not only after
	everyWay    = countEmpty | backslashes | parameters | early
)

// cutAt is what ends a path, and a segment, where parameters are left out: what
// follows is a parameter (RFC 3986, section 3.3), or a query, or no part of a name.
const cutAt = ";?#\x00"

func withoutParameters(p string) string {
	if end := strings.IndexAny(p, cutAt[1:]); end >= 0 {
		p = p[:end]
	}
	var b strings.Builder
	for segment := range strings.SplitAfterSeq(p, "/") {
		name, _, cut := strings.Cut(segment, ";")
		b.WriteString(name)
		if cut && strings.HasSuffix(segment, "/") {
			b.WriteByte('/')
		}
	}
	return b.String()
}

// clean takes the segments of dots and the empty ones out of a path. directory is
// set if the path ends in a slash or in dots, unless it is "/".
func (way cleaning) clean(p string) (cleaned string, directory bool) {
	if way&backslashes != 0 {
		p = strings.ReplaceAll(p, `\`, "/")
	}
	if way&parameters != 0 {
		p = withoutParameters(p)
	}
	out, last := make([]byte, 0, len(p)+1), ""
	for last = range strings.SplitSeq(strings.TrimPrefix(p, "/"), "/") {
		switch {
		case last == "..":
			out = out[:max(bytes.LastIndexByte(out, '/'), 0)]
		case last != "." && (last != "" || way&countEmpty != 0):
			out = append(append(out, '/'), last...)
		}
	}
	n := 0
	for i, c := range out { // the empty segments have been counted
		if c != '/' || i+1 < len(out) && out[i+1] != '/' {
			out[n] = c
			n++
		}
	}
	if n == 0 {
		return "/", false
	}
	return string(out[:n]), last == "" || last == "." || last == ".."
}

// decode decodes the escapes of a path, and leaves what is none.
func decode(p string) string {
	var b strings.Builder
	for p != "" {
		end := strings.IndexByte(p, '%')
		if end < 0 {
			end = len(p)
		}
		b.WriteString(p[:end])
		if p = p[end:]; p == "" {
			break
		}
		n := min(len(p), 3)
		decoded, err := url.PathUnescape(p[:n])
		if err != nil {
			decoded, n = "%", 1
		}
		b.WriteString(decoded)
		p = p[n:]
	}
	return b.String()
}

// Local makes sure that a URL to redirect to stays on this host: a browser takes
// two slashes, either way round, for the beginning of another's name.
func Local(uri string) string { return "/" + strings.TrimLeft(uri, `/\`) }
