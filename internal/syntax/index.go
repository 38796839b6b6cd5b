package syntax

import (
	"math/bits"
	"slices"
)

// MaxDepth is the deepest nesting of arrays and objects.
const MaxDepth = 10000

// A Status says whether a value is complete, valid so far, or invalid.
type Status uint8

const (
	Incomplete Status = iota // more bytes are needed
	Complete                 // the value has ended
	Invalid                  // it is not JSON
)

// An Index lists the values of one JSON text, with the names of members, in the order of the text.
// One pass makes the Index and checks the whole text, so a second pass over the values needs no
// checks and no search.
//
// A value is one word, or three words for an array or object, whose elements follow. The first word
// has the position of the value and, except for literals, its length. The second word of an array
// or object has the index of the word after its elements, and the third the position of its end in
// the text. The idea of a first pass that finds the structure comes from simdjson (Langdale and
// Lemire, Parsing Gigabytes of JSON per Second, 2019).
type Index struct {
	words []Word
	check bool // only check, without keeping the words of complete values
	dense bool // check was set because the words took too much memory
	at    pause

	// All makes Build index every text, even a dense one with many short values. The index
	// takes up to twelve bytes for each byte of the text.
	All bool
	// Waits makes a value Incomplete if it is not an array or an object and no byte follows it, as
	// in encoding/json before Go 1.27. It applies to BuildFirst.
	Waits bool
}

// A Word is the first word of a value. Its low 40 bits are the position. The bits above them are
// the number of elements or members of an array or object, at most [MaxCount]; or two flags and the
// length of a string or number. The length is the constant longest if the real length does not fit.
type Word uint64

const (
	posBits = 40
	posMask = 1<<posBits - 1

	flagEscaped  = 1 << posBits       // a string with backslashes
	flagWide     = 1 << (posBits + 1) // a string with bytes that are not ASCII
	flagFraction = flagEscaped        // a number with a point or an exponent
	lenShift     = posBits + 2
	longest      = 1<<(64-lenShift) - 1

	// MaxLength is the length of the longest string, without quotes, for which [Word.IsPlain] is exact.
	MaxLength = longest - 3

	// MaxCount is the largest count that an Index keeps.
	MaxCount = 1<<(64-posBits) - 1

	// MaxText is the length in bytes of the longest text that can be indexed.
	MaxText = posMask

	ContainerWords = 3
)

// Pos returns the position of the value.
func (w Word) Pos() int { return int(w & posMask) }

// Count returns the number of elements of an array or of members of an object. [MaxCount] means
// that many or more.
func (w Word) Count() int { return int(w >> posBits) }

// Escaped reports whether a string has backslashes.
func (w Word) Escaped() bool { return w&flagEscaped != 0 }

// Wide reports whether a string has bytes that are not ASCII.
func (w Word) Wide() bool { return w&flagWide != 0 }

// Plain reports whether a string is ASCII without escapes: its content is the bytes between its
// quotes.
func (w Word) Plain() bool { return w&(flagEscaped|flagWide) == 0 }

// IsPlain reports whether a string is plain and has n bytes. It may report false for a string whose
// length is not in the Word.
func (w Word) IsPlain(n int) bool {
	return w>>posBits == Word(n+2)<<(lenShift-posBits) && n+2 != longest
}

// Fraction reports whether a number has a point or an exponent.
func (w Word) Fraction() bool { return w&flagFraction != 0 }

// StringEnd returns the position after the string of w.
func (w Word) StringEnd(data []byte) int {
	if n := int(w >> lenShift); n != longest {
		return w.Pos() + n
	}
	end, _ := SkipString(data, w.Pos())
	return end
}

// NumberEnd returns the position after the number of w.
func (w Word) NumberEnd(data []byte) int {
	if n := int(w >> lenShift); n != longest {
		return w.Pos() + n
	}
	return SkipNumber(data, w.Pos())
}

// Words returns the words of the Index. They are valid until the next Build.
func (x *Index) Words() []Word { return x.words }

// Cap returns the capacity of the Index in words.
func (x *Index) Cap() int { return cap(x.words) }

// inHeader reports whether the last word, at index t, is one of the three words of the innermost
// open array or object. If so, no element follows them yet, and the word is not a number.
func (x *Index) inHeader(t int) bool {
	open := x.at.open
	return open >= 0 && t < open+ContainerWords
}

