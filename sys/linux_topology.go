package sys

import (
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
)

// linuxTopology reads the folders cpu and node below root. Linux numbers cores
// within a package and names a cache by the CPUs that share it, so each group is
// known by its lowest CPU first and numbered afterwards.
func linuxTopology(root string) (*Topology, error) {
	online := readMask(filepath.Join(root, "cpu/online"))
	if online.IsEmpty() {
		online = processMask
	}
	if online.IsEmpty() {
		return nil, &Error{"topology", root + " names no online CPU", syscall.ENOENT}
	}
	t := new(Topology)
	for id := online.First(); id >= 0; id = online.Next(id) {
		t.CPUs = append(t.CPUs, linuxCPU(filepath.Join(root, "cpu/cpu"+strconv.Itoa(id)), id))
	}
	t.number(func(c *CPU) *int { return &c.Core })
	t.number(func(c *CPU) *int { return &c.LLC })
	t.number(func(c *CPU) *int { return &c.Node })
	t.number(func(c *CPU) *int { return &c.Package })
	return t, nil
}

func linuxCPU(dir string, id int) CPU {
	siblings := readMask(filepath.Join(dir, "topology/thread_siblings_list"))
	siblings.Set(id)
	c := CPU{ID: id, Core: siblings.First(), SMT: rank(&siblings, id)}
	c.Package = readNumber(filepath.Join(dir, "topology/physical_package_id"))
	if shared := lastLevelCache(dir); shared.Has(id) {
		c.LLC = shared.First()
	} else if shared = readMask(filepath.Join(dir, "topology/package_cpus_list")); shared.Has(id) {
		c.LLC = shared.First()
	}
	if nodes, _ := filepath.Glob(filepath.Join(dir, "node[0-9]*")); len(nodes) > 0 {
		c.Node, _ = strconv.Atoi(strings.TrimPrefix(filepath.Base(nodes[0]), "node"))
	}
	return c
}

// lastLevelCache returns the CPUs that share the cache of the highest level.
func lastLevelCache(dir string) Mask {
	var shared Mask
	highest := 0
	caches, _ := filepath.Glob(filepath.Join(dir, "cache/index[0-9]*"))
	for _, cache := range caches {
		if level := readNumber(filepath.Join(cache, "level")); level > highest {
			highest = level
			shared = readMask(filepath.Join(cache, "shared_cpu_list"))
		}
	}
	return shared
}

// number replaces each group's name by its rank, in order of first appearance.
func (t *Topology) number(field func(*CPU) *int) {
	numbers := map[int]int{}
	for i := range t.CPUs {
		name := field(&t.CPUs[i])
		if _, known := numbers[*name]; !known {
			numbers[*name] = len(numbers)
		}
		*name = numbers[*name]
	}
}

func rank(m *Mask, id int) int {
	n := 0
	for c := m.First(); c < id; c = m.Next(c) {
		n++
	}
	return n
}

// readMask returns the empty set for a file that is missing or no list of CPUs.
func readMask(file string) Mask {
	m, _ := ParseMask(readText(file))
	return m
}

// readNumber returns 0 for a file that is missing or holds no number.
func readNumber(file string) int {
	n, err := strconv.Atoi(strings.TrimSpace(readText(file)))
	if err != nil || n < 0 {
		return 0
	}
	return n
}

// readText returns "" for a file that is missing.
func readText(file string) string {
	text, _ := os.ReadFile(file)
	return string(text)
}
