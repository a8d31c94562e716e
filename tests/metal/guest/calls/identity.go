package main

import (
	"fmt"
	"os"
	"syscall"
)

// killOwn sends signal 0, which only asks, to this process and to one that is not there.
func killOwn() error {
	if err := syscall.Kill(os.Getpid(), 0); err != nil {
		return fmt.Errorf("to its own process: %v", err)
	}
	const nobody = 0x3ffffff // above any id that Linux gives
	if err := syscall.Kill(nobody, 0); err != syscall.ESRCH {
		return fmt.Errorf("to a process that is not there: %v, want ESRCH", err)
	}
	return nil
}

func identity() error {
	var name syscall.Utsname
	if err := syscall.Uname(&name); err != nil || name.Sysname[0] != 'L' || name.Machine[0] != 'x' {
		return fmt.Errorf("uname: %v, %v", err, name)
	}
	if where, err := syscall.Getwd(); err != nil || where[0] != '/' {
		return fmt.Errorf("getcwd: %q, %v", where, err)
	}
	var small [1]byte
	if _, err := syscall.Getcwd(small[:]); err != syscall.ERANGE {
		return fmt.Errorf("getcwd into one byte: %v, want ERANGE", err)
	}
	for _, id := range []int{syscall.Getuid(), syscall.Geteuid(), syscall.Getgid(), syscall.Getegid(), syscall.Getppid()} {
		if id < 0 {
			return fmt.Errorf("an id is %d", id)
		}
	}
	return nil
}
