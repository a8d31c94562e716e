package smp

// HaltForInterrupt stops the calling CPU until an interrupt has been taken;
// interrupts are off again when it returns. The caller has published that it
// halts and looked for work after that.
func HaltForInterrupt()

// LetInterruptsIn takes the interrupts that are pending, if there are any, and
// returns with interrupts off again.
func LetInterruptsIn()
