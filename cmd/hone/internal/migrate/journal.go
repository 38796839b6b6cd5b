package migrate

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
)

// journalName is the name of the file in which -w records its changes, so that -revert can restore every byte.
const journalName = ".hone-migrate.json"

// journalVersion is the version of the journal's form. A journal without a version has this form.
const journalVersion = 1

type journal struct {
	About   string              `json:"about"`
	Version int                 `json:"version"`
	Mod     *journalText        `json:"go.mod,omitempty"`
	Sum     *journalText        `json:"go.sum,omitempty"`
	Files   []journalFile       `json:"files"`
	Had     map[string][]string `json:"had,omitempty"` // imports of Hone before the change
	Copies  []journalCopy       `json:"copies,omitempty"`
	From    string              `json:"from,omitempty"` // the last value of -from

	read []byte // the content of the journal file
}

// A journalText is go.mod or go.sum before the change, and the checksum of the text that migrate
// wrote.
type journalText struct {
	Before string `json:"before"`
	Missed bool   `json:"missing,omitempty"` // the file did not exist
	After  string `json:"after"`
}

// A journalFile records the single range of a Go file that differs. If gofmt would change the file, the range is the
// whole file, so that the record can restore it after gofmt.
type journalFile struct {
	Name   string `json:"name"`
	Before string `json:"before"` // the checksums of the whole file before and after
	After  string `json:"after"`
	At     int    `json:"at"`
	Old    []byte `json:"old"`            // base64, since a file need not be UTF-8
	New    int    `json:"new"`            // the number of bytes that replaced Old
	Code   bool   `json:"code,omitempty"` // the change rewrote more than imports

	Tail int    `json:"tail,omitempty"` // the number of bytes after the range
	Text string `json:"text,omitempty"` // the checksum of the whole file after the change, by codeSum
}

// A journalCopy is a dependency that -deps copied.
type journalCopy struct {
	Module  string            `json:"module"`
	Version string            `json:"version"`
	Dir     string            `json:"dir"`
	Files   map[string]string `json:"files"` // the checksum of each file
}

const journalAbout = "hone migrate wrote this file. hone migrate -revert reads it, and removes it. Without it -revert restores the imports, but not every byte."

func sum(data []byte) string {
	h := sha256.Sum256(data)
	return hex.EncodeToString(h[:])
}

// A JournalError says why the record of an earlier change cannot be used.
type JournalError struct {
	Path string // the path of the record
	Why  string
}

func (e *JournalError) Error() string {
	return fmt.Sprintf("the record %s cannot be used: %s. Restore the record, for example with git restore %s. If that is not possible, %s, and remove the record. Without a record -revert restores only imports", e.Path, e.Why, journalName, gitAdvice)
}

// readJournal reads the journal of a module, or returns nil if there is none. If the journal cannot be used, the
// error is a [*JournalError].
func readJournal(root string) (*journal, error) {
	name := filepath.Join(root, journalName)
	data, err := os.ReadFile(name)
	if errors.Is(err, os.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, &JournalError{name, err.Error()}
	}
	j := &journal{read: data}
	if why := j.parse(data); why != "" {
		return nil, &JournalError{name, why}
	}
	return j, nil
}

// parse reads the content of the journal file. It returns why the content cannot be used, or "".
func (j *journal) parse(data []byte) string {
	var syntax *json.SyntaxError
	err := json.Unmarshal(data, j)
	switch {
	case len(bytes.TrimSpace(data)) == 0:
		return "it is empty"
	case errors.As(err, &syntax) && syntax.Offset >= int64(len(data)):
		return "it is truncated, or not JSON: " + err.Error()
	case errors.As(err, &syntax):
		return "it is not JSON: " + err.Error()
	case j.Version != 0 && j.Version != journalVersion:
		return fmt.Sprintf("its version is %d, and this hone reads version %d only: use the version of hone that wrote it", j.Version, journalVersion)
	case err != nil:
		return "it is not a record of hone migrate: " + err.Error()
	case j.Files == nil:
		return "it is not a record of hone migrate: it has no list of files"
	}
	for _, c := range j.Copies {
		if !c.valid() {
			return fmt.Sprintf("%q is not a folder that -deps copies %s %s to", c.Dir, c.Module, c.Version)
		}
	}
	return ""
}

// valid reports whether the folder is one that -deps creates. The check is needed since -revert
// removes the folder, and a journal may have another author.
func (c journalCopy) valid() bool {
	return c.Dir == path.Join(copiesDir, c.Module+"@"+c.Version) && strings.HasPrefix(c.Dir, copiesDir+"/") && filepath.IsLocal(filepath.FromSlash(c.Dir))
}

