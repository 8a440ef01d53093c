import Base
import Foundation
import KeyedArchive
import SystemCalls
import SystemPackage
import TestSupport
import Testing

/// The interpretation of names by shells in commands that users paste.
@Suite struct ShellWordTests {
    static let shells =
        LongTests.areWanted
        ? ["bash", "busybox sh", "dash", "fish", "ksh", "mksh", "zsh"] : ["bash", "fish"]

    /// Names that are difficult for a shell.
    private static let names: [[UInt8]] = {
        let all: [UInt8] = Array(1...255)
        // Alone, before characters that an escape might swallow, between letters, and beside characters that are unsafe
        // on a terminal.
        var names = all.filter { $0 != 0x0A }.map { [$0] }
        for byte in all { names += [[byte] + Array("17".utf8), [0x78, byte, 0x79], [0x1B, byte, 0x37]] }
        let special = Array("'\"\\`$(!~*{}%#;&|-=<>?[0\n".utf8)
        for first in special {
            for second in special { names += [[first, second, 0x2E], [0xFF, first, second, 0x2E]] }
        }
        // Code points that fish and other shells use internally.
        names += [[0xEF, 0xB7, 0x93], [0xEF, 0x98, 0xBF], [0xF4, 0x8F, 0xBF, 0xBF]]
        return names + texts.map { Array($0.utf8) }
    }()

    private static let texts = [
        "", "plain", "with space", "$(touch RAN)", "`touch RAN`", "'; touch RAN; '", "\\'; touch RAN; \\'",
        "\\''; touch RAN; '", "'\\''; touch RAN; '", "\"; touch RAN; \"", "(touch RAN)", "; touch RAN",
        "a\n touch RAN\nb",
        "\u{1B}[31m$(touch RAN)", "\u{1B}'; touch RAN; '", "\u{1B}\"; touch RAN; \"", "\u{1B}`touch RAN`",
        "!!", "!-1:p",
        "~root", "~+", "=ls", "a=b", "*", "?", "[a-z]", "{a,b}", "{}", "%self", "%1", "%s%n", "^a^b", "-n",
        "--help",
        "\u{7}-n", "\n-n", "ümläut", "accent'\u{301}; touch RAN #", "\u{202E}gnp.exe", "\u{2066}x\u{2069}",

        "🧀", "zero\u{200B}width", "👨\u{200D}👩", "👨'\u{200D}👩",
        "Icon\r", "\\x41", "\\101", "\\u0041", "\u{1B}\\101", "$HOME",
        "${HOME}", "\u{85}",
    ]

    @Test(arguments: shells, ["C", "C.UTF-8"])
    func namesReachTheProgramByteForByte(shell: String, locale: String) throws {
        let folder = try TemporaryFolder(prefix: "ticds-words")
        let words = Self.names.map(ShellWord.quoted)
        #expect(words.allSatisfy { escapedText($0) == $0 })
        try Self.run(
            "/usr/bin/printf '%s\\0' \(words.joined(separator: " ")) > output", shell, locale, in: folder.path
        )
        let read = try FileBytes.read(folder.path.appending("output")).array
            .split(separator: 0, omittingEmptySubsequences: false).dropLast().map(Array.init)
        #expect(read.count == Self.names.count)
        for (name, read) in zip(Self.names, read) where name != read {
            Issue.record("\(ShellWord.quoted(name)) is \(escapedName(read)) to \(shell)")
        }
        #expect(try Self.names(in: folder.path) == ["output", "script"])
    }

    /// No word represents these: the name without its end would be a different file.
    @Test(arguments: shells) func namesThatEndWithALineBreakRunNothing(shell: String) throws {
        let folder = try TemporaryFolder(prefix: "ticds-words")
        for name in ["\n", "name\n", "$(touch RAN)\n\n"] {
            try Self.run("touch ran\(ShellWord.quoted(Array(name.utf8)))", shell, "C", in: folder.path)
        }
        #expect(try Self.names(in: folder.path) == ["script"])
    }

    @Test func pathsAreNoOptions() {
        #expect(ShellWord.quoted(FilePath("-rf")) == "./-rf")
        #expect(ShellWord.quoted(FilePath("-r f")) == "'./-r f'")
        #expect(ShellWord.quoted(FilePath("/-rf")) == "/-rf")
    }

    @Test func peopleCanReadWords() {
        let words = ["/plain", "it's", "a\\b", "Caf\u{E9}", "Icon\r"].map { ShellWord.quoted(Array($0.utf8)) }
        #expect(words == ["/plain", "'it'\\''s'", "'a'\\\\'b'", "'Café'", "\"$(printf 'Icon\\015')\""])
    }

    private static func run(_ line: String, _ shell: String, _ locale: String, in folder: FilePath) throws {
        let words = shell.split(separator: " ").map(String.init)
        let places = ["/bin", "/usr/bin", "/usr/local/bin", "/opt/homebrew/bin"].map { "\($0)/\(words[0])" }
        guard let program = places.first(where: FileManager.default.isExecutableFile(atPath:)) else {
            try Test.cancel("\(shell) is not installed")
        }
        try TestFiles.write(folder.appending("script"), Array((line + "\n").utf8))
        let process = Process()
        process.executableURL = URL(fileURLWithPath: program)
        process.arguments = words.dropFirst() + ["script"]
        process.currentDirectoryURL = URL(fileURLWithPath: folder.string)
        process.environment = ["HOME": "/nonexistent", "PATH": "/usr/bin:/bin", "LC_ALL": locale]
        process.standardError = FileHandle.nullDevice
        try process.run()
        process.waitUntilExit()
    }

    private static func names(in folder: FilePath) throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: folder.string).sorted()
    }
}
