package api

import (
	"errors"
	"slices"

	"github.com/hone-go/hone/bind"
	jsonv2 "github.com/hone-go/hone/json/v2"
)

// Unknown selects the treatment of members and parameters that match no field.
type Unknown uint8

const (
	// UnknownDefault selects the value in API.Defaults, or UnknownIgnored if that is not set.
	UnknownDefault Unknown = iota
	// UnknownIgnored skips unknown members and parameters. A type can collect unknown members in a
	// field with the JSON option embed (from Go 1.27 on), which is a map or raw JSON. It can collect
	// unknown parameters in a url.Values tagged query:"*" or form:"*".
	UnknownIgnored
	// UnknownRefused answers with 422 and lists the unknown members and parameters, except the members
	// of types that collect them.
	UnknownRefused
)

// checkedOptions returns the options of package json/v2 for bodies, or nil if the operation has none.
func checkedOptions(op Operation) jsonv2.Options {
	if op.JSON == nil {
		return nil
	}
	all := append(slices.Clone(op.JSON), jsonv2.CheckMembers(true))
	if op.Unknown != UnknownDefault {
		all = append(all, jsonv2.RejectUnknownMembers(op.Unknown == UnknownRefused))
	}
	return jsonv2.JoinOptions(all...)
}

// unknownQuery returns a fault for each parameter of a query, for an operation without query
// parameters.
func unknownQuery(query string) (faults []FieldProblem) {
	if query == "" {
		return nil
	}
	var none struct{}
	err := bind.All(bind.Input{Query: query, Known: true}, &none)
	var errs bind.Errors
	if errors.As(err, &errs) {
		faults = faultsOf(errs)
	}
	return faults
}
