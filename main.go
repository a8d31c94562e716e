// Command hearth is the image: the kernel and the benchmark suites that it runs.
// The same main also runs on Linux, where the kernel stays out of the way.
package main

import (
	"os"

	_ "hearth/kernel"
	"hearth/osbench"
)

func main() {
	osbench.NewPlacer = newPlacer
	os.Exit(osbench.Main(os.Args[1:]))
}
