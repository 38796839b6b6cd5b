package api

import (
	"net/http"
	"strings"

	"github.com/hone-go/hone/internal/header"
)

// A format is a way to write a body that typed handlers know.
type format uint8

const (
	formatUnknown format = iota
	formatJSON
	formatWire
	formatNDJSON
)

// subtypes of application that the formats are.
var subtypes = [...]string{formatUnknown: "", formatJSON: "json", formatWire: "vnd.hone.wire", formatNDJSON: "x-ndjson"}

// requestFormat tells the format of a request body. A charset other than UTF-8
// and a content coding make it one that is not known.
func requestFormat(h http.Header) format {
	if coding := h.Get("Content-Encoding"); coding != "" && !strings.EqualFold(coding, "identity") {
		return formatUnknown
	}
	mediaType, params, _ := strings.Cut(h.Get("Content-Type"), ";")
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
	}
	return formatUnknown
}

// acceptedFormat chooses the format of a response by the Accept fields of the
// request (RFC 9110, 12.5.1): that of the highest quality; among equals the one
// that is named more precisely, then JSON. Without Accept, or with one that says
// nothing, it is JSON, and if nothing that is offered is accepted, formatUnknown.
// Offered are JSON and the other format, if that is not formatUnknown.
func acceptedFormat(accept []string, other format) format {
	said := false
	var json, second offer
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
			json.consider(mediaRange, q, subtypes[formatJSON])
			if other != formatUnknown {
				second.consider(mediaRange, q, subtypes[other])
			}
		}
	}
	switch {
	case !said:
		return formatJSON
	case json.q == 0 && second.q == 0:
		return formatUnknown
	case second.q > json.q, second.q == json.q && second.precision > json.precision:
		return other
	}
	return formatJSON
}

// An offer is what Accept says about one format: the quality given by the most
// precise range that covers it.
type offer struct {
	precision uint8 // 1 for */*, 2 for application/*, 3 for the type itself
	q         int   // thousandths
}

func (o *offer) consider(mediaRange string, q int, subtype string) {
	var precision uint8
	major, minor, _ := strings.Cut(mediaRange, "/")
	switch {
	case major == "*" && minor == "*":
		precision = 1
	case !strings.EqualFold(major, "application"):
		return
	case minor == "*":
		precision = 2
	case strings.EqualFold(minor, subtype):
		precision = 3
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
