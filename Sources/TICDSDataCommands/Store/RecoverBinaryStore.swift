import Base
import CoreDataStore
import CoreDataTools
import KeyedArchive
import SystemCalls
import SystemPackage
import TICDSCommandLine

extension StoreRecover {
    /// Prints the surviving parts of a binary store as lines, or writes a new store of the intact objects.
    func recoverBinaryStore(_ file: RecoverableFile, _ context: CommandContext) throws -> ExitStatus {
        if deleted {
            throw FileProblem(
                .unsupported, path: file.visiblePath, "a binary store keeps nothing of what was deleted",
                advice: "Leave out --deleted")
        }
        let target = try to.map { name in try RecoveryTarget(name) }
        let store = try DamagedBinaryStore(
            try FileBytes.read(file.path, limit: .binaryStore), path: file.visiblePath)
        let names = Set(store.nodes.compactMap(\.entity))
        let model = try binaryModel(of: store)
        if let entity, !names.contains(entity), model?[entity] == nil {
            throw FileProblem.unknownEntity(entity, at: file.visiblePath, among: Array(names))
        }
        for note in file.notes { context.warn(note.text) }
        var tally = ObjectTally(store)
        for problem in store.problems { context.report(problem) }
        var printed = RecoveredObjectLines(LineOutput(context))
        var written = RecoveredObjectLines(target, context)
        var rescued = RecoveredStoreWriter()
        try store.forEachObject(
            model: model,
            onDamage: { problem throws(FileProblem) in
                context.report(problem)
                tally.problems += 1
            },
            { object throws(FileProblem) in
                if let entity, object.entity != entity { return }
                tally.add(object)
                if certain && !(object.isWhole && store.objects.contradiction == nil) { return }
                if target == nil {
                    printed.add(object)
                } else if written == nil {
                    rescued.add(object)
                } else {
                    written?.add(object)
                }
            })
        if tally.lost > 0 { context.report(tally.loss(store)) }
        if tally.lostKeys == nil, context.json { context.warn("nothing shows how many objects are lost") }
        guard let target else {
            if !context.json { tally.show(to: &printed.out.text, context) }
            try printed.out.finish()
            return tally.status
        }
        if written == nil {
            guard rescued.count > 0 else {
                throw FileProblem(
                    .damaged, path: file.visiblePath, "no object is whole, so that nothing was written",
                    advice: "Give --to a name that ends in .jsonl for what is left of the objects")
            }
            let bytes: [UInt8]
            do throws(PropertyListError) {
                bytes = try rescued.finish(store)
            } catch {
                throw FileProblem(error, path: file.visiblePath)
            }
            try NewFile.write(bytes, to: target.output.path)
            tally.written = rescued.count
            tally.droppedReferences = rescued.droppedReferences
        } else {
            do throws(FileProblem) { try written?.file.flush() } catch { throw error.of(target.target) }
        }
        try target.finish()
        tally.target = target.target
        try context.print(tally, ObjectTally.schema) { tally.show(to: &$0, context) }
        return tally.status
    }

    private func binaryModel(of store: DamagedBinaryStore) throws -> ManagedObjectModel? {
        guard let named = options.model else { return nil }
        let mismatch: ModelMismatch = options.acceptMismatch ? .accept : .refuse
        return try ModelFile.load(
            Environment.path(argument: named), for: store.metadata ?? StoreMetadata(.dictionary([])),
            of: store.path, mismatch: mismatch
        ).model
    }
}

/// The new file of a recovery: JSON Lines if its name ends in .jsonl, otherwise a store.
struct RecoveryTarget {
    let output: AtomicOutput
    /// The open file; nil for a store, which is written in one step.
    let descriptor: FileDescriptor?

    var target: FilePath { output.target }

