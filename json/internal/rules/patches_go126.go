//go:build !(go1.27 && goexperiment.jsonv2)

package rules

// Applied reports whether the release that Hone follows has the patch.
func (Patch) Applied() bool { return true }
