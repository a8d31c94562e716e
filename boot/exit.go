package boot

// isa-debug-exit: QEMU ends with status value<<1 | 1.
const (
	exitPass = 0x10
	exitFail = 0x40
	exitMost = 62

	exitDeadlock = 0x20
)

// ExitPort is isa-debug-exit's, and ExitCrashValue what [ExitCrash] writes there.
const (
	ExitPort       = 0xf4
	ExitCrashValue = 0x7f
)

// resetPort is the chipset's reset control register; 0x0e is a full reset.
const resetPort, fullReset = 0xcf9, 0x0e

// Exit ends the machine with a program's exit code: under QEMU through
// isa-debug-exit (status 33 for code 0, 129 + 2*code otherwise, codes above 62
// as 62), elsewhere by a reset.
func Exit(code int32) {
	if code == 0 {
		end(exitPass)
	}
	end(exitFail + uint32(min(uint8(code), exitMost)))
}

// ExitCrash ends the machine after a crash record: QEMU status 255.
func ExitCrash() { end(ExitCrashValue) }

// ExitDeadlock ends the machine after a report of a deadlock: QEMU status 65.
func ExitDeadlock() { end(exitDeadlock) }

func end(value uint32) {
	Out32(ExitPort, value)
	Out8(resetPort, fullReset)
	for {
		Halt()
	}
}

// Halt stops the calling CPU until a non-maskable interrupt.
func Halt()
