// Package docs checks the documentation: it compiles the Go code of the pages, and runs their shell
// lines.
//
// A block of Go code may be a whole file, declarations, statements, or declarations and statements.
// Statements are put into a function. An import that is missing is found by the name of the package.
// "…" or "..." in the place of a statement marks code that the page omits. A block of the language
// diff is compiled before and after the change.
//
// HTML comments, which readers of a page do not see, contain the code that a block needs:
//
//	<!-- snippet:                          before a block of Go:
//	import "example.org/m/shadow"          imports and declarations that it needs
//	var orders []Order
//	-->
//	<!-- snippets: … -->                         the same, for all blocks of the page
//	<!-- snippet: in integrations/tests -->      the module that compiles the block
//	<!-- snippet: from go1.27 -->                the release of Go from which on the block is compiled
//	<!-- snippet: not compiled: the reason -->
//
//	<!-- shell:                            before a block of sh: lines that run first
//	cp -r "$HONE/docs" docs
//	-->
//	<!-- shell: not run: the reason -->
//
// The quickstart is run as a whole, in an empty folder. There, a line that ends with a name in backquotes
// and a colon names the file whose content follows, and a block of another language than sh after a block
// of sh is its output, in which "…" stands for any text:
//
//	<!-- output: not compared: the reason -->
//
// A declaration in a comment is ignored if the block itself declares the name.
package docs
