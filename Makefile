.DEFAULT_GOAL := help
.PHONY: help setup tool build run icount test sim check mutants clean

# The machine that `make run` boots.
CPUS ?= 4
LLCS ?= $(if $(filter 1 3 5 7 9 11 13 15,$(CPUS)),1,2)
SMT  ?= 1
MEM  ?= 2G
SEED ?= 0
ARGS ?=

# Runs of each scenario under each policy that `make sim` makes.
SEEDS ?= 2

HEARTH  := build/bin/hearth
MACHINE := -cpus $(CPUS) -llcs $(LLCS) -smt $(SMT) -mem $(MEM)
SUDO    := $(if $(filter 0,$(shell id -u)),,sudo)

# A Debian package is missing when the file that stands for it is. The race
# detector needs the C compiler; nothing of Hearth is in C.
have    = $(shell command -v $(1) 2>/dev/null)
MISSING = $(strip \
	$(if $(call have,qemu-system-x86_64),,qemu-system-x86) \
	$(if $(wildcard /usr/share/qemu/OVMF.fd /usr/share/ovmf/OVMF.fd),,ovmf) \
	$(if $(call have,gcc),,gcc libc6-dev))

help:
	@echo 'make run      install what is missing, build the image, boot it, print benchmark rows'
	@echo 'make test     install what is missing, run all tests: host, guests, checks and controls'
	@echo 'make sim      every scenario on the simulator: Hearth scored beside other schedulers'
	@echo 'make build    build/hearth.elf, the bootable image'
	@echo 'make check    hold source, image and controls against the rules of the project'
	@echo 'make icount   make run with counted instructions: every run is the same'
	@echo 'make setup    install what is missing (Debian packages, Go modules)'
	@echo 'make clean    remove build/'
	@echo
	@echo 'Knobs: CPUS=$(CPUS) LLCS=$(LLCS) SMT=$(SMT) MEM=$(MEM) SEED=$(SEED) ARGS="-run Wake"'

setup: build/modules.stamp
ifneq ($(MISSING),)
	@echo '== setup: installing $(MISSING)'
	@command -v apt-get >/dev/null || { echo 'make: no apt-get here: install $(MISSING) yourself' >&2; exit 2; }
	$(SUDO) apt-get update -q
	$(SUDO) env DEBIAN_FRONTEND=noninteractive apt-get install -qy --no-install-recommends $(MISSING)
endif

build/modules.stamp: go.mod
	@command -v go >/dev/null || { echo 'make: no go on the PATH: install Go 1.26 or later from https://go.dev/dl' >&2; exit 2; }
	@echo '== setup: Go modules'
	go mod download
	@mkdir -p build && touch $@

tool: setup
	@go build -o $(HEARTH) ./tools/hearth

build: tool
	$(HEARTH) build

run: tool
	$(HEARTH) run $(MACHINE) $(if $(ARGS),-- $(ARGS))

icount: tool
	$(HEARTH) run $(MACHINE) -icount -seed $(SEED) -deadline 10m $(if $(ARGS),-- $(ARGS))

# Everything but the guests' tests, through the shadow GOROOT so that the
# kernel's packages compile too.
test: build
	@echo '== host tests, with the race detector'
	$(HEARTH) go test -race -timeout 20m $$($(HEARTH) go list ./... | grep -v -e '^hearth/tests/' -e '^hearth/sched/sim')
	@echo '== simulator: one goroutine a run, so no race detector'
	go test -timeout 20m ./sched/sim/...
	@echo '== guest tests'
	$(HEARTH) go test -timeout 60m ./tests/metal
	@echo '== rules of the source and of the image'
	$(HEARTH) check edges docs walk lint
	@echo '== controls: each must turn its test red'
	$(HEARTH) check controls
	@echo '== mutants of the key and of wake-ups: 95 % must be noticed'
	$(HEARTH) check mutants -quick 500ms -files 'sched/(key|wake)\.go$$'

sim: build/modules.stamp
	@go build -o $(HEARTH) ./tools/hearth
	$(HEARTH) sim score -seeds $(SEEDS) -svg build/score.svg

check: build
	$(HEARTH) check

# Takes hours for all files: FILES= names some, ARGS="-sample 40" draws.
mutants: tool
	$(HEARTH) check mutants $(if $(FILES),-files '$(FILES)') $(ARGS)

clean:
	rm -rf build
