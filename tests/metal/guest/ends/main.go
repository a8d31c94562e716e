// Command ends is the guest that ends in the way that its first argument names.
package main

import (
	"fmt"
	"os"
	"runtime"
	"runtime/debug"
	"strconv"
	"syscall"

	_ "hearth/kernel"
	"hearth/sys"
)

var ends = map[string]func(arguments []int){
	"exit":      func(a []int) { os.Exit(a[0]) },
	"return":    func([]int) {},
	"panic":     func([]int) { panic("as it was told") },
	"thread":    panicInThread,
	"nil":       func([]int) { nowhere[3] = 1 },
	"text":      func([]int) { sys.Text()[0] = 0 },
	"deadlock":  func([]int) { select {} },
	"stack":     func([]int) { debug.SetMaxStack(1 << 20); fmt.Println(deeper(0)) },
	"words":     waitForWords,
	"word":      waitForWord,
	"joins":     waitForEachOther,
	"hang":      func([]int) { hang() },
	"closed":    closed,
	"fill":      fillTable,
	"work":      work,
	"naps":      naps,
	"eat":       eat,
	"throw":     func([]int) { writeMapAtOnce() },
	"triple":    func([]int) { giveUp() },
	"crowd":     crowd,
	"asleep":    asleep,
	"dozes":     dozes,
	"timer":     timer,
	"spin":      spin,
	"provoke":   provoke,
	"provokeOn": provokeOn,
}

var nowhere *[8]int

func main() {
	if len(os.Args) < 2 || ends[os.Args[1]] == nil {
		fmt.Printf("arguments %q: the name of an end was expected\n", os.Args[1:])
		os.Exit(3)
	}
	arguments := make([]int, 4)
	for i, text := range os.Args[2:] {
		var err error
		if arguments[i], err = strconv.Atoi(text); err != nil {
			fmt.Println(err)
			os.Exit(3)
		}
	}
	ends[os.Args[1]](arguments)
}

// panicInThread panics in a thread that main waits for.
func panicInThread([]int) {
	t, err := sys.Spawn(func() { panic("as it was told") })
	if err == nil {
		_, err = t.Join()
	}
	fmt.Println("the thread was joined:", err)
}

func deeper(depth int) int {
	var frame [256]int
	//lint:ignore SA5007 the stack is meant to run out
	frame[depth%len(frame)] = deeper(depth + 1)
	return frame[depth/2%len(frame)]
}

// provokeOn is provoke on the CPU that its first argument names.
func provokeOn(a []int) {
	runtime.LockOSThread()
	mask := sys.MaskOf(a[0])
	if err := sys.Thread(0).SetAffinity(&mask); err != nil {
		fmt.Println(err)
		os.Exit(3)
	}
	provoke(a[1:])
}

// provoke makes the kernel fail, if it was built to do so, and says what it
// answers twice otherwise. Its arguments are the call's.
func provoke(a []int) {
	const callProvoke = 8191
	for range 2 {
		result, _, errno := syscall.RawSyscall(callProvoke, uintptr(a[0]), uintptr(a[1]), 0)
		fmt.Println("answered", int(result), "errno", int(errno))
	}
}
