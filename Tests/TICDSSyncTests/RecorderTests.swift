import CoreDataStore
import CoreDataTools
import Foundation
import KeyedArchive
import SystemCalls
import SystemPackage
import TestSupport
import Testing
import TICDSCore
import TICDSSync

/// Edits of another tool, recorded and applied elsewhere. The variable TICDS_HISTORIES sets their number, TICDS_SEED
/// chooses others.
@Suite struct RecorderTests {
    private static let count = Int(ProcessInfo.processInfo.environment["TICDS_HISTORIES"] ?? "") ?? 40

    /// After any edits, a second copy of the document becomes equal through the recorded changes: edits of two rounds
    /// set by set, and merged into one.
    @Test func recordedChangesMakeEqualDocuments() throws {
        var notices: Set<EditNotice.Kind> = []
        var changes = 0
        for number in 0..<UInt64(Self.count) {
            let seed = RandomNumbers.seed &* 1_000_000 &+ number
            let run = try EditedPair(seed)
            try run.check()
            notices.formUnion(run.notices)
            changes += run.changes
        }
        #expect(
            notices.isSuperset(of: [
                .identifierMade, .identifierPutBack, .keyChanged, .referenceCleared, .inverseFollowed,
                .deletionDenied, .dataMarked,
            ]))
        #expect(changes > 4 * Self.count)
    }

    /// Earlier failures: two pairs of a deletion and an insertion with the same identifier, a restored join row without
    /// a place, an object that was released before its owner was deleted, and one side of a reflexive pair.
    @Test(arguments: [4_711_000_253, 4_711_000_467, 4_711_000_397, 4_711_000_513, 4_711_000_606])
    func historiesThatFailed(_ seed: UInt64) throws { try EditedPair(seed).check() }
}

/// A document that is edited twice, and copies of it that receive the edits.
private struct EditedPair {
    private let seed: UInt64
    private let folder: TemporaryFolder
    private let store: FilePath
    private let base: FilePath
    private let copy: FilePath
    private let mergedCopy: FilePath
    private(set) var notices: Set<EditNotice.Kind> = []
    private(set) var changes = 0
    private(set) var story = ""

    init(_ seed: UInt64) throws {
        self.seed = seed
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
            let recorded = try record(Double(round), after: merged)
            changes += recorded.count
            try Self.apply(recorded, to: copy)
            merged = LocalEditRecorder.merged(merged, recorded)
        }
        try Self.apply(merged, to: mergedCopy)
    }

    private mutating func record(_ now: Double, after waiting: [SyncChange]) throws -> [SyncChange] {
        let live = try WritableStore(
            live: store, base: base, model: RandomHistory.model, identifier: SyncID.attribute)
        var heard: Set<EditNotice.Kind> = []
        let reserved = LocalEditRecorder.reserved(waiting)
        let edits = try live.edits(reserved: reserved) { heard.insert($0.kind) }
        notices.formUnion(heard)
        try live.updateBase()
        try live.finish()
        return LocalEditRecorder.changes(edits, model: RandomHistory.model, now: now)
    }

    private static func apply(_ changes: [SyncChange], to path: FilePath) throws {
        let store = try WritableStore(path, model: RandomHistory.model, identifier: SyncID.attribute)
        var applier = ChangeApplier(store) { _ in }
        let sorted = changes.enumerated().sorted {
            ($0.element.type.number, $0.offset) < ($1.element.type.number, $1.offset)
        }
        for change in sorted { try applier.apply(change.element) }
        try applier.finishSet()
        _ = try applier.finish()
        try store.finish()
    }

    /// All copies are equal and intact.
    func check() throws {
        let expected = try portrait(store)
        #expect(try portrait(copy) == expected, "seed \(seed): \(story)")
        #expect(try portrait(mergedCopy) == expected, "seed \(seed), merged: \(story)")
        #expect(try portrait(base) == expected, "seed \(seed), base")
        for file in [store, copy, mergedCopy] {
            let check = try StoreChecker.check(SQLiteStore(file, model: RandomHistory.model))
            let findings = check.findings.filter { !$0.detail.contains(Portrait.strayValue) }
            #expect(findings == [], "seed \(seed), \(file): \(story)")
        }
    }

    private func portrait(_ file: FilePath) throws -> [String] {
        try Portrait.of(
            SQLiteStore(file, model: RandomHistory.model), ordered: false, admitsStrayValues: true)
    }
}
