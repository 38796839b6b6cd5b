package migrate

import (
	"go/ast"
	"go/parser"
	"go/token"
	"slices"
	"strings"
)

// A Behaviour differs at run time between Hone and a package that it replaces.
type Behaviour struct {
	Rule string `json:"rule"` // run-time
	// Text is the first sentence of the item on the page of the replaced package.
	Text string `json:"text"`
	// Met reports whether the changed code uses the feature that behaves differently.
	Met bool `json:"met"`
	// Sets has the places where the code sets this behaviour itself.
	Sets []Location `json:"sets,omitempty"`
	// Keep is code that sets the behaviour.
	Keep string `json:"keep"`
}

// Line returns a line about the behaviour, for a change that is written or not.
func (b *Behaviour) Line(written bool) string {
	text := strings.TrimSuffix(strings.ReplaceAll(b.Text, "`", ""), ".")
	if len(b.Sets) == 0 {
		return text + ": your code does not set it. This line does: " + b.Keep
	}
	var at []string
	for _, x := range b.Sets {
		at = append(at, x.onDisk(written))
	}
	return text + ": your code sets it (" + several(at) + ")"
}

// pagesURL is the folder of the pages about the replaced packages.
const pagesURL = "https://github.com/hone-go/hone/blob/main/docs/migrating/"

// pages are the pages about the differences in behaviour, by the replaced packages.
var pages = []struct{ prefix, page string }{
	{"encoding/json/", "json-v2.md#what-differs"},
	{"encoding/json", "encoding-json.md"},
	{moModule, "samber-mo.md"},
	{echoModule, "echo.md"},
	{"github.com/labstack/echo/v4", "echo-v4.md"},
	{"github.com/go-json-experiment", "json-v2.md"},
}

// Pages returns the addresses of the pages about the differences in behaviour of the replaced packages.
func (c *Change) Pages() []string {
	var list []string
	for m := range c.Moves() {
		i := slices.IndexFunc(pages, func(x struct{ prefix, page string }) bool { return strings.HasPrefix(m.From, x.prefix) })
		if i >= 0 && !slices.Contains(list, pagesURL+pages[i].page) {
			list = append(list, pagesURL+pages[i].page)
		}
	}
	slices.Sort(list)
	return list
}

// An echoBehaviour is an item of the list "Before you deploy" in docs/migrating/echo.md. The names are names of
// functions, methods and fields that the code selects, or keys of its literals.
type echoBehaviour struct {
	text string
	met  []string // names whose use shows that the code meets the behaviour; nil: every server meets it
	sets []string // names that set it
	pre  string   // a name that must be within a call of Pre
	keep string
}

var echoBehaviours = []echoBehaviour{
	{
		text: "Name proxies that have a public address in `Config.TrustedProxies`.",
		met:  []string{"Scheme", "HTTPS*", "CSRF*", "Secure*", "Proxy*", "WWWRedirect*", "NonWWWRedirect*"},
		sets: []string{"TrustedProxies", "SchemeExtractor"},
		keep: "echo.NewWithConfig(echo.Config{TrustedProxies: []echo.TrustOption{echo.TrustIPRange(proxies)}})",
	},
	{
		text: "`RealIP` is the address of the TCP peer",
		met:  []string{"RealIP", "RateLimiter*", "RequestLogger*", "LogRemoteIP"},
		sets: []string{"IPExtractor"},
		keep: "e.IPExtractor = echo.ExtractIPFromXFFHeader() // behind a proxy",
	},
	{
		text: "The access log omits the query and the client's request ID.",
		met:  []string{"RequestLogger"},
		sets: []string{"LogURI", "LogQueryParams"},
		keep: "middleware.RequestLoggerWithConfig(middleware.RequestLoggerConfig{LogURI: true, LogStatus: true, LogValuesFunc: log}) // with the query, as in Echo",
	},
	{
		text: "Request bodies are limited to 4 MiB",
		sets: []string{"BodyLimit*", "SetBodyLimit"},
		keep: "echo.NewWithConfig(echo.Config{BodyLimit: -1}) // no limit, as in Echo",
	},
	{
		text: "The server reads a request and writes a response in at most 30 s each.",
		met:  []string{"Start", "StartTLS", "StartConfig", "StartAutoTLS", "StartH2CServer"},
		sets: []string{"ReadTimeout", "WriteTimeout", "ClearDeadlines"},
		keep: "echo.StartConfig{BeforeServeFunc: func(s *http.Server) error { s.WriteTimeout = 0; return nil }} // no limit, as in Echo",
	},
	{
		text: "`MethodOverride` belongs in `Echo.Pre`.",
		met:  []string{"MethodOverride*"},
		pre:  "MethodOverride",
		keep: "e.Pre(middleware.MethodOverride())",
	},
	{
		text: "Static serves files by their plain names only",
		met:  []string{"Static*"},
		sets: []string{"ServeDotFiles", "DotFiles", "DirFS"},
		keep: `e.StaticFS("/", os.DirFS("public")) // follows symbolic links, as in Echo`,
	},
	{
		text: "A handler must not keep its `*Context` in a goroutine",
		met:  []string{"go"},
		sets: []string{"NoReuse"},
		keep: "echo.NewWithConfig(echo.Config{NoReuse: true}) // such a handler does no harm",
	},
}

