package main

import (
	"fmt"
	"io"

	"github.com/hone-go/hone/cmd/hone/internal/apidiff"
)

const diffHelp = `Lists the changes in a newer OpenAPI document, and reports whether they break clients
that were written for the older document. OLD and NEW are documents of OpenAPI 3.0,
3.1 or 3.2, in JSON or YAML: files, or the URLs of running services.

  hone openapi diff released.json http://127.0.0.1:8080/openapi.json

These changes break clients:
  - an operation, a parameter, a member of a body, a media type or a successful
    answer was removed
  - a parameter, a member or a body is now required in requests
  - a request allows fewer values than before: its type, an enum or a limit changed
  - an answer may have values that it did not have before, such as null or a new
    value of an enum
  - an answer may lack a member that was always present
  - a request must be authenticated in another way

With -all the command also lists changes that do not break clients.

The exit code is 0 if no change breaks clients, 1 if one does, and 2 if a document
cannot be read.
`

func diffDocuments(c *call) action {
	all := c.flags.Bool("all", false, "also list changes that do not break clients")
	return func(args []string) error {
		older, err := c.document(args[0])
		if err != nil {
			return fmt.Errorf("%w: %w", errUnread, err)
		}
		newer, err := c.document(args[1])
		if err != nil {
			return fmt.Errorf("%w: %w", errUnread, err)
		}
		changes, err := apidiff.Compare(older, newer)
		if err != nil {
			return fmt.Errorf("%w: %w", errUnread, err)
		}
		breaking := 0
		for _, change := range changes {
			if change.Breaks {
				breaking++
			}
		}
		if err := printChanges(c.stdout, changes, *all); err != nil {
			return err
		}
		switch breaking {
		case 0:
			_, err = fmt.Fprintln(c.stdout, "no change breaks clients")
			return err
		case 1:
			fmt.Fprintln(c.stdout, "1 change breaks clients")
		default:
			fmt.Fprintf(c.stdout, "%d changes break clients\n", breaking)
		}
		return errNo
	}
}

// printChanges prints the changes, grouped by operation.
func printChanges(w io.Writer, changes []apidiff.Change, all bool) error {
	where := ""
	for _, change := range changes {
		if !change.Breaks && !all {
			continue
		}
		if change.Where != where {
			where = change.Where
			if _, err := fmt.Fprintln(w, where); err != nil {
				return err
			}
		}
		mark := "  breaks: "
		if !change.Breaks {
			mark = "  "
		}
		if _, err := fmt.Fprintln(w, mark+change.Text); err != nil {
			return err
		}
	}
	return nil
}
