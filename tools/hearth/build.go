package main

import (
	"context"
	"errors"
	"fmt"
	"io"

	"hearth/tools/image"
)

// wholeSystem is the main package that joins the kernel and the benchmark.
const wholeSystem = "hearth"

// build makes an image and prints its name.
func build(ctx context.Context, args []string, stdout, stderr io.Writer) error {
	fs := newFlags("build")
	output := fs.String("o", "", "write the image to `FILE` (default build/NAME.elf)")
	overlay := fs.String("overlay", "", "hand `FILE` to go build -overlay")
	tags := fs.String("tags", "", "hand `TAGS` to go build -tags")
	words, behind, err := parse(fs, args)
	if err == nil {
		err = atMost(1, append(words, behind...))
	}
	if err != nil {
		return err
	}
	o := image.Options{Package: wholeSystem, Output: *output, Overlay: *overlay, Tags: *tags, Stderr: stderr}
	if len(words) == 1 {
		o.Package = words[0]
	}
	r, err := makeImage(ctx, o)
	if err != nil {
		return err
	}
	fmt.Fprintln(stdout, r.Image)
	return nil
}

// makeImage adds an exit status to what go has already explained.
func makeImage(ctx context.Context, o image.Options) (image.Result, error) {
	r, err := image.Build(ctx, o)
	if errors.Is(err, image.ErrGoBuild) {
		return r, exitError{statusUsage, nil}
	}
	return r, err
}
