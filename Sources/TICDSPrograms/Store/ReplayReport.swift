import CoreDataStore
import SystemCalls
import SystemPackage
import TICDSCommandLine
import TICDSCore
import TICDSSync

/// What a replay did, and what nobody can know about its result.
struct ReplayReport {
    let remote: FilePath
    let document: String
    let file: FilePath
    let register: FilePath
    var record = ReplayRecord()
    var externalData = ExternalDataCopy.Gaps()
    /// What people call the clients, by identifier.
    var clientNames: [String: String] = [:]
    private(set) var start: StartingStore?
    private(set) var unknown: [StoreNote] = []
    /// Why registers cannot be read; the stores beside them need not have been used.
    private(set) var unreadRegisters: [FileProblem] = []

    init(remote: FilePath, document: String, file: FilePath, register: FilePath) {
        self.remote = remote
        self.document = document
        self.file = file
        self.register = register
    }

    /// Takes in where the replay began, and from that what cannot be known.
    mutating func take(_ start: StartingStore) {
        self.start = start
        unknown = start.notes.filter { $0.code != "namesGuessed" && $0.code != "noModel" }
        func add(_ code: String, _ text: String) { unknown.append(StoreNote(code: code, text: text)) }
        if start.whole == nil {
            add(
                "setsAlone",
                """
                no whole store was used: objects from before the first change set, and changes in sets \
                that a vacuum removed, are not in the result
                """
            )
        } else if start.registered == nil {
            add(
                "registerMissing",
                """
                there is no readable register beside the whole store: sets that were in it have been \
                applied a second time, which may have brought back older values
                """
            )
        }
        if start.setsNotLeftOut > 0 {
            let sets = Quantities.count(start.setsNotLeftOut, "change set")
            add("clientInStore", "the whole store contains \(sets) of the clients that were to be left out")
        }
        let lost = start.lostSets(&unreadRegisters)
        if lost > 0 {
            let sets = Quantities.count(lost, "change set")
            add(
                "setsGone",
                "neither the store nor the remote contains \(sets) that clients have applied")
        }
        if !unreadRegisters.isEmpty {
            let registers = Quantities.count(unreadRegisters.count, "register")
            add(
                "registersUnreadable",
                "\(registers) of applied sets cannot be read: more sets may be gone that clients have applied"
            )
        }
        if externalData.missing > 0 {
            let files = Quantities.count(externalData.missing, "file")
            add("externalDataMissing", "\(files) of external data that the store refers to cannot be found")
        }
        if !externalData.unread.isEmpty {
            let files = Quantities.count(externalData.unread.count, "file")
            add("externalDataUnreadable", "\(files) of external data that the store refers to cannot be read")
        }
        add(
            "resolutions",
            """
            how the app decided conflicts is not recorded: where clients changed the same attribute, the \
            later set counts
            """
        )
        add("unsentEdits", "edits that a device had not sent are in no change set")
    }

    func print(_ output: OutputOptions) throws(FileProblem) {
        if output.json { try output.print(self, Self.schema) } else { try printText(output) }
    }

    /// Kinds of notices in the order of their numbers, those of the framework first.
    var kinds: [(kind: SyncNotice.Kind, notices: ReplayRecord.Notices)] {
        SyncNotice.Kind.allCases.compactMap { kind in record.notices[kind].map { (kind, $0) } }
    }
}

extension SyncNotice.Kind {
    /// The kind in words, for a number of changes.
    var words: String {
        switch self {
        case .objectMissingForAttribute: "changes of an attribute whose object does not exist"
        case .objectMissingForRelationship:
            "changes of a relationship from or to an object that does not exist"
        case .objectMissingForDeletion: "deletions of an object that does not exist"
        case .deletedRemotely: "changes here of an object that was deleted elsewhere"
        case .deletedLocally: "changes elsewhere of an object that was deleted here"
        case .relationshipDeletedRemotely:
            "relationships changed here, of an object that was deleted elsewhere"
        case .relationshipDeletedLocally:
            "relationships changed elsewhere, of an object that was deleted here"
        case .targetMissing: "to-one relationships cleared, because their target does not exist"
        case .withoutSyncID: "changes that name no object"
        case .insertedWithoutSyncID: "insertions without a sync ID among the attributes"
        case .unknownEntity: "changes of an entity that the store does not have"
        case .unknownProperty: "changes of a property that the entity does not have"
        case .refused: "changes that the store cannot take"
        case .deletionDenied: "deletions that a delete rule denies"
        case .unknownType: "changes of an unknown type"
        case .unreadableChange: "changes that cannot be read"
        case .unreadableSet: "change sets that cannot be read"
        }
    }
}
