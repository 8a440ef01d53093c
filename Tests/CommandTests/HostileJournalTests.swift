import Foundation
import SystemCalls
import SystemPackage
import TestSupport
import Testing

/// A journal of 512 bytes beside a whole store demands a database of 17 TB: no command creates it.
@Suite struct HostileJournalTests {
    private static let journal: [UInt8] =
        [
            0xD9, 0xD5, 0x05, 0xF9, 0x20, 0xA1, 0x63, 0xD7, 0, 0, 0, 0, 0, 0, 0, 1, 255, 255, 255, 255, 0, 0,
            2, 0,
        ]
        + [0, 0, 0x10, 0] + [UInt8](repeating: 0, count: 484)

    @Test func journalsFillNoDisks() throws {
        let demo = try DemoRemote()
        let stores = try demo.wholeStores.filter { $0.contains("/cookbook/") }
        for store in stores { try TestFiles.write(FilePath(store + "-journal"), Self.journal) }
        let store = try #require(stores.first)
        let commands = [
            "ticds-store dump '\(store)'", "ticds-store extract '\(store)' taken.sqlite",
            "ticds-store replay '\(demo.path)' --document cookbook --to replayed.sqlite",
            "ticds-sync clone '\(demo.path)' cloned --document cookbook --yes",
            "ticds-verify '\(demo.path)'", "ticds-verify '\(demo.path)' --level deep",
        ]
        for command in commands {
            // Files are limited to 8 MB, so that the write for a larger one fails.
            let result = try Program.shell(
                "cd '\(demo.scratch.path)'; ulimit -f 8192; \(command)", seconds: 60)
            #expect(result.status > 0 && result.status < 64, "\(command): \(result.status) \(result.errors)")
            let text = result.output + result.errors
            #expect(text.contains("journal is damaged") || text.contains("TICDS-0723"), "\(command): \(text)")
            #expect(text.contains("4294967295"), "\(command): \(text)")
        }
        let left = try FileManager.default.contentsOfDirectory(atPath: demo.scratch.path.string)
        #expect(!left.contains { $0.hasSuffix(".sqlite") || $0 == "cloned" }, "\(left)")
    }
}
