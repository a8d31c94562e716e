package sim

import (
	"fmt"
	"strings"
)

// costs reads the name of a preset.
func (p *parser) costs(args []string) error {
	if len(args) != 1 || presets[args[0]] == nil {
		return fmt.Errorf("%q: want one of %s", strings.Join(args, " "), strings.Join(sortedKeys(presets), " "))
	}
	p.sc.Costs = args[0]
	return nil
}

// presets are the machines whose costs a scenario can be charged.
var presets = map[string]*costs{"amd-2llc": {}, "amd-8llc": {}, "desktop-1llc": {}, "hybrid": {}, "vm": {}}

type costs struct{}
