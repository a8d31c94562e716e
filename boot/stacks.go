package boot

// StackOf returns to which stack's stretch of addresses an address belongs, that
// of [MapStack]'s number n, and how far it is below the stack's top, in bytes; -1
// where no stack is.
func StackOf(va uintptr) (n int, below uintptr) {
	if va < StackBase {
		return -1, 0
	}
	at := va - StackBase
	return int(at / stackStride), stackStride - at%stackStride
}

// StackTop returns the top of stack number n.
func StackTop(n int) uintptr { return uintptr(StackBase) + uintptr(n+1)*stackStride }
