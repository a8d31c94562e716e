package kernel

// Called by assembly only; named here so that the linter sees what hangs on
// them. Assembly: entry_amd64.s, vectors_amd64.s.
var (
	_ = prepare
	_ = bootMain
	_ = secondaryMain
	_ = onSystemCall
	_ = onInterrupt
	_ = onFault
)
