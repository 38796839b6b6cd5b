package contestants

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"sync"
	"time"

	"github.com/hone-go/hone/bench/suite/contest"
	"github.com/hone-go/hone/bench/suite/contestants/mo"
	"github.com/hone-go/hone/bench/suite/contestants/web"
	"github.com/hone-go/hone/bench/suite/results"
)

// sizeContests measure the size that a package adds to a program: the size of a small program
// that calls it, minus the size of a program with an empty main.
func sizeContests() []contest.Contest {
	const typed = "type record struct { Name string; Age int; Tags []string }\n"
	const record = typed + "var v record\n"
	program := func(name, imports, global, main string, notes ...string) contest.Contestant {
		source := "package main\n\nimport (\n\t\"os\"\n" + imports + ")\n\n" + global + "\nfunc main() {\n" + main + "\n\t_, _ = os.Stdout.Write(nil)\n}\n"
		return contest.Contestant{Name: name, Notes: notes, Measure: func() (func(time.Duration) (contest.Sample, error), error) {
			return func(time.Duration) (contest.Sample, error) {
				with, err := programSize(source)
				if err != nil {
					return contest.Sample{}, err
				}
				without, err := emptySize()
				return contest.Sample{Value: float64(with - without)}, err
			}, nil
		}}
	}
	codec := "\tb, _ := json.Marshal(&v)\n\t_ = json.Unmarshal(b, &v)"
	streams := "\t_ = json.NewEncoder(os.Stdout).Encode(&v)\n\td := json.NewDecoder(os.Stdin)\n\t_, _ = d.Token()\n\tfor d.More() {\n\t\t_ = d.Decode(&v)\n\t}"
	framework := "\te := %s\n\te.GET(\"/\", func(c %s) error { return c.String(200, \"ok\") })\n\t_ = http.ListenAndServe(os.Args[1], e)"
	all := []contest.Contest{
		{Name: "size/mo", Contestants: []contest.Contestant{
			program("hone", "\t\"github.com/hone-go/hone/mo\"\n", "", "\tb, _ := mo.Some(len(os.Args)).MarshalJSON()\n\tprintln(len(b))"),
			program(mo.Samber, "\t\"github.com/samber/mo\"\n", "", "\tb, _ := mo.Some(len(os.Args)).MarshalJSON()\n\tprintln(len(b))"),
		}},
		{Name: "size/json", Contestants: []contest.Contestant{
			program("hone", "\t\"github.com/hone-go/hone/json\"\n", record, codec),
			program("encoding/json", "\t\"encoding/json\"\n", record, codec),
		}},
		{Name: "size/json streams", Contestants: []contest.Contestant{
			program("hone", "\t\"github.com/hone-go/hone/json\"\n", record, streams),
			program("encoding/json", "\t\"encoding/json\"\n", record, streams),
		}},
		{Name: "size/wire", Contestants: []contest.Contestant{
			program("hone", "\t\"github.com/hone-go/hone/wire\"\n", record, "\tb, _ := wire.Marshal(&v)\n\t_ = wire.Unmarshal(b, &v)"),
			program("encoding/gob", "\t\"bytes\"\n\t\"encoding/gob\"\n", record, "\tvar b bytes.Buffer\n\t_ = gob.NewEncoder(&b).Encode(&v)\n\t_ = gob.NewDecoder(&b).Decode(&v)"),
		}},
		{Name: "size/bind", Contestants: []contest.Contestant{
			program("hone", "\t\"github.com/hone-go/hone/bind\"\n", record, "\t_ = bind.Query(os.Args[1], &v)"),
		}},
		{Name: "size/web", Contestants: []contest.Contestant{
			program("hone", "\t\"net/http\"\n\t\"github.com/hone-go/hone/web\"\n", "", fmt.Sprintf(framework, "web.New()", "*web.Context")),
			program(web.EchoName, "\t\"net/http\"\n\t\"github.com/labstack/echo/v5\"\n", "", fmt.Sprintf(framework, "echo.New()", "*echo.Context")),
			program(web.GinName, "\t\"net/http\"\n\t\"github.com/gin-gonic/gin\"\n", "", "\te := gin.New()\n\te.GET(\"/\", func(c *gin.Context) { c.String(200, \"ok\") })\n\t_ = http.ListenAndServe(os.Args[1], e)"),
			program(web.ChiName, "\t\"net/http\"\n\t\"github.com/go-chi/chi/v5\"\n", "", "\te := chi.NewRouter()\n\te.Get(\"/\", func(w http.ResponseWriter, r *http.Request) { _, _ = w.Write([]byte(\"ok\")) })\n\t_ = http.ListenAndServe(os.Args[1], e)"),
			program(web.MuxName, "\t\"net/http\"\n", "", "\te := http.NewServeMux()\n\te.HandleFunc(\"GET /{$}\", func(w http.ResponseWriter, r *http.Request) { _, _ = w.Write([]byte(\"ok\")) })\n\t_ = http.ListenAndServe(os.Args[1], e)", "http.ServeMux"),
			program(web.FiberName, "\t\"github.com/gofiber/fiber/v3\"\n", "", "\te := fiber.New()\n\te.Get(\"/\", func(c fiber.Ctx) error { return c.SendString(\"ok\") })\n\t_ = e.Listen(os.Args[1])", web.FasthttpNote),
		}},
		{Name: "size/api", Contestants: []contest.Contestant{
			program("hone", "\t\"context\"\n\t\"net/http\"\n\t\"github.com/hone-go/hone/api\"\n", typed,
				"\tmux := http.NewServeMux()\n\tapi.Handle(api.Mux(mux), \"POST /\", func(_ context.Context, v *record) (*record, error) { return v, nil })\n"+
					"\t_ = http.ListenAndServe(os.Args[1], mux)", "on http.ServeMux"),
			program("hone on web", "\t\"context\"\n\t\"net/http\"\n\t\"github.com/hone-go/hone/api\"\n\t\"github.com/hone-go/hone/web\"\n", typed,
				"\te := web.New()\n\tapi.Handle(e, \"POST /\", func(_ context.Context, v *record) (*record, error) { return v, nil })\n"+
					"\t_ = http.ListenAndServe(os.Args[1], e)"),
			program(web.HumaName, "\t\"context\"\n\t\"net/http\"\n\t\"github.com/danielgtaylor/huma/v2\"\n\t\"github.com/danielgtaylor/huma/v2/adapters/humago\"\n",
				typed+"\ntype message struct { Body record }",
				"\tmux := http.NewServeMux()\n\thuma.Post(humago.New(mux, huma.DefaultConfig(\"size\", \"1\")), \"/\", func(_ context.Context, v *message) (*message, error) { return v, nil })\n"+
					"\t_ = http.ListenAndServe(os.Args[1], mux)", "on http.ServeMux", "with an API document"),
			program(web.FuegoName, "\t\"net/http\"\n\t\"github.com/go-fuego/fuego\"\n", typed,
				"\ts := fuego.NewServer()\n\tfuego.Post(s, \"/\", func(c fuego.ContextWithBody[record]) (record, error) { return c.Body() })\n"+
					"\t_ = http.ListenAndServe(os.Args[1], s.Mux)", "with an API document"),
		}},
	}
	for i := range all {
		all[i].Unit, all[i].Way = contest.Bytes, contest.Exact
	}
	return all
}

// emptySize returns the size of a program that does nothing.
var emptySize = sync.OnceValues(func() (int64, error) {
	return programSize("package main\n\nimport \"os\"\n\nfunc main() { _, _ = os.Stdout.Write(nil) }\n")
})

// programSize returns the size of a program, built in this module with go build.
func programSize(source string) (int64, error) {
	root, err := results.Root()
	if err != nil {
		return 0, err
	}
	dir, err := os.MkdirTemp("", "hone-size-")
	if err != nil {
		return 0, err
	}
	defer os.RemoveAll(dir)
	file, program := filepath.Join(dir, "main.go"), filepath.Join(dir, "main.exe")
	if err := os.WriteFile(file, []byte(source), 0o644); err != nil {
		return 0, err
	}
	cmd := exec.Command("go", "build", "-trimpath", "-o", program, file)
	cmd.Dir = filepath.Join(root, "bench", "suite")
	cmd.Env = append(os.Environ(), "GOWORK=off", "CGO_ENABLED=0")
	if out, err := cmd.CombinedOutput(); err != nil {
		return 0, fmt.Errorf("go build: %w\n%s", err, out)
	}
	info, err := os.Stat(program)
	if err != nil {
		return 0, err
	}
	return info.Size(), nil
}
