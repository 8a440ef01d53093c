import CoreDataStore
import Foundation
import KeyedArchive
import SystemCalls
import SystemPackage
import TICDSCore
import TestSupport
import Testing

/// Edits of another tool, recorded and applied elsewhere. The variable TICDS_HISTORIES asks for more of them, TICDS_SEED
/// for others.
@Suite struct RecorderTests {
    private static let count = Int(ProcessInfo.processInfo.environment["TICDS_HISTORIES"] ?? "") ?? 40

    /// Whatever is edited, a second copy of the document ends equal by what was recorded: edits of two rounds set by set,
    /// and merged into one.
    @Test func recordedChangesMakeEqualDocuments() throws {
        var notices: Set<EditNotice.Kind> = []
        var changes = 0
        for number in 0..<UInt64(Self.count) {
            let seed = RandomNumbers.seed &* 1_000_000 &+ number
            let run = try EditedPair(seed)
            let expected = try run.portrait(run.store)
            #expect(try run.portrait(run.copy) == expected, "seed \(seed): \(run.story)")
            #expect(try run.portrait(run.mergedCopy) == expected, "seed \(seed), merged: \(run.story)")
            #expect(try run.portrait(run.base) == expected, "seed \(seed), base")
            for file in [run.store, run.copy, run.mergedCopy] {
                let check = try StoreChecker.check(SQLiteStore(file, model: RandomHistory.model))
                #expect(check.findings == [], "seed \(seed), \(file): \(run.story)")
            }
            notices.formUnion(run.notices)
            changes += run.changes
            if try run.portrait(run.copy) != expected { break }
        }
        #expect(
            notices.isSuperset(of: [
                .identifierMade, .identifierPutBack, .keyChanged, .referenceCleared, .inverseFollowed,
                .deletionDenied, .dataMarked,
            ]))
        #expect(changes > 4 * Self.count)
    }
}

/// A document that is edited twice, and copies of it that hear of the edits.
private struct EditedPair {
    let folder: TemporaryFolder
    let store: FilePath
    let base: FilePath
    let copy: FilePath
    let mergedCopy: FilePath
    private(set) var notices: Set<EditNotice.Kind> = []
    private(set) var changes = 0
    private(set) var story = ""

    init(_ seed: UInt64) throws {
        folder = try TemporaryFolder()
        store = folder.path.appending("Document.sqlite")
        base = folder.path.appending("ReplicaState.sqlite")
        copy = folder.path.appending("copy.sqlite")
        mergedCopy = folder.path.appending("merged.sqlite")
        try SQLiteStoreWriter(creating: store, model: RandomHistory.model).finish()
        for set in RandomHistory(seed: seed).sets { try Self.apply(set.changes, to: store) }
        for other in [base, copy, mergedCopy] {
            try FileManager.default.copyItem(atPath: store.string, toPath: other.string)
        }
        var edits = try RandomEdits(store, seed: seed)
        var merged: [SyncChange] = []
        for round in 0..<2 {
            story += "\n" + (try edits.run()).joined(separator: ";\n")
            let recorded = try record(Double(round))
            changes += recorded.count
            try Self.apply(recorded, to: copy)
            merged = LocalEditRecorder.merged(merged, recorded)
        }
        try Self.apply(merged, to: mergedCopy)
    }

    private mutating func record(_ now: Double) throws -> [SyncChange] {
        let live = try WritableStore(
            live: store, base: base, model: RandomHistory.model, identifier: SyncID.attribute)
        var heard: Set<EditNotice.Kind> = []
        let edits = try live.edits { heard.insert($0.kind) }
        notices.formUnion(heard)
        try live.bringBaseUp()
        try live.finish()
        return LocalEditRecorder.changes(edits, model: RandomHistory.model, now: now)
    }

    private static func apply(_ changes: [SyncChange], to path: FilePath) throws {
        let store = try WritableStore(path, model: RandomHistory.model, identifier: SyncID.attribute)
        var applier = ChangeApplier(StoreDocument(store)) { _ in }
        let sorted = changes.enumerated().sorted {
            ($0.element.type.number, $0.offset) < ($1.element.type.number, $1.offset)
        }
        for change in sorted { try applier.apply(change.element) }
        try applier.finishSet()
        try store.finish()
    }

    func portrait(_ file: FilePath) throws -> [String] {
        try Portrait.of(SQLiteStore(file, model: RandomHistory.model), ordered: false)
    }
}