    init(_ name: String) throws {
        let path = try OutputTarget.path(name)
        switch ExportFormat(name: path.lastComponent?.string ?? "") {
        case .jsonl:
            output = try AtomicOutput(path, isReplacing: false, offersForce: false)
            descriptor = try RecoveryWriter.create(output.path)
        case .csv:
            output = try AtomicOutput(path, isReplacing: false, offersForce: false)
            descriptor = nil
        case .json, .sqlite:
            throw FileProblem(
                .unsupported, path: path,
                "what is left of a binary store is written as lines or as a binary store",
                advice:
                    "Give a name that ends in .jsonl, or one without such an end; ticds-store export makes a database of the new store"
            )
        }
    }

    func finish() throws(FileProblem) {
        // try?: an error of writing was thrown before
        try? descriptor?.close()
        try output.finish()
    }
}

/// The numbers of surviving objects.
struct ObjectTally {
    let path: FilePath
    let size: (found: Int, expected: Int?)
    let archive: RecoveredArchive
    let lostKeys: [Int64?]?
    let hasMetadata: Bool
    var problems: Int
    var target: FilePath?
    var written: Int?
    var droppedReferences = 0
    private(set) var kinds: [String: Kind] = [:]

    struct Kind {
        var entity: String?
        var whole = 0
        var partial = 0
    }

    init(_ store: DamagedBinaryStore) {
        path = store.path
        size = store.size
        archive = store.objects
        lostKeys = store.lostKeys
        hasMetadata = store.metadata != nil
        problems = store.problems.count
    }

    /// The number of lost objects; 0 if it is unknown.
    var lost: Int { lostKeys?.count ?? 0 }

    private var sortedKinds: [Kind] { kinds.sorted { $0.key < $1.key }.map(\.value) }

    private var partial: Int { kinds.values.reduce(0) { $0 + $1.partial } }

    var status: ExitStatus {
        problems == 0 && partial == 0 && lostKeys?.isEmpty == true ? .success : .partial
    }

    mutating func add(_ object: RecoveredObject) {
        let key = object.entity ?? ""
        kinds[key, default: Kind(entity: object.entity)].whole += object.isWhole ? 1 : 0
        kinds[key, default: Kind(entity: object.entity)].partial += object.isWhole ? 0 : 1
    }

    /// The lost objects.
    func loss(_ store: DamagedBinaryStore) -> FileProblem {
        let keys = (lostKeys ?? []).map { $0.map(String.init) ?? "?" }
        return FileProblem(
            .damaged, path: path, offset: archive.end,
            "of \(Quantities.count(lost, "object")) nothing is left",
            expected: Quantities.count(lost +| store.nodes.count, "object"),
            found: "none with the primary keys \(keys.listed(20))")
    }

    func show(to text: inout OutputBuffer, _ context: CommandContext) {
        if context.quiet { return }
        var table = TextTable(["OBJECTS OF", "WHOLE", "PARTIAL"], [.text, .number, .number])
        for kind in sortedKinds {
            table.add(
                [
                    kind.entity ?? "an entity that is lost", Quantities.count(kind.whole),
                    Quantities.count(kind.partial),
                ])
        }
        if kinds.isEmpty { text.line("no objects") } else { table.show(to: &text, colour: context.colour()) }
        text.line(
            "\(lostKeys == nil ? "Nothing shows how many objects are lost" : "\(Quantities.count(lost, "object")) lost")."
        )
        guard let target else { return }
        if let written {
            let dropped =
                droppedReferences == 0
                ? "" : ", without \(Quantities.count(droppedReferences, "reference")) to others"
            text.line("written: \(target.escaped), \(Quantities.count(written, "whole object"))\(dropped)")
        } else {
            text.line("written: \(target.escaped)")
        }
    }