// from returns the value of -from when the change was made, or "".
func (j *journal) from() string {
	switch {
	case j == nil:
		return ""
	case j.From == "" && j.hasCode():
		return echo4Symbol // a journal without the field From is from a version that knew only echo/v4
	}
	return j.From
}

func (j *journal) file(name string) *journalFile {
	if j == nil {
		return nil
	}
	i := slices.IndexFunc(j.Files, func(f journalFile) bool { return f.Name == name })
	if i < 0 {
		return nil
	}
	return &j.Files[i]
}

func (j *journal) remove(name string) {
	j.Files = slices.DeleteFunc(j.Files, func(f journalFile) bool { return f.Name == name })
}

// record adds the change of a file to the journal. If an earlier change is recorded and the file
// was not edited since, the new record has the text before the first change. If somebody else, such
// as git, has restored that text, the new record replaces the old one. If the file was edited in
// another way, record removes the old record and adds none.
func (j *journal) record(name string, before, after []byte, code bool) {
	if known := j.file(name); known != nil && known.Before == sum(before) {
		j.remove(name)
	} else if known != nil {
		code = code || known.Code
		original, ok := known.undo(before)
		j.remove(name)
		if !ok {
			return // the file was edited between the two changes, so the journal cannot restore its original text
		}
		before = original
	}
	if bytes.Equal(before, after) {
		return
	}
	at, tail := 0, 0
	whole := !isFormatted(before)
	for !whole && at < len(before) && at < len(after) && before[at] == after[at] {
		at++
	}
	for !whole && tail < len(before)-at && tail < len(after)-at && before[len(before)-1-tail] == after[len(after)-1-tail] {
		tail++
	}
	j.Files = append(j.Files, journalFile{
		Name: name, Before: sum(before), After: sum(after), At: at,
		Old: bytes.Clone(before[at : len(before)-tail]), New: len(after) - tail - at, Code: code,
		Tail: tail, Text: codeSum(after),
	})
	slices.SortFunc(j.Files, func(a, b journalFile) int { return strings.Compare(a.Name, b.Name) })
}

// undo returns the file before the change, if the file was not edited since. It may have been formatted, if the
// formatter changed only lines that the record has.
func (f *journalFile) undo(data []byte) ([]byte, bool) {
	if f == nil || f.At < 0 || f.New < 0 || f.Tail < 0 {
		return nil, false
	}
	to := f.At + f.New // the end of the range in data
	switch {
	case sum(data) == f.After:
	case f.formatted(data):
		to = len(data) - f.Tail
	default:
		return nil, false
	}
	if f.At > to || to > len(data) {
		return nil, false
	}
	out := slices.Concat(data[:f.At], f.Old, data[to:])
	return out, sum(out) == f.Before
}

// formatted reports whether a formatter has changed the file since, and nobody else.
func (f *journalFile) formatted(data []byte) bool {
	return f.Text != "" && sum(data) != f.After && codeSum(data) == f.Text
}

// text records go.mod or go.sum before the first change.
func (t *journalText) text(before, after []byte) *journalText {
	switch {
	case t == nil:
		return &journalText{Before: string(before), Missed: before == nil, After: sum(after)}
	case t.After == sum(before), t.Before == string(before) && t.Missed == (before == nil):
		return &journalText{Before: t.Before, Missed: t.Missed, After: sum(after)}
	}
	// The file was edited between the two changes, so its old text cannot be restored. The text is kept, because it
	// has the versions that the file required.
	return &journalText{Before: t.Before, Missed: t.Missed}
}

// undo returns go.mod or go.sum before the change, or nil if the file did not exist. data is the
// current text. It may still be the old text, if the write of the change failed.
func (t *journalText) undo(data []byte) ([]byte, bool) {
	if t == nil || t.After != sum(data) && (string(data) != t.Before || (data == nil) != t.Missed) {
		return nil, false
	}
	if t.Missed {
		return nil, true
	}
	return []byte(t.Before), true
}

func (j *journal) bytes() ([]byte, error) {
	j.About, j.Version = journalAbout, journalVersion
	data, err := json.MarshalIndent(j, "", "\t")
	return append(data, '\n'), err
}

// hasCode reports whether a change rewrote code.
func (j *journal) hasCode() bool {
	return j != nil && slices.ContainsFunc(j.Files, func(f journalFile) bool { return f.Code })
}
