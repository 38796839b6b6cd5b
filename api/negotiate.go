package api

import (
	"net/http"
	"strings"

	"github.com/hone-go/hone/internal/http/header"
)

// requestFormat tells the format of a request body. A charset other than UTF-8
// and a content coding make it one that is not known.
func requestFormat(h http.Header, others others) format {
	if coding := first(h["Content-Encoding"]); coding != "" && !strings.EqualFold(coding, "identity") {
		return formatUnknown
	}
	text := first(h["Content-Type"])
	if text == mediaTypeJSON {
		return formatJSON // which most are
	}
	mediaType, params, _ := strings.Cut(text, ";")
	mediaType = header.Trim(mediaType)
	switch {
	case strings.EqualFold(mediaType, mediaTypeJSON), strings.EqualFold(mediaType, MediaTypeNDJSON):
		if charset := header.Param(params, "charset"); charset != "" && !strings.EqualFold(charset, "utf-8") {
			return formatUnknown
		}
		if len(mediaType) != len(mediaTypeJSON) {
			return formatNDJSON
		}
		return formatJSON
	case strings.EqualFold(mediaType, MediaTypeWire):
		return formatWire
	case strings.EqualFold(mediaType, MediaTypeWireStream):
		return formatWireStream
	}
	return others.named(mediaType)
}

// first returns the first value of a field of the header, whose name is canonical.
func first(values []string) string {
	if len(values) == 0 {
		return ""
	}
	return values[0]
}

// An offer is a format that an answer may have.
type offer struct {
	format    format
	mediaType string
	header    []string // the value of Content-Type: all answers share it, since net/http only reads it
}

// choose returns the format of a response by the Accept fields of the request (RFC 9110,
// 12.5.1): that of the highest quality; among equals the one that is named more precisely,
// then the one that is offered first. Without Accept, or with one that says nothing, it is
// the first offer, and nil if none is accepted.
func choose(accept []string, offers []offer) *offer {
	if len(accept) == 1 && (accept[0] == offers[0].mediaType || accept[0] == "*/*") {
		return &offers[0] // which most requests say
	}
	said := false
	var found [maxOffers]asked
	for _, list := range accept {
		for list != "" {
			var item string
			item, list = header.Cut(list, ',')
			mediaRange, params, _ := strings.Cut(item, ";")
			mediaRange = header.Trim(mediaRange)
			if mediaRange == "" {
				continue
			}
			q, ok := quality(params)
			if !ok {
				continue
			}
			said = true
			for i := range offers {
				found[i].consider(mediaRange, q, offers[i].mediaType)
			}
		}
	}
	if !said {
		return &offers[0]
	}
	best := 0
	for i := range offers {
		if found[i].q > found[best].q || found[i].q == found[best].q && found[i].precision > found[best].precision {
			best = i
		}
	}
	if found[best].q == 0 {
		return nil
	}
	return &offers[best]
}

// maxOffers is how many formats an answer may have.
const maxOffers = 16

// An asked is what Accept says about one format: the quality given by the most
// precise range that covers it.
type asked struct {
	precision uint8 // 1 for */*, 2 for application/*, 3 for the type itself
	q         int   // thousandths
}

func (o *asked) consider(mediaRange string, q int, mediaType string) {
	var precision uint8
	major, ranges := strings.CutSuffix(mediaRange, "/*")
	switch {
	case !ranges:
		if !strings.EqualFold(mediaRange, mediaType) {
			return
		}
		precision = 3
	case major == "*":
		precision = 1
	case len(mediaType) > len(major) && mediaType[len(major)] == '/' && strings.EqualFold(major, mediaType[:len(major)]):
		precision = 2
	default:
		return
	}
	if precision > o.precision || precision == o.precision && q > o.q {
		o.precision, o.q = precision, q
	}
}

// quality reads the weight among the parameters of a media range, in
// thousandths; 1000 if there is none. A malformed one makes the range void.
func quality(params string) (q int, ok bool) {
	for params != "" {
		var p string
		p, params = header.Cut(params, ';')
		key, value, _ := strings.Cut(p, "=")
		if strings.EqualFold(header.Trim(key), "q") {
			return parseWeight(header.Trim(value))
		}
	}
	return 1000, true
}

// parseWeight reads 0 or 1 with up to three decimals, at most 1.
func parseWeight(s string) (q int, ok bool) {
	if s == "" || s[0] != '0' && s[0] != '1' || len(s) > 5 {
		return 0, false
	}
	q = int(s[0]-'0') * 1000
	if len(s) == 1 {
		return q, true
	}
	if s[1] != '.' {
		return 0, false
	}
	for i, unit := 2, 100; i < len(s); i, unit = i+1, unit/10 {
		if s[i] < '0' || s[i] > '9' {
			return 0, false
		}
		q += int(s[i]-'0') * unit
	}
	return q, q <= 1000
}

var varyAccept = []string{"Accept"}

// addVaryAccept tells caches that the response depends on Accept.
func addVaryAccept(h http.Header) {
	if vary := h["Vary"]; len(vary) > 0 {
		if !(len(vary) == 1 && vary[0] == "Accept") {
			h["Vary"] = append(vary[:len(vary):len(vary)], "Accept")
		}
		return
	}
	h["Vary"] = varyAccept
}
