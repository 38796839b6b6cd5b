package limit_test

import (
	"context"
	"errors"
	"math"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/hone-go/hone/internal/limit"
	"github.com/hone-go/hone/internal/test/testkit"
	"github.com/hone-go/hone/mo"
	"github.com/hone-go/hone/shape"
)

// check returns the violations of *v, each as its path and its detail.
func check[T any](t *testing.T, v *T) []string {
	t.Helper()
	p, err := limit.Body(shape.For[T]())
	if err != nil {
		t.Fatal(err)
	}
	if p == nil {
		t.Fatalf("%T has no limits", v)
	}
	var found []string
	for _, v := range p.Check(v, limit.Unlimited()) {
		found = append(found, v.Path+" "+v.Detail)
	}
	return found
}

type item struct {
	Name  string  `json:"name" length:"1..5" pattern:"^[a-zé]*$"`
	Price float64 `json:"price,omitempty" min:"0.5" max:"10"`
}

type base struct {
	ID int32 `json:"id" min:"1"`
}

type order struct {
	base
	Kind     string                  `json:"kind" enum:"new,old"`
	Level    uint8                   `enum:"1,2,30"`
	Items    []item                  `json:"items" length:"1..3"`
	Tags     []string                `json:"tags" length:"..2" enum:"a,b"`
	Mail     mo.Option[string]       `json:"mail" format:"email"`
	Note     mo.Nullable[string]     `json:"note,omitzero" length:"2.."`
	Next     *order                  `json:"next"`
	ByKey    map[string]item         `json:"by_key"`
	Wait     time.Duration           `json:"wait" max:"10s"`
	Pair     [2]int                  `json:"pair" max:"5"`
	Blob     []byte                  `json:"blob" length:"..4"`
	Ratio    mo.Option[*float32]     `json:"ratio" max:"1"`
	Nested   mo.Option[[]item]       `json:"nested" length:"1"`
	Grid     [][]int8                `json:"grid" length:"..1" min:"0"`
	At       time.Time               `json:"at"`
	Any      any                     `json:"any"`
	Choice   mo.Either[string, item] `json:"choice,omitzero"`
	Unseen   int                     `json:"-" min:"5"`
	unseen   int
	Callback func() `json:"-"`
}

func good() *order {
	return &order{base: base{1}, Kind: "new", Level: 30, Items: []item{{"abcdé", 1}}, Wait: 10 * time.Second, Pair: [2]int{5, -5}, Blob: []byte("abcd"), unseen: 1}
}

