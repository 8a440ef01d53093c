# make demo and make test are all that a newcomer needs.

SHELL = /bin/bash
PREFIX ?= /usr/local
DESTDIR ?=
PROGRAMS = ticds ticds-inspect ticds-changes ticds-verify ticds-client ticds-document ticds-integrity \
    ticds-vacuum ticds-remote ticds-store ticds-journal ticds-archive ticds-sync ticds-model ticds-fleet
RELEASE = .build/release
# The programs as they are installed: one executable, and links to it.
BIN = .build/ticds/bin
# One build serves programs and tests: the latter look into the modules. Line numbers would make it a tenth longer, and
# the index for editors takes a twentieth.
FLAGS = -Xswiftc -enable-testing -debug-info-format none --disable-index-store
# The libraries that the programs are linked with, as Debian's packages name them.
DEVELOPMENT = libsqlite3-dev libarchive-dev libgcrypt20-dev zlib1g-dev libbz2-dev liblzma-dev libzstd-dev nettle-dev \
    libcurl4-openssl-dev
# The programs that most tests call; tests that need others are skipped where those are missing.
TOOLS = sqlite3 libarchive-tools unzip zip openssl python3 zstd jq less
NEEDED = $(DEVELOPMENT)
tests test check: NEEDED += $(TOOLS)
DEMO = .build-demo
# The folders of an installed suite, below PREFIX.
FOLDERS = bin share/man/man1 share/man/man5 share/man/man7 share/bash-completion/completions \
    share/zsh/site-functions share/fish/vendor_completions.d share/ticds/schemas share/doc/ticds/examples/systemd

.PHONY: build demo tests test check packages install install-built uninstall deb check-deb manual schemas pictures site docs snapshots bench benchmark-tools lint clean

build: packages
	swift build -c release $(FLAGS) --product ticds
	packaging/link $(RELEASE) $(BIN) $(PROGRAMS)

# Installs what is needed with apt-get where a package is missing and that is possible.
packages:
	@if ! command -v dpkg-query >/dev/null; then exit 0; fi; \
	if [ "$$(dpkg-query -W -f '$${db:Status-Status}\n' $(NEEDED) 2>/dev/null | grep -cx installed)" = \
	    $(words $(NEEDED)) ]; then exit 0; fi; \
	sudo=; if [ "$$(id -u)" != 0 ]; then sudo=sudo; fi; \
	$$sudo apt-get update -qq && \
	$$sudo env DEBIAN_FRONTEND=noninteractive apt-get install -y -qq $(NEEDED)

# Writes a demonstration remote and looks at it.
demo: build
	rm -rf $(DEMO)
	$(BIN)/ticds demo $(DEMO)
	$(BIN)/ticds inspect status $(DEMO)
	$(BIN)/ticds verify $(DEMO)
	$(BIN)/ticds changes dump $(DEMO) | head -n 20

tests: build
	swift build -c release $(FLAGS) --product ticdsPackageTests

# What proves all that matters. The programs are tested as they are installed, and both they and the tests are optimised,
# from the same object files.
test: tests
	.ci/tests

# What takes longer: every moment of every crash, thousands of random histories, sanitizers on the parsers, the fuzz
# targets, a browser, the Debian package in a bare root, and the count of instructions.
check: tests
	.ci/check

# Writes the snapshots of what the programs show anew, after a change on purpose.
snapshots: tests
	TICDS_SNAPSHOTS=write .ci/tests --filter ScreenTests

bench: benchmark-tools
	Benchmarks/run

benchmark-tools: build
	swift build -c release $(FLAGS) --product benchmark-tools

