package kernel

import (
	"hearth/boot"
	"unsafe"
)

// consoleLock keeps what one caller writes together.
var consoleLock spinLock

// say writes one line to the console: "hearth: " and the text.
func say(text string) {
	consoleLock.lock()
	put("hearth: ")
	put(text)
	put("\n")
	consoleLock.unlock()
}

// put and the functions below write to the console; their caller holds
// consoleLock.
func put(text string) {
	for i := 0; i < len(text); i++ {
		boot.PutConsole(text[i])
	}
}

// putBytes writes n bytes at an address of the kernel.
func putBytes(at uintptr, n int) {
	for i := 0; i < n; i++ {
		boot.PutConsole(*(*byte)(unsafe.Pointer(at + uintptr(i))))
	}
}

func putDecimal(n uint64) {
	var digits [20]byte
	at := len(digits)
	for {
		at--
		digits[at] = '0' + byte(n%10)
		n /= 10
		if n == 0 {
			break
		}
	}
	for ; at < len(digits); at++ {
		boot.PutConsole(digits[at])
	}
}

func putSigned(n int64) {
	if n < 0 {
		put("-")
		n = -n
	}
	putDecimal(uint64(n))
}

func putHex(n uint64) {
	put("0x")
	putHexDigits(n, 16)
}

func putHexDigits(n uint64, digits int) {
	for shift := (digits - 1) * 4; shift >= 0; shift -= 4 {
		boot.PutConsole("0123456789abcdef"[n>>uint(shift)&15])
	}
}
