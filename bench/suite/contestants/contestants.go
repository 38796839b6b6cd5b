// Package contestants lists the work that Hone and its peers are measured at,
// and how each does it. Every one is prepared so that its output is checked
// against the others' content before anything is timed.
package contestants

import (
	"fmt"
	"reflect"

	"github.com/hone-go/hone/bench/suite/contest"
)

// All returns every contest, in the order of the report.
func All() []contest.Contest {
	var all []contest.Contest
	all = append(all, wireContests()...)
	all = append(all, jsonContests()...)
	all = append(all, routerContests()...)
	all = append(all, respondContests()...)
	all = append(all, bindContests()...)
	all = append(all, middlewareContests()...)
	all = append(all, typedContests()...)
	all = append(all, tcpContests()...)
	all = append(all, growthContests()...)
	all = append(all, memoryContests()...)
	all = append(all, coldContests()...)
	all = append(all, sizeContests()...)
	all = append(all, moContests()...)
	return all
}

// same is the check of contestants whose output can be read back.
func same[T any](got, want T) error {
	if !reflect.DeepEqual(got, want) {
		return fmt.Errorf("output differs: %+v, want %+v", got, want)
	}
	return nil
}

// loop makes a Run of one operation.
func loop(op func()) func(int) {
	return func(n int) {
		for range n {
			op()
		}
	}
}
