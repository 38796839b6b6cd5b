package migrate

// The names of the rules in the report of -json do not change from release to release. docs/migrating/migrate.md lists
// them.
const (
	ruleGenerated   = "generated-file"
	ruleLink        = "linked-file"
	ruleBroken      = "broken-before"
	ruleUnchecked   = "not-checked"
	ruleCompile     = "does-not-compile"
	ruleStream      = "stream-method"
	ruleEcho4       = "needs-echo-v4"
	ruleShares      = "shares-types"
	ruleTypeTest    = "type-test"
	ruleInterface   = "value-in-interface"
	ruleStreamValue = "stream-value"
	ruleRewritten   = "rewritten-code"
	ruleManual      = "needs-edit"
	ruleGoLine      = "go-line"
	ruleRuntime     = "run-time"
	ruleNewImport   = "new-import"
)

// diagnostics are the names of all rules.
var diagnostics = []string{
	ruleGenerated, ruleLink, ruleBroken, ruleUnchecked, ruleCompile, ruleStream, ruleEcho4, ruleShares,
	ruleTypeTest, ruleInterface, ruleStreamValue, ruleRewritten, ruleManual, ruleGoLine, ruleRuntime, ruleNewImport,
}
