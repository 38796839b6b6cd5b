package syntax

import (
	"encoding/binary"
	"math/bits"
	"slices"
)

// MaxDepth is the deepest nesting of arrays and objects that is taken.
const MaxDepth = 10000

// A Status is what is known of a value of which not all may be there.
type Status uint8

const (
	Incomplete Status = iota // more bytes are needed
	Complete                 // the value has ended
	Invalid                  // it is not JSON
)

// An Index lists the values of one JSON text, names of members among them, in
// the order in which they stand. It is made by one pass that checks the whole
// text, so that a second pass over the values neither checks nor searches.
//
// A value is one word, or three for an array or an object, whose elements
// follow. The first word tells where the value starts and, but for literals,
// how long it is; the others where its elements end in the Index, and where it
// ends in the text. The idea of a first stage that finds the structure is that
// of simdjson (Langdale and Lemire, Parsing Gigabytes of JSON per Second, 2019).
type Index struct {
	words []Word
	check bool // that is all: what has been read is forgotten
	dense bool // it became a check, since the words took too much memory
	at    pause

	// All makes an Index of any text, however dense: it takes up to eight bytes for each one
	// of the text.
	All bool
}

// A text is too dense to be indexed if the words would take more than four times
// its length and more than denseBytes.
const (
	wordsPerByte = 0.5 // of eight bytes each
	denseBytes   = 16 << 20
)

// room returns up to how many words a text of n bytes gets.
func room(n int) int { return max(int(wordsPerByte*float64(n)), denseBytes/8) }

// A Word is the first word of a value: its position in the low 40 bits. Above
// them an array or object has the number of its elements or members, at most
// [MaxCount]; a string and a number have two flags and their length, or
// longest if it does not fit.
type Word uint64

const (
	posBits = 40
	posMask = 1<<posBits - 1

	flagEscaped  = 1 << posBits       // a string with backslashes
	flagWide     = 1 << (posBits + 1) // a string with bytes that are not ASCII
	flagFraction = flagEscaped        // a number with a point or an exponent
	lenShift     = posBits + 2
	longest      = 1<<(64-lenShift) - 1

	// MaxCount is the largest count that an Index keeps.
	MaxCount = 1<<(64-posBits) - 1

	// MaxText is the length in bytes of the longest text that can be indexed.
	MaxText = posMask

	ContainerWords = 3
)

// Pos returns where the value starts.
func (w Word) Pos() int { return int(w & posMask) }

// Count returns how many elements an array has, or members an object. A count
// of [MaxCount] means that many or more.
func (w Word) Count() int { return int(w >> posBits) }

// Escaped reports whether a string has backslashes.
func (w Word) Escaped() bool { return w&flagEscaped != 0 }

// Wide reports whether a string has bytes that are not ASCII.
func (w Word) Wide() bool { return w&flagWide != 0 }

// Plain reports whether a string stands for its bytes as they are.
func (w Word) Plain() bool { return w&(flagEscaped|flagWide) == 0 }

// IsPlain reports whether a string stands for its bytes as they are, and has n
// of them. It may not tell where the Word does not have the length.
func (w Word) IsPlain(n int) bool {
	return w>>posBits == Word(n+2)<<(lenShift-posBits) && n+2 != longest
}

// Fraction reports whether a number has a point or an exponent.
func (w Word) Fraction() bool { return w&flagFraction != 0 }

// StringEnd returns the position after the string that w stands for.
func (w Word) StringEnd(data []byte) int {
	if n := int(w >> lenShift); n != longest {
		return w.Pos() + n
	}
	end, _ := SkipString(data, w.Pos())
	return end
}

// NumberEnd returns the position after the number that w stands for.
func (w Word) NumberEnd(data []byte) int {
	if n := int(w >> lenShift); n != longest {
		return w.Pos() + n
	}
	return SkipNumber(data, w.Pos())
}

// Words returns the Index's words. They are good until the next Build.
func (x *Index) Words() []Word { return x.words }

// Cap returns how many words the Index has room for.
func (x *Index) Cap() int { return cap(x.words) }

