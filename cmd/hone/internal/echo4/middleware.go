package echo4

import (
	"go/ast"
	"go/constant"
	"go/types"
	"math"
	"strconv"
	"strings"
)

// argumentOf returns a rule for identifiers within the arguments of calls of the named function. It
// leaves them as they are: the rule for that function rewrites or reports the whole call.
func argumentOf(function string) func(*site) bool {
	return func(s *site) bool {
		for n := ast.Node(s.node); n != nil; n = s.r.parent[n] {
			if call, ok := n.(*ast.CallExpr); ok {
				if name, _, _ := s.r.calledName(call); name == function {
					return true
				}
			}
		}
		return false
	}
}

// zeroConfig returns the entry for a variable with a default configuration. A use of the variable is
// replaced by a zero value, which means the defaults.
func zeroConfig(name string) func(*site) bool {
	return func(s *site) bool {
		if _, selected := s.r.up(s.node).(*ast.SelectorExpr); selected || s.lvalue() {
			return false
		}
		s.r.sub(s.node, "%s%s{}", s.r.middleware(), name)
		return true
	}
}

func defaultCORS(s *site) bool {
	if _, selected := s.r.up(s.node).(*ast.SelectorExpr); selected || s.lvalue() {
		return false
	}
	s.r.sub(s.node, `%sCORSConfig{AllowOrigins: []string{"*"}}`, s.r.middleware())
	return true
}

func cors(s *site) bool {
	if s.call == nil {
		return false
	}
	at := s.r.offset(s.call.Lparen) + 1
	s.r.subRange(at, at, `"*"`)
	return true
}

// corsWithConfig adds the default origins of Echo v4 to a literal.
func corsWithConfig(s *site) bool {
	r := s.r
	if s.call == nil || len(s.call.Args) != 1 {
		return false
	}
	lit, ok := ast.Unparen(s.call.Args[0]).(*ast.CompositeLit)
	if !ok {
		r.warn(s.node, "middleware.CORSWithConfig", "AllowOrigins has no default: a configuration without origins is refused. Echo v4 allowed all origins")
		return true
	}
	origins, credentials, function := field(lit, "AllowOrigins"), field(lit, "AllowCredentials"), field(lit, "AllowOriginFunc")
	wild := origins == nil && function == nil
	if l, ok := origins.(*ast.CompositeLit); ok {
		for _, e := range l.Elts {
			text, known := r.constString(e)
			wild = wild || text == "*"
			if known && text != "*" && strings.ContainsAny(text, "*?") {
				r.warn(e, "middleware.CORSConfig.AllowOrigins", "origins are compared without patterns, and an origin with a pattern is refused: set UnsafeAllowOriginFunc")
			}
		}
	}
	if wild && credentials != nil {
		if v := r.constant(credentials); v == nil || constant.BoolVal(v) {
			r.warn(credentials, "middleware.CORSConfig.AllowCredentials", `credentials and the origin "*" are refused together: name the origins`)
		}
	}
	if origins == nil && function == nil {
		at := r.offset(lit.Lbrace) + 1
		text := `AllowOrigins: []string{"*"}`
		switch {
		case len(lit.Elts) == 0:
		case strings.Contains(string(r.f.Text[at:r.offset(lit.Elts[0].Pos())]), "\n"):
			text = "\n" + r.indent(r.offset(lit.Elts[0].Pos())) + text + ","
		default:
			text += ", "
		}
		r.subRange(at, at, "%s", text)
	}
	return true
}

// field returns the value of a field in a literal, or nil.
func field(lit *ast.CompositeLit, name string) ast.Expr {
	for _, e := range lit.Elts {
		if kv, ok := e.(*ast.KeyValueExpr); ok {
			if id, ok := kv.Key.(*ast.Ident); ok && id.Name == name {
				return kv.Value
			}
		}
	}
	return nil
}

