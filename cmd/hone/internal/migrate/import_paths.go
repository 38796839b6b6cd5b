package migrate

import (
	"slices"

	"github.com/hone-go/hone/cmd/hone/internal/echo4"
)

// Hone is the path of the module to which imports are moved.
const Hone = "github.com/hone-go/hone"

// A Rule replaces the imports of one package by imports of another.
type Rule struct {
	Symbol string // the name for -only and -skip
	From   string // the import path before the change
	To     string // the import path after the change
	Name   string // the name of package From
	ToName string // the name of package To
	Module string // the module of From; "" for the standard library
	Needs  string // the module of To, if it is not Hone
}

// Symbols are the names of groups of packages for -only and -skip. The packages of one group change
// together in a file.
var Symbols = []string{"json", "json/v2", "jsontext", "mo", "echo"}

const (
	moModule   = "github.com/samber/mo"
	echoModule = "github.com/labstack/echo/v5"
)

var rules = []Rule{
	{"json", "encoding/json", Hone + "/json", "json", "json", "", ""},
	{"json/v2", "encoding/json/v2", Hone + "/json/v2", "json", "json", "", ""},
	{"jsontext", "encoding/json/jsontext", Hone + "/json/jsontext", "jsontext", "jsontext", "", ""},
	{"mo", moModule, Hone + "/mo", "mo", "mo", moModule, ""},
	{"mo", moModule + "/either", Hone + "/mo/either", "either", "either", moModule, ""},
	{"mo", moModule + "/either3", Hone + "/mo/either3", "either3", "either3", moModule, ""},
	{"mo", moModule + "/either4", Hone + "/mo/either4", "either4", "either4", moModule, ""},
	{"mo", moModule + "/either5", Hone + "/mo/either5", "either5", "either5", moModule, ""},
	{"mo", moModule + "/option", Hone + "/mo/option", "option", "option", moModule, ""},
	{"mo", moModule + "/result", Hone + "/mo/result", "result", "result", moModule, ""},
	{"mo", moModule + "/typeclass", Hone + "/mo/typeclass", "typeclass", "typeclass", moModule, ""},
	{"echo", echoModule, Hone + "/web", "echo", "web", echoModule, ""},
	{"echo", echoModule + "/echotest", Hone + "/web/echotest", "echotest", "echotest", echoModule, ""},
	{"echo", echoModule + "/middleware", Hone + "/web/middleware", "middleware", "middleware", echoModule, ""},
}

// These are the symbols of libraries that need changes of code, and not only of imports. Only -from
// selects them.
const (
	echo4Symbol      = "echo/v4"
	experimentSymbol = "go-json-experiment"
)

// experimentModule is the module in which encoding/json/v2 was developed.
const experimentModule = "github.com/go-json-experiment/json"

var echo4Rules = []Rule{
	{echo4Symbol, echo4.Module, Hone + "/web", "echo", "web", echo4.Module, ""},
	{echo4Symbol, echo4.Module + "/middleware", Hone + "/web/middleware", "middleware", "middleware", echo4.Module, ""},
}

var experimentRules = []Rule{
	{experimentSymbol, experimentModule, Hone + "/json/v2", "json", "json", experimentModule, ""},
	{experimentSymbol, experimentModule + "/jsontext", Hone + "/json/jsontext", "jsontext", "jsontext", experimentModule, ""},
	{experimentSymbol, experimentModule + "/v1", Hone + "/json", "json", "json", experimentModule, ""},
}

// froms are the values of -from, with their rules.
var froms = map[string][]Rule{echo4Symbol: echo4Rules, experimentSymbol: experimentRules}

// shadowSuffix follows a symbol in -only. The imports of this symbol move to a shadow package of Hone,
// which compares Hone with the old package.
const shadowSuffix = "=shadow"

// shadowed maps symbols to their shadow packages. The name of all these packages is shadow.
var shadowed = map[string]string{"json": Hone + "/json/shadow", "json/v2": Hone + "/json/v2/shadow"}

// withShadow returns the rules with the shadow packages as the targets of the symbols.
func withShadow(list []Rule, symbols []string) []Rule {
	for i := range list {
		if slices.Contains(symbols, list[i].Symbol) {
			list[i].To, list[i].ToName = shadowed[list[i].Symbol], "shadow"
		}
	}
	return list
}

// Rules returns the rules for a value of -from, which may be "". For a revert it returns the inverses of
// all rules, because several packages may have been moved to one package of Hone. The rules of from come
// first and take precedence, except that package json always reverts to encoding/json.
func Rules(revert bool, from string) []Rule {
	if !revert {
		if from != "" {
			return slices.Clone(froms[from])
		}
		return slices.Clone(rules)
	}
	var list []Rule
	shadows := withShadow(slices.DeleteFunc(slices.Clone(rules), func(r Rule) bool { return shadowed[r.Symbol] == "" }), sortedKeys(shadowed))
	for _, r := range slices.Concat(froms[from], rules, shadows) {
		if from == "" || r.Symbol != experimentSymbol || r.To != Hone+"/json" {
			list = append(list, Rule{r.Symbol, r.To, r.From, r.ToName, r.Name, Hone, r.Module})
		}
	}
	return list
}