// closes reports whether the word is one of those that say where a container ends.
func (x *Index) closes(t int) bool {
	open := x.at.open
	return open >= 0 && t < open+ContainerWords
}

// after returns the index of the word after the value at t, which may be where a text breaks.
func after(words []Word, data []byte, t int) int {
	if pos := words[t].Pos(); pos < len(data) && (data[pos] == '{' || data[pos] == '[') {
		return After(words, t)
	}
	return t + 1
}

// After returns the index of the word after the array or object at t.
func After(words []Word, t int) int { return int(words[t+1]) }

// End returns the position after the array or object at t.
func End(words []Word, t int) int { return int(words[t+2]) }

// word returns the first word of a value without elements.
func word(pos, end int, flags Word) Word {
	return Word(pos) | flags | Word(min(uint(end-pos), longest))<<lenShift
}

// Build indexes data and reports whether it is one JSON value with nothing but
// white space around it. It takes at most four bytes of memory for one of data,
// or 16 MiB if that is more, and keeps them for the next Build. A text that
// needs more is [Index.Dense].
func (x *Index) Build(data []byte) bool {
	x.undo()
	n, status := x.scan(data, true, &pause{open: -1})
	return status == Complete && SkipSpace(data, n) == len(data)
}

// Dense reports whether the text that was read last is one of so many values for
// its length that the Index gave up: it was checked, and the Index has no words
// of it.
func (x *Index) Dense() bool { return x.dense }

// undo makes an Index that gave up one that indexes again.
func (x *Index) undo() {
	if x.dense {
		x.check, x.dense = false, false
	}
}