func allowOriginFunc(s *site) bool {
	r := s.r
	if s.pair == nil {
		return false
	}
	v := s.pair.Value
	if !r.pure(v) {
		return false
	}
	r.sub(s.id, "UnsafeAllowOriginFunc")
	r.sub(v, "func(_ *%sContext, origin string) (string, bool, error) {\n\tallowed, err := "+operand(v)+"(origin)\n\treturn origin, allowed, err\n}", r.echo(), v)
	return true
}

// parseBytes parses a size as Echo v4 does: K, M and so on are powers of 1,000; Ki, Mi and so on
// are powers of 1,024.
func parseBytes(text string) (int64, bool) {
	digits := strings.TrimRight(strings.ToUpper(strings.TrimSpace(text)), "KMGTPEIB")
	unit := strings.TrimSuffix(strings.ToUpper(strings.TrimSpace(text))[len(digits):], "B")
	n, err := strconv.ParseFloat(strings.TrimSpace(digits), 64)
	if err != nil || math.IsNaN(n) || n < 0 {
		return 0, false
	}
	base := 1000.0
	if strings.HasSuffix(unit, "I") {
		base, unit = 1024, strings.TrimSuffix(unit, "I")
	}
	if unit != "" {
		i := strings.Index("KMGTPE", unit)
		if i < 0 || len(unit) != 1 {
			return 0, false
		}
		n *= math.Pow(base, float64(i+1))
	} else if base != 1000 {
		return 0, false
	}
	return int64(n), n < math.MaxInt64
}

// bytes replaces a constant size by a number.
func (r *rewriter) bytes(e ast.Expr) bool {
	text, ok := r.constString(e)
	if !ok {
		return false
	}
	n, ok := parseBytes(text)
	if !ok {
		return false
	}
	r.sub(e, "%s", grouped(n))
	return true
}

// grouped formats n. If n has more than four digits, underscores separate groups of three digits.
func grouped(n int64) string {
	s := strconv.FormatInt(n, 10)
	if len(s) < 5 {
		return s
	}
	for i := len(s) - 3; i > 0; i -= 3 {
		s = s[:i] + "_" + s[i:]
	}
	return s
}

func bodyLimit(s *site) bool {
	return s.call != nil && len(s.call.Args) == 1 && s.r.bytes(s.call.Args[0])
}

func bodyLimitField(s *site) bool {
	if s.pair == nil || !s.r.bytes(s.pair.Value) {
		return false
	}
	s.r.sub(s.id, "LimitBytes")
	return true
}

func csrfHandler(s *site) bool {
	s.r.sub(s.node, "func(*%sContext, error) error", s.r.echo())
	return true
}

func extractors(s *site) bool {
	if s.call == nil || len(s.call.Args) != 1 {
		return false
	}
	s.r.sub(s.call.Args[0], "%s, 20", s.call.Args[0]) // 20 is the limit in Echo v4
	return true
}

// valuesExtractor replaces the type ValuesExtractor by the function type that it is in Echo v4. If
// the program calls CreateExtractors, whose result has the new type, the use is listed instead.
func valuesExtractor(s *site) bool {
	if s.r.m.lookups {
		return false
	}
	s.r.sub(s.node, "func(*%sContext) ([]string, error)", s.r.echo())
	return true
}

// authScheme adds the scheme of a literal KeyAuthConfig to its KeyLookup.
func authScheme(s *site) bool {
	r := s.r
	if s.pair == nil {
		return false
	}
	lit, ok := r.parent[s.pair].(*ast.CompositeLit)
	scheme, isConst := r.constString(s.pair.Value)
	if !ok || !isConst {
		return false
	}
	lookup := field(lit, "KeyLookup")
	if lookup == nil {
		r.sub(s.pair, "KeyLookup: %s", strconv.Quote(withScheme("header:Authorization", scheme)))
		return true
	}
	if _, isConst := r.constString(lookup); !isConst {
		return false
	}
	r.dropElement(lit, s.pair)
	return true
}

