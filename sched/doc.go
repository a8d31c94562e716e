// Package sched says who runs where and when: handles, run queues, placement,
// wake-up, balance, idle, slices, alarms.
//
// It calls nothing and knows no clock. Each call is made in kernel context on the
// CPU that is its first argument, with interrupts off and with the time since boot;
// what the caller must carry out afterwards (kicks to send) comes back in Actions,
// what it must resume and which alarm it must arm is returned by Pass, with which
// every kernel entry ends.
//
// A CPU's queues, alarms and current context are touched by that CPU alone. What
// others see of it is its handle: they read it to place and to pull, and post to
// its inbox and its requests. All that is shared is single atomic words; Go's
// atomics are sequentially consistent, and each comment on an order names the
// access that it pairs with.
//
// The kernel, with a static Scheduler, and the simulator run this same code. It is
// restricted Go: no allocation, no pointer in the state, no initialiser. Files whose
// names end in _text are for programs and hosts only.
package sched