lint:
	swift format lint --strict -r Sources Tests Package.swift
	mandoc -Tlint -Wwarning man/*.[157]
	.ci/no-foundation
	.ci/no-silent-errors
	.ci/arithmetic
	.ci/loops
	.ci/citations
	.ci/arrows

install: build
	$(MAKE) --no-print-directory install-built

install-built:
	install -d $(addprefix $(DESTDIR)$(PREFIX)/,$(FOLDERS))
	cp -P $(addprefix $(BIN)/,$(PROGRAMS)) $(DESTDIR)$(PREFIX)/bin/
	install -m 644 man/*.1 $(DESTDIR)$(PREFIX)/share/man/man1/
	install -m 644 man/*.5 $(DESTDIR)$(PREFIX)/share/man/man5/
	install -m 644 man/*.7 $(DESTDIR)$(PREFIX)/share/man/man7/
	install -m 644 completions/bash/ticds $(DESTDIR)$(PREFIX)/share/bash-completion/completions/
	install -m 644 completions/zsh/_ticds $(DESTDIR)$(PREFIX)/share/zsh/site-functions/
	install -m 644 completions/fish/ticds.fish $(DESTDIR)$(PREFIX)/share/fish/vendor_completions.d/
	for program in $(filter-out ticds,$(PROGRAMS)); do \
	    ln -sf ticds $(DESTDIR)$(PREFIX)/share/bash-completion/completions/$$program && \
	    ln -sf ticds.fish $(DESTDIR)$(PREFIX)/share/fish/vendor_completions.d/$$program.fish || exit 1; \
	done
	install -m 644 share/schemas/*.json $(DESTDIR)$(PREFIX)/share/ticds/schemas/
	install -m 644 LICENSE $(DESTDIR)$(PREFIX)/share/doc/ticds/
	install -m 755 Examples/*.sh $(DESTDIR)$(PREFIX)/share/doc/ticds/examples/
	install -m 644 Examples/*.yaml $(DESTDIR)$(PREFIX)/share/doc/ticds/examples/
	for unit in Examples/systemd/*; do \
	    sed 's,/usr/local/bin/,$(PREFIX)/bin/,' $$unit > $(DESTDIR)$(PREFIX)/share/doc/ticds/examples/systemd/$${unit##*/} && \
	    chmod 644 $(DESTDIR)$(PREFIX)/share/doc/ticds/examples/systemd/$${unit##*/} || exit 1; \
	done

# Removes what `make install` with the same PREFIX and DESTDIR put there; folders that others may use, too, stay.
uninstall:
	cd $(DESTDIR)$(PREFIX) && rm -f $(addprefix bin/,$(PROGRAMS)) \
	    $(addprefix share/man/man1/,$(notdir $(wildcard man/*.1))) \
	    $(addprefix share/man/man5/,$(notdir $(wildcard man/*.5))) \
	    $(addprefix share/man/man7/,$(notdir $(wildcard man/*.7))) \
	    $(addprefix share/bash-completion/completions/,$(PROGRAMS)) share/zsh/site-functions/_ticds \
	    $(patsubst %,share/fish/vendor_completions.d/%.fish,$(PROGRAMS))
	rm -rf $(addprefix $(DESTDIR)$(PREFIX)/,share/ticds share/doc/ticds)

# A Debian package below .build-deb.
deb: build
	packaging/deb .build-deb

# Tries the package in a minimal Debian without Swift; needs root, debootstrap and a mirror.
check-deb: deb
	packaging/try-deb $$(ls -t .build-deb/*.deb | head -n 1)

# Brings the option lists of the manual in line with the programs, adds subcommands that pages lack,
# and brings the page of the findings in line with the catalogue.
manual: build
	man/join $(BIN)
	$(BIN)/ticds-verify explain --manual > man/ticds-findings.7

# Writes the manual as pages of HTML below .build-site; needs mandoc.
site:
	packaging/site .build-site

# Writes the pictures of the README from what the programs show; needs aha and chromium.
pictures: build
	packaging/pictures $(BIN) Documentation/Pictures

# Writes the JSON Schemas and the sections of ticds-json(5) anew after a change of fields.
schemas: build
	$(BIN)/ticds version --schemas share/schemas
	man/schemas

# Pages on the libraries for those who build on them: a folder for each below .build/docs, to be served by any web server.
docs: build
	packaging/docs $(RELEASE) .build/docs Base KeyedArchive CoreDataStore CoreDataTools TICDSCore TICDSOperations TICDSSync

clean:
	rm -rf .build .build-deb $(DEMO)
