package main

import (
	"errors"
	"flag"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"
)

// helpError carries the text that -h asked for.
type helpError struct{ text string }

func (helpError) Error() string { return "help was asked for" }

// newFlags makes a flag set that leaves all printing to its caller.
func newFlags(name string) *flag.FlagSet {
	fs := flag.NewFlagSet(name, flag.ContinueOnError)
	fs.SetOutput(io.Discard)
	fs.Usage = func() {}
	return fs
}

// parse reads flags before and after the other words, and returns those words
// and what stands behind the first "--".
func parse(fs *flag.FlagSet, args []string) (words, behind []string, err error) {
	if i := slices.Index(args, "--"); i >= 0 {
		args, behind = args[:i], args[i+1:]
	}
	for {
		if err := fs.Parse(args); err != nil {
			return nil, nil, explain(fs, err)
		}
		if fs.NArg() == 0 {
			return words, behind, nil
		}
		words = append(words, fs.Arg(0))
		args = fs.Args()[1:]
	}
}

// explain turns the flag package's error into one line with a way out.
func explain(fs *flag.FlagSet, err error) error {
	if errors.Is(err, flag.ErrHelp) {
		var b strings.Builder
		fs.SetOutput(&b)
		fs.PrintDefaults()
		return helpError{b.String()}
	}
	text := err.Error()
	if name, ok := strings.CutPrefix(text, "flag provided but not defined: "); ok {
		text = "unknown flag " + name
	}
	return fmt.Errorf("%s; `hearth %s -h` lists the flags", text, fs.Name())
}

// atMost refuses surplus words.
func atMost(n int, words []string) error {
	if len(words) > n {
		return fmt.Errorf("unexpected argument %q", words[n])
	}
	return nil
}

// size is a flag value in bytes, given as 512M or 2G.
type size int64

func (s *size) String() string { return strconv.FormatInt(int64(*s)>>20, 10) + "M" }

// Set implements flag.Value.
func (s *size) Set(text string) error {
	shift := strings.Index("KMGT", strings.ToUpper(text[max(0, len(text)-1):]))
	digits, scale := text, 0
	if text != "" && shift >= 0 {
		digits, scale = text[:len(text)-1], 10*(shift+1)
	}
	n, err := strconv.ParseInt(digits, 10, 64)
	if err != nil || n < 0 || n<<scale>>scale != n {
		return errors.New("a size such as 512M or 2G was expected")
	}
	*s = size(n << scale)
	return nil
}
