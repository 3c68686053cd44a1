# gpuboot: `make help` lists what there is. Everything runs on a laptop; only the first e2e run needs minutes.

SHELL := /bin/bash
.SHELLFLAGS := -euo pipefail -c
.DELETE_ON_ERROR:
MAKEFLAGS += --no-builtin-rules

GO ?= go
VERSION ?= $(shell git describe --tags --always --dirty 2>/dev/null || echo dev)
GOARCH := $(shell $(GO) env GOARCH)

# How long each fuzz target runs.
FUZZTIME ?= 20s
# Benchmarks to run, and where.
BENCH ?= .
BENCHTIME ?= 1s
BENCHPKGS ?= ./...
# e2e: K3S, a k3s executable instead of the stand-in; INVENTORY, your own machines instead of hosts booted here;
# RUN, a regular expression that names scenarios.
K3S ?=
INVENTORY ?=
RUN ?= .

TOOLS := .cache/tools
LINTER := $(TOOLS)/golangci-lint
STANDIN := .cache/standin/k3s
STANDIN_SOURCES := $(shell find e2e/standin -path e2e/standin/cmd -prune -o -type f -not -name '*_test.go' -print)
IMAGES := .cache/standin/images/test.tar
IMAGES_SOURCES := $(shell find e2e/standin/cmd/images e2e/standin/internal/config -type f -not -name '*_test.go')

.PHONY: build
build: ## build bin/gpuboot (the default)
	CGO_ENABLED=0 $(GO) build -trimpath -ldflags '-s -w -X github.com/gpuboot/gpuboot/cmd/gpuboot/app.Version=$(VERSION)' -o bin/gpuboot ./cmd/gpuboot

.PHONY: test
test: ## unit tests of everything, with the race detector
	$(GO) test -race -timeout 5m ./...
	cd e2e/standin && fast=$$($(STANDIN_FAST)) && $(GO) test -race -timeout 5m $$fast

# The stand-in's packages that don't pull in Kubernetes, etcd or flannel: those would take minutes to build.
STANDIN_FAST = $(GO) list -f '{{.ImportPath}} {{join .Deps " "}}' ./... | \
	awk '!/ (k8s\.io\/(kubernetes|apiserver|kubectl|client-go)|go\.etcd\.io|github\.com\/flannel-io)\// { print $$1 }'

.PHONY: lint
lint: lint-format lint-vet lint-go lint-shell ## gofmt, go vet, golangci-lint (staticcheck is one of its linters), shellcheck

.PHONY: lint-format lint-vet lint-go lint-shell
lint-format:
	@bad=$$(git ls-files -co --exclude-standard '*.go' | xargs -r gofmt -l); \
	if [ -n "$$bad" ]; then echo "not gofmt-ed (make fix does it):"; echo "$$bad"; exit 1; fi

lint-vet:
	$(GO) vet -tags e2e ./...

lint-go: $(LINTER)
	$(LINTER) run ./...

lint-shell:
	@git ls-files -co --exclude-standard | while read -r f; do \
		if [[ $$f == *.sh ]] || head -c 80 "$$f" | head -n 1 | grep -qaE '^#!.*\b(ba|da)?sh\b'; then echo "$$f"; fi; \
	done | xargs -r shellcheck

.PHONY: fix
fix: $(LINTER) ## let gofmt and the linters repair what they can
	git ls-files -co --exclude-standard '*.go' | xargs -r gofmt -w
	$(LINTER) run --fix ./... || true

# The linter has a module of its own, so that its hundreds of dependencies stay out of the product's go.mod.
$(LINTER): tools/go.mod tools/go.sum
	mkdir -p $(@D)
	cd tools && $(GO) build -o ../$@ github.com/golangci/golangci-lint/v2/cmd/golangci-lint

.PHONY: standin
standin: $(STANDIN) $(IMAGES) ## build the k3s stand-in of the end-to-end tests, and their container images

$(STANDIN): $(STANDIN_SOURCES)
	mkdir -p $(@D)
	cd e2e/standin && CGO_ENABLED=0 $(GO) build -trimpath -ldflags '-s -w' -o ../../$@ .
	cd $(@D) && sha256sum k3s > sha256sum-$(GOARCH).txt

# The images are a static busybox: nothing is pulled. Debian's busybox-static has it.
BUSYBOX ?= /bin/busybox
$(IMAGES): $(IMAGES_SOURCES) $(BUSYBOX)
	mkdir -p $(@D)
	cd e2e/standin && $(GO) run ./cmd/images -busybox $(BUSYBOX) ../../$@

$(BUSYBOX):
	apt-get install -q -y busybox-static

# The programs and the image that hosts are booted with: nothing to do the second time.
.PHONY: e2e-hosts
e2e-hosts:
	command -v tmux >/dev/null || apt-get install -q -y tmux
	$(GO) run ./e2e/hosts/cmd/testhosts prepare --install

E2E_K3S = $(if $(K3S),$(abspath $(K3S)),$(abspath $(STANDIN)))
E2E_ENV = GPUBOOT_E2E_GPUBOOT=$(abspath bin/gpuboot) GPUBOOT_E2E_K3S=$(E2E_K3S) \
	GPUBOOT_E2E_IMAGES=$(abspath $(dir $(IMAGES))) GPUBOOT_E2E_INVENTORY=$(if $(INVENTORY),$(abspath $(INVENTORY)))
E2E_NEEDS = $(if $(INVENTORY),,e2e-hosts) build $(IMAGES) $(if $(K3S),,$(STANDIN))
# One package after the other: each boots hosts of its own. The scenarios print what they measured.
E2E = $(E2E_ENV) $(GO) test -tags e2e -count 1 -p 1 -run '$(RUN)'

.PHONY: e2e
e2e: $(E2E_NEEDS) ## scenarios on real hosts, the quick ones [K3S=file INVENTORY=file RUN=regexp]
	$(E2E) -short -v -timeout 40m ./e2e
	$(E2E) -short -timeout 10m ./e2e/hosts/...

.PHONY: e2e-full
e2e-full: $(E2E_NEEDS) ## all scenarios [K3S=file INVENTORY=file RUN=regexp]
	$(E2E) -v -timeout 120m ./e2e
	$(E2E) -timeout 10m ./e2e/hosts/...

.PHONY: bench
bench: ## benchmarks as a table [BENCH=regexp BENCHTIME=1s BENCHPKGS=./...]
	@$(GO) test -run '^$$' -bench '$(BENCH)' -benchtime $(BENCHTIME) -benchmem $(BENCHPKGS) | awk -f tools/bench.awk

.PHONY: fuzz
fuzz: ## every fuzz target for a while [FUZZTIME=20s]
	@git grep -hoE --untracked '^func Fuzz[A-Za-z0-9_]+' -- '*_test.go' > /dev/null || { echo "no fuzz targets"; exit 1; }
	@git grep -oE --untracked '^func Fuzz[A-Za-z0-9_]+' -- '*_test.go' | sed -E 's|^(.*)/[^/]*:func |\1 |' | sort -u | \
	while read -r dir target; do \
		echo "$$dir $$target"; \
		(cd "$$dir" && $(GO) test -run '^$$' -fuzz "^$$target$$" -fuzztime $(FUZZTIME) .) || exit 1; \
	done

.PHONY: clean
clean: ## remove what was built here (Go's own cache and the e2e image stay)
	rm -rf bin .cache

.PHONY: help
help: ## this list
	@grep -hE '^[a-z0-9-]+:.*## ' $(MAKEFILE_LIST) | sed -E 's/^([a-z0-9-]+):.*## /\1\t/' | expand -t 12
