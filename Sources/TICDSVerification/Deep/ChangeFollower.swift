import Base
import KeyedArchive
import SystemCalls
import TICDSCore

/// Checks the references between the whole stores and the change sets of one document.
enum DeepCheck: DocumentCheck {
    static func findings(
        of document: DocumentSnapshot, _ context: VerificationContext, damaged: Set<RemotePath>
    ) -> [Finding] {
        let isLocked = context.snapshot.isEncrypted && context.keyring.key == nil
        guard !isLocked else { return [] }
        var stores = StoreObjects(document, context, damaged: damaged)
        var index = ObjectIndex()
        var names = EntityNames()
        let findings = stores.enterNamed(&index, &names, document.identifier, context)
        var follower = ChangeFollower(
            document, context, stores: stores, index: index, names: names, damaged: damaged)
        index = ObjectIndex()
        follower.run()
        return findings + follower.limited.findings
    }
}

/// Reads all change sets of a document in the order in which a new client applies them, and checks their references.
struct ChangeFollower {
    let context: VerificationContext
    let history: ChangeHistory
    private(set) var stores: StoreObjects
    var index: ObjectIndex
    var names: EntityNames
    var limited = LimitedFindings()
    /// The first set that could not be read to its end; the objects that it inserts are unknown.
    private(set) var firstUnread: Int
    private let damaged: Set<RemotePath>
    /// Earlier sets may refer to objects whose insertion a vacuum has removed.
    private let firstChecked: Int
    /// The first set with given changes, by the hash of the changes.
    private var digests: [Int: UInt32] = [:]
    /// Properties that are in no store; each is reported once. An unknown entity has an empty property.
    private var unknownProperties: Set<EntityProperty> = []

    private struct EntityProperty: Hashable {
        var entity: String
        var property: String
    }

    init(
        _ document: DocumentSnapshot, _ context: VerificationContext, stores: StoreObjects,
        index: ObjectIndex, names: EntityNames, damaged: Set<RemotePath>
    ) {
        self.context = context
        self.stores = stores
        self.index = index
        self.names = names
        self.damaged = damaged
        let history = ChangeHistory(of: document)
        let limit = document.vacuumLimit(now: context.now)
        self.history = history
        firstChecked = (0..<history.count).endOfPrefix { history[$0].file.modified < limit }
        firstUnread = history.count
    }

    mutating func run() {
        for number in 0..<history.count { follow(number) }
        stores.markUnnamed(&index, context)
        checkReferences()
    }

    /// Opens a set; nil if it cannot be read. An error that leaves it unread is recorded.
    func reader(_ entry: ChangeHistory.Entry) -> ChangeSetReader? {
        // An empty file counts as unread: a cloud service may still be downloading it.
        guard !damaged.contains(entry.path), entry.file.size > 0,
            entry.file.size <= Int64(context.memoryLimit)
        else { return nil }
        do throws(FileProblem) {
            let bytes = try context.keyring.read(context.storage, entry.path, limit: context.readLimit)
            return try ChangeSetReader(bytes, path: entry.path.filePath(under: context.root))
        } catch {
            context.unread.note(error, at: entry.path)
            return nil
        }
    }

    private mutating func follow(_ number: Int) {
        let entry = history[number]
        guard let reader = reader(entry) else { return markUnread(number) }
        var pass = SetPass(number: number)
        var isWhole = true
        let unread = context.unread
        do throws(FileProblem) {
            try reader.forEachChange(
                onDamage: { problem in
                    unread.note(problem, at: entry.path)
                    isWhole = false
                }
            ) { change in
                pass.digest.combine(change)
                if change.timestamp == nil { pass.hasTimes = false }
                check(change, &pass)
            }
        } catch {
            context.unread.note(error, at: entry.path)
            isWhole = false
        }
        if !isWhole { markUnread(number) }
        let digest = pass.digest.finalize()
        let isComparable = reader.count > 0 && isWhole && pass.hasTimes
        if isComparable, let twin = digests[digest] {
            return limited.add(twinFinding(entry, history[Int(twin)]))
        }
        if isComparable { digests[digest] = UInt32(clamping: number) }
        for finding in pass.tally.findings(at: entry, context) { limited.add(finding) }
    }

    private mutating func markUnread(_ number: Int) { firstUnread = min(firstUnread, number) }

    private func twinFinding(_ entry: ChangeHistory.Entry, _ twin: ChangeHistory.Entry) -> Finding {
        context.finding(
            .equalChangeSets, at: entry.path, document: entry.document, client: entry.client,
            subject: twin.file.identifier.text, expected: "other changes than any set before",
            found: "the same changes as \(twin.file.identifier) of \(twin.client)")
    }

