package qemu

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"os/exec"
	"strings"
	"time"
)

// floor lists the CPU features without which the kernel refuses to start.
var floor = []string{"fsgsbase", "xsave", "nx", "rdtscp"}

// modelDeadline bounds the question to QEMU, which takes a tenth of a second.
const modelDeadline = 10 * time.Second

// checkModel asks QEMU what a CPU model has. Below the floor a guest would print
// a refusal at best, and at worst nothing.
func (m Machine) checkModel() error {
	if m.Model == "" || m.Model == AMD {
		return nil
	}
	path, err := find()
	if err != nil {
		return err
	}
	features, err := expandModel(path, m.Model)
	if err != nil {
		return err
	}
	var missing []string
	for _, name := range floor {
		if on, _ := features[name].(bool); !on {
			missing = append(missing, strings.ToUpper(name))
		}
	}
	if len(missing) > 0 {
		return fmt.Errorf("CPU model %s lacks %s, which Hearth needs: leave the model out, or name one such as EPYC-Rome or Haswell", m.Model, strings.Join(missing, ", "))
	}
	return nil
}

// expandModel returns all properties that QEMU gives a CPU model under TCG.
func expandModel(path, model string) (map[string]any, error) {
	name, props := splitModel(model)
	question, err := json.Marshal(map[string]any{
		"execute": "query-cpu-model-expansion",
		"arguments": map[string]any{
			"type":  "full",
			"model": map[string]any{"name": name, "props": props},
		},
	})
	if err != nil {
		return nil, err
	}
	ctx, cancel := context.WithTimeout(context.Background(), modelDeadline)
	defer cancel()
	cmd := exec.CommandContext(ctx, path, "-M", "none", "-accel", "tcg", "-nodefaults", "-display", "none", "-qmp", "stdio")
	cmd.Stdin = strings.NewReader(`{"execute":"qmp_capabilities"}` + "\n" + string(question) + "\n" + `{"execute":"quit"}` + "\n")
	out, err := cmd.Output()
	if err != nil {
		return nil, fmt.Errorf("asking QEMU about CPU model %s: %w", model, err)
	}
	return readExpansion(model, out)
}

// readExpansion finds the answer among the lines that QEMU wrote: a greeting, an
// answer to each command, and events.
func readExpansion(model string, lines []byte) (map[string]any, error) {
	for line := range bytes.Lines(lines) {
		var answer struct {
			Return struct {
				Model *struct{ Props map[string]any }
			}
			Error *struct{ Desc string }
		}
		if json.Unmarshal(line, &answer) != nil {
			continue
		}
		switch {
		case answer.Error != nil:
			return nil, fmt.Errorf("CPU model %s: QEMU says: %s (`%s -cpu help` lists the models)", model, answer.Error.Desc, program)
		case answer.Return.Model != nil:
			return answer.Return.Model.Props, nil
		}
	}
	return nil, fmt.Errorf("CPU model %s: QEMU gave no answer about it", model)
}

// splitModel takes a -cpu argument apart: NAME,+feature,-feature,key=value.
func splitModel(model string) (name string, props map[string]any) {
	words := strings.Split(model, ",")
	props = map[string]any{}
	for _, w := range words[1:] {
		key, value, set := strings.Cut(w, "=")
		switch {
		case strings.HasPrefix(w, "+"):
			props[w[1:]] = true
		case strings.HasPrefix(w, "-"):
			props[w[1:]] = false
		case !set || value == "on":
			props[key] = true
		case value == "off":
			props[key] = false
		default:
			props[key] = value
		}
	}
	return words[0], props
}