func TestCheck(t *testing.T) {
	half, two := float32(0.5), float32(2)
	for name, test := range map[string]struct {
		change func(o *order)
		want   []string
	}{
		"nothing":              {func(*order) {}, nil},
		"embedded":             {func(o *order) { o.ID = 0 }, []string{".id must be at least 1"}},
		"string enum":          {func(o *order) { o.Kind = "" }, []string{".kind must be one of new, old"}},
		"number enum":          {func(o *order) { o.Level = 3 }, []string{".Level must be one of 1, 2, 30"}},
		"too few":              {func(o *order) { o.Items = nil }, []string{".items must have 1 to 3 elements"}},
		"too many, and within": {func(o *order) { o.Items = make([]item, 4); o.Items[0] = item{"a", 1} }, []string{".items must have 1 to 3 elements", ".items[1].name must have 1 to 5 characters", ".items[2].name must have 1 to 5 characters", ".items[3].name must have 1 to 5 characters"}},
		"may be absent":        {func(o *order) { o.Items[0].Price = 0 }, nil},
		"pattern":              {func(o *order) { o.Items[0].Name = "A" }, []string{".items[0].name must match ^[a-zé]*$"}},
		"not a number":         {func(o *order) { o.Items[0].Price = math.NaN() }, []string{".items[0].price must be at least 0.5", ".items[0].price must be at most 10"}},
		"elements":             {func(o *order) { o.Tags = []string{"a", "c"} }, []string{".tags[1] must be one of a, b"}},
		"elements too many":    {func(o *order) { o.Tags = []string{"a", "b", "a"} }, []string{".tags must have at most 2 elements"}},
		"option":               {func(o *order) { o.Mail = mo.Some("Ada <ada@example.org>") }, []string{".mail must be an email address"}},
		"option, fine":         {func(o *order) { o.Mail = mo.Some("ada@example.org") }, nil},
		"nullable":             {func(o *order) { o.Note = mo.Value("x") }, []string{".note must have at least 2 characters"}},
		"nullable, null":       {func(o *order) { o.Note = mo.Null[string]() }, nil},
		"recursive":            {func(o *order) { o.Next = good(); o.Next.Next = &order{base: base{1}, Kind: "old", Level: 1} }, []string{".next.next.items must have 1 to 3 elements"}},
		"map":                  {func(o *order) { o.ByKey = map[string]item{"k": {"", 1}} }, []string{`.by_key.k.name must have 1 to 5 characters`}},
		"duration":             {func(o *order) { o.Wait++ }, []string{".wait must be at most 10s"}},
		"array":                {func(o *order) { o.Pair[1] = 6 }, []string{".pair[1] must be at most 5"}},
		"bytes":                {func(o *order) { o.Blob = make([]byte, 5) }, []string{".blob must have at most 4 bytes"}},
		"pointer in an option": {func(o *order) { o.Ratio = mo.Some(&two) }, []string{".ratio must be at most 1"}},
		"pointer, fine":        {func(o *order) { o.Ratio = mo.Some(&half) }, nil},
		"slice in an option":   {func(o *order) { o.Nested = mo.Some([]item{{"a", 1}, {"", 1}}) }, []string{".nested must have 1 element", ".nested[1].name must have 1 to 5 characters"}},
		"slices of slices":     {func(o *order) { o.Grid = [][]int8{{1, 2}, {-1}} }, []string{".grid must have at most 1 element", ".grid[1][0] must be at least 0"}},
	} {
		t.Run(name, func(t *testing.T) {
			o := good()
			test.change(o)
			if got := check(t, o); !reflect.DeepEqual(got, test.want) {
				t.Errorf("got  %q\nwant %q", got, test.want)
			}
		})
	}
}

type (
	paging struct {
		Size int `query:"size" min:"1"`
	}
	Filter struct {
		Tags []string `query:"tags" header:"x-tags" enum:"a,b"`
	}
	params struct {
		paging
		*Filter
		Self *params
	}
	promoted struct {
		base
		*item
		ID string `json:"id"` // hides the field of base
	}
)

// TestParams checks that violations name the first source of a parameter, and that fields of an
// embedded pointer that is nil are skipped.
func TestParams(t *testing.T) {
	p, err := limit.Params(shape.For[params]())
	if err != nil {
		t.Fatal(err)
	}
	for _, test := range []struct {
		v    params
		want []limit.Violation
	}{
		{params{}, []limit.Violation{{Source: "query", Path: "size", Detail: "must be at least 1"}}},
		{params{paging: paging{1}, Filter: &Filter{Tags: []string{"a", "c"}}}, []limit.Violation{{Source: "header", Path: "X-Tags[1]", Detail: "must be one of a, b"}}},
	} {
		if got := p.Check(&test.v, limit.Unlimited()); !reflect.DeepEqual(got, test.want) {
			t.Errorf("%+v\ngot  %q\nwant %q", test.v, got, test.want)
		}
	}
	if p, err := limit.Params(shape.For[struct {
		A int `json:"a" min:"1"`
	}]()); p != nil || err != nil {
		t.Errorf("limits of fields that are not parameters: %v, %v", p, err)
	}
}

