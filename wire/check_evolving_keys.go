package wire

import "github.com/hone-go/hone/wire/internal/spec"

// A specAt is a spec with its path from the root. checkKeys and fillRemoved process it after all
// specs are complete.
type specAt struct {
	spec *spec.Spec
	path string
}

// checkKeys refuses map keys that contain an evolving struct or a removed field. Two such keys
// may differ only in fields that this version does not know, and would be decoded as the same
// key.
func (d *deriver) checkKeys() {
	for _, k := range d.keys {
		changes := func(part *spec.Spec) bool { return part.Evolving || part.Form == spec.FormRemoved }
		part := k.spec
		if !changes(part) {
			part = k.spec.Within(changes)
		}
		switch {
		case part == nil:
		case part.Evolving:
			d.fail(part.Type, k.path, "an evolving struct cannot be a map key or a part of one")
		default:
			d.fail(part.Type, k.path, "a struct with a removed field cannot be a map key or a part of one")
		}
	}
}