// scan reads data from where at says. It is a machine that reads one token at a
// time between two labels:
//
//	             , (key is set in an object)
//	      ┌───────────────────────────────────────┐
//	      ▼                                       │
//	──▶ next ──── string, number, literal ────▶ after ──── outermost ──▶ complete
//	    ▲ ▲ │                                   ▲   │
//	    │ │ ├── name : (key is cleared) ──┐     │   │ ] or }
//	    │ └─┼─────────────────────────────┘     │   ▼
//	    └───┴── [ or { (key is set) ─── ] or } ─┴─ closing
//
// Where the text ends, the place is kept in x.at, and [Index.first] goes on
// there: at one of the labels, in a token, or between a name and its colon or a
// bracket and what follows. It does not come back before the token is complete,
// so that each byte is looked at a few times at most.
//
// It is long since it is the machine: its dozen variables stay in registers, and a
// call for each token would cost as much as the token does.
func (x *Index) scan(data []byte, ends bool, at *pause) (int, Status) {
	if uint64(len(data)) > MaxText {
		return 0, Invalid
	}
	var (
		words  = x.words[:cap(x.words)]
		n      int         // words so far
		i      = at.start  // where to read
		start  int         // of a value; negative to go on behind one
		open   = at.open   // the word of the container around
		object = at.object // it is an object
		key    = at.key    // a name comes next, or has just been read
		count  = at.count  // its elements so far
		depth  = at.depth  // of containers
		c      byte        // data[i]
		flags  Word        // of the string or number
		state  scanState   // where to go on
		status = Invalid
	)
	if i > 0 {
		n = len(x.words)
		if at.state == atAfter {
			start = -1
		}
	}
next: // a value, or a name if key is set
	if start < 0 {
		start = 0
		goto after
	}
	for {
		if i >= len(data) {
			status = Incomplete
			goto done
		}
		if c = data[i]; c > ' ' {
			break
		}
		if !isSpace(c) {
			goto done
		}
		i = skipBlanks(data, i)
	}
	if n+ContainerWords > len(words) {
		if most := room(len(data)); !x.check && len(words) >= most && !x.All {
			x.check, x.dense = true, true
		}
		if x.check {
			open, n = forget(words, open)
		}
		if !x.check || n > len(words)/2 {
			most := room(len(data))
			if x.All {
				most = max(most, len(data)+ContainerWords)
			}
			words = grown(words[:n], most)
		}
	}
	count++
	start = i
	switch c {
	case '"':
		flags = 0
		i++
	text:
		for {
			if i+8 <= len(data) {
				w := binary.LittleEndian.Uint64(data[i:])
				m := ending(w)
				if m == 0 {
					if w&highs != 0 {
						flags |= flagWide
					}
					i += 8
					continue
				}
				k := bits.TrailingZeros64(m)
				if w&highs&(1<<k-1) != 0 {
					flags |= flagWide
				}
				i += k >> 3
			} else if i >= len(data) {
				goto paused
			}
			c = data[i]
			i++
			if c == '"' {
				break
			}
			if c >= 0x80 {
				flags |= flagWide
				continue
			}
			if c < ' ' {
				goto done
			}
			if c != '\\' {
				continue
			}
			flags |= flagEscaped
			if i >= len(data) {
				goto paused
			}
			// Escapes of this form come one after the other.
			for i+5 <= len(data) && data[i] == 'u' && hex4(data[i+1:]) >= 0 {
				if i += 5; i+1 >= len(data) || data[i] != '\\' {
					continue text
				}
				i++
			}
			c = data[i]
			i++
			if c == 'u' {
				for end := i + 4; i < end; i++ {
					if i >= len(data) {
						goto paused
					}
					if c = data[i]; c-'0' > 9 && c|0x20-'a' > 5 {
						goto done
					}
				}
			} else if unescaped[c] == 0 || c == '\'' {
				goto done
			}
		}
		words[n] = word(start, i, flags)
		n++
		if key {
			if i < len(data) && data[i] == ':' {
				i++
			} else {
				if i = SkipSpace(data, i); i >= len(data) {
					state, status = atColon, Incomplete
					goto done
				}
				if data[i] != ':' {
					goto done
				}
				i++
			}
			key = false
			count--
			if i < len(data) && data[i] == ' ' {
				i++
			}
			goto next
		}
	case '{', '[':
		if key || depth == MaxDepth {
			goto done
		}
		depth++
		if open >= 0 {
			words[open+2] = count
		}
		words[n] = Word(start)
		words[n+1] = Word(uint(open))
		open = n
		n += ContainerWords
		count = 0
		i++
		if object = c == '{'; object {
			key = true
		}
		if i = SkipSpace(data, i); i >= len(data) {
			state, status = atOpened, Incomplete
			goto done
		}
		// The closing brackets are two above the opening ones in ASCII.
		if data[i] == c+2 {
			goto closing
		}
		goto next
	case 't', 'f', 'n':
		if key {
			goto done
		}
		if i+len("false") <= len(data) {
			switch binary.LittleEndian.Uint32(data[i:]) {
			case wordNull, wordTrue:
				i += len("null")
			case wordFals:
				if data[i+4] != 'e' {
					goto done
				}
				i += len("false")
			default:
				goto done
			}
		} else {
			switch i, status = literal(data, i); status {
			case Incomplete:
				goto paused
			case Invalid:
				goto done
			}
			status = Invalid
		}
		words[n] = Word(start)
		n++
	default:
		if key {
			goto done
		}
		flags = 0
		if c == '-' {
			if i++; i >= len(data) {
				goto paused
			}
			c = data[i]
		}
		if c-'0' > 9 {
			goto done
		}
		i++
		if c != '0' {
			i = skipDigits(data, i)
		}
		if i < len(data) && data[i] == '.' {
			flags = flagFraction
			start := i + 1
			if i = skipDigits(data, start); i == start {
				if i >= len(data) {
					goto paused
				}
				goto done
			}
		}
		if i < len(data) && data[i]|0x20 == 'e' {
			flags = flagFraction
			i++
			if i < len(data) && (data[i] == '+' || data[i] == '-') {
				i++
			}
			start := i
			if i = skipDigits(data, start); i == start {
				if i >= len(data) {
					goto paused
				}
				goto done
			}
		}
		if i == len(data) && !ends {
			goto paused
		}
		words[n] = word(start, i, flags)
		n++
	}
after: // a value
	if open < 0 {
		status = Complete
		goto done
	}
	for {
		if i >= len(data) {
			state, status = atAfter, Incomplete
			goto done
		}
		if c = data[i]; c > ' ' {
			break
		}
		if !isSpace(c) {
			goto done
		}
		i = skipBlanks(data, i)
	}
	if c == ',' {
		i++
		key = object
		goto next
	}
	if object && c != '}' || !object && c != ']' {
		goto done
	}
closing: // the container, whose bracket is at i
	i++
	words[open] |= min(count, MaxCount) << posBits
	start = int(words[open+1])
	words[open+1] = Word(n)
	words[open+2] = Word(i)
	depth--
	if open = start; open >= 0 {
		count = words[open+2]
		object = data[words[open].Pos()] == '{'
	}
	goto after
paused: // in a token, which is counted already
	count--
	i, status = start, Incomplete
done:
	x.words = words[:n]
	if status != Complete {
		x.at = pause{state: state, start: i, open: open, object: object, key: key, count: count, depth: depth}
	}
	if status == Incomplete && state == atToken {
		x.at.begin(data)
	}
	return i, status
}

