package kernel

import "runtime"

// learnBoundsPanic is program code: it exceeds a bound and looks where the runtime
// deals with that, so that a crash record can tell a bound that was exceeded in
// kernel context from what the runtime stumbles over next.
func learnBoundsPanic() {
	defer func() {
		_ = recover()
		var pcs [16]uintptr
		frames := runtime.CallersFrames(pcs[:runtime.Callers(1, pcs[:])])
		for more := true; more; {
			var f runtime.Frame
			if f, more = frames.Next(); f.Function == "runtime.panicBounds" {
				boundsPanic.start, boundsPanic.end = f.Entry, endOf(f.Entry)
			}
		}
	}()
	none := make([]int, 0)
	none[runtime.NumCPU()]++
}

// endOf returns where the function that begins at entry ends.
func endOf(entry uintptr) uintptr {
	end := entry
	for f := runtime.FuncForPC(end); f != nil && f.Entry() == entry; f = runtime.FuncForPC(end) {
		end++
	}
	return end
}
