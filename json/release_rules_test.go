package json

import (
	"go/ast"
	"go/parser"
	"go/token"
	"path/filepath"
	"strings"
	"testing"
)

// ruleOf maps the description of each difference between Go releases to the declarations that make it. A
// name without a package is declared in package go126 or go127, and differs between them if both have it.
var ruleOf = map[string]string{
	"`UnmarshalTypeError.Field` has the indexes of arrays":                         "decodeRelease.InContext decodeRelease.WithPath",
	"`UnmarshalTypeError.Field` has the keys of maps":                              "decodeRelease.InContext decodeRelease.WithPath",
	"`UnmarshalTypeError.Struct` is the root, not the innermost struct":            "decodeRelease.InContext decodeRelease.WithPath",
	"`UnmarshalTypeError.Offset` of a second value":                                "decodeRelease.TypeError",
	"invalid base64 is an `UnmarshalTypeError`":                                    "readBytes",
	"a time that is not a string is an `UnmarshalTypeError`":                       "readTime",
	"the offset for a map key that does not fit its type":                          "readEntry",
	"the value of a map key that does not fit its type is not decoded":             "readEntry readMap",
	"a type with `UnmarshalText`, decoded from JSON that is not a string":          "decodeRelease.NotString",
	"the offset for an interface with methods is before the value":                 "decodeRelease.NotInterface decodeRelease.NotRead",
	"an embedded pointer to a struct of an unexported type":                        "decodeRelease.ClosedField",
	"a `Number` decoded from a bool: offset and field are missing":                 "decodeRelease.NotNumber",
	"a `Number` decoded from a string that is not a number":                        "decodeRelease.NotNumber",
	"the tag option `string`: the string is not a number":                          "decodeRelease.Quoted quoted quotedInto",
	"the tag option `string`: the number has no quotes":                            "quotedInto",
	"the tag option `string`: the string is not a bool":                            "quotedInto",
	"the tag option `string`: the string does not contain a JSON string":           "quotedInto",
	"the tag option `string`: the string contains null":                            "quotedInto quotedBeforePatch",
	"decoding continues after an error of a type's own method":                     "decodeRelease.Failed",
	"a number too large for a float":                                               "decodeRelease.OverflowInto",
	"a number in an interface that is too large for a float":                       "decodeRelease.Overflow decodeRelease.HeldAny overflow infinity",
	"the methods of a field whose type has no name, such as `struct{ time.Time }`": "Decoding",
	"a literal that ends too early":                                                "decodeRelease.Invalid rules.SyntaxOffset",
	"a number that ends too early":                                                 "rules.SyntaxOffset",
	"an invalid escape":                                                            "rules.SyntaxOffset",
	"a `\\u` without four hexadecimal digits":                                      "rules.SyntaxOffset",
	"a line end in a string":                                                       "rules.SyntaxOffset",
	"the tag option `case:strict`":                                                 "decodeRelease.Members",
	"the tag option `embed` keeps unknown members":                                 "decodeRelease.Members",
	"the tag option `embed` writes unknown members back":                           "encodeRelease.Members",
	"the tag option `format`, which is reserved":                                   "decodeRelease.Members encodeRelease.Members",
	"a name with a backslash":                                                      "encodeRelease.Members",
	"a name with a quotation mark":                                                 "encodeRelease.Members",
	"a name that is not UTF-8":                                                     "encodeRelease.Members",
	"a tag option with a value that it does not have":                              "encodeRelease.Members",
	"`MarshalerError.Type` is a pointer to the type with the method":               "encodeRelease.MethodError encodeRelease.ThroughPointer",
	"the error for a `RawMessage` that is not JSON":                                "encodeRelease.AppendCompact",
	"a `Number` that is not a number":                                              "encodeRelease.NotNumber",
	"`UnsupportedValueError.Value`":                                                "encodeRelease.Unsupported",
	"an empty map whose keys cannot be encoded":                                    "encodeRelease.NameOf",
	"a map with such a key":                                                        "encodeRelease.NameOf anyName",
	"map keys that are floats":                                                     "encodeRelease.NameOf floatName",
	"map keys of an interface type":                                                "encodeRelease.NameOf anyName heldName",
	"null is a key of a map with integer keys":                                     "readEntry readKey",
	"names become map keys of an interface type":                                   "keyForm keyOfAnyKind",
	"keys of a string type that has `MarshalText`":                                 "encodeRelease.NameOf encodeRelease.KeyError",
	"`AppendText` is called":                                                       "encodeRules",
	"`UnmarshalJSON` of a key that has `UnmarshalText` too is not called":          "readEntry keyByMethod",
	"an io.EOF from a method is reported as the end of the text":                   "decodeRelease.Final",
	"bytes that are not UTF-8":                                                     "Encoding",
	"`MarshalJSONTo` is called":                                                    "encodeRelease.CallJSON encodeRules",
	"`UnmarshalJSONFrom` is called":                                                "calls decodeRelease.Calls decodeRelease.CallJSON decodeRelease.CallText",
	"a value at the top of a stream is complete without the byte after it":         "go126.Reader.next Reader.Element",
	"`More` after an error, where no value can follow":                             "Reader.More",
	"an io.ErrUnexpectedEOF of the reader after a complete value":                  "go126.Reader.fill",
	"`InputOffset` after an error":                                                 "Reader.InputOffset Reader.Token",
}

