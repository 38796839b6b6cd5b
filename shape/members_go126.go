//go:build !(go1.27 && goexperiment.jsonv2)

package shape

// standardMembers lists the members by the rules of the encoding/json that is built with.
func (s *Shape) standardMembers() []Member { return s.promote() }
