package boot

import "github.com/usbarmory/tamago/soc/intel/uart"

// The serial ports: the console, and the port that carries a trace dump.
var (
	com1 = uart.UART{Index: 1, Base: 0x3f8}
	com2 = uart.UART{Index: 2, Base: 0x2f8}
)

// OpenConsole makes the first serial port ready.
func OpenConsole() { com1.Init() }

// PutConsole writes one byte to the console; a line end becomes CR LF nowhere:
// readers of the port get what was written.
func PutConsole(c byte) { com1.Tx(c) }

// OpenDump makes the second serial port ready, which carries bytes, not text.
func OpenDump() { com2.Init() }

// PutDump writes one byte to the second serial port.
func PutDump(c byte) { com2.Tx(c) }