func TestPromoted(t *testing.T) {
	if got := check(t, &promoted{}); got != nil {
		t.Errorf("limits of a hidden member, or in a nil embedded pointer: %q", got)
	}
	// The members of an embedded pointer may be absent, so zero values break no limit.
	if got := check(t, &promoted{item: &item{}}); got != nil {
		t.Errorf("zero values in an embedded pointer: %q", got)
	}
	if got, want := check(t, &promoted{item: &item{Name: "A", Price: 11}}), []string{".name must match ^[a-zé]*$", ".price must be at most 10"}; !reflect.DeepEqual(got, want) {
		t.Errorf("got  %q\nwant %q", got, want)
	}
}

func TestMaxViolations(t *testing.T) {
	o := good()
	o.Next = &order{Items: make([]item, 1000)}
	if got := check(t, o); len(got) < limit.MaxViolations || len(got) > limit.MaxViolations+2 {
		t.Errorf("%d violations", len(got))
	}
}

func TestFormats(t *testing.T) {
	type value struct {
		Date     string `format:"date"`
		DateTime string `format:"date-time"`
		Duration string `format:"duration"`
		Host     string `format:"hostname"`
		V4       string `format:"ipv4"`
		V6       string `format:"ipv6"`
		URI      string `format:"uri"`
		UUID     string `format:"uuid"`
	}
	fine := value{"2024-02-29", "2024-02-29T12:00:00Z", "1m", "a-1.example.org", "127.0.0.1", "::1", "https://example.org/x?y", "123e4567-e89b-12d3-a456-426614174000"}
	if got := check(t, &fine); got != nil {
		t.Errorf("%q", got)
	}
	wrong := value{"2023-02-29", "2024-02-29 12:00:00", "1", "-a.example.org", "1.2.3", "127.0.0.1", "/x", "123e4567-e89b-12d3-a456-42661417400g"}
	if got := check(t, &wrong); len(got) != 8 {
		t.Errorf("%q", got)
	}
	for _, host := range []string{"", ".", "a..b", "a_b", strings.Repeat("a", 64), strings.Repeat("a.", 130), "a-"} {
		if got := check(t, &struct {
			H string `format:"hostname"`
		}{host}); len(got) != 1 {
			t.Errorf("%q is accepted as a host name", host)
		}
	}
}

func TestBadTags(t *testing.T) {
	for _, v := range []any{
		struct {
			A string `min:"1"`
		}{}, struct {
			A int `max:"x"`
		}{}, struct {
			A uint `min:"-1"`
		}{}, struct {
			A int `length:"1"`
		}{}, struct {
			A string `length:"5..1"`
		}{}, struct {
			A string `length:""`
		}{}, struct {
			A string `pattern:"("`
		}{}, struct {
			A int `pattern:"a"`
		}{}, struct {
			A int `enum:"1,x"`
		}{}, struct {
			A string `format:"postcode"`
		}{}, struct {
			A float64 `max:"NaN"`
		}{}, struct {
			A time.Duration `enum:"1s"`
		}{}, struct {
			In []struct {
				A bool `min:"1"`
			}
		}{},
	} {
		if _, err := limit.Body(shape.Of(reflect.TypeOf(v))); err == nil || !strings.Contains(err.Error(), "field A") {
			t.Errorf("%T: error %v", v, err)
		}
	}
}

type list []list

func TestNothingToCheck(t *testing.T) {
	for _, v := range []any{1, struct{ A int }{}, list{}, struct {
		T time.Time `format:"date-time" readOnly:"true"`
		L list
		P *order `json:"-"`
	}{}} {
		if p, err := limit.Body(shape.Of(reflect.TypeOf(v))); p != nil || err != nil {
			t.Errorf("%T: %v, %v", v, p, err)
		}
	}
}

func TestAllocs(t *testing.T) {
	testkit.SkipIfInstrumented(t)
	p, err := limit.Body(shape.For[order]())
	if err != nil {
		t.Fatal(err)
	}
	o := good()
	o.Next = good()
	if n := testing.AllocsPerRun(100, func() { p.Check(o, limit.Unlimited()) }); n > 0 {
		t.Errorf("%v allocs, budget 0", n)
	}
}

type colour string

func (colour) Values() []colour { return []colour{"red", "blue"} }

type level uint8

