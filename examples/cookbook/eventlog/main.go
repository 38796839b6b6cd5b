// Command eventlog keeps the events of accounts in a container file, and computes the balances from them.
//
//	eventlog deposit ann 50
//	eventlog withdraw ann 20
//	eventlog balance
package main

import (
	"errors"
	"fmt"
	"io"
	"log"
	"math"
	"os"
	"strconv"
	"time"

	"github.com/hone-go/hone/union"
	"github.com/hone-go/hone/wire"
	"github.com/hone-go/hone/wire/container"
)

// A Record is one line of the log. It is an evolving struct: fields may be added at its end, and older programs can
// still read the records.
type Record struct {
	_     wire.Evolving
	At    time.Time
	Event Event
}

type Event interface {
	apply(balances map[string]int64) error
}

type Deposit struct {
	Account string
	Cents   int64
}

type Withdrawal Deposit

var _ = union.Internal[Event]("kind", union.Case[Deposit]("deposit", 1), union.Case[Withdrawal]("withdrawal", 2))

func (d Deposit) apply(balances map[string]int64) error {
	balances[d.Account] += d.Cents
	return nil
}

func (w Withdrawal) apply(balances map[string]int64) error {
	if balances[w.Account] < w.Cents {
		return fmt.Errorf("%s has only %d cents", w.Account, balances[w.Account])
	}
	balances[w.Account] -= w.Cents
	return nil
}

// replay computes the balances. It reads on after a damaged record, and reports the damage in its error.
func replay(r io.Reader) (map[string]int64, error) {
	log, err := container.NewReader[Record](r, nil, container.ReaderOptions{})
	if err != nil {
		return nil, err
	}
	var lost *container.LossError
	for balances, damage := (map[string]int64{}), error(nil); ; {
		var v Record
		switch err := log.Read(&v); {
		case err == io.EOF:
			return balances, damage
		case errors.As(err, &lost):
			damage = errors.Join(damage, err)
		case err != nil:
			return nil, err
		default:
			damage = errors.Join(damage, v.Event.apply(balances))
		}
	}
}

// add appends e, or returns an error if the balances do not allow e. If a crash left an incomplete
// record at the end of the file, add removes this record first.
func add(f *os.File, e Event) error {
	w, _, err := container.OpenAppend[Record](f, nil, container.Options{})
	if err != nil {
		return err
	}
	balances, err := replay(io.NewSectionReader(f, 0, math.MaxInt64)) // ReadAt leaves the offset of f at the end
	if err == nil {
		if err = e.apply(balances); err == nil {
			err = w.Write(&Record{At: time.Now(), Event: e})
		}
	}
	return errors.Join(err, w.Close(), f.Sync())
}

func run(name string, args []string, out io.Writer) error {
	f, err := os.OpenFile(name, os.O_RDWR|os.O_CREATE, 0o600)
	if err != nil {
		return err
	}
	defer f.Close()
	if len(args) == 3 {
		cents, err := strconv.ParseUint(args[2], 10, 62)
		d := Deposit{args[1], int64(cents)}
		event := map[string]Event{"deposit": d, "withdraw": Withdrawal(d)}[args[0]]
		if err != nil || event == nil {
			return errors.Join(errors.New("usage: eventlog deposit|withdraw ACCOUNT CENTS"), err)
		}
		return add(f, event)
	}
	balances, err := replay(f)
	fmt.Fprintln(out, balances)
	return err
}

func main() {
	if err := run("accounts.hwc", os.Args[1:], os.Stdout); err != nil {
		log.Fatal(err)
	}
}
