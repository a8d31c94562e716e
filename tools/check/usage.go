package check

import (
	"errors"
	"flag"
	"fmt"
	"slices"
)

// usage prints the help text when it was asked for, and otherwise makes the
// error of a flag one line that ends with the way out.
func (req *request) usage(fs *flag.FlagSet, err error) error {
	if !errors.Is(err, flag.ErrHelp) {
		return fmt.Errorf("%v; see hearth check -h", err)
	}
	fmt.Fprintln(req.stdout, "usage: hearth check [check ...] [flags]\n\nchecks (all when none is named):")
	for _, c := range checks {
		fmt.Fprintf(req.stdout, "  %-9s %s\n", c.name, c.about)
	}
	fmt.Fprintln(req.stdout, "\nflags:")
	fs.SetOutput(req.stdout)
	fs.PrintDefaults()
	return err
}

func checkNames() []string {
	var names []string
	for _, c := range checks {
		names = append(names, c.name)
	}
	return names
}

func known(name string) bool { return slices.Contains(checkNames(), name) }
