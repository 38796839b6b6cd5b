package document

// MergePatch applies a JSON Merge Patch (RFC 7396) to data, and returns the patched text in new memory: a
// member of the patch replaces the member of the same name, null removes it, and an object is applied to the
// object with its name. Everything that the patch does not change keeps its bytes; see [Edit]. The error
// comes from [Parse], for data or patch, or wraps [ErrDepth].
func MergePatch(data, patch []byte) ([]byte, error) {
	doc, err := Parse(data)
	if err != nil {
		return nil, err
	}
	changes, err := Parse(patch)
	if err != nil {
		return nil, err
	}
	e := doc.Edit()
	e.root = merge(e.root, changes.Root())
	return e.Append(make([]byte, 0, len(data)+len(patch)))
}

// merge returns the result of applying patch to target, which is nil for a missing member. It changes
// target.
func merge(target *node, patch Value) *node {
	if patch.Kind() != Object {
		return &node{raw: patch.Raw()}
	}
	if target == nil || target.kind() != Object {
		target = newObject()
	}
	c := target.expand()
	for name, change := range patch.lastMembers {
		if change.Kind() == Null {
			c.removeName(name)
			continue
		}
		var before *node
		if i := c.index(name); i >= 0 {
			before = c.node(c.at(i))
		}
		if after := merge(before, change); after != before {
			c.set(name, after)
		}
	}
	return target
}
