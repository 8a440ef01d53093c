# make demo and make test are all that a newcomer needs.

SHELL = /bin/bash
PREFIX ?= /usr/local
DESTDIR ?=
PROGRAMS = ticds ticds-inspect ticds-changes ticds-verify ticds-client ticds-document ticds-integrity \
    ticds-vacuum ticds-remote ticds-store ticds-journal ticds-archive ticds-sync
RELEASE = .build/release
DEMO = .build-demo
# An installed program finds its Swift runtime libraries beside itself.
LINK = -Xlinker '-rpath=$$ORIGIN/../lib/ticds'
SAMPLES = $(firstword $(TICDS_SAMPLES) $(wildcard $(CURDIR)/../shared/samples))

.PHONY: build demo test packages install completions bench lint clean

build: packages
	swift build -c release $(LINK)

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

test: packages
	swift build --build-tests
	TICDS_SAMPLES="$(SAMPLES)" swift test --skip-build --no-parallel

bench: build
	Benchmarks/run

lint:
	swift format lint --strict -r Sources Tests Package.swift
	mandoc -Tlint -Wwarning man/*.[157]
	.ci/no-foundation

install: build
	install -d $(DESTDIR)$(PREFIX)/bin $(DESTDIR)$(PREFIX)/lib/ticds
	install -d $(DESTDIR)$(PREFIX)/share/man/man1 $(DESTDIR)$(PREFIX)/share/man/man5 \
	    $(DESTDIR)$(PREFIX)/share/man/man7
	install -d $(DESTDIR)$(PREFIX)/share/bash-completion/completions
	install -d $(DESTDIR)$(PREFIX)/share/zsh/site-functions $(DESTDIR)$(PREFIX)/share/fish/vendor_completions.d
	install -s $(addprefix $(RELEASE)/,$(PROGRAMS)) $(DESTDIR)$(PREFIX)/bin/
	install -m 644 completions/bash/* $(DESTDIR)$(PREFIX)/share/bash-completion/completions/
	install -m 644 completions/zsh/* $(DESTDIR)$(PREFIX)/share/zsh/site-functions/
	install -m 644 completions/fish/* $(DESTDIR)$(PREFIX)/share/fish/vendor_completions.d/
	for library in $$(ldd $(addprefix $(RELEASE)/,$(PROGRAMS)) | sed -n 's/.*=> \(.*\/swift\/linux\/[^ ]*\) .*/\1/p' | sort -u); do \
	    install -m 644 $$library $(DESTDIR)$(PREFIX)/lib/ticds/ || exit 1; \
	done
	install -m 644 man/*.1 $(DESTDIR)$(PREFIX)/share/man/man1/
	install -m 644 man/*.5 $(DESTDIR)$(PREFIX)/share/man/man5/
	install -m 644 man/*.7 $(DESTDIR)$(PREFIX)/share/man/man7/
	install -d $(DESTDIR)$(PREFIX)/share/ticds/schemas
	install -m 644 share/schemas/*.json $(DESTDIR)$(PREFIX)/share/ticds/schemas/

# Writes the completions anew, and the manual page of the findings, after a change of options or of the catalogue.
completions: build
	$(RELEASE)/ticds-verify explain --manual > man/ticds-findings.7
	mkdir -p completions/bash completions/zsh completions/fish
	for program in $(PROGRAMS); do \
	    $(RELEASE)/$$program --generate-completion-script bash > completions/bash/$$program && \
	    $(RELEASE)/$$program --generate-completion-script zsh > completions/zsh/_$$program && \
	    $(RELEASE)/$$program --generate-completion-script fish > completions/fish/$$program.fish || exit 1; \
	done

clean:
	rm -rf .build $(DEMO)