    static let schema = JSONSchema<ObjectTally>(
        "ticds.binaryRecovery/1", "Printed by ticds-store(1) `recover` with `--to` for a binary store."
    ) {
        $0("store", "", \.path)
        $0("target", "The file that was written.", \.target)
        $0("size", "Bytes of the file.", \.size.found)
        $0("expectedSize", "Bytes by the header; null if that is damaged.", \.size.expected)
        $0(
            "offsetsFrom",
            "`table`: the offset table. `objects`: the objects themselves, one behind another.",
            \.archive.origin)
        $0("referenceWidth", "Bytes of a reference.", \.archive.referenceWidth)
        $0("contradiction", "The offset from which objects contradict those before.", \.archive.contradiction)
        $0("metadata", "Whether any metadata are left.", \.hasMetadata)
        $0("problems", "The number of things that could not be read, beside objects.", \.problems)
        $0(
            "lost", "The number of objects of which nothing is left; null if nothing shows it.",
            { $0.lostKeys?.count })
        $0("written", "The number of objects in the new store; null for lines.", \.written)
        $0(
            "droppedReferences", "References to objects that are not in the new store.", \.droppedReferences)
        $0("objects", "The numbers of objects.", { $0.sortedKinds }, kind)
    }

    private static let kind = JSONFields<Kind> {
        $0("entity", "Null if it is lost.", \.entity)
        $0("whole", "", \.whole)
        $0("partial", "", \.partial)
    }
}

/// Prints the surviving parts of objects, or writes them as lines into a new file.
struct RecoveredObjectLines: ~Copyable {
    var out: LineOutput
    var file: JSONWriter
    private let isFile: Bool

    init(_ out: consuming LineOutput) {
        self.out = out
        file = JSONWriter(nil)
        isFile = false
    }

    /// Opens the output; nil for a target without lines.
    init?(_ target: RecoveryTarget?, _ context: CommandContext) {
        guard let descriptor = target?.descriptor else { return nil }
        out = LineOutput(context)
        file = JSONWriter(descriptor, layout: .compact)
        isFile = true
    }

    mutating func add(_ object: RecoveredObject) {
        if isFile {
            Self.write(object, &file)
        } else if out.isJSON {
            Self.write(object, &out.json)
        } else {
            addText(object)
        }
    }

    /// Written below: there may be millions.
    static let schema = JSONSchema<Void>(
        "ticds.recoveredObject/1",
        "Printed by ticds-store(1) `recover` for a binary store: a line for each object that is left."
    ) {
        $0("entity", "Null if it is lost.", as: .orNull(.text))
        $0("primaryKey", "Null if it is lost.", as: .orNull(.shared("integer")))
        $0("whole", "Whether nothing of it is lost.", as: .boolean)
        $0(
            "missing", "The attributes and relationships that are lost, as far as they are known.",
            as: .array(.text))
        $0(
            "missingMore", "Whether more is lost, of which not even the name is known.", as: .boolean)
        $0("offset", "Where the object is in the file.", as: .shared("integer"))
        $0("attributes", "The values that are left, by name.", as: .map(.value))
        $0(
            "relationships", "Primary keys by name, as in `ticds.object/1`.",
            as: .map(.raw(ObjectLines.relationshipType)))
    }

    private static func write(_ object: RecoveredObject, _ json: inout JSONWriter) {
        json.begin(schema.name)
        json.field("entity", object.entity)
        json.field("primaryKey", object.primaryKey)
        json.field("whole", object.isWhole)
        json.array("missing", object.missing) { $0.value($1) }
        json.field("missingMore", object.isMissingMore)
        json.field("offset", object.offset)
        json.beginObject("attributes")
        for attribute in object.attributes { json.field(attribute.name, attribute.value) }
        json.endObject()
        ObjectLines.write(object.relationships, to: &json)
        json.end()
    }

    private mutating func addText(_ object: RecoveredObject) {
        let name = "\(object.entity ?? "entity lost") \(object.primaryKey.map(String.init) ?? "key lost")"
        var lost = object.missing
        if object.isMissingMore { lost.append("more") }
        out.text.line(
            out.colour.paint(escapedText(name), .bold)
                + "  offset \(object.offset)\(lost.isEmpty ? "" : "; lost: \(lost.joined(separator: ", "))")")
        for attribute in object.attributes where !attribute.value.isNil {
            out.text.line("    \(attribute.name) = \(out.style.line(of: attribute.value))")
        }
        ObjectLines.show(object.relationships, to: &out.text)
    }
}
