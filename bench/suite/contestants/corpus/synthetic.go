package corpus

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math"
	"math/rand/v2"
	"strconv"
	"strings"
)

// These constants determine the synthetic documents. The seed is the day on which the corpus was added, and no other
// seed has been tried.
const (
	syntheticCount = 50
	syntheticSeed  = 20261128
)

func syntheticNames() (names []string) {
	for i := range syntheticCount {
		names = append(names, fmt.Sprintf("synthetic %d", i+1))
	}
	return names
}

// Draw returns synthetic document i. It is the same on each machine and with each release of Go.
func Draw(i int) []byte {
	d := &drawing{dice: dice{rand.NewPCG(syntheticSeed, uint64(i))}}
	size := 200 << d.below(10)
	d.traits = traits{
		size:     size + d.below(size),
		depth:    1 + d.below(5),
		members:  2 + d.below(18),
		nulls:    d.share(0.3),
		missing:  d.share(0.4),
		numbers:  d.between(0, 0.9),
		floats:   d.between(0, 1),
		booleans: d.share(0.3),
		arrays:   d.between(0, 0.4),
		maps:     d.share(0.2),
		words:    1 + d.below(12),
		escapes:  d.share(0.05),
		foreign:  d.share(0.3),
		style:    d.below(4),
		shuffled: d.chance(0.25),
		comma:    ",", colon: ":",
	}
	indents := []string{"", "", "", "", "  ", "    ", "\t"}
	indent := indents[d.below(len(indents))]
	if indent == "" && d.chance(0.25) {
		d.comma, d.colon = ", ", ": "
	}
	d.document(d.chance(0.4))
	if indent == "" {
		return d.out
	}
	var indented bytes.Buffer
	_ = json.Indent(&indented, d.out, "", indent) // the document is valid
	return indented.Bytes()
}

// dice draws numbers. It uses only the bits of the generator, whose sequence the Go release does not change.
type dice struct{ bits *rand.PCG }

func (d dice) unit() float64 { return float64(d.bits.Uint64()>>11) / (1 << 53) }

// The conversion keeps the processor from fusing the multiplication with the addition, which would change the result.
func (d dice) between(low, high float64) float64 { return low + float64(d.unit()*(high-low)) }

func (d dice) below(n int) int { return int(d.unit() * float64(n)) }

func (d dice) chance(p float64) bool { return d.unit() < p }

// share returns 0 in half of the draws, and otherwise a number up to most.
func (d dice) share(most float64) float64 {
	if d.chance(0.5) {
		return 0
	}
	return d.between(0, most)
}

// traits are the properties of one document. Numbers of the type float64 are shares.
type traits struct {
	size    int // the approximate number of bytes before indentation
	depth   int // the maximum number of nested objects
	members int // the maximum number of members of an object

	nulls, missing                  float64 // of the members
	numbers, booleans, arrays, maps float64 // of the types
	floats                          float64 // of the numbers
	words                           int     // the maximum number of words of a string
	escapes, foreign                float64 // of the characters, and of the words
	style                           int     // of the names
	shuffled                        bool    // each object has its own order of members
	comma, colon                    string
}

// A drawing writes a document.
type drawing struct {
	dice
	traits
	out []byte
}

// A plan is the type of a value in a synthetic document.
type plan struct {
	kind     kind
	flavour  int // of strings and numbers
	element  *plan
	names    []string
	members  []*plan
	nullable bool
	missing  bool
}

// document writes an array of objects, or an object with such an array as one of its members, until the document has its
// size.
func (d *drawing) document(array bool) {
	item := d.object(d.depth)
	if array {
		d.items(item)
		return
	}
	root := d.object(1)
	at := d.below(len(root.names) + 1)
	d.out = append(d.out, '{')
	for i := range len(root.names) + 1 {
		if i > 0 {
			d.out = append(d.out, d.comma...)
		}
		if i == at {
			d.string(d.name(100))
			d.out = append(d.out, d.colon...)
			d.items(item)
			continue
		}
		k := i
		if i > at {
			k--
		}
		d.string(root.names[k])
		d.out = append(d.out, d.colon...)
		d.value(root.members[k])
	}
	d.out = append(d.out, '}')
}

func (d *drawing) items(item *plan) {
	d.out = append(d.out, '[')
	for i := 0; i == 0 || len(d.out) < d.size; i++ {
		if i > 0 {
			d.out = append(d.out, d.comma...)
		}
		d.value(item)
	}
	d.out = append(d.out, ']')
}

// object draws the plan of an object.
func (d *drawing) object(depth int) *plan {
	p := &plan{kind: record}
	for i := range 1 + d.below(d.members) {
		p.names = append(p.names, d.name(i))
		m := d.plan(depth - 1)
		m.nullable, m.missing = d.chance(0.5), d.chance(0.5)
		p.members = append(p.members, m)
	}
	return p
}

// plan draws the plan of a value.
func (d *drawing) plan(depth int) *plan {
	if depth > 0 && d.chance(0.4) {
		switch {
		case d.chance(d.arrays):
			return &plan{kind: list, element: d.plan(depth - 1)}
		case d.chance(d.maps):
			return &plan{kind: table, element: d.plan(depth - 1)}
		}
		return d.object(depth)
	}
	if d.chance(d.arrays / 2) {
		return &plan{kind: list, element: d.leaf()}
	}
	return d.leaf()
}

