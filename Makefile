# make demo and make test are all that a newcomer needs.

SHELL = /bin/bash
PREFIX ?= /usr/local
DESTDIR ?=
PROGRAMS = ticds ticds-inspect ticds-changes ticds-verify ticds-client ticds-document ticds-integrity \
    ticds-vacuum ticds-remote ticds-store ticds-journal ticds-archive ticds-sync
RELEASE = .build/release
DEMO = .build-demo
# The folders of an installed suite, below PREFIX.
FOLDERS = bin lib/ticds share/man/man1 share/man/man5 share/man/man7 share/bash-completion/completions \
    share/zsh/site-functions share/fish/vendor_completions.d share/ticds/schemas share/doc/ticds/examples/systemd
SAMPLES = $(firstword $(TICDS_SAMPLES) $(wildcard $(CURDIR)/../shared/samples))

# Suites of the first of the two processes that run the tests.
FIRST_TESTS = Tests\.[A-L]

.PHONY: build demo test packages install install-built uninstall deb check-deb manual completions docs snapshots bench lint clean

build: packages
	swift build -c release

# Installs the two system libraries with apt-get where they are missing and that is possible.
packages:
	@if pkg-config --exists sqlite3 libarchive 2>/dev/null || \
	    { [ -e /usr/include/sqlite3.h ] && [ -e /usr/include/archive.h ]; }; then exit 0; fi; \
	if ! command -v apt-get >/dev/null; then \
	    echo "Install the development files of SQLite and libarchive first." >&2; exit 1; fi; \
	sudo=; if [ "$$(id -u)" != 0 ]; then sudo=sudo; fi; \
	$$sudo apt-get update -qq && \
	$$sudo env DEBIAN_FRONTEND=noninteractive apt-get install -y -qq libsqlite3-dev libarchive-dev

# Writes a demonstration remote and looks at it.
demo: build
	rm -rf $(DEMO)
	$(RELEASE)/ticds demo $(DEMO)
	$(RELEASE)/ticds inspect status $(DEMO)
	$(RELEASE)/ticds verify $(DEMO)
	$(RELEASE)/ticds changes dump $(DEMO) | head -n 20

# In two processes: most tests wait for one program at a time. What the second says comes when the first has ended.
test: packages
	swift build --build-tests
	@tests="$$(swift build --show-bin-path)/ticdsPackageTests.xctest --testing-library swift-testing --no-parallel"; \
	export TICDS_SAMPLES="$(SAMPLES)"; log=$$(mktemp); \
	$$tests --skip '$(FIRST_TESTS)' >"$$log" 2>&1 & rest=$$!; \
	$$tests --filter '$(FIRST_TESTS)'; first=$$?; \
	wait $$rest; second=$$?; cat "$$log"; rm "$$log"; exit $$((first | second))

# Writes the snapshots of what the programs show anew, after a change on purpose.
snapshots: packages
	swift build --build-tests
	TICDS_SNAPSHOTS=write swift test --skip-build --filter ScreenTests

bench: build
	Benchmarks/run

lint:
	swift format lint --strict -r Sources Tests Package.swift
	mandoc -Tlint -Wwarning man/*.[157]
	.ci/no-foundation

install: build
	$(MAKE) --no-print-directory install-built

install-built:
	install -d $(addprefix $(DESTDIR)$(PREFIX)/,$(FOLDERS))
	packaging/link $(RELEASE) $(DESTDIR)$(PREFIX) $(PROGRAMS)
	install -m 644 man/*.1 $(DESTDIR)$(PREFIX)/share/man/man1/
	install -m 644 man/*.5 $(DESTDIR)$(PREFIX)/share/man/man5/
	install -m 644 man/*.7 $(DESTDIR)$(PREFIX)/share/man/man7/
	install -m 644 completions/bash/* $(DESTDIR)$(PREFIX)/share/bash-completion/completions/
	install -m 644 completions/zsh/* $(DESTDIR)$(PREFIX)/share/zsh/site-functions/
	install -m 644 completions/fish/* $(DESTDIR)$(PREFIX)/share/fish/vendor_completions.d/
	install -m 644 share/schemas/*.json $(DESTDIR)$(PREFIX)/share/ticds/schemas/
	install -m 644 LICENSE $(DESTDIR)$(PREFIX)/share/doc/ticds/
	install -m 755 Examples/*.sh $(DESTDIR)$(PREFIX)/share/doc/ticds/examples/
	install -m 644 Examples/systemd/* $(DESTDIR)$(PREFIX)/share/doc/ticds/examples/systemd/

# Removes what `make install` with the same PREFIX and DESTDIR put there; folders that others may use, too, stay.
uninstall:
	cd $(DESTDIR)$(PREFIX) && rm -f $(addprefix bin/,$(PROGRAMS)) \
	    $(addprefix share/man/man1/,$(notdir $(wildcard man/*.1))) \
	    $(addprefix share/man/man5/,$(notdir $(wildcard man/*.5))) \
	    $(addprefix share/man/man7/,$(notdir $(wildcard man/*.7))) \
	    $(addprefix share/bash-completion/completions/,$(notdir $(wildcard completions/bash/*))) \
	    $(addprefix share/zsh/site-functions/,$(notdir $(wildcard completions/zsh/*))) \
	    $(addprefix share/fish/vendor_completions.d/,$(notdir $(wildcard completions/fish/*)))
	rm -rf $(addprefix $(DESTDIR)$(PREFIX)/,lib/ticds share/ticds share/doc/ticds)

# A Debian package below .build-deb.
deb: build
	packaging/deb .build-deb

# Tries the package in a minimal Debian without Swift; needs root, debootstrap and a mirror.
check-deb: deb
	packaging/try-deb $$(ls -t .build-deb/*.deb | head -n 1)

# Brings the option lists of the manual in line with the programs, and the page of the findings with the catalogue.
manual: build
	man/join $(RELEASE)
	$(RELEASE)/ticds-verify explain --manual > man/ticds-findings.7

# Writes the completions anew after a change of options.
completions: build
	mkdir -p completions/bash completions/zsh completions/fish
	for program in $(PROGRAMS); do \
	    $(RELEASE)/$$program --generate-completion-script bash > completions/bash/$$program && \
	    $(RELEASE)/$$program --generate-completion-script zsh > completions/zsh/_$$program && \
	    $(RELEASE)/$$program --generate-completion-script fish > completions/fish/$$program.fish || exit 1; \
	done

# Pages on the libraries for those who build on them: a folder for each below .build/docs, to be served by any web server.
docs: packages
	packaging/docs .build/docs KeyedArchive CoreDataStore TICDSCore

clean:
	rm -rf .build .build-deb $(DEMO)
