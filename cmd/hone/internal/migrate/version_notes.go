package migrate

import "fmt"

// noteVersions adds notes on other effects of the new requirement: a newer version of the language, and newer
// versions of other modules.
func (c *Change) noteVersions() {
	was, is := c.goLines()
	if w := c.m.work; w != nil && is != "" && w.release != "" && older(w.release, is) {
		c.note("the go line of %s has %s, and the module now requires %s: run go work use in the module's folder", w.file, w.release, is)
	}
	if is == "" || !older(was, is) || was+".0" == is {
		return
	}
	text := fmt.Sprintf("the go line of go.mod changes from %s to %s, which Hone requires. The go command then also uses the GODEBUG defaults of that release", was, is)
	if older(was, "1.22") {
		text += ", and loops have a variable for each iteration (Go 1.22)"
	}
	c.Notes = append(c.Notes, text)
	if stricter(was, is) {
		c.note("with the new go line, go test also refuses format strings that are not constant (from Go 1.24) and %%q of an integer (from Go 1.26): -test lists such places")
	}
}
