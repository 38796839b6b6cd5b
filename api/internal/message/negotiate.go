package message

import (
	"net/http"
	"strings"

	"github.com/hone-go/hone/internal/http/header"
)

// ByAccept returns the codec of an answer according to the Accept fields of its request (RFC
// 9110, 12.5.1). It is the codec with the highest quality. Of codecs with equal quality,
// ByAccept prefers the one that Accept names most precisely, and then the first. It returns the
// first codec if accept has no valid media range, and nil if the client accepts none of the
// offers. offers has between one and [MaxCodecs] codecs.
func ByAccept(accept []string, offers []Codec) *Codec {
	if len(accept) == 1 && (accept[0] == offers[0].MediaType || accept[0] == "*/*") {
		return &offers[0] // the usual case, decided without parsing
	}
	said := false
	var found [MaxCodecs]preference
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
				found[i].consider(mediaRange, q, offers[i].MediaType)
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

// MaxCodecs is the number of codecs that an answer may have.
const MaxCodecs = 16

// A preference is the quality that Accept gives to one media type. Of the ranges that cover the
// media type, the most precise one decides.
type preference struct {
	precision uint8 // 1 for */*, 2 for application/*, 3 for the type itself
	q         int   // thousandths
}

// consider sets the preference to the quality q of a media range, if the range covers mediaType
// more precisely than the ranges before it, or as precisely and with a higher quality.
func (o *preference) consider(mediaRange string, q int, mediaType string) {
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

// quality reads the weight among the parameters of a media range, in thousandths, or returns
// 1000 if there is no weight. ok is false for a malformed weight: the caller then ignores the
// range.
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

// AddVaryAccept tells caches that the response depends on Accept.
func AddVaryAccept(h http.Header) {
	if vary := h["Vary"]; len(vary) > 0 {
		if !(len(vary) == 1 && vary[0] == "Accept") {
			h["Vary"] = append(vary[:len(vary):len(vary)], "Accept")
		}
		return
	}
	h["Vary"] = varyAccept
}
