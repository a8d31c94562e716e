package overlay

import (
	"encoding/json"
	"os"
	"testing"
)

// Files of one name in two folders are two, and what stands for a path is its text.
func TestEachPathHasItsText(t *testing.T) {
	files := map[string]string{"/a/x.go": "package a", "/b/x.go": "package b", "/b/x_amd64.s": "TEXT"}
	list, err := Write(t.TempDir(), files)
	if err != nil {
		t.Fatal(err)
	}
	data, err := os.ReadFile(list)
	if err != nil {
		t.Fatal(err)
	}
	var written struct{ Replace map[string]string }
	if err := json.Unmarshal(data, &written); err != nil || len(written.Replace) != len(files) {
		t.Fatalf("%s: %v", data, err)
	}
	for path, text := range files {
		if got, err := os.ReadFile(written.Replace[path]); err != nil || string(got) != text {
			t.Errorf("%s: %q, %v", path, got, err)
		}
	}
}
