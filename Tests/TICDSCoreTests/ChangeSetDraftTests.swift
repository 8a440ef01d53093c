import CoreDataStore
import KeyedArchive
import SystemCalls
import SystemPackage
import TestSupport
import Testing

@testable import TICDSCore

/// Change sets that are written, and copied, in pieces.
@Suite struct ChangeSetDraftTests {
    /// Values of random sizes near those of the pieces.
    private func changes(_ numbers: inout RandomNumbers) -> [SyncChange] {
        (0..<Int.random(in: 1..<40, using: &numbers)).map { number in
            let border = [0, 15, 65_536, 131_072, 262_144].randomElement(using: &numbers) ?? 0
            let size = max(0, border + Int.random(in: -20...20, using: &numbers))
            let values: [ArchivedValue] = [
                .data([UInt8](repeating: UInt8(clamping: number), count: size)),
                .string(String(repeating: "x", count: size)),
                .string(String(repeating: "é", count: size / 2)),
                .string(String(repeating: "🔑", count: size / 4)),
            ]
            return SyncChange(
                type: .attribute, entity: "Note", objectSyncID: "N\(number)", key: "text",
                changedAttributes: values.randomElement(using: &numbers) ?? .null,
                timestamp: Double(number))
        }
    }

    @Test func piecesAreTheWhole() throws {
        let scratch = try TemporaryFolder()
        var numbers = RandomNumbers(3)
        for round in 0..<20 {
            let changes = changes(&numbers)
            let (uuid, other) = (ArchivedUUID.random(), ArchivedUUID.random())
            let whole = try ChangeSetWriter.bytes(of: changes, uuid: uuid)
            let path = scratch.path.appending("\(round).syncchg")
            try TestFiles.write(path, whole)
            var read: [SyncChange] = []
            try ChangeSetReader(FileBytes.read(path, limit: .changeSet), path: path).forEachChange {
                read.append($0)
            }
            read.sort { $0.primaryKey < $1.primaryKey }
            #expect(read.map(\.changedAttributes) == changes.map(\.changedAttributes))

            var draft = ChangeSetDraft(uuid: uuid)
            for change in changes { try draft.append(change) }
            #expect(draft.leastSize <= whole.count && draft.leastSize > whole.count / 2 - 4000)
            let output = try draft.output()
            var pieces: [UInt8] = []
            output.write { pieces += $0 }
            #expect(pieces == whole && output.count == whole.count)

            let copy = try BinaryStoreCopy(of: path, metadata: ChangeSetDraft.metadata(uuid: other))
            var copied: [UInt8] = []
            try copy.write { copied += $0 }
            #expect(try copied == ChangeSetWriter.bytes(of: changes, uuid: other))
            #expect(copy.count == copied.count)
        }
    }

    @Test func truncatedFilesAreNotCopied() throws {
        let scratch = try TemporaryFolder()
        let path = scratch.path.appending("set.syncchg")
        let change = SyncChange(
            type: .attribute, entity: "Note", objectSyncID: "N", key: "text",
            changedAttributes: .data([UInt8](repeating: 1, count: 300_000)), timestamp: 0)
        let whole = try ChangeSetWriter.bytes(of: [change])
        for size in [0, 63, 64, 299_999, whole.count - 1] {
            try TestFiles.write(path, Array(whole[..<size]))
            let problem = #expect(throws: FileProblem.self) {
                try BinaryStoreCopy(of: path, metadata: ChangeSetDraft.metadata())
            }
            #expect(problem?.kind == .damaged)
        }
    }
}
