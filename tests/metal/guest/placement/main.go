// Command placement is the guest whose spawns are judged. With the arguments alone
// and together it spawns threads of many kinds from every CPU, from one after the
// other or from all at once; with burst it spawns threads that all park at once.
// It says where each was placed; the kernel's trace says why.
package main

import (
	"fmt"
	"os"
	"runtime/debug"

	_ "hearth/kernel"
	"hearth/sys"
)

func main() {
	debug.SetGCPercent(-1) // the runtime's own contexts are to keep quiet
	err := fmt.Errorf("arguments %q: alone, together or burst was expected", os.Args[1:])
	if len(os.Args) == 2 {
		switch os.Args[1] {
		case "alone":
			err = mix(alone)
		case "together":
			err = mix(together)
		case "burst":
			err = bursts()
		}
	}
	if err != nil {
		fmt.Println("failed:", err)
		os.Exit(1)
	}
}

// inThread runs fn in a thread of its own, on the CPUs of mask.
func inThread(mask *sys.Mask, fn func() error) error {
	var err error
	t, refused := sys.SpawnWith(sys.Options{Mask: mask}, func() { err = fn() })
	if refused != nil {
		return refused
	}
	if _, refused := t.Join(); refused != nil {
		return refused
	}
	return err
}
