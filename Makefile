# Short names for what CMake, ctest and the scripts do; `make help` lists them. One build folder, build/release, serves
# make, make demo, make test and make bench.
PREFIX ?= /usr/local
# Options for every call of scripts/setup.sh, such as --no-packages.
SETUP_FLAGS ?=
BUILD := build/release
JOBS ?= $(shell nproc)
export CCACHE_BASEDIR ?= $(CURDIR)
export CCACHE_NOHASHDIR ?= 1
export CTEST_PARALLEL_LEVEL ?= $(JOBS)

.DEFAULT_GOAL := build
# CMake needs what the set-up installs, so `make -j` must not start both at once. The builds themselves use JOBS cores.
.NOTPARALLEL:
.PHONY: build programs demo test tests bench asan tsan fuzz clang format lint install wheel deb gpu-bundle clean help setup setup-test setup-lint

help:  ## list these targets
	@sed -n 's/^\([a-z-]*\):.*##/  make \1\t/p' Makefile | expand -t 18

setup:
	@scripts/setup.sh $(SETUP_FLAGS)

setup-test:
	@scripts/setup.sh --test $(SETUP_FLAGS)

$(BUILD)/build.ninja:
	@cmake --preset release

build: setup programs  ## install what is missing on this machine, and build assay into build/release/bin

programs: setup $(BUILD)/build.ninja
	@cmake --build --preset programs -j $(JOBS)

demo: programs  ## reduce a real failing model to one node
	@PATH="$(CURDIR)/$(BUILD)/bin:$$PATH" examples/demo.sh

tests: setup-test $(BUILD)/build.ninja
	@cmake --build --preset release -j $(JOBS)

test: tests  ## run every test for which this machine has what it needs
	@ctest --preset release

install:  ## install what make has built to PREFIX (default /usr/local; DESTDIR is honoured)
	@[ -x $(BUILD)/bin/assay ] || { echo 'make install: there is no $(BUILD)/bin/assay. Run make first' >&2; exit 1; }
	@cmake --install $(BUILD) --prefix "$(PREFIX)"

wheel:  ## build Python wheels in dist/, for every Python on this machine that Assay supports
	@scripts/setup.sh --wheel $(SETUP_FLAGS)
	@scripts/make-wheel.sh dist

deb:  ## build a Debian package in dist/
	@scripts/setup.sh --deb $(SETUP_FLAGS)
	@$(MAKE) --no-print-directory programs
	@scripts/make-deb.sh dist $(BUILD)

setup-lint:
	@scripts/setup.sh --lint $(SETUP_FLAGS)

format:  ## format the sources with clang-format 16
	@scripts/setup.sh --test $(SETUP_FLAGS)
	@scripts/check-format.sh --fix

lint: setup-lint tests  ## check formatting, layers and scripts, and run clang-tidy on what changed
	@scripts/check-format.sh
	@scripts/check-layers.sh
	@scripts/check-filesystem.sh
	@scripts/check-scripts.sh
	@scripts/check-tidy.sh $(BUILD)

bench: setup-test programs  ## measure commands, engines and the Python package against Polygraphy
	@cmake --build --preset release --target assay_bench_compare assay_bench_engines assay_extension -j $(JOBS)
	@PATH="$(CURDIR)/$(BUILD)/bin:$$PATH" ASSAY_BENCH_COMPARE="$(CURDIR)/$(BUILD)/bench/assay_bench_compare" \
	  ASSAY_BENCH_TENSORRT="$(CURDIR)/$(BUILD)/bench/assay_bench_tensorrt" \
	  ASSAY_BENCH_PACKAGE="$(CURDIR)/$(BUILD)/python" bench/run.sh

asan: setup-test  ## run the unit tests of all rooms but the engines with AddressSanitizer and UBSan
	@scripts/sanitize.sh asan

tsan: setup-test  ## test the rooms that start threads with ThreadSanitizer
	@scripts/sanitize.sh tsan

fuzz:  ## run the fuzz targets, or one: make fuzz TARGET=npy SECONDS=600
	@scripts/setup.sh --test --fuzz $(SETUP_FLAGS)
	@env -u SECONDS scripts/fuzz.sh $(TARGET) $(if $(SECONDS),--seconds $(SECONDS))

clang: setup-test setup-lint  ## build and test with Clang 16
	@cmake --preset clang
	@cmake --build --preset clang -j $(JOBS)
	@ctest --preset clang

gpu-bundle:  ## pack the tests that need a GPU into dist/, for a machine on which nothing can be built
	@scripts/gpu-bundle.sh dist $(BUILD)

clean:  ## remove the build folders; the cache folder with ONNX stays
	@rm -rf build
