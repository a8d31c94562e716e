package walk

import (
	"strings"
)

// The rules, as reports name them.
const (
	ruleAllocation = "allocation"
	ruleAppend     = "append"
	ruleBarrier    = "write barrier"
	ruleMap        = "map"
	ruleChannel    = "channel"
	ruleGoroutine  = "goroutine"
	ruleDefer      = "defer"
	ruleConversion = "conversion"
	ruleString     = "string"
	ruleRuntime    = "runtime"
	ruleIndirect   = "indirect call"
	ruleStack      = "stack"
	ruleRecursion  = "recursion"
	ruleFlow       = "flow"
	ruleDecode     = "unreadable"
	ruleTrap       = "trap"
	ruleHalt       = "halt"
	ruleEntry      = "entry list"
)

// crashPath are the functions of the runtime at which the walk ends. In kernel
// context each of them ends in a system call or an exception of kernel code,
// which the entries turn into a crash record. A name that ends in * stands for
// every name that starts so.
var crashPath = []struct{ name, why string }{
	{"runtime.panicBounds*", "an index or slice bound is wrong"},
	{"runtime.panicIndex*", "an index is out of range"},
	{"runtime.panicSlice*", "a slice bound is out of range"},
	{"runtime.goPanic*", "the same, as a tail of the assembly ones"},
	{"runtime.panicExtend*", "the same, on a 64-bit index"},
	{"runtime.panicdivide", "a division by zero"},
	{"runtime.panicoverflow", "a division whose quotient does not fit"},
	{"runtime.panicshift", "a shift by a negative count"},
	{"runtime.panicmem*", "a nil pointer, found by the code itself"},
	{"runtime.panicunsafe*", "an unsafe slice or string of impossible length"},
	{"runtime.panicwrap", "a method of a nil pointer"},
	{"runtime.panicnil*", "a nil dereference, found by the code itself"},
	{"runtime.panicdottype*", "a type assertion that does not hold"},
	{"runtime.gopanic", "a violated precondition: kernel code panics with a static value"},
	{"runtime.sigpanic*", "an exception that the runtime would have turned into a panic"},
	{"runtime.throw", "the runtime found itself broken"},
	{"runtime.fatal*", "the runtime found itself broken"},
	{"runtime.abort", "the end of the road"},
	{"runtime.morestack*", "the stack is used up; the bound that this walk proves makes it unreachable"},
}

// allowed are the functions of the runtime that kernel code may call. The walk
// goes into them as into any other function.
var allowed = []struct{ name, why string }{
	{"runtime.memmove", "copies; needs no g, no stack to speak of"},
	{"runtime.memclrNoHeapPointers", "clears; a leaf"},
	{"runtime.memequal*", "compares; a leaf"},
	{"runtime.strequal", "compares strings through memequal"},
	{"runtime.cmpstring", "compares; a leaf"},
	{"runtime.duffcopy", "unrolled copy; a leaf"},
	{"runtime.duffzero", "unrolled clear; a leaf"},
	{"internal/runtime/atomic.*", "atomic instructions"},
	{"internal/runtime/sys.*", "bit counting"},
	{"internal/runtime/math.*", "arithmetic"},
}

// forbiddenCalls sorts the functions of the runtime that restricted Go rules
// out, so that a report says which rule is broken, not only where. What is in
// no list is forbidden too.
var forbiddenCalls = []struct{ rule, why, names string }{
	{ruleAppend, "append to a slice that may have to grow", "growslice*"},
	{ruleAllocation, "it allocates", "newobject mallocgc* makeslice* newarray persistentalloc* unsafe_New* mallocTiny* mallocInit*"},
	{ruleBarrier, "a pointer is stored where the collector must know of it",
		"gcWriteBarrier* wbZero wbMove typedmemmove* typedmemclr* typedslicecopy* bulkBarrier* memclrHasPointers reflect_typed*"},
	{ruleMap, "it uses a map", "makemap* mapaccess* mapassign* mapdelete* mapclear* mapclone* mapiter* mapIter* mapKey*"},
	{ruleChannel, "it uses a channel", "makechan* chansend* chanrecv* chanlen chancap closechan selectgo selectnb* block"},
	{ruleGoroutine, "it needs the scheduler of the runtime", "newproc* gopark* goready* Gosched goschedguarded goexit*"},
	{ruleDefer, "it defers or recovers", "deferproc* deferreturn deferrangefunc deferconvert gorecover"},
	{ruleConversion, "it converts to or between interfaces", "convT* convI* assertE2I* typeAssert interfaceSwitch efaceeq ifaceeq interequal nilinterequal getitab"},
	{ruleString, "it makes a string or a slice of one", "concatstring* concatbyte* intstring slicebytetostring* slicerunetostring stringtoslice* rawstring* rawbyteslice rawruneslice"},
}

// matches tells whether name is one that pattern stands for.
func matches(pattern, name string) bool {
	if stem, open := strings.CutSuffix(pattern, "*"); open {
		return strings.HasPrefix(name, stem)
	}
	return pattern == name
}

// ofRuntime tells whether a function belongs to the Go runtime, whose code
// assumes a goroutine around it unless the allowed list says otherwise.
func ofRuntime(name string) bool {
	return strings.HasPrefix(name, "runtime.") || strings.HasPrefix(name, "runtime/") ||
		strings.HasPrefix(name, "internal/runtime/") || strings.HasPrefix(name, "gogo")
}

// crash tells whether the walk ends at fn.
func (*config) crash(fn *function) bool {
	if fn == nil {
		return false
	}
	for _, c := range crashPath {
		if matches(c.name, fn.name) {
			return true
		}
	}
	return false
}

// denied names the rule that a call of fn breaks, "" if it breaks none.
func (*config) denied(fn *function) (rule, why string) {
	if fn == nil || !ofRuntime(fn.name) {
		return "", ""
	}
	for _, a := range allowed {
		if matches(a.name, fn.name) {
			return "", ""
		}
	}
	if strings.HasPrefix(fn.name, "internal/runtime/maps.") {
		return ruleMap, fn.name + ": it uses a map"
	}
	short := strings.TrimPrefix(fn.name, "runtime.")
	for _, f := range forbiddenCalls {
		for _, pattern := range strings.Fields(f.names) {
			if matches(pattern, short) {
				return f.rule, fn.name + ": " + f.why
			}
		}
	}
	return ruleRuntime, fn.name + ": not on the list of what kernel code may call of the runtime"
}