    private mutating func check(_ change: SyncChange, _ pass: inout SetPass) {
        checkVocabulary(change, &pass)
        if let given = change.givenSyncID {
            let name = given.isNil ? "none" : given.stringValue.map { String($0.prefix(200)) } ?? "no text"
            pass.tally.count(
                .syncIDRewritten, change, expected: "the sync ID of the object",
                "it gives the sync ID \(name)")
        }
        guard let syncID = change.objectSyncID else { return }
        let key = ObjectIndex.key(syncID)
        var entry = index[key] ?? ObjectIndex.Entry()
        switch change.type {
        case .insert: insert(change, key, &entry, &pass)
        case .delete: delete(change, key, &entry, &pass)
        case .attribute, .toOne, .addToMany, .removeFromMany:
            if entry.flags.contains(.deleted) {
                pass.tally.count(.changeAfterDeletion, change)
            } else {
                noteReference(&entry, pass.number)
            }
        case .unknown: return
        }
        if entry.flags != [] { index[key] = entry }
        checkTarget(of: change, &pass)
    }

    private mutating func insert(
        _ change: SyncChange, _ key: UInt64, _ entry: inout ObjectIndex.Entry, _ pass: inout SetPass
    ) {
        if let timestamp = change.timestamp { pass.inserts[key] = timestamp }
        let isThere = entry.flags.contains(.inserted) && !entry.flags.contains(.deleted)
        if entry.flags.contains(.referenced), !entry.flags.contains(.inserted) {
            entry.flags.insert(.insertedLate)
        }
        entry.flags.remove(.deleted)
        entry.enter(entity: names.number(of: change.entity), .inserted)
        if isThere, !entry.flags.contains(.ambiguous) { pass.tally.count(.insertedTwice, change) }
    }

    private func delete(
        _ change: SyncChange, _ key: UInt64, _ entry: inout ObjectIndex.Entry, _ pass: inout SetPass
    ) {
        entry.flags.formUnion([.deleted, .everDeleted])
        if let inserted = pass.inserts[key], let deleted = change.timestamp, deleted < inserted {
            pass.tally.count(.deletedAndInserted, change)
        }
    }

    /// Records that a change refers to a so far unknown object.
    private func noteReference(_ entry: inout ObjectIndex.Entry, _ number: Int) {
        guard !entry.isKnown, !entry.flags.contains(.everDeleted), number >= firstChecked, entry.set == 0
        else { return }
        entry.flags.insert(.referenced)
        entry.set = UInt32(clamping: number + 1)
    }

    /// Checks the target of a relationship. The removal of a target needs no check.
    private mutating func checkTarget(of change: SyncChange, _ pass: inout SetPass) {
        guard change.type == .toOne || change.type == .addToMany, let target = change.relatedSyncID else {
            return
        }
        let key = ObjectIndex.key(target)
        var entry = index[key] ?? ObjectIndex.Entry()
        guard entry.isKnown else {
            noteReference(&entry, pass.number)
            if entry.flags != [] { index[key] = entry }
            return
        }
        guard let named = change.relatedEntity, let actual = names.name(entry.entity),
            !entry.flags.contains(.ambiguous), stores.tree.excludes(actual, from: named)
        else { return }
        pass.tally.count(
            .targetOfWrongEntity, change, subject: target, expected: String(named.prefix(200)),
            "\(target.prefix(200)) is of the entity \(actual.prefix(200))")
    }

    private mutating func checkVocabulary(_ change: SyncChange, _ pass: inout SetPass) {
        // A change without an entity has a finding of its own.
        guard !change.entity.isEmpty else { return }
        if stores.vocabulary.lacks(change.entity) {
            return reportUnknown(change, "", "the entity is in no whole store", &pass)
        }
        var properties = change.key.map { [$0] } ?? []
        if change.type == .insert {
            properties += (change.changedAttributes.pairs ?? []).compactMap(\.key.stringValue)
        }
        for property in properties
        where stores.vocabulary.lacks(property, of: change.entity, in: change.type) {
            reportUnknown(
                change, property, "the property \(property.prefix(200)) is in no whole store", &pass)
        }
    }

    private mutating func reportUnknown(
        _ change: SyncChange, _ property: String, _ detail: String, _ pass: inout SetPass
    ) {
        let unknown = EntityProperty(entity: change.entity, property: property)
        guard unknownProperties.count < 1000, unknownProperties.insert(unknown).inserted else { return }
        pass.tally.count(.unknownToStores, change, expected: "what the model of a whole store has", detail)
    }
}

/// The state while one set is read.
struct SetPass {
    let number: Int
    var tally = SetTally()
    var digest = Hasher()
    /// Whether every change has a timestamp. Changes without one may be equal by chance.
    var hasTimes = true
    var inserts: [UInt64: Double] = [:]
}

extension Hasher {
    /// All parts of a change except its primary key.
    fileprivate mutating func combine(_ change: SyncChange) {
        combine(change.type)
        combine(change.entity)
        combine(change.objectSyncID)
        combine(change.key)
        combine(change.relatedEntity)
        combine(change.changedAttributes)
        combine(change.changedRelationships)
        combine(change.timestamp)
    }
}