// Break ends the Index of a text that is not valid: behind the values in front of what is
// wrong it puts one word, which is in all arrays and objects that are open there, in the
// place of a name or of a value. The word's position is the length of the text. Break
// returns its index. If the text may go on, which no more is known of, a number that it ends
// with is not among the values.
func (x *Index) Break(data []byte, goesOn bool) int {
	t := len(x.words)
	if goesOn && t > 0 && len(data) > 0 && data[len(data)-1]-'0' <= 9 {
		if w := x.words[t-1]; w.Pos() < len(data) && (data[w.Pos()] == '-' || data[w.Pos()]-'0' <= 9) && SkipNumber(data, w.Pos()) == len(data) && !x.closes(t-1) {
			t--
			x.words = x.words[:t]
		}
	}
	x.words = append(x.words, Word(len(data)))
	for open := x.at.open; open >= 0; {
		outer := int(x.words[open+1])
		x.words[open+1], x.words[open+2] = Word(t+1), Word(len(data))
		count := Word(0)
		for child := open + ContainerWords; child <= t; count++ {
			child = after(x.words, data, child)
		}
		if data[x.words[open].Pos()] == '{' {
			count = (count + 1) / 2
		}
		x.words[open] |= min(count, MaxCount) << posBits
		open = outer
	}
	return t
}

// grown returns words with twice the room, but no more than most if that is
// more than there is.
func grown(words []Word, most int) []Word {
	size := max(64, 2*cap(words))
	if cap(words) < most {
		size = min(size, most)
	}
	out := make([]Word, size)
	copy(out, words)
	return out
}

// forget moves the words of the containers that are open, of which open is the
// innermost, to the start of words. It returns where that one is then, and how
// many words there are.
func forget(words []Word, open int) (moved, n int) {
	var room [32]int
	chain := room[:0]
	for ; open >= 0; open = int(words[open+1]) {
		chain = append(chain, open)
	}
	moved = -1
	for _, from := range slices.Backward(chain) {
		words[n], words[n+1], words[n+2] = words[from], Word(uint(moved)), words[from+2]
		moved = n
		n += ContainerWords
	}
	return moved, n
}

// The first four bytes of the literals, the first in the lowest place.
const (
	wordNull = 'n' | 'u'<<8 | 'l'<<16 | 'l'<<24
	wordTrue = 't' | 'r'<<8 | 'u'<<16 | 'e'<<24
	wordFals = 'f' | 'a'<<8 | 'l'<<16 | 's'<<24
)

// literal returns the position after the literal whose first letter is at pos.
func literal(data []byte, pos int) (int, Status) {
	text := "null"
	switch data[pos] {
	case 't':
		text = "true"
	case 'f':
		text = "false"
	}
	has := min(len(text), len(data)-pos)
	switch {
	case string(data[pos:pos+has]) != text[:has]:
		return pos, Invalid
	case has < len(text):
		return pos + has, Incomplete
	}
	return pos + has, Complete
}

// ending returns a word whose lowest high bit marks the first byte of w that a
// string does not hold as it is: a quote, a backslash or a control character.
func ending(w uint64) uint64 {
	low := w ^ 2*ones // see special
	slash := w ^ '\\'*ones
	return ((low - '!'*ones) | (slash - ones)) &^ w & highs
}
