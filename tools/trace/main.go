package trace

import (
	"bufio"
	"errors"
	"flag"
	"fmt"
	"io"
	"strings"
)

const usage = `usage: hearth trace [-json] [-kind KIND,...] FILE

Prints the trace that hearth run -trace FILE wrote, in the order of time: a
table, or with -json one object a line.
`

// Main is the command `hearth trace FILE`. It returns the exit status: 0, or 2
// after one line that says what is wrong with the arguments or the file.
func Main(args []string, stdout, stderr io.Writer) int {
	fs := flag.NewFlagSet("hearth trace", flag.ContinueOnError)
	fs.SetOutput(io.Discard)
	asJSON := fs.Bool("json", false, "")
	kinds := fs.String("kind", "", "")
	err := fs.Parse(args)
	if errors.Is(err, flag.ErrHelp) {
		fmt.Fprint(stdout, usage)
		return 0
	}
	if err == nil && fs.NArg() != 1 {
		err = fmt.Errorf("%d files named, one is wanted; see hearth trace -h", fs.NArg())
	}
	if err == nil {
		err = show(stdout, fs.Arg(0), *asJSON, *kinds)
	}
	if err != nil {
		fmt.Fprintf(stderr, "hearth trace: %v\n", err)
		return 2
	}
	return 0
}

// show prints one file.
func show(stdout io.Writer, name string, asJSON bool, kinds string) error {
	wanted, err := parseKinds(kinds)
	if err != nil {
		return err
	}
	d, err := ReadFile(name)
	if err != nil {
		return err
	}
	out := bufio.NewWriter(stdout)
	write := WriteTable
	if asJSON {
		write = WriteJSON
	}
	if err := write(out, d, wanted); err != nil {
		return err
	}
	return out.Flush()
}

// parseKinds reads a list of kind names; the empty list is every kind.
func parseKinds(list string) (func(Kind) bool, error) {
	if list == "" {
		return func(Kind) bool { return true }, nil
	}
	wanted := map[Kind]bool{}
	for _, name := range strings.Split(list, ",") {
		k := KindSpawn
		for k <= KindExit && k.String() != name {
			k++
		}
		if k > KindExit {
			return nil, fmt.Errorf("unknown kind %q; known: %s", name, kindNames())
		}
		wanted[k] = true
	}
	return func(k Kind) bool { return wanted[k] }, nil
}

func kindNames() string {
	var names []string
	for k := KindSpawn; k <= KindExit; k++ {
		names = append(names, k.String())
	}
	return strings.Join(names, ", ")
}