// withoutCase are the declarations of both packages that make no difference of the table, with the reason.
var withoutCase = map[string]string{
	"decodeRelease": "the type that has the rules of decoding", "encodeRelease": "the type that has the rules of encoding",
	"decodeRelease.Custom": "it passes the package's rows to package v1", "rows": "they are the functions above",
	"decodeRelease.Fault": "version 1 refuses no struct", "decodeRelease.IsLinked": "it is about the linked release and not about the rules",
	"Reader": "the type that reads streams", "NewReader": "it creates a Reader", "Reader.Std": "it opens the same arrays and objects",
	"Reader.SetOptions": "it sets options", "Reader.Buffered": "the length of the buffer is not specified", "Reader.fault": "its offset is a difference of syntax errors",
	"encodeRelease.TooDeep": "the release without a limit recurses until the stack is full",
}

// TestReleaseRules fails if the table of differences and the packages of the releases disagree: each difference
// has declarations that make it, and each rule that both packages declare makes a difference.
func TestReleaseRules(t *testing.T) {
	declared := map[string]map[string]bool{}
	for _, room := range []string{"go126", "go127", "rules"} {
		folder := filepath.Join("internal", "rules")
		if room != "rules" {
			folder = filepath.Join(folder, room)
		}
		declared[room] = declarations(t, folder)
	}
	described, named := map[string]bool{}, map[string]bool{}
	for _, c := range releaseCases {
		described[c.what] = true
		if ruleOf[c.what] == "" {
			t.Errorf("no declaration makes the difference %q", c.what)
		}
	}
	for what, rules := range ruleOf {
		if !described[what] {
			t.Errorf("the table has no difference %q", what)
		}
		for _, rule := range strings.Fields(rules) {
			named[rule] = true
			room, name, qualified := strings.Cut(rule, ".")
			if declared[room] == nil || !qualified {
				if !declared["go126"][rule] && !declared["go127"][rule] {
					t.Errorf("%q: neither go126 nor go127 declares %s", what, rule)
				}
			} else if !declared[room][name] {
				t.Errorf("%q: package %s does not declare %s", what, room, name)
			}
		}
	}
	for rule := range declared["go126"] {
		if declared["go127"][rule] && !named[rule] && withoutCase[rule] == "" {
			t.Errorf("go126 and go127 declare %s, and the table has no difference for it", rule)
		}
	}
}

// declarations returns the names that the Go files of a folder declare, except for tests. Methods have the name of
// their type before them.
func declarations(t *testing.T, folder string) map[string]bool {
	t.Helper()
	files, err := filepath.Glob(filepath.Join(folder, "*.go"))
	if err != nil || len(files) == 0 {
		t.Fatal(folder, err)
	}
	names := map[string]bool{}
	for _, name := range files {
		if strings.HasSuffix(name, "_test.go") {
			continue
		}
		file, err := parser.ParseFile(token.NewFileSet(), name, nil, parser.SkipObjectResolution)
		if err != nil {
			t.Fatal(err)
		}
		for _, d := range file.Decls {
			switch d := d.(type) {
			case *ast.FuncDecl:
				names[receiver(d)+d.Name.Name] = true
			case *ast.GenDecl:
				for _, spec := range d.Specs {
					switch spec := spec.(type) {
					case *ast.ValueSpec:
						for _, name := range spec.Names {
							names[name.Name] = true
						}
					case *ast.TypeSpec:
						names[spec.Name.Name] = true
					}
				}
			}
		}
	}
	return names
}

// receiver returns the name of the type of a method and a point, or "" for a function.
func receiver(d *ast.FuncDecl) string {
	if d.Recv == nil {
		return ""
	}
	of := d.Recv.List[0].Type
	if star, ok := of.(*ast.StarExpr); ok {
		of = star.X
	}
	if generic, ok := of.(*ast.IndexExpr); ok {
		of = generic.X
	}
	return of.(*ast.Ident).Name + "."
}
