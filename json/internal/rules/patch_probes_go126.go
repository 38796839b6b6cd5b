//go:build !(go1.27 && goexperiment.jsonv2)

package rules

// Applied reports true without a probe: the linked release has no encoding/json/v2, and Hone
// follows the newest patch.
func (Patch) Applied() bool { return true }
