package main

import "runtime"

func gosched() { runtime.LockOSThread() }
