package go126

// A place is a position in the grammar. It determines which tokens may come next.
type place uint8

const (
	atTop       place = iota // a value
	atFirstElem              // a value or ]
	atElem                   // a value
	afterElem                // a comma or ]
	atFirstName              // a name or }
	atName                   // a name
	afterName                // a colon
	atMember                 // a value
	afterMember              // a comma or }
)

// reach maps each place to a text that leads to it, and to the number of calls of Token that read
// the text. reach is used to move a decoder of encoding/json to the same place, because only
// encoding/json can create some errors.
var reach = [...]struct {
	text  string
	calls int
}{
	atTop: {"", 0}, atFirstElem: {"[", 1}, atElem: {`["",`, 2}, afterElem: {`[""`, 2}, atFirstName: {"{", 1},
	atName: {`{"":"",`, 3}, afterName: {`{""`, 2}, atMember: {`{"":`, 2}, afterMember: {`{"":""`, 3},
}

// takesValue reports whether a value is allowed at p.
func (p place) takesValue() bool {
	return p == atTop || p == atFirstElem || p == atElem || p == atMember
}

// delimiter returns the comma or colon before the next value or name, or 0 if there is none.
func (p place) delimiter() byte {
	switch p {
	case afterElem, afterMember:
		return ','
	case afterName:
		return ':'
	}
	return 0
}

// delimited returns the place after p's delimiter.
func (p place) delimited() place {
	switch p {
	case afterElem:
		return atElem
	case afterName:
		return atMember
	case afterMember:
		return atName
	}
	return p
}

// A grammar is the position in a stream of tokens: the current place, and the places in all
// enclosing arrays and objects.
type grammar struct {
	place place
	outer []place // the places in the enclosing arrays and objects, outermost first
}

// enter moves into the array or object that starts at g's place.
func (g *grammar) enter(first place) {
	g.outer = append(g.outer, g.place)
	g.place = first
}

// leave moves past the end of the innermost array or object.
func (g *grammar) leave() {
	last := len(g.outer) - 1
	g.place, g.outer = g.outer[last], g.outer[:last]
	g.afterValue()
}

// afterValue moves past a value.
func (g *grammar) afterValue() {
	switch g.place {
	case atFirstElem, atElem:
		g.place = afterElem
	case atMember:
		g.place = afterMember
	}
}

// opening returns a text that leads to the position g, and the number of calls of Token that read
// the text.
func (g *grammar) opening() (text string, calls int) {
	for _, p := range g.outer {
		text += reach[p].text
		calls += reach[p].calls
	}
	return text + reach[g.place].text, calls + reach[g.place].calls
}
