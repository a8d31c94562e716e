// Command hello is the smallest guest: it prints a line and ends.
package main

import (
	"fmt"
	"runtime"

	_ "hearth/kernel"
)

func main() {
	fmt.Println("hello from", runtime.Version(), "on", runtime.NumCPU(), "CPUs")
}
