package gen

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/hone-go/hone/internal/test/testkit"
)

// writePackage writes the files of a package and returns its directory.
func writePackage(t *testing.T, files map[string][]byte) (dir string) {
	t.Helper()
	testkit.SkipInVariant(t)
	dir = t.TempDir()
	for name, data := range files {
		file := filepath.Join(dir, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(file, data, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

// TestPackageTypeScript compiles a package, and a program that imports the package by its name. The
// program must print the right text.
func TestPackageTypeScript(t *testing.T) {
	node, tsc := testkit.Tool(t, "node"), testkit.Tool(t, "tsc")
	files, err := TypeScriptPackage("@example/order", sample(t), nil)
	if err != nil {
		t.Fatal(err)
	}
	dir := writePackage(t, files)
	run(t, dir, nil, tsc)
	user := writePackage(t, map[string][]byte{"package.json": []byte(`{"type":"module"}`), "user.ts": []byte(`
import { Order, decode, encode } from "@example/order";
import { Time } from "@example/order/wire";
import { ContainerWriter, readContainer } from "@example/order/stream";

const parts: Uint8Array[] = [];
const w = new ContainerWriter((b) => parts.push(b), { fingerprint: "0123456789abcdef" });
await w.write(encode({ ...Order.zero(), url: "u", from: Time.fromDate(new Date(0)) }));
await w.close();
for await (const record of readContainer(parts, { fingerprints: null })) console.log(decode(record).url);
`)})
	scope := filepath.Join(user, "node_modules", "@example")
	if err := os.MkdirAll(scope, 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(dir, filepath.Join(scope, "order")); err != nil {
		t.Fatal(err)
	}
	console := "declare const console: { log(text: string): void };\n"
	if err := os.WriteFile(filepath.Join(user, "node.d.ts"), []byte(console), 0o644); err != nil {
		t.Fatal(err)
	}
	run(t, user, nil, tsc, "--strict", "--target", "es2022", "--module", "nodenext", "--moduleResolution", "nodenext", "user.ts")
	if got := run(t, user, nil, node, "user.js"); string(got) != "u\n" {
		t.Errorf("%q", got)
	}
}

// TestPackagePython imports a package, checks its types and reads its pyproject.toml.
func TestPackagePython(t *testing.T) {
	python := testkit.Tool(t, "python3")
	files, err := PythonPackage("shop-order", sample(t), nil)
	if err != nil {
		t.Fatal(err)
	}
	dir := writePackage(t, files)
	script := `
import sys, tomllib
sys.path.insert(0, "src")
from shop_order import Order, decode, encode
from shop_order.hone_stream import read_records
from shop_order.hone_wire import record
with open("pyproject.toml", "rb") as f:
    about = tomllib.load(f)
print(about["project"]["name"], [decode(r).url for r in read_records(record(encode(Order(url="u"))))])
`
	if got := run(t, dir, []byte(script), python, "-B", "-W", "error", "-"); string(got) != "shop-order ['u']\n" {
		t.Errorf("%q", got)
	}
	mypy, pyright := testkit.Tool(t, "mypy"), testkit.Tool(t, "pyright")
	run(t, dir, nil, mypy, "--strict", "--no-incremental", "--cache-dir", os.DevNull, "src/shop_order")
	run(t, dir, nil, pyright, "--warnings", "src")
}

func TestPackageNames(t *testing.T) {
	s := sample(t)
	for _, name := range []string{"", "Order", "../x", "a/b", "@x", "a b", `a"b`} {
		if _, err := TypeScriptPackage(name, s, nil); err == nil || !strings.Contains(err.Error(), "is not an npm package name") {
			t.Errorf("npm: %q: %v", name, err)
		}
		if _, err := PythonPackage(name, s, nil); err == nil || !strings.Contains(err.Error(), "is not a Python package name") {
			t.Errorf("Python: %q: %v", name, err)
		}
	}
}
