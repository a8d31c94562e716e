package check

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"hearth/tools/check/walk"
	"hearth/tools/image"
)

// kernelFolders hold the assembly that is kernel code as a whole.
var kernelFolders = []string{"hearth/kernel", "hearth/boot", "hearth/smp"}

// runWalk proves restricted Go on the default image, which it builds: a proof of
// an ELF that is older than the source would be none.
func runWalk(req *request) (result, error) {
	if req.elf == "" {
		built, err := image.Build(context.Background(), image.Options{Dir: req.root, Stderr: req.stderr})
		if err != nil {
			return result{}, err
		}
		req.elf = built.Symbols
	}
	report, err := walk.Walk(walk.Options{
		ELF:     req.elf,
		Entries: filepath.Join(req.root, "kernel", "entries.txt"),
		Folders: kernelFolders,
	})
	if err != nil {
		return result{}, fmt.Errorf("%w: %w", errInput, err)
	}
	if req.verb {
		req.listStacks("entry", report.Entries)
		req.listStacks("function", report.Funcs)
	}
	var res result
	short := func(text string) string { return strings.ReplaceAll(text, req.root+string(os.PathSeparator), "") }
	for _, f := range report.Findings {
		res.findings = append(res.findings, finding{short(f.Where), fmt.Sprintf("[%s] %s", f.Rule, short(f.What))})
	}
	deepest := deepestOf(report.Entries)
	res.summary = fmt.Sprintf("%d entries, %d functions, %d instructions, %d calls into the crash path, deepest stack %d bytes from %s",
		len(report.Entries), len(report.Funcs), report.Insts, report.Crashes, max(deepest.Own, deepest.Loaded), deepest.Name)
	return res, nil
}

// listStacks prints the needs that the walk computed, in bytes.
func (req *request) listStacks(kind string, stacks []walk.Stack) {
	fmt.Fprintf(req.stdout, "%7s %7s  %s\n", "own", "loaded", kind)
	for _, s := range stacks {
		fmt.Fprintf(req.stdout, "%7d %7d  %s\n", s.Own, s.Loaded, s.Name)
	}
}

func deepestOf(stacks []walk.Stack) walk.Stack {
	var deepest walk.Stack
	for _, s := range stacks {
		if max(s.Own, s.Loaded) > max(deepest.Own, deepest.Loaded) {
			deepest = s
		}
	}
	return deepest
}