// behaviours returns the behaviours of Hone's web that differ from Echo, if the change replaces Echo.
func behaviours(sources []*source, written func(*source) []byte) []Behaviour {
	used, pre := map[string][]position{}, map[string][]position{}
	replaced := false
	for _, s := range sources {
		echo := s.units["echo"] != nil && s.units["echo"].change || s.units[echo4Symbol] != nil && s.units[echo4Symbol].change
		if echo && !strings.HasSuffix(s.name, "_test.go") {
			replaced = true
			s.findNames(used, pre)
		}
	}
	if !replaced {
		return nil
	}
	var list []Behaviour
	for _, b := range echoBehaviours {
		sets := matching(used, b.sets)
		if b.pre != "" {
			sets = matching(pre, []string{b.pre + "*"})
		}
		x := Behaviour{Rule: ruleRuntime, Text: b.text, Met: b.met == nil || len(matching(used, b.met)) > 0, Keep: b.keep}
		for _, p := range sets {
			x.Sets = append(x.Sets, p.location(written))
		}
		list = append(list, x)
	}
	return list
}

// matching returns the positions of the names. A name with * at the end stands for all names that begin with it.
func matching(used map[string][]position, names []string) (list []position) {
	for _, name := range sortedKeys(used) {
		if slices.ContainsFunc(names, func(n string) bool {
			prefix, wild := strings.CutSuffix(n, "*")
			return name == n || wild && strings.HasPrefix(name, prefix)
		}) {
			list = append(list, used[name]...)
		}
	}
	return list
}

// findNames adds the names that a file selects, and the keys of its literals, to used, and those within a call of
// Pre also to pre. The name of a go statement is "go".
func (s *source) findNames(used, pre map[string][]position) {
	fset := token.NewFileSet()
	f, err := parser.ParseFile(fset, "", s.data, parser.SkipObjectResolution)
	if err != nil {
		return // the package has been reported as one that does not compile
	}
	var visit func(root ast.Node, in ...map[string][]position)
	visit = func(root ast.Node, in ...map[string][]position) {
		add := func(name string, at token.Pos) {
			p := s.position(fset.PositionFor(at, false).Offset)
			p.column = 0
			for _, m := range in {
				m[name] = append(m[name], p)
			}
		}
		ast.Inspect(root, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.SelectorExpr:
				add(n.Sel.Name, n.Sel.Pos())
			case *ast.KeyValueExpr:
				if id, ok := n.Key.(*ast.Ident); ok {
					add(id.Name, id.Pos())
				}
			case *ast.GoStmt:
				add("go", n.Pos())
			case *ast.CallExpr:
				if sel, ok := n.Fun.(*ast.SelectorExpr); ok && sel.Sel.Name == "Pre" && len(in) == 1 {
					for _, arg := range n.Args {
						visit(arg, pre)
					}
				}
			}
			return true
		})
	}
	visit(f, used)
}