func (d *drawing) leaf() *plan {
	switch {
	case d.chance(d.booleans):
		return &plan{kind: boolean}
	case d.chance(d.numbers):
		if d.chance(d.floats) {
			return &plan{kind: float, flavour: 1 + d.below(17)}
		}
		return &plan{kind: integer, flavour: 1 + d.below(15)}
	}
	return &plan{kind: text, flavour: d.below(6)}
}

func (d *drawing) value(p *plan) {
	switch p.kind {
	case boolean:
		d.out = strconv.AppendBool(d.out, d.chance(0.5))
	case integer:
		d.out = strconv.AppendInt(d.out, int64(d.between(-0.2, 1)*math.Pow10(p.flavour)), 10)
	case float:
		v := d.between(-1, 1) * math.Pow10(d.below(6))
		format := byte('f')
		if d.chance(0.02) {
			v, format = v*math.Pow10(20-d.below(40)), 'e'
		}
		before := len(d.out)
		if d.out = strconv.AppendFloat(d.out, v, format, p.flavour, 64); !bytes.ContainsAny(d.out[before:], ".e") {
			d.out = append(d.out, ".0"...)
		}
	case text:
		d.text(p.flavour)
	case list:
		d.out = append(d.out, '[')
		for i := range d.below(8) {
			if i > 0 {
				d.out = append(d.out, d.comma...)
			}
			d.value(p.element)
		}
		d.out = append(d.out, ']')
	case table:
		d.out = append(d.out, '{')
		for i := range 1 + d.below(8) {
			if i > 0 {
				d.out = append(d.out, d.comma...)
			}
			d.string(fmt.Sprintf("%d%04x", i, d.below(1<<16)))
			d.out = append(d.out, d.colon...)
			d.value(p.element)
		}
		d.out = append(d.out, '}')
	case record:
		d.object1(p)
	}
}

// object1 writes an object, with its members in the order of the plan or in an order of its own.
func (d *drawing) object1(p *plan) {
	order := make([]int, len(p.names))
	for i := range order {
		order[i] = i
	}
	if d.shuffled {
		for i := range order {
			j := i + d.below(len(order)-i)
			order[i], order[j] = order[j], order[i]
		}
	}
	d.out = append(d.out, '{')
	first := true
	for _, i := range order {
		m := p.members[i]
		if m.missing && d.chance(d.missing) {
			continue
		}
		if !first {
			d.out = append(d.out, d.comma...)
		}
		first = false
		d.string(p.names[i])
		d.out = append(d.out, d.colon...)
		if m.nullable && d.chance(d.nulls) {
			d.out = append(d.out, "null"...)
			continue
		}
		d.value(m)
	}
	d.out = append(d.out, '}')
}

// The syllables of names and words.
var (
	syllables = strings.Fields("ba ce di fo gu ha je ki lo mu na pe qui ro su ta ve wi xo yu za bri cle dro fla gre ster tion ment ing er al")
	foreign   = strings.Fields("été größe år señor naïve Žižka дом мир 東京 数据 데이터 שלום 😀 🚀 €5")
)

func (d *drawing) word() string {
	var b strings.Builder
	for range 1 + d.below(3) {
		b.WriteString(syllables[d.below(len(syllables))])
	}
	return b.String()
}

// name draws the name of member i, in the document's style.
func (d *drawing) name(i int) string {
	words := []string{d.word()}
	for range d.below(3) {
		words = append(words, d.word())
	}
	words = append(words, strconv.Itoa(i)) // so that names differ
	switch d.style {
	case 0:
		return strings.Join(words, "_")
	case 1:
		return words[0][:1] + strconv.Itoa(i)
	}
	for k, w := range words {
		if k > 0 || d.style == 3 {
			words[k] = strings.ToUpper(w[:1]) + w[1:]
		}
	}
	return strings.Join(words, "")
}

// text writes a string: words, a time, an identifier, a URL, a code, or Base64.
func (d *drawing) text(flavour int) {
	switch flavour {
	case 0:
		d.string(fmt.Sprintf("20%02d-%02d-%02dT%02d:%02d:%02dZ", 10+d.below(20), 1+d.below(12), 1+d.below(28), d.below(24), d.below(60), d.below(60)))
	case 1:
		d.string(fmt.Sprintf("%08x-%04x-4%03x-9%03x-%012x", d.bits.Uint64()>>32, d.below(1<<16), d.below(1<<12), d.below(1<<12), d.bits.Uint64()>>16))
	case 2:
		d.string("https://" + d.word() + ".example.org/" + d.word() + "/" + strconv.Itoa(d.below(100_000)) + "?" + d.word() + "=" + d.word())
	case 3:
		d.string(strings.ToUpper(d.word()))
	default:
		var words []string
		for range 1 + d.below(d.words) {
			w := d.word()
			if d.chance(d.foreign) {
				w = foreign[d.below(len(foreign))]
			}
			words = append(words, w)
		}
		d.escaped(strings.Join(words, " "))
	}
}

// string writes a string without characters that need an escape.
func (d *drawing) string(s string) {
	d.out = append(d.out, '"')
	d.out = append(d.out, s...)
	d.out = append(d.out, '"')
}

var escapes = []string{`\n`, `\"`, `\\`, `\/`, `\t`, `\u00e9`, `\u003c`, `\u2028`, `\ud83d\ude00`, `&`, `<`}

// escaped writes a string, and escapes or characters that HTML escapes between its characters.
func (d *drawing) escaped(s string) {
	d.out = append(d.out, '"')
	for _, r := range s {
		if d.escapes > 0 && d.chance(d.escapes) {
			d.out = append(d.out, escapes[d.below(len(escapes))]...)
		}
		d.out = append(d.out, string(r)...)
	}
	d.out = append(d.out, '"')
}
