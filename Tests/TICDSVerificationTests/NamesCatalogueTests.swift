import Foundation
import TICDSVerification
import Testing

/// The pages of the kinds at level names.
@Suite struct NamesCatalogueTests {
    private static let kinds = Catalogue.all.filter { $0.level == .names }

    @Test func textsAreASCII() {
        for kind in Self.kinds {
            let text = ([kind.title, kind.explanation, kind.sources] + kind.remedy).joined(separator: "\n")
            #expect(text.utf8.allSatisfy { $0 == 10 || (0x20..<0x7F).contains($0) }, "\(kind.code)")
            #expect(!text.contains("  "), "\(kind.code)")
        }
    }

    @Test func explanationsAreNeitherTooShortNorTooLong() {
        for kind in Self.kinds {
            let count = kind.explanation.count
            #expect((120..<1300).contains(count), "\(kind.code): \(count)")
        }
    }

    /// Commands begin with a small letter; everything else is a sentence that ends in a full stop or a colon, or with a
    /// command to complete.
    @Test func remediesAreCommandsOrSentences() {
        for kind in Self.kinds {
            for line in kind.remedy where line.first?.isUppercase == true {
                #expect(
                    line.hasSuffix(".") || line.hasSuffix(":") || line.contains(": "), "\(kind.code): \(line)"
                )
            }
        }
    }

    @Test func commandsAreSoundShell() throws {
        let commands = Self.kinds.flatMap(\.remedy).filter { $0.first?.isLowercase == true }
        #expect(!commands.isEmpty)
        let shell = Process()
        shell.executableURL = URL(fileURLWithPath: "/bin/bash")
        shell.arguments = ["-n", "-c", commands.joined(separator: "\n")]
        try shell.run()
        shell.waitUntilExit()
        #expect(shell.terminationStatus == 0)
    }

    @Test func nothingIsEverRemoved() {
        let words = Self.kinds.flatMap(\.remedy).flatMap { $0.split(separator: " ") }
        #expect(!words.contains("rm") && !words.contains("rmdir"))
    }
}
