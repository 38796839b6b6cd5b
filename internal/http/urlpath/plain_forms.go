package urlpath

import (
	"bytes"
	"iter"
	"net/url"
	"strings"
)

// dots reports whether a path begins with the segment "." or "..".
func dots(p string) bool {
	p = strings.TrimPrefix(strings.TrimPrefix(p, "."), ".")
	return p == "" || p[0] == '/'
}

// readings is the number of times that a path is examined: as it was sent, and decoded once, twice and
// three times. The server decodes a path, and programs to which a handler forwards the request may
// decode it again.
const readings = 4

// PlainForms yields the plain paths to which servers, file systems and browsers may reduce a path
// that begins with a slash. Programs differ: some decode the path, treat backslashes as slashes, or
// remove the parameters of segments, and others do not. In some, ".." removes an empty segment (RFC
// 3986, section 5.2.4), in others not (package path). One program may clean the path before another
// decodes it. PlainForms yields a directory with and without its slash. Each yielded path takes as
// much memory as p.
//
// The second value, climbs, is set if a ".." leads above the root. The yielded path does not
// contain this "..".
func PlainForms(p string) iter.Seq2[string, bool] {
	return func(yield func(form string, climbs bool) bool) {
		for way := range everyWay + 1 {
			if way&backslashes != 0 && !strings.ContainsAny(p, `\%`) || way&parameters != 0 && !strings.ContainsAny(p, "%"+cutAt) {
				continue // this option changes nothing for p, so the forms would repeat
			}
			read, climbed := p, false
			for range readings {
				form, directory, climbs := way.clean(read)
				climbs = climbs || climbed
				if !yield(form, climbs) || directory && !yield(form+"/", climbs) {
					return
				}
				if way&early != 0 {
					climbed = climbs
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

// A cleaning is a set of options for reducing a path to a plain path.
type cleaning uint8

const (
	countEmpty  cleaning = 1 << iota // ".." may also remove an empty segment
	backslashes                      // a backslash is a slash
	parameters                       // the parameters of segments are removed
	early                            // clean the path before each decoding, too
	everyWay    = countEmpty | backslashes | parameters | early
)

// cutAt are the bytes at which a path or a segment ends if parameters are removed. The text after such
// a byte is a parameter (RFC 3986, section 3.3) or a query, or a file system ignores it.
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

// clean removes dot segments and empty segments from a path. directory is set if the path
// ends in a slash or a dot segment, unless it is "/". climbs is set if ".." leads above the root.
func (way cleaning) clean(p string) (cleaned string, directory, climbs bool) {
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
			climbs = climbs || len(out) == 0
			out = out[:max(bytes.LastIndexByte(out, '/'), 0)]
		case last != "." && (last != "" || way&countEmpty != 0):
			out = append(append(out, '/'), last...)
		}
	}
	n := 0
	for i, c := range out { // remove the empty segments, which countEmpty has kept for ".."
		if c != '/' || i+1 < len(out) && out[i+1] != '/' {
			out[n] = c
			n++
		}
	}
	if n == 0 {
		return "/", false, climbs
	}
	return string(out[:n]), last == "" || last == "." || last == "..", climbs
}

// decode decodes the escapes of a path. Invalid escapes are left unchanged.
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
