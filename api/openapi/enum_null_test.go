//lint:file-ignore SA5008 the tag option string is used on types of any kind

package openapi

import (
	"encoding/json"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/hone-go/hone/mo"
	"github.com/hone-go/hone/shape"
)

type signal string

func (signal) Values() []signal { return []signal{"red", "green"} }

type step int

func (step) Values() []step { return []step{1, 2} }

// TestEnumsThatMayBeNull: the enum of a member, element or map value contains null exactly if
// the value may be null.
func TestEnumsThatMayBeNull(t *testing.T) {
	type all struct {
		Plain    signal                       `json:"plain"`
		Option   mo.Option[signal]            `json:"option"`
		Nullable mo.Nullable[signal]          `json:"nullable"`
		Pointer  *signal                      `json:"pointer"`
		Number   *step                        `json:"number"`
		Limited  mo.Option[string]            `json:"limited" enum:"a,b"`
		Narrowed mo.Option[signal]            `json:"narrowed" enum:"red"`
		List     []mo.Option[signal]          `json:"list"`
		Map      map[string]*signal           `json:"map"`
		Nested   mo.Option[[]*step]           `json:"nested"`
		Twice    mo.Nullable[mo.Option[step]] `json:"twice"`
	}
	c := newSchemas()
	properties := map[string]*Schema{}
	of := shape.Of(reflect.TypeFor[all]())
	for i := range of.Fields {
		f := &of.Fields[i]
		properties[strings.ToLower(f.Name)] = c.field(f)
	}
	for name, want := range map[string]string{
		"plain": `["red","green"]`, "option": `["red","green",null]`, "nullable": `["red","green",null]`, "pointer": `["red","green",null]`,
		"number": `[1,2,null]`, "limited": `["a","b",null]`, "narrowed": `["red",null]`, "list": `["red","green",null]`,
		"map": `["red","green",null]`, "nested": `[1,2,null]`, "twice": `[1,2,null]`,
	} {
		at := properties[name]
		for at != nil && at.Enum == nil {
			switch {
			case at.Items != nil:
				at = at.Items
			case at.AnyOf != nil:
				at = at.AnyOf[0]
			default:
				at = at.AdditionalProperties
			}
		}
		if at == nil {
			t.Errorf("%s has no values", name)
			continue
		}
		text, err := json.Marshal(at.Enum)
		if err != nil || string(text) != want {
			t.Errorf("%s: the values are %s, %v, want %s", name, text, err, want)
		}
		several, _ := at.Type.([]string)
		if slices.Contains(at.Enum, nil) != slices.Contains(several, "null") {
			t.Errorf("%s: the type is %v and the values are %s", name, at.Type, text)
		}
	}
}

// TestQuotedMembers: the schema of a member with the tag option string has its values as strings.
func TestQuotedMembers(t *testing.T) {
	type all struct {
		Number  int    `json:"number,string" default:"3" enum:"1,2,3" example:"2"`
		Pointer *int64 `json:"pointer,string" default:"5"`
		Step    *step  `json:"step,string"`
		Signal  signal `json:"signal,string"`
		Text    string `json:"text,string" default:"x" enum:"x,y"`
		Bool    *bool  `json:"bool,string"`
		List    []int  `json:"list,string"` // the option has no effect
	}
	schema := &Schema{}
	newSchemas().fill(schema, shape.Of(reflect.TypeFor[all]()))
	for name, want := range map[string]string{
		"number":  `{"type":"string","enum":["1","2","3"],"pattern":"^(0|-?[1-9][0-9]*)$","default":"3","examples":["2"]}`,
		"pointer": `{"type":["string","null"],"pattern":"^(0|-?[1-9][0-9]*)$","default":"5"}`,
		"step":    `{"type":["string","null"],"enum":["1","2",null],"pattern":"^(0|-?[1-9][0-9]*)$"}`,
		"signal":  `{"type":"string","enum":["\"red\"","\"green\""]}`,
		"text":    `{"type":"string","enum":["\"x\"","\"y\""],"default":"\"x\""}`,
		"bool":    `{"type":["string","null"],"pattern":"^(true|false)$"}`,
		"list":    `{"type":["array","null"],"items":{"type":"integer","format":"int64"}}`,
	} {
		if text, err := json.Marshal(schema.Properties[name]); err != nil || string(text) != want {
			t.Errorf("%s: %s, %v, want %s", name, text, err, want)
		}
	}
}
