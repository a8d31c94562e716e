package sys

import "syscall"

// Error is what a refused call returns. errors.Is finds the errno behind it:
// errors.Is(err, syscall.EAGAIN).
type Error struct {
	Call  string        // the call as its user names it: "spawn", "futex wait"
	Text  string        // the input that was refused, and why
	Errno syscall.Errno // the same refusal as a Linux error number
}

// Error returns the call and the refused input in one line.
func (e *Error) Error() string { return "sys: " + e.Call + ": " + e.Text }

// Unwrap returns the error number.
func (e *Error) Unwrap() error { return e.Errno }

// The outcomes of a wait are values made once: a wait may fail a million times a
// second without allocating.
var (
	// ErrChanged: the word did not hold the expected value, nothing waited.
	ErrChanged = &Error{"futex wait", "the word no longer holds the expected value", syscall.EAGAIN}
	// ErrTimeout: the deadline passed before a wake.
	ErrTimeout = &Error{"futex wait", "the deadline passed", syscall.ETIMEDOUT}
	// ErrRequeueChanged: the word did not hold the expected value, nobody was woken or moved.
	ErrRequeueChanged = &Error{"futex requeue", "the word no longer holds the expected value", syscall.EAGAIN}
)