func keyLookup(s *site) bool {
	r := s.r
	if s.pair == nil {
		return !s.lvalue()
	}
	lit, ok := r.parent[s.pair].(*ast.CompositeLit)
	text, isConst := r.constString(s.pair.Value)
	if !ok || !isConst {
		return false
	}
	scheme := "Bearer"
	if e := field(lit, "AuthScheme"); e != nil {
		if scheme, isConst = r.constString(e); !isConst {
			return false
		}
	}
	if scheme == "" {
		scheme = "Bearer"
	}
	if now := withScheme(text, scheme); now != text {
		r.sub(s.pair.Value, "%s", strconv.Quote(now))
	}
	return true
}

// withScheme adds the scheme to the lookups of Authorization, as Echo v4 does implicitly.
func withScheme(lookups, scheme string) string {
	list := strings.Split(lookups, ",")
	for i, l := range list {
		parts := strings.Split(l, ":")
		if len(parts) == 2 && parts[0] == "header" && parts[1] == "Authorization" {
			list[i] = l + ":" + strings.TrimSuffix(scheme, " ") + " "
		}
	}
	return strings.Join(list, ",")
}

func trailingSlash(s *site) bool {
	r := s.r
	lit, ok := r.parent[s.node].(*ast.CompositeLit)
	if !ok {
		return false
	}
	call, ok := r.up(lit).(*ast.CallExpr)
	if !ok {
		return false
	}
	switch name, _, _ := r.calledName(call); name {
	case "middleware.AddTrailingSlashWithConfig":
		r.sub(s.id, "AddTrailingSlashConfig")
	case "middleware.RemoveTrailingSlashWithConfig":
		r.sub(s.id, "RemoveTrailingSlashConfig")
	default:
		return false
	}
	return true
}

// rate converts a rate.Limit to a float64.
func (r *rewriter) rate(e ast.Expr) bool {
	if call, ok := ast.Unparen(e).(*ast.CallExpr); ok && len(call.Args) == 1 && r.p.Info.Types[call.Fun].IsType() {
		if r.constant(call.Args[0]) != nil {
			r.sub(e, "%s", call.Args[0])
		} else {
			r.sub(e, "float64(%s)", call.Args[0])
		}
		return true
	}
	if _, ok := ast.Unparen(e).(*ast.BasicLit); ok {
		return true
	}
	if t := r.typeOf(e); t == nil || r.constant(e) != nil && !mentionsRate(r, e) {
		return t != nil
	}
	r.sub(e, "float64(%s)", e)
	return true
}

// mentionsRate reports whether an expression uses a name of golang.org/x/time/rate.
func mentionsRate(r *rewriter, e ast.Expr) bool {
	found := false
	ast.Inspect(e, func(n ast.Node) bool {
		if id, ok := n.(*ast.Ident); ok {
			if o := r.p.Info.Uses[id]; o != nil && (o.Pkg() != nil && o.Pkg().Path() == "golang.org/x/time/rate" || named(o.Type(), "golang.org/x/time/rate")) {
				found = true
			}
		}
		return !found
	})
	return found
}

func named(t types.Type, path string) bool {
	n, ok := types.Unalias(t).(*types.Named)
	return ok && n.Obj().Pkg() != nil && n.Obj().Pkg().Path() == path
}

func rateStore(s *site) bool {
	return s.call != nil && len(s.call.Args) == 1 && s.r.rate(s.call.Args[0])
}

func rateField(s *site) bool { return s.pair != nil && s.r.rate(s.pair.Value) }

// staticFilesystem turns http.FS(x) into x, and http.Dir(x) into os.DirFS(x).
func staticFilesystem(s *site) bool {
	r := s.r
	if s.pair == nil {
		return false
	}
	call, ok := ast.Unparen(s.pair.Value).(*ast.CallExpr)
	if !ok || len(call.Args) != 1 {
		return false
	}
	sel, ok := ast.Unparen(call.Fun).(*ast.SelectorExpr)
	if !ok {
		return false
	}
	o := r.p.Info.Uses[sel.Sel]
	if o == nil || o.Pkg() == nil || o.Pkg().Path() != "net/http" {
		return false
	}
	switch o.Name() {
	case "FS":
		r.sub(call, "%s", call.Args[0])
	case "Dir":
		r.sub(call, "%sDirFS(%s)", r.pkg("os"), call.Args[0])
	default:
		return false
	}
	return true
}
