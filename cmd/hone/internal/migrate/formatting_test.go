package migrate

import "testing"

// TestCodeSum compares files that differ in their formatting, and files that differ in what they mean.
func TestCodeSum(t *testing.T) {
	const head = "package p\n\nimport (\n\t\"a\" // first\n\t\"b\"\n)\n\n"
	for _, test := range []struct {
		a, b string
		same bool
	}{
		{head + "func f() { g(1, 2) }\n", head + "func f() {\r\n\tg(\r\n\t\t1,\r\n\t\t2,\r\n\t)\r\n}\r\n", true},
		{head + "func f() { a; b; }\n", head + "func f() {\n\ta\n\tb\n}\n", true},
		{head + "// x\nvar v = 1; // y\n", head + "// x  \nvar v = 1 // y\n", true},
		{head, "package p\n\nimport (\n\t\"b\"\n\n\t\"a\"    // first\n)\n", true},
		{head, "package p\n\nimport (\n\t\"a\"\n\t\"b\" // first\n)\n", false},
		{head + "func f() { for ; a(); b() {\n} }\n", head + "func f() { for a(); b(); {\n} }\n", false},
		{head + "func f() (x int) { return\n g() }\n", head + "func f() (x int) { return g() }\n", false},
		{head + "func f() { a\n -b }\n", head + "func f() { a - b }\n", false},
		{head + "// #define X \"a  b\"\n", head + "// #define X \"a b\"\n", false},
	} {
		a, b := codeSum([]byte(test.a)), codeSum([]byte(test.b))
		if a == "" || b == "" || (a == b) != test.same {
			t.Errorf("%q\n%q\nhave the sums %.8s and %.8s", test.a, test.b, a, b)
		}
	}
}
