import Base
import CoreDataStore
import SystemCalls
import SystemPackage
import TICDSCommandLine
import TICDSCore
import TICDSSync

/// The result of a replay, and the facts that remain unknown.
struct ReplayReport {
    let remote: FilePath
    let document: String
    let file: FilePath
    let register: FilePath
    var record = ReplayRecord()
    var externalData = ExternalDataCopy.Gaps()
    /// The reason why edits may be missing: not all change sets could be listed.
    var unlistedSets: FileProblem?
    /// The reason why the replay may have begun with an older whole store: not all could be listed.
    var unlistedStores: FileProblem?
    /// The descriptions of the clients, by identifier.
    var clientNames: [String: String] = [:]
    private(set) var start: StartingStore?
    private(set) var unknown: [StoreNote] = []
    /// Codes of the facts that no replay can know.
    static let alwaysUnknown = ["resolutions", "unsentEdits"]
    /// Sets that clients have applied, and that the result cannot contain.
    private(set) var setsGone: FileProblem?
    /// The reasons why registers cannot be read, including those of stores that the replay did not use.
    private(set) var unreadRegisters: [FileProblem] = []

    /// Records the starting store of the replay, and derives the unknown facts from it.
    /// - Parameters:
    ///   - document: the folder of the document.
    ///   - until: the time before which the result is; nil for the newest.
    mutating func take(_ start: StartingStore, of document: FilePath, until: FileTime?) {
        self.start = start
        unknown = start.notes.filter { $0.code != "namesGuessed" && $0.code != "noModel" }
        func add(_ code: String, _ text: String) { unknown.append(StoreNote(code: code, text: text)) }
        if let gap = unlistedSets {
            add("setsUnlisted", "edits may be missing: \(gap.path.escaped) could not be read")
        }
        if let gap = unlistedStores {
            add("storesUnlisted", "a newer whole store may be missing: \(gap.path.escaped) could not be read")
        }
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
                there is no readable register beside the whole store\(record.setsApplied == 0
                    ? "" : """
                        : sets that were in it have been applied a second time, which may have brought back older \
                        values
                        """)
                """
            )
        }
        if start.setsNotLeftOut > 0 {
            let sets = Quantities.count(start.setsNotLeftOut, "change set")
            add("clientInStore", "the whole store contains \(sets) of the clients that were to be left out")
        }
        let gone = start.goneSets
        unreadRegisters = gone.unread
        setsGone = gone.problem(without: start.registered ?? [], until: until, at: document)
        if let setsGone { add("setsGone", setsGone.problem) }
        if !unreadRegisters.isEmpty {
            let registers = Quantities.count(unreadRegisters.count, "register")
            add(
                "registersUnreadable",
                "\(registers) of applied sets cannot be read: more sets may be gone that clients have applied"
            )
        }
        let unregistered = record.setsUnreadable + record.setsAppliedInPart
        if unregistered > 0 {
            let sets = Quantities.count(unregistered, "change set")
            add(
                "setsNotRegistered",
                """
                the register does not name \(sets) that could not be read as a whole: clients apply them once \
                they can be read
                """
            )
        }
        unknown += StoreNote.externalData(missing: externalData.missing, unread: externalData.unread.count)
        add(
            "resolutions",
            """
            how the app decided conflicts is not recorded: where clients changed the same attribute, the \
            later set counts
            """
        )
        add("unsentEdits", "edits that a device had not sent are in no change set")
    }

    func print(_ context: CommandContext) throws(FileProblem) {
        try context.print(self, Self.schema) { show(to: &$0, context) }
    }

    /// Kinds of notices in the order of their numbers, those of the framework first.
    var kinds: [(kind: SyncNotice.Kind, notices: ReplayRecord.Notices)] {
        SyncNotice.Kind.allCases.compactMap { kind in record.notices[kind].map { (kind, $0) } }
    }
}

extension StoreNote {
    /// Notes on files of external data that a store names and that are missing or could not be read.
    static func externalData(missing: Int, unread: Int) -> [StoreNote] {
        let counts = [
            (missing, "externalDataMissing", "found"), (unread, "externalDataUnreadable", "read"),
        ]
        return counts.filter { $0.0 > 0 }.map { count, code, verb in
            let files = Quantities.count(count, "file")
            return StoreNote(
                code: code, text: "\(files) of external data that the store refers to cannot be \(verb)")
        }
    }
}

extension ExternalDataCopy.Gaps {
    /// The problem of a document whose store lacks files that could not be found; nil if it lacks none.
    func problem(at document: FilePath) -> FileProblem? {
        StoreNote.externalData(missing: missing, unread: 0).first.map { note in
            FileProblem(
                .damaged, path: document, note.text,
                advice: "A back-up, or the device that uploaded the whole store, may have them")
        }
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
        case .deletionDenied: "deletions although the delete rule Deny would keep the object"
        case .removedWithOwner: "objects deleted because their owner was"
        case .unknownType: "changes of an unknown type"
        case .unreadableChange: "changes that cannot be read"
        case .unreadableSet: "change sets that cannot be read"
        }
    }
}

extension ReplayReport {
    /// The number of places of each kind of notice that text shows; --json and --verbose show more.
    private static let shownPlaces = 5

    private func show(to text: inout OutputBuffer, _ context: CommandContext) {
        let colour = context.colour()
        text.line(colour.paint("\(file)", .bold))
        text.line("    register: \(register)")
        text.line("    start: \(startText(context.style))")
        for refusal in start?.refusals ?? [] {
            let client = name(of: refusal.client)
            text.line("    not used: \(client): \(refusal.reason)")
        }
        text.line("    change sets: \(setsText)")
        let left = record.changesRead - record.changesApplied
        text.line(
            "    changes: \(Quantities.count(record.changesApplied)) applied"
                + (left > 0 ? ", \(Quantities.count(left)) not" : ""))
        if !kinds.isEmpty { text.line(colour.paint("Warnings", .bold)) }
        for (kind, notices) in kinds {
            let number = kind.warningNumber.map { " (warning \($0) of the framework)" } ?? ""
            text.line("    \(Quantities.count(notices.count)) \(kind.words)\(number)")
            let shown = context.verbose ? notices.first : Array(notices.first.prefix(Self.shownPlaces))
            for notice in shown { text.line("        \(Self.line(notice))") }
            if shown.count < notices.count {
                text.line("        … \(Quantities.count(notices.count - shown.count)) more")
            }
        }
        text.line(colour.paint("Not known", .bold))
        for note in unknown { text.line("    \(note.text)") }
    }

    /// The text about the store with which the replay began.
    func startText(_ style: TextStyle) -> String {
        guard let whole = start?.whole, let store = whole.store else { return "the change sets alone" }
        let layers = start?.layers.map(\.rawValue).joined(separator: ", ") ?? ""
        return "whole store of \(name(of: whole.client)), \(style.second(store.modified)) (\(layers))"
    }

    private func name(of client: RemoteName) -> String { clientNames[client.text] ?? client.description }

    /// The numbers of change sets that were applied, and that were not.
    var setsText: String {
        let parts = [
            (record.setsApplied, "applied"), (record.setsAppliedInPart, "of these in part"),
            (record.setsInStore, "already in the store"),
            (record.setsAfterwards, "too late"), (record.setsOfOthers, "left out"),
            (record.setsUnreadable, "unreadable"),
        ]
        let known = parts.enumerated().filter { $0.offset == 0 || $0.element.0 > 0 }
            .map { "\(Quantities.count($0.element.0)) \($0.element.1)" }
        return (known + (unlistedSets == nil ? [] : ["more may be missing"])).joined(separator: ", ")
    }

    static func line(_ placed: ReplayRecord.PlacedNotice) -> String {
        let notice = placed.notice
        let place = placed.changeSet + (placed.sequence > 0 ? " #\(placed.sequence)" : "")
        let object = [notice.entity, notice.syncID].compactMap { $0 }.joined(separator: " ")
        let facts = [object, notice.key ?? "", notice.reason ?? ""].filter { !$0.isEmpty }
        return "\(place): \(facts.joined(separator: ", "))"
    }
}
