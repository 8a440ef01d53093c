import Base
import Foundation
import SystemCalls
import SystemPackage
import TestSupport
import Testing

/// Places that are no archives, and archives of other programs: commands read them, or refuse them clearly, and never wait
/// or print less.
@Suite(.waiting) struct ArchiveSourceTests {
    private static let patience: Double = 60

    @Test(arguments: ["list", "verify", "find --name x", "extract --path ReadMe.txt --to out", "import"])
    func pipeWithoutWriterIsRefused(command: String) throws {
        let scratch = try Scratch()
        try scratch.shell("mkfifo pipe; mkdir target; ln -s pipe link")
        for name in ["pipe", "link"] {
            let target = command == "import" ? "target" : ""
            let result = try Program.shell(
                "cd '\(scratch.path)'; ticds-archive \(command) \(name) \(target)",
                environment: ["XDG_STATE_HOME": "\(scratch.path)/state"], seconds: Self.patience)
            #expect(result.status == 2, "\(command): \(result.status) \(result.errors)")
            #expect(result.errors.contains("a pipe to which no program writes"), "\(result.errors)")
        }
    }

    @Test func pipesOfRunningProgramsAreRead() throws {
        let fixture = try ArchiveFixture()
        let file = try fixture.export("a.tar.zst")
        let expected = try fixture.archive(["list", file]).output
        for command in [
            "ticds-archive list <(cat '\(file)')", "cat '\(file)' | ticds-archive list /dev/stdin",
            "cat '\(file)' | ticds-archive list -", "ticds-archive list /dev/stdin < '\(file)'",
            "mkfifo pipe; cat '\(file)' > pipe & until [ -p pipe ]; do :; done; "
                + "until ticds-archive list pipe 2> errors; do grep -q 'no program' errors || exit 1; done",
        ] {
            let result = try Program.shell("cd '\(fixture.place)'; \(command)", seconds: Self.patience)
            #expect(result.status == 0 && result.output == expected, "\(command): \(result.errors)")
        }
    }

    @Test func socketsAndDevicesAreRefused() throws {
        let scratch = try Scratch()
        try scratch.shell(
            "python3 -c 'import socket; socket.socket(socket.AF_UNIX).bind(\"socket\")'")
        for name in ["socket", "/dev/zero", "/dev/null"] {
            let result = try Program.shell(
                "cd '\(scratch.path)'; ticds-archive list \(name)", seconds: Self.patience)
            #expect(result.status == 2, "\(name): \(result.status) \(result.errors)")
            #expect(
                result.errors.contains("archive") || result.errors.contains("a device"), "\(result.errors)")
        }
    }

    /// A member whose content is not in the archive, or not in a known form, is never passed over.
    @Test(arguments: [
        "tar -S --format=gnu", "tar -S --format=pax --sparse-version=0.0",
        "tar -S --format=pax --sparse-version=0.1", "tar -S --format=pax --sparse-version=1.0", "hard link",
        "zip password",
    ])
    func membersWithoutContentAreRefused(form: String) throws {
        let fixture = try ArchiveFixture()
        let set = "$(find com.example.cookbook -name '*.syncchg' | sort | head -n 1)"
        let command =
            switch form {
            case "hard link": "ln \"\(set)\" com.example.cookbook/Documents/cookbook/twin; tar -cf ../a.tar"
            case "zip password": "zip -qr -P secret ../a.zip"
            default: "truncate -s 1M \"\(set)\"; echo end >> \"\(set)\"; \(form) -cf ../a.tar"
            }
        try fixture.scratch.shell("cd demo; \(command) com.example.cookbook")
        let archive = fixture.path(form == "zip password" ? "a.zip" : "a.tar")
        for words in [["ticds-inspect", "tree"], ["ticds-changes", "list"], ["ticds-verify"]] {
            let result = try Program.run(words[0], words.dropFirst() + [archive])
            #expect(
                result.status == 2 && result.output.isEmpty, "\(words): \(result.status) \(result.output)")
            #expect(result.errors.contains("which ticds does not read in an archive"), "\(result.errors)")
            #expect(result.errors.contains("Unpack it"), "\(result.errors)")
        }
    }

    /// A symbolic link is what it is in the folder.
    @Test func symbolicLinksAreShownAsInTheFolder() throws {
        let fixture = try ArchiveFixture()
        try fixture.scratch.shell("cd demo; ln -s x com.example.cookbook/Documents/cookbook/link")
        try fixture.scratch.shell("tar -C demo --format=pax -cf a.tar com.example.cookbook")
        let results = try [fixture.root.string, fixture.path("a.tar")].map { remote in
            try Program.run("ticds-inspect", ["tree", remote, "--json"]).output
                .replacing(fixture.root.string, with: "ROOT")
                .replacing(fixture.path("a.tar") + "/com.example.cookbook", with: "ROOT")
                // The headers of an archive do not have the size of a link.
                .replacing(#/"role": "symbolicLink",\s+"size": [0-9]+/#, with: "LINK")
        }
        #expect(results[0].contains("LINK") && results[0] == results[1], "\(results)")
    }

    /// Compressed streams one after the other are one archive; one that is cut off, or bytes behind, are damage.
    @Test(arguments: ["gzip", "xz", "bzip2", "zstd"]) func joinedStreamsAreRead(program: String) throws {
        let fixture = try ArchiveFixture()
        try fixture.scratch.shell(
            """
            tar -C demo --format=pax -cf a.tar com.example.cookbook
            half=$(($(stat -c %s a.tar) / 1024 * 512))
            head -c $half a.tar | \(program) -q > first; tail -c +$((half + 1)) a.tar | \(program) -q > second
            cat first second > a; head -c -20 second | cat first - > cut; cp first missing
            """)
        let expected = try Program.run("ticds-changes", ["dump", fixture.root.string, "--json"])
        let whole = try Program.run("ticds-changes", ["dump", fixture.path("a"), "--json"])
        #expect(whole.status == 0 && whole.output == expected.output, "\(whole.errors)")
        for name in ["cut", "missing"] {
            let result = try Program.run("ticds-changes", ["dump", fixture.path(name), "--json"])
            #expect(result.status == 2 && result.output.isEmpty, "\(name): \(result.status) \(result.output)")
            #expect(result.errors.contains("damaged or truncated"), "\(name): \(result.errors)")
        }
    }

    /// A journal belongs to a remote.
    @Test func archiveHasNoJournal() throws {
        let fixture = try ArchiveFixture()
        let file = try fixture.export("a.tar.zst")
        for words in [
            ["list", file], ["list", file, "--json"], ["recover", file], ["recover", file, "--dry-run"],
            ["prune", file, "--older-than", "1d"], ["show", file, "1"], ["show", file, "--last"],
            ["undo", file, "1"],
            ["undo", file, "--last"], ["list", "\(file)/com.example.cookbook"],
        ] {
            let result = try Program.run(
                "ticds-journal", words, environment: ["XDG_STATE_HOME": fixture.path("state")])
            #expect(
                result.status == 2 && result.output.isEmpty, "\(words): \(result.status) \(result.output)")
            #expect(result.errors.contains("an archive has no journal"), "\(words): \(result.errors)")
        }
    }
}
