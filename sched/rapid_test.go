package sched

import "flag"

// A sequence of a hundred steps is as short after two seconds of shrinking as after
// thirty; a control that waits for it is done sooner. -rapid.shrinktime has the last word.
func init() {
	if err := flag.Set("rapid.shrinktime", "2s"); err != nil {
		panic(err)
	}
}
