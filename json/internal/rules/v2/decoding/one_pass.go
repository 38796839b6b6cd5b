package decoding

import (
	"reflect"

	"github.com/hone-go/hone/json/internal/option"
	"github.com/hone-go/hone/json/internal/rules"
)

// onePass decodes data in one pass, without an index, and reports whether it succeeded; see
// [decode.Decoder.OnePass].
func (d *decoder) onePass(c *Call, data []byte, v reflect.Value) bool {
	if c.from != nil || c.mode.Flags&^option.ByTags != 0 || c.Set.On&^directOptions != 0 {
		return false
	}
	n := c.mode.NodeOf(v.Type())
	if !n.TriesOnePass(v) {
		return false
	}
	d.use(c, nil)
	d.text, d.broken = data, -1
	if d.OnePass(n, data, v) {
		return true
	}
	d.inText.Reset()
	return false
}

// directOptions are the options with which onePass may run. onePass implements some of them, and
// the others only affect encoding.
const directOptions = option.RejectUnknownMembers | option.LimitLengths | option.CheckMembers | option.ByTags |
	rules.EncodeFlags&^rules.DecodeFlags | option.Deterministic | option.FormatNilMapAsNull | option.FormatNilSliceAsNull
