// Package smp makes CPUs obey: it starts secondaries, kicks, sets alarms and
// halts. It chooses nothing: who is kicked and when is decided in sched.
//
// All of it is restricted Go that runs in kernel context.
package smp
