package check

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"

	"hearth/tools/check/walk"
)

// kernelFolders hold the assembly that is kernel code as a whole.
var kernelFolders = []string{"hearth/kernel", "hearth/boot", "hearth/smp"}

// runWalk proves restricted Go on the kernel that was built last.
func runWalk(req *request) (result, error) {
	report, err := walk.Walk(walk.Options{
		ELF:     cmp.Or(req.elf, filepath.Join(req.root, "build", "hearth.sym.elf")),
		Entries: filepath.Join(req.root, "kernel", "entries.txt"),
		Folders: kernelFolders,
	})
	if errors.Is(err, fs.ErrNotExist) {
		return result{}, fmt.Errorf("%w: %w; hearth build makes the ELF", errInput, err)
	}
	if err != nil {
		return result{}, fmt.Errorf("%w: %w", errInput, err)
	}
	if req.verb {
		req.listStacks("entry", report.Entries)
		req.listStacks("function", report.Funcs)
	}
	var res result
	for _, f := range report.Findings {
		res.findings = append(res.findings, finding{f.Where, fmt.Sprintf("[%s] %s", f.Rule, f.What)})
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
