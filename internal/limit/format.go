package limit

import (
	"net/mail"
	"net/netip"
	"net/url"
	"slices"
	"strings"
	"time"
)

// A format is a format of strings. Its names come from JSON Schema (Validation, 7.3).
type format struct {
	valid       func(s string) bool
	description string // the text after "must be" in an error, such as "an email address"
}

// formats are the formats by their names in the tag format.
var formats = map[string]format{
	"date":      {func(s string) bool { _, err := time.Parse(time.DateOnly, s); return err == nil }, "a date such as 2006-01-02"},
	"date-time": {func(s string) bool { _, err := time.Parse(time.RFC3339, s); return err == nil }, "a time such as 2006-01-02T15:04:05Z"},
	"duration":  {func(s string) bool { _, err := time.ParseDuration(s); return err == nil }, "a duration such as 1m30s"},
	"email":     {isEmail, "an email address"},
	"hostname":  {isHostname, "a host name"},
	"ipv4":      {func(s string) bool { a, err := netip.ParseAddr(s); return err == nil && a.Is4() }, "an IPv4 address"},
	"ipv6":      {func(s string) bool { a, err := netip.ParseAddr(s); return err == nil && a.Is6() && a.Zone() == "" }, "an IPv6 address"},
	"time":      {func(s string) bool { _, err := time.Parse("15:04:05Z07:00", s); return err == nil }, "a time of day such as 15:04:05Z"},
	"uri":       {func(s string) bool { u, err := url.Parse(s); return err == nil && u.IsAbs() }, "an absolute URI"},
	"uuid":      {isUUID, "a UUID"},
}

func formatNames() string {
	var names []string
	for name := range formats {
		names = append(names, name)
	}
	slices.Sort(names)
	return strings.Join(names, ", ")
}

func isEmail(s string) bool {
	a, err := mail.ParseAddress(s)
	return err == nil && a.Address == s // s has only the address, and no name
}

// isHostname reports whether s is a host name (RFC 1123, section 2.1).
func isHostname(s string) bool {
	if s == "" || len(s) > 253 {
		return false
	}
	for label := range strings.SplitSeq(s, ".") {
		if label == "" || len(label) > 63 || label[0] == '-' || label[len(label)-1] == '-' {
			return false
		}
		for i := range len(label) {
			if c := label[i]; c != '-' && (c < '0' || c > '9') && (c|0x20 < 'a' || c|0x20 > 'z') {
				return false
			}
		}
	}
	return true
}

// isUUID reports whether s is a UUID (RFC 9562, section 4).
func isUUID(s string) bool {
	if len(s) != 36 {
		return false
	}
	for i := range len(s) {
		c := s[i]
		if i == 8 || i == 13 || i == 18 || i == 23 {
			if c != '-' {
				return false
			}
		} else if (c < '0' || c > '9') && (c|0x20 < 'a' || c|0x20 > 'f') {
			return false
		}
	}
	return true
}
