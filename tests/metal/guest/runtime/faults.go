package main

import (
	"errors"
	"fmt"
	"runtime"
	"strings"
)

// recovered runs f and returns the runtime error that it panicked with.
func recovered(f func()) (text string) {
	defer func() {
		if err, ok := recover().(runtime.Error); ok {
			text = err.Error()
		}
	}()
	f()
	return ""
}

var (
	nowhere *[8]int
	zero    int
)

// repeats is how often a fault is provoked: each goes through a signal frame.
const repeats = 100

func nilDereference() (string, error) {
	return provoke(func() { runtime.KeepAlive(nowhere[3]) }, "nil pointer dereference")
}

func divisionByZero() (string, error) {
	return provoke(func() { runtime.KeepAlive(10 / zero) }, "divide by zero")
}

func provoke(f func(), want string) (string, error) {
	for i := 0; i < repeats; i++ {
		if got := recovered(f); !strings.Contains(got, want) {
			return "", errors.New("recovered " + got + ", not " + want)
		}
	}
	return fmt.Sprint(repeats, " times"), nil
}
