package kernel

import (
	"hearth/boot"
	_ "unsafe" // for go:linkname
)

// The functions that TamaGo's packages expect of a board (package
// runtime/goos, added by the shadow GOROOT). The stock runtime calls none of
// them: time, output and memory come by system calls.

//go:linkname nanotime runtime/goos.Nanotime
func nanotime() int64 { return int64(now()) }

//go:linkname hwinit1 runtime/goos.Hwinit1
func hwinit1() {}

//go:linkname printk runtime/goos.Printk
func printk(c byte) { boot.PutConsole(c) }