// wordAfter returns the index of the word after the value at t. It also works for the word that
// Break appends.
func wordAfter(words []Word, data []byte, t int) int {
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

// Build indexes data, and reports whether data is one JSON value, with optional white space around
// it. The index takes at most four bytes of memory for each byte of data, or 2 MiB if that is more.
// If a text needs more, [Index.Dense] returns true, unless All is set. Build keeps the memory for the
// next Build.
func (x *Index) Build(data []byte) bool {
	x.undo()
	n, status := x.scan(data, true, &pause{open: -1})
	return status == Complete && SkipSpace(data, n) == len(data)
}

// Dense reports whether the last text had too many short values. Build has checked such a
// text, but the Index has no words for it.
func (x *Index) Dense() bool { return x.dense }

// undo makes an Index usable again after a dense text.
func (x *Index) undo() {
	if x.dense {
		x.check, x.dense = false, false
	}
}

// scan reads data and starts at the position stored in at. It is a state machine that reads one
// token at a time between two labels:
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
// At the end of the text scan stores its state in x.at, and the next scan continues there: at one of
// the labels, in a token, between a name and its colon, or after a bracket. BuildMore calls scan only
// when the token is complete, so each byte is read a few times at most.
//
// It is one long function, so that its dozen variables stay in registers: a call for each token
// would cost as much as the token.
func (x *Index) scan(data []byte, ends bool, at *pause) (int, Status) {
	if uint64(len(data)) > MaxText {
		return 0, Invalid
	}
	var (
		words  = x.words[:cap(x.words)]
		n      int         // the number of words so far
		i      = at.start  // the current position
		start  int         // the start of a value; negative to continue after a value
		open   = at.open   // the first word of the enclosing container
		object = at.object // the enclosing container is an object
		key    = at.key    // a name comes next, or has just been read
		count  = at.count  // the number of elements so far
		depth  = at.depth  // the number of open containers
		c      byte        // data[i]
		flags  Word        // the flags of the string or number
		state  scanState   // the state in which to continue
		status = Invalid
	)
	if i > 0 {
		n = len(x.words)
		if at.state == atAfter {
			start = -1
		}
	}
next: // a value comes next, or a name if key is set
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
		size := moreWords(len(words), wordLimit(len(data)))
		if x.All {
			// Nested empty arrays have three words for two bytes.
			size = min(max(64, 2*len(words)), max(len(data)/2*ContainerWords+2*ContainerWords, len(words)+64))
		}
		if !x.check && size == 0 {
			x.check, x.dense = true, true
			open, n = forget(words, open)
			words = grown(words[:n], max(64, 2*n+ContainerWords)) // the garbage collector can then free the old words
		}
		if x.check {
			open, n = forget(words, open)
			if size = 0; n > len(words)/2 || n+ContainerWords > len(words) {
				size = max(64, 2*len(words))
			}
		}
		if size > 0 {
			words = grown(words[:n], size)
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
				w := Load8(data, i)
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
			// Escapes of the form \uXXXX often follow one another.
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
		// In ASCII a closing bracket is its opening bracket plus two.
		if data[i] == c+2 {
			goto closing
		}
		goto next
	case 't', 'f', 'n':
		if key {
			goto done
		}
		if i+len("false") <= len(data) {
			switch Load4(data, i) {
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
			_, n, problem := ScanLiteral(data[i:])
			switch problem.Kind {
			case NeedsMore:
				goto paused
			case BadCharacter:
				goto done
			}
			i += n
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
after: // a value has ended
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
closing: // the container ends, with the bracket at i
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
paused: // the text ends within a token; count already includes the token, so it is reduced
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

// Break completes the Index of an invalid text. After the words of the valid values it adds one word
// in place of the name or value that is invalid or missing. This word is the last element of all open
// arrays and objects, and its position is the length of the text. Break returns the index of this
// word. If goesOn is set, the text may have more bytes, so a number at its end is not counted as a
// valid value.
func (x *Index) Break(data []byte, goesOn bool) int {
	t := len(x.words)
	if goesOn && t > 0 && len(data) > 0 && data[len(data)-1]-'0' <= 9 {
		if w := x.words[t-1]; w.Pos() < len(data) && (data[w.Pos()] == '-' || data[w.Pos()]-'0' <= 9) && SkipNumber(data, w.Pos()) == len(data) && !x.inHeader(t-1) {
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
			child = wordAfter(x.words, data, child)
		}
		if data[x.words[open].Pos()] == '{' {
			count = (count + 1) / 2
		}
		x.words[open] |= min(count, MaxCount) << posBits
		open = outer
	}
	return t
}

// grown returns a copy of words with length size.
func grown(words []Word, size int) []Word {
	out := make([]Word, size)
	copy(out, words)
	return out
}

// forget moves the words of the open arrays and objects to the start of words. open is the index of
// the first word of the innermost one, or negative. forget returns the new value of this index, and
// the number of words.
func forget(words []Word, open int) (moved, n int) {
	var buf [32]int
	chain := buf[:0]
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
