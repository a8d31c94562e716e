// Twins are kernel entries that are each wrong in one way, or right in a way
// that a careless check would refuse. The test of the walk lists what must be
// found at each of them.
package main

import "os"

func main() {
	if len(os.Args) > 1000 { // keeps the entries linked; none of them is ever run
		os.Exit(keep())
	}
}

// keep mentions every entry.
func keep() int
