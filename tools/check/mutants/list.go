package mutants

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
)

// ListName is the name of the files that list mutants which may survive.
const ListName = "mutants.json"

// Survivor is a mutant that may survive, told by what it changes.
type Survivor struct {
	File string // relative to the module's root
	Func string // or the constant
	Old  string // as Mutant has it
	New  string
	Line string // the line's text, where the others fit several mutants
	Why  string // nothing could notice it
}

// survivors is a list, held against the mutants that there are.
type survivors struct {
	why map[int]string // by id
}

// readList reads the list of c. Each entry must fit exactly one mutant: what fits
// none is about code that is gone.
func readList(c *Config, all []Mutant) (survivors, error) {
	s := survivors{map[int]string{}}
	if c.List == "" {
		return s, nil
	}
	data, err := os.ReadFile(filepath.Join(c.Root, c.List))
	if errors.Is(err, fs.ErrNotExist) {
		return s, nil
	}
	var list []Survivor
	if err == nil {
		d := json.NewDecoder(bytes.NewReader(data))
		d.DisallowUnknownFields()
		if err = d.Decode(&list); err == nil && d.Decode(&struct{}{}) != io.EOF {
			err = errors.New("something stands behind the list")
		}
	}
	if err != nil {
		return s, fmt.Errorf("%s: %w", c.List, err)
	}
	lines := map[string][][]byte{}
	for i := range list {
		if err := s.add(c, all, &list[i], lines); err != nil {
			return s, fmt.Errorf("%s: entry %d (%s %s: %s → %s): %w", c.List, i+1, list[i].File, list[i].Func, list[i].Old, list[i].New, err)
		}
	}
	return s, nil
}

// add finds the mutant that an entry means. Entries of files that are not looked
// at fit nothing and are passed over.
func (s *survivors) add(c *Config, all []Mutant, e *Survivor, lines map[string][][]byte) error {
	if e.Why == "" {
		return errors.New("says no why")
	}
	if c.Files != nil && !c.Files(e.File) {
		return nil
	}
	if lines[e.File] == nil {
		data, err := os.ReadFile(filepath.Join(c.Root, e.File))
		if err != nil {
			return err
		}
		lines[e.File] = bytes.Split(data, []byte("\n"))
	}
	found := 0
	for _, m := range all {
		same := m.File == e.File && m.Func == e.Func && m.Old == e.Old && m.New == e.New
		if same && (e.Line == "" || string(bytes.TrimSpace(lines[m.File][m.Line-1])) == e.Line) {
			found++
			s.why[m.id] = e.Why
		}
	}
	switch {
	case found == 0:
		return errors.New("fits no mutant: the code has changed, take the entry away")
	case found > 1:
		return fmt.Errorf("fits %d mutants: add the text of its \"line\"", found)
	}
	return nil
}

// explain gives the results that are listed their reasons.
func (s *survivors) explain(results []Result) {
	for i := range results {
		results[i].Why = s.why[results[i].id]
	}
}

// survivedLine is how a run tells that m has survived.
func (m *Mutant) survivedLine() string {
	return fmt.Sprintf("mutants: survived: %s (line %d)", m, m.Line)
}

// earlier reads which mutants survived in the run that Again names; nil is all.
func (c *Config) earlier() (map[string]bool, error) {
	if c.Again == "" {
		return nil, nil
	}
	data, err := os.ReadFile(c.Again)
	if err != nil {
		return nil, err
	}
	lines := map[string]bool{}
	for line := range bytes.Lines(data) {
		lines[string(bytes.TrimSpace(line))] = true
	}
	return lines, nil
}

// choose selects what -run, -again and the sample ask for.
func (c *Config) choose(all []Mutant) ([]Mutant, error) {
	survived, err := c.earlier()
	if err != nil {
		return nil, err
	}
	var chosen []Mutant
	for _, m := range all {
		if (c.Run == nil || c.Run.MatchString(m.String())) && (survived == nil || survived[m.survivedLine()]) {
			chosen = append(chosen, m)
		}
	}
	if len(chosen) == 0 {
		return nil, fmt.Errorf("no mutant of %d is selected", len(all))
	}
	if c.Sample <= 0 || c.Sample >= len(chosen) {
		return chosen, nil
	}
	r := rand.New(rand.NewPCG(c.Seed, 0))
	r.Shuffle(len(chosen), func(i, j int) { chosen[i], chosen[j] = chosen[j], chosen[i] })
	chosen = chosen[:c.Sample]
	slices.SortFunc(chosen, func(a, b Mutant) int { return a.id - b.id })
	return chosen, nil
}
