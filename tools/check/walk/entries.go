package walk

import (
	"bufio"
	"fmt"
	"os"
	"slices"
	"strings"
)

// entry is a symbol at which the machine enters kernel code.
type entry struct {
	symbol string
	own    int    // bytes of the stack that it begins on; 0: the program's, not to be touched
	loaded int    // bytes of the smallest stack that it may change to
	line   int    // of the list
	why    string // for what is no entry: the reason given
}

// config is the entry list: where kernel code begins, and what the assembly
// around it does that no rule can tell from a mistake.
type config struct {
	file    string
	entries []entry
	halts   []entry // may halt for good: interrupts are off and stay off
	exits   []entry // jump through a register back to the program, or to another entry
	skipped []entry // is not 64-bit kernel code

	// folders are the import paths whose assembly is kernel code as a whole.
	folders []string
}

// readConfig reads an entry list:
//
//	# comment
//	stack OWN LOADED     the stacks of the entries below: bytes of the one that
//	                     they begin on (0: the program's, which is not touched),
//	                     bytes of the smallest that they change to
//	SYMBOL               an entry
//	halt SYMBOL WHY      may hold a HLT that no STI precedes
//	exit SYMBOL WHY      its register-indirect JMP leaves the kernel's code
//	skip SYMBOL WHY      is not walked: not 64-bit code, or not of the kernel
func readConfig(name string) (*config, error) {
	file, err := os.Open(name)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	cfg := &config{file: name}
	var stack [2]int
	lines := bufio.NewScanner(file)
	for n := 1; lines.Scan(); n++ {
		text, _, _ := strings.Cut(lines.Text(), "#")
		if words := strings.Fields(text); len(words) > 0 {
			if err := cfg.add(words, n, &stack); err != nil {
				return nil, fmt.Errorf("%s:%d: %w", name, n, err)
			}
		}
	}
	if len(cfg.entries) == 0 && lines.Err() == nil {
		return nil, fmt.Errorf("%s: no entry is listed", name)
	}
	return cfg, lines.Err()
}

// add takes one line of the list.
func (cfg *config) add(words []string, line int, stack *[2]int) error {
	if words[0] == "stack" {
		_, err := fmt.Sscanf(strings.Join(words[1:], " "), "%d %d", &stack[0], &stack[1])
		if err != nil || len(words) != 3 || min(stack[0], stack[1]) < 0 {
			return fmt.Errorf("a stack line is: stack OWN LOADED")
		}
		return nil
	}
	lists := map[string]*[]entry{"halt": &cfg.halts, "exit": &cfg.exits, "skip": &cfg.skipped}
	list, special := lists[words[0]]
	switch {
	case special && len(words) < 3:
		return fmt.Errorf("a %s line is: %s SYMBOL WHY", words[0], words[0])
	case special:
		*list = append(*list, entry{symbol: words[1], line: line, why: strings.Join(words[2:], " ")})
	case len(words) > 1:
		return fmt.Errorf("unknown line %q; known: stack, halt, exit, skip, or one symbol", words[0])
	default:
		cfg.entries = append(cfg.entries, entry{symbol: words[0], line: line, own: stack[0], loaded: stack[1]})
	}
	return nil
}

func listed(list []entry, fn *function) bool {
	return fn != nil && slices.ContainsFunc(list, func(e entry) bool { return e.symbol == fn.name })
}

func (cfg *config) leaves(fn *function) bool { return listed(cfg.exits, fn) }
func (cfg *config) skips(fn *function) bool  { return listed(cfg.skipped, fn) }
func (cfg *config) stops(fn *function) bool  { return listed(cfg.halts, fn) }

// ours tells whether a function is of the kernel's own folders.
func (cfg *config) ours(fn *function) bool {
	return slices.ContainsFunc(cfg.folders, func(folder string) bool { return strings.HasPrefix(fn.file, folder+"/") })
}
