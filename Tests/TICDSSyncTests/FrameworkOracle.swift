import CoreDataStore
import Foundation
import KeyedArchive
import SystemCalls
import SystemPackage
import TestSupport
import Testing
import TICDSCore
import TICDSSync

/// The engine compared with the answers of the framework's own code.
@Suite struct FrameworkOracle {
    @Test(arguments: try OracleCase.files)
    func answersAreTheFrameworks(_ file: FilePath) throws {
        var compared = 0
        for example in try OracleCase.all(in: file) where example.isAnswered {
            if example.deliberateDifference != nil { continue }
            compared += 1
            var plain = Run(PlainDocument(example.model), example)
            try plain.run()
            #expect(Portrait.of(plain.document) == example.expectedObjects, "\(example.name), in memory")
            let scratch = try TemporaryFolder()
            let path = scratch.path.appending("store.sqlite")
            try SQLiteStoreWriter(creating: path, model: example.model).finish()
            var run = try Run(
                WritableStore(path, model: example.model, identifier: SyncID.attribute), example)
            try run.run()
            try run.document.finish()
            #expect(
                try Portrait.of(SQLiteStore(path, model: example.model)) == example.expectedObjects,
                "\(example.name)")
            #expect(run.warnings == plain.warnings, "\(example.name)")
            // Unspecified if objects are checked for conflicts one by one.
            if example.local.isEmpty, !example.hasLocalEdits {
                #expect(run.warnings == example.expectedWarnings, "\(example.name)")
            } else {
                #expect(run.warnings.sorted() == example.expectedWarnings.sorted(), "\(example.name)")
            }
            #expect(run.remaining == example.expectedRemaining, "\(example.name)")
            #expect(run.asked == example.conflicts.count, "\(example.name)")
        }
        #expect(compared > 20)
    }

    /// Deliberate improvements of ticds behave as documented.
    @Test(arguments: [
        "insert-without-ticdsSyncID-attribute", "to-one-nil-with-object-lacking-syncID", "attr-nil-vs-nsnull",
        "unknown-attribute", "unknown-entity",
    ])
    func betterThanTheFramework(_ name: String) throws {
        let cases = try OracleCase.all(in: try OracleCase.files[0])
        let example = try #require(cases.first { $0.name == name })
        var run = Run(PlainDocument(example.model), example)
        try run.run()
        let objects = Portrait.of(run.document)
        switch name {
        case "insert-without-ticdsSyncID-attribute":
            #expect(
                objects == [
                    "Note stars=3 ticdsSyncID=\(ArchivedValue.string("N9")) title=\(ArchivedValue.string("x"))"
                ])
            #expect(run.notices.map(\.kind) == [.insertedWithoutSyncID])
        case "to-one-nil-with-object-lacking-syncID":
            #expect(!objects.contains { $0.contains("→") })
        case "attr-nil-vs-nsnull":
            #expect(run.asked == 0 && run.remaining.isEmpty)
        case "unknown-attribute": #expect(run.notices.map(\.kind).contains(.unknownProperty))
        default: #expect(run.notices.map(\.kind).contains(.unknownEntity))
        }
    }
}

/// A case that runs through the engine.
private struct Run<Document: SyncDocument> {
    private let example: OracleCase
    private(set) var document: Document
    private(set) var notices: [SyncNotice] = []
    private(set) var remaining: [String] = []
    private(set) var asked = 0

    init(_ document: Document, _ example: OracleCase) {
        self.document = document
        self.example = example
    }

    /// The warnings without 5, 7 and 8, which ticds gives although this framework gives none.
    var warnings: [OracleCase.Warning] {
        notices.compactMap { notice in
            notice.kind.warningNumber.flatMap { [1, 2, 3, 4, 6].contains($0) ? $0 : nil }.map {
                OracleCase.Warning(
                    type: $0, entity: notice.entity, relatedEntity: notice.relatedEntity,
                    value: OracleCase.text(notice.value))
            }
        }
    }

    mutating func run() throws {
        try fill()
        let local = try localChanges()
        let notes = Notes()
        var answers = example.conflicts
        var check = ConflictCheck(
            LocalChanges(local),
            resolve: { conflict in
                notes.asked += 1
                let place = answers.firstIndex {
                    $0["syncID"] as? String == conflict.syncID && $0["key"] as? String == conflict.key
                }
                guard let place else { return .undecided }
                switch answers.remove(at: place)["resolution"] as? String {
                case "remote": return .remote
                case "local": return .local
                default: return .undecided
                }
            }, onNotice: { notes.all.append($0) })
        var applier = ChangeApplier(document) { notes.all.append($0) }
        for set in example.sets {
            for change in try check.admit(set) { try applier.apply(change) }
            try applier.finishSet()
            // The framework's delete rules apply to the state at the end of each set.
            _ = try applier.finish()
        }
        document = applier.document
        notices = notes.all
        asked = notes.asked
        remaining = check.local.remaining.map(OracleCase.text).sorted()
    }

    /// Local changes; edits are made and recorded first.
    private mutating func localChanges() throws -> [SyncChange] {
        guard example.hasLocalEdits else { return example.local }
        let recorded = try EditedOracleCase(example).recorded()
        let title = example.name
        var applier = ChangeApplier(document) { Issue.record("\(title): \($0)") }
        for type in 0...10 {
            for change in recorded where change.type.number == type { try applier.apply(change) }
        }
        try applier.finishSet()
        _ = try applier.finish()
        document = applier.document
        return example.local + recorded
    }

    private final class Notes {
        var all: [SyncNotice] = []
        var asked = 0
    }

    private mutating func fill() throws {
        var made: [String: Document.Object] = [:]
        for object in example.objects {
            var attributes = object.attributes.filter { !$0.value.isNil }
            if let syncID = object.syncID {
                attributes.append(ArchivedPair(key: .string(SyncID.attribute), value: .string(syncID)))
            }
            let title = example.name
            made[object.id] = try document.insert(object.entity, attributes: attributes) { name, problem in
                Issue.record("\(title): \(name): \(problem)")
            }
        }
        for object in example.objects {
            guard let owner = made[object.id] else { continue }
            let descriptions = example.model.relationships(of: object.entity)
            for (name, targets) in object.relationships {
                let isToMany = descriptions.first { $0.name == name }?.isToMany == true
                for target in targets.compactMap({ made[$0] }) {
                    if isToMany {
                        try document.add(target, to: name, of: owner)
                    } else {
                        try document.setToOne(name, of: owner, to: target)
                    }
                }
            }
        }
    }
}

extension OracleCase.Warning: Comparable {
    static func < (one: Self, other: Self) -> Bool {
        (one.type, one.entity ?? "", one.relatedEntity ?? "", one.value)
            < (other.type, other.entity ?? "", other.relatedEntity ?? "", other.value)
    }
}
