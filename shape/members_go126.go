//go:build !(go1.27 && goexperiment.jsonv2)

package shape

// standardMembers lists the members by the rules of the toolchain's encoding/json.
func (s *Shape) standardMembers() []Member { return s.promote() }