func (*level) Values() []level { return []level{1, 3} }

type span struct {
	From int `json:"from"`
	To   int `json:"to"`
}

func (s span) Validate(context.Context) error {
	if s.To < s.From {
		return errors.New("must end after it starts")
	}
	return nil
}

type steps []int

func (s *steps) Validate(ctx context.Context) error {
	return ctx.Err()
}

type more struct {
	Colour  colour              `json:"colour"`
	Colours map[string]colour   `json:"colours"`
	Level   mo.Option[level]    `json:"level"`
	Only    colour              `json:"only" enum:"red"`
	Step    int                 `json:"step" multipleOf:"5"`
	Part    float64             `json:"part" multipleOf:"0.1"`
	Small   float32             `json:"small" multipleOf:"0.1"`
	Wait    time.Duration       `json:"wait" multipleOf:"1m"`
	Count   []uint              `json:"count" multipleOf:"2" uniqueItems:"true"`
	Names   mo.Option[[]string] `json:"names" uniqueItems:"true"`
	Spans   []span              `json:"spans" uniqueItems:"true"`
	Near    *span               `json:"near"`
	Where   map[string]span     `json:"where"`
	Steps   steps               `json:"steps"`
}

func fine() *more { return &more{Colour: "red", Only: "red"} }

func TestMore(t *testing.T) {
	for name, test := range map[string]struct {
		change func(m *more)
		want   []string
	}{
		"fine":               {func(m *more) { m.Part, m.Small, m.Wait, m.Step = 0.3, 0.7, time.Hour, -15 }, nil},
		"values":             {func(m *more) { m.Colour = "green" }, []string{".colour must be one of red, blue"}},
		"values in a map":    {func(m *more) { m.Colours = map[string]colour{"k": "x"} }, []string{`.colours.k must be one of red, blue`}},
		"values of numbers":  {func(m *more) { m.Level = mo.Some(level(2)) }, []string{".level must be one of 1, 3"}},
		"the tag decides":    {func(m *more) { m.Only = "blue" }, []string{".only must be one of red"}},
		"multiple":           {func(m *more) { m.Step = 7 }, []string{".step must be a multiple of 5"}},
		"multiple, float":    {func(m *more) { m.Part, m.Small = 0.25, math.MaxFloat32 }, []string{".part must be a multiple of 0.1"}},
		"multiple, NaN":      {func(m *more) { m.Part = math.NaN() }, []string{".part must be a multiple of 0.1"}},
		"multiple, duration": {func(m *more) { m.Wait = time.Second }, []string{".wait must be a multiple of 1m"}},
		"elements":           {func(m *more) { m.Count = []uint{2, 3, 2} }, []string{".count must not have equal elements: [0] and [2] are equal", ".count[1] must be a multiple of 2"}},
		"unique in options":  {func(m *more) { m.Names = mo.Some([]string{"a", "b", "a"}) }, []string{".names must not have equal elements: [0] and [2] are equal"}},
		"unique structs":     {func(m *more) { m.Spans = []span{{1, 2}, {1, 3}, {1, 3}} }, []string{".spans must not have equal elements: [1] and [2] are equal"}},
	} {
		t.Run(name, func(t *testing.T) {
			m := fine()
			test.change(m)
			if got := check(t, m); !reflect.DeepEqual(got, test.want) {
				t.Errorf("got  %q\nwant %q", got, test.want)
			}
		})
	}
}

func TestValidate(t *testing.T) {
	p, err := limit.Body(shape.For[more]())
	if err != nil {
		t.Fatal(err)
	}
	m := fine()
	if got := p.Validate(t.Context(), m); got != nil {
		t.Errorf("%v", got)
	}
	m.Spans, m.Near, m.Where = []span{{1, 2}, {2, 1}}, &span{1, 0}, map[string]span{"k": {3, 2}}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	var got []string
	for _, x := range p.Validate(ctx, m) {
		got = append(got, x.Path+" "+x.Err.Error())
	}
	want := []string{".spans[1] must end after it starts", ".near must end after it starts", `.where.k must end after it starts`, ".steps context canceled"}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("got  %q\nwant %q", got, want)
	}
	if p, err := limit.Body(shape.For[span]()); err != nil || len(p.Validate(t.Context(), &span{2, 1})) != 1 || p.Check(&span{2, 1}, limit.Unlimited()) != nil {
		t.Errorf("a type with a method and no limits: %v", err)
	}
}

