// Package document reads JSON without Go types: it checks a text once, keeps an index of its values,
// and converts a value when the program asks for it.
//
//	doc, err := document.Parse(data)
//	if err != nil {
//		return err
//	}
//	id, err := doc.Root().Get("user").Get("id").Int64()
//
// [Parse] takes a fraction of the time of decoding into an interface. A [Value] is a place in the text:
// [Value.Get], [Value.Index] and [Value.Pointer] lead to the values inside it, [Value.Members] and
// [Value.Elements] iterate over them, and [Value.Decode] decodes one of them into a Go value as package
// json does.
//
// # Missing values
//
// A Value may also be a failure: the member that was not there. All methods of a failure return the same
// failure, so a chain of calls needs one check at its end. The [*Error] says where the chain failed:
//
//	document: /user/id: no such member
//
// # Queries
//
// [CompilePath] compiles a JSONPath query, and [Value.Select] iterates over the values that it selects.
//
// # Edits
//
// An [Edit] changes some values of a text and keeps all other bytes. [Patch] applies a JSON Patch, and
// [MergePatch] a JSON Merge Patch. [Documents] reads a stream of values, such as JSON lines.
//
// # Guarantees
//
//   - Parse accepts the texts that encoding/json accepts, and returns the same error for others.
//     Arrays and objects may be nested 10,000 levels deep.
//   - A Document and its Values may be used by several goroutines at once.
//   - No text, pointer, query or patch causes a panic. Only [MustCompilePath] panics, for a text that is not
//     a query.
//   - The memory of a Document is at most twelve bytes for each byte of the text, usually one, and at
//     most [Options.MaxIndex], and a copy of the text with [Options.AllowComments]. Get, Index and
//     Location may add a table of at most 16 bytes for each member of an
//     object with many members, and of an eighth of a byte for each element of a long array.
//   - Names are compared exactly. Unlike decoding into a struct, Get distinguishes upper and lower
//     case. If a name occurs several times, the last member counts, as in decoding.
//
// The text is not copied: a Document retains it, and it must not change while the Document is in use.
package document
