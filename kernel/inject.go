//go:build hearth_faults

package kernel

// What goes wrong on purpose: options.Faults, from fault= on the kernel command
// line. docs/faults.md says what is to come of each.

// troubled is a section of the crash record that a test wants to fail, plus 1.
var troubled int

// injectTrouble makes the writing of a section of the crash record fail.
func injectTrouble(section int) {
	if section+1 == troubled {
		readNowhere()
	}
}