// TestBadContracts checks that each invalid tag is an error.
func TestBadContracts(t *testing.T) {
	for _, s := range []*shape.Shape{
		shape.For[struct {
			A int `multipleOf:"0"`
		}](), shape.For[struct {
			A string `multipleOf:"1"`
		}](), shape.For[struct {
			A []func() `uniqueItems:"true"`
		}](), shape.For[struct {
			A int `uniqueItems:"true"`
		}](), shape.For[struct {
			A []int `uniqueItems:"yes"`
		}](), shape.For[struct {
			A int `default:"x"`
		}](), shape.For[struct {
			A []int `example:"1,x"`
		}](), shape.For[struct {
			A int `required:"maybe"`
		}](), shape.For[struct {
			A int `readOnly:"true" writeOnly:"true"`
		}](),
	} {
		if _, err := limit.Body(s); err == nil {
			t.Errorf("%v: no error", s.Type)
		} else {
			t.Log(err)
		}
	}
}

type selves []selves

type tree struct {
	Name     string          `json:"name" length:"1.."`
	Children []*tree         `json:"children" length:"..1"`
	Named    map[string]tree `json:"named" length:"..1"`
	Selves   selves          `json:"selves" length:"..1"`
}

// TestRecursive checks limits in a type that refers to itself.
func TestRecursive(t *testing.T) {
	v := &tree{Name: "a", Children: []*tree{{}}, Named: map[string]tree{"k": {Name: "b", Children: make([]*tree, 2)}}, Selves: selves{selves{nil, nil}}}
	want := []string{".children[0].name must have at least 1 character", `.named.k.children must have at most 1 element`}
	if got := check(t, v); !reflect.DeepEqual(got, want) {
		t.Errorf("got  %q\nwant %q", got, want)
	}
}

// TestUnions checks the limits of the values in a union.
func TestUnions(t *testing.T) {
	type held struct {
		Either mo.Either[item, []item]       `json:"either"`
		Result mo.Result[span]               `json:"result"`
		Three  mo.Either3[int, item, colour] `json:"three"`
	}
	v := &held{Either: mo.Right[item]([]item{{"a", 1}, {"", 1}}), Result: mo.Ok(span{2, 1}), Three: mo.NewEither3Arg3[int, item, colour]("x")}
	if got, want := check(t, v), []string{".either.right[1].name must have 1 to 5 characters", ".three.arg3 must be one of red, blue"}; !reflect.DeepEqual(got, want) {
		t.Errorf("got  %q\nwant %q", got, want)
	}
	p, err := limit.Body(shape.For[held]())
	if err != nil {
		t.Fatal(err)
	}
	if got := p.Validate(t.Context(), v); len(got) != 1 || got[0].Path != ".result.result" {
		t.Errorf("%v", got)
	}
}

// TestTimeInJSON checks that a format of a time in JSON, other than date-time, is an error.
func TestTimeInJSON(t *testing.T) {
	for _, test := range []struct {
		v  any
		ok bool
	}{
		{struct{ T time.Time }{}, true},
		{struct {
			T time.Time `format:"date-time"`
		}{}, true},
		{struct {
			T time.Time `format:"date"`
		}{}, false},
		{struct {
			T []*time.Time `format:"2006-01-02"`
		}{}, false},
		{struct {
			In map[string]struct {
				T time.Time `format:"time"`
			}
		}{}, false},
	} {
		if _, err := limit.Body(shape.Of(reflect.TypeOf(test.v))); (err == nil) != test.ok {
			t.Errorf("%T: %v", test.v, err)
		}
	}
}
