//go:build !(go1.27 && goexperiment.jsonv2)

package rules

// Applied reports true, since Hone has the rules of the newest patch here.
func (Patch) Applied() bool { return true }
