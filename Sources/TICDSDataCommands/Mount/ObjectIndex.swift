import Base
import CoreDataStore
import CoreDataTools
import KeyedArchive
import Mounting
import Synchronization
import SystemCalls
import SystemPackage
import TICDSCommandLine
import TICDSCore

/// The objects of a store by entity and label, and their JSON in a file without a name, which the index keeps alive.
final class ObjectIndex: Sendable {
    /// The objects of an entity.
    struct Entity: Sendable {
        let name: String
        /// The names of the files, without endings.
        let index: NameIndex
        /// The positions of the objects that have a sync ID, in order; empty if nobody needs the sync IDs.
        let identified: [Int32]
        /// The sync IDs of these objects.
        let syncIDs: PackedTexts
        /// The place of each text in the file.
        let offsets: [Int64]
        let lengths: [Int64]
    }

    /// The name of the file that says what is missing.
    static let problemsName = "PROBLEMS.txt"

    let entities: [Entity]
    /// What is missing or wrong, one paragraph for each problem; nil if nothing is.
    let problems: SharedBytes?
    /// The bytes on disk.
    let size: Int64
    /// The bytes of memory, roughly.
    let memory: Int64
    private let file: UnnamedFile
    private let descriptor: LocalFile
    private let positions: [String: Int]

    /// Reads all objects of a store.
    /// - Parameters:
    ///   - problems: the reasons why objects may be missing that are known already.
    ///   - keepsSyncIDs: whether the entities have the sync IDs of their objects.
    init(
        _ store: any PersistentStore, problems known: [FileProblem], keepsSyncIDs: Bool
    ) throws(FileProblem) {
        file = try UnnamedFile()
        var collected = Collector(try ObjectNames(.auto, store))
        var problems = known
        let path = file.path
        try PrivateFile.write(path) { (output) throws(FileProblem) in
            try store.forEachObject(
                entity: nil,
                onDamage: { problem throws(FileProblem) in
                    if problem.kind == .writeFailed { throw problem }
                    problems.append(problem)
                }
            ) { (object) throws(FileProblem) in try collected.add(object, output) }
            try collected.flush(output)
        }
        problems += try store.problems(of: nil) + store.shortfalls
        if collected.missingFiles > 0 {
            problems.append(
                FileProblem(
                    .missing, path: store.path,
                    "\(counted(collected.missingFiles, "value")) cannot be shown: files of external data do not exist, are empty or cannot be read"
                ))
        }
        descriptor = LocalFile(try OwnedDescriptor.file(path))
        entities = collected.finished(keepsSyncIDs: keepsSyncIDs)
        size = collected.written
        memory = entities.reduce(0) { $0 +| $1.memory }
        positions = Dictionary(
            entities.enumerated().map { ($1.name, $0) }, uniquingKeysWith: { first, _ in first })
        self.problems = Self.text(of: problems)
    }

    /// No objects, and the reason why there are none.
    init(without problem: FileProblem) throws(FileProblem) {
        file = try UnnamedFile()
        descriptor = LocalFile(try OwnedDescriptor.file(file.path))
        entities = []
        positions = [:]
        size = 0
        memory = 0
        problems = Self.text(of: [problem])
    }

    private static func text(of problems: [FileProblem]) -> SharedBytes? {
        if problems.isEmpty { return nil }
        var lines = OutputBuffer(nil)
        for problem in problems.prefix(1_000) { lines.line(ErrorReport(problem).line) }
        if problems.count > 1_000 { lines.line("and \(counted(problems.count - 1_000, "more problem"))") }
        return SharedBytes(lines.collected)
    }

    /// The objects of an entity, by the name of its folder.
    func entity(_ name: String) -> Entity? { positions[name].map { entities[$0] } }

    /// The text of an object.
    func text(_ position: Int, of entity: Entity) throws(FileProblem) -> SharedBytes {
        let bytes = try PrivateBytes(count: Int(entity.lengths[position]), path: descriptor.path)
        let count = try descriptor.read(into: bytes.memory, at: Int(entity.offsets[position]))
        return bytes.shared(0..<count)
    }
}

/// Collects the objects of a store, whose texts go to a file.
private struct Collector: ~Copyable {
    fileprivate struct Open {
        let name: String
        var labels = PackedTexts()
        var keys: [Int64] = []
        /// The positions of the objects that have a sync ID, in order.
        var identified: [Int32] = []
        /// The sync IDs of these objects.
        var syncIDs = PackedTexts()
        var offsets: [Int64] = []
        var lengths: [Int64] = []
    }

    private var entities: [String: Open] = [:]
    private var order: [String] = []
    private var folders = VirtualNames()
    private var json = OutputBuffer(nil)
    private(set) var written: Int64 = 0
    private(set) var missingFiles = 0
    private let names: ObjectNames?

    init(_ names: ObjectNames?) {
        self.names = names
        folders.reserve(ObjectIndex.problemsName)
    }

    mutating func add(_ object: StoredObject, _ output: PrivateFile) throws(FileProblem) {
        var writer = JSONWriter(nil, layout: .indented)
        try ObjectLines.write(object, names, to: &writer)
        missingFiles += object.missingExternalFiles
        let length = Int64(writer.output.count)
        json.append(writer.output)
        if entities[object.entity] == nil {
            order.append(object.entity)
            entities[object.entity] = Open(name: folders.next(object.entity, or: "entity"))
        }
        entities[object.entity]?.take(object, at: written, length)
        written += length
        if json.count > 1 << 18 { try flush(output) }
    }

    mutating func flush(_ output: PrivateFile) throws(FileProblem) {
        let bytes = json.collected
        json.cut(to: 0)
        let problem = bytes.withUnsafeBytes { bytes -> FileProblem? in
            do throws(FileProblem) {
                try output.write(bytes)
                return nil
            } catch {
                return error
            }
        }
        if let problem { throw problem }
    }

    /// The objects, entity by entity, which come one after the other. What was collected of an entity goes then.
    mutating func finished(keepsSyncIDs: Bool) -> [ObjectIndex.Entity] {
        order.compactMap { entities.removeValue(forKey: $0)?.finished(keepsSyncIDs: keepsSyncIDs) }
    }
}

extension Collector.Open {
    fileprivate mutating func take(_ object: StoredObject, at offset: Int64, _ length: Int64) {
        let syncID = object.syncID
        if let syncID {
            identified.append(Int32(clamping: keys.count))
            syncIDs.append(syncID)
        }
        labels.append(object.label ?? "\(object.entity) \(syncID ?? String(object.primaryKey))")
        keys.append(object.primaryKey)
        offsets.append(offset)
        lengths.append(length)
    }

    fileprivate func finished(keepsSyncIDs: Bool) -> ObjectIndex.Entity {
        ObjectIndex.Entity(
            name: name, index: names, identified: keepsSyncIDs ? identified.fitted : [],
            syncIDs: keepsSyncIDs ? syncIDs.fitted : PackedTexts(), offsets: offsets.fitted,
            lengths: lengths.fitted)
    }

    /// The names of the files. Where several objects have the same label, each has the beginning of its sync ID behind it,
    /// so that an object has the same name in every state in which its label is shared.
    private var names: NameIndex {
        let room = ObjectIndex.Entity.room
        // Numbers take less memory than the texts.
        let likenesses = (0..<labels.count).map { position in
            VirtualNames.likeness(of: labels[position], room: room).hashValue
        }
        var (seen, shared): (Set<Int>, Set<Int>) = ([], [])
        for likeness in likenesses where !seen.insert(likeness).inserted { shared.insert(likeness) }
        var (taken, names) = (VirtualNames(), NameIndex.Builder())
        var rank = 0
        for (position, likeness) in likenesses.enumerated() {
            var syncID: String?
            if rank < identified.count, identified[rank] == Int32(clamping: position) {
                syncID = syncIDs[rank]
                rank += 1
            }
            if let syncID, shared.contains(likeness) {
                names.append(
                    taken.next(labels[position], marked: String(syncID.prefix(8)), or: syncID, room: room))
            } else {
                names.append(taken.next(labels[position], or: String(keys[position]), room: room))
            }
        }
        return names.index
    }
}

/// Texts as bytes in one piece of memory: a text by itself takes 64 bytes or more.
struct PackedTexts: Sendable {
    private var bytes: [UInt8] = []
    /// The end of each text in the bytes.
    private var ends: [Int] = []

    /// The number of texts.
    var count: Int { ends.count }

    /// The bytes of memory, roughly.
    var memory: Int64 { Int64(bytes.count) +| Int64(ends.count) *| 8 }

    mutating func append(_ text: String) {
        bytes += text.utf8
        ends.append(bytes.count)
    }

    subscript(position: Int) -> String {
        let start = position == 0 ? 0 : ends[position - 1]
        return String(decoding: bytes[start..<ends[position]], as: UTF8.self)
    }

    /// The same texts in no more memory than they need.
    var fitted: PackedTexts {
        var texts = self
        (texts.bytes, texts.ends) = (bytes.fitted, ends.fitted)
        return texts
    }
}

extension Array where Element: BitwiseCopyable {
    /// The same elements in no more memory than they need: an array that grew may have room for twice as many.
    fileprivate var fitted: [Element] { withUnsafeBufferPointer { Array($0) } }
}

extension ObjectIndex.Entity {
    /// The bytes of the longest ending of a name.
    fileprivate static let room = EntityFolder.historyEnding.utf8.count

    /// The bytes of memory, roughly. The bytes of the names have grown one by one, and may take twice their number.
    fileprivate var memory: Int64 {
        Int64(index.memory) *| 2 +| syncIDs.memory +| Int64(identified.count) *| 4
            +| Int64(offsets.count) *| 16
    }
}

extension StoredObject {
    /// The text by which people know the object: the title, the name, or else its first text.
    fileprivate var label: String? {
        var best: (rank: Int, text: String)?
        for attribute in attributes {
            guard case .string(let text) = attribute.value, !text.isEmpty, !attribute.isSyncID else {
                continue
            }
            let rank = attribute.rank
            if rank < best?.rank ?? .max { best = (rank, text) }
        }
        return best?.text
    }
}

extension StoredAttribute {
    /// The place among the names of attributes that label objects.
    fileprivate var rank: Int {
        ObjectLabelNames.all.firstIndex(of: name.lowercased()) ?? ObjectLabelNames.all.count
    }
}
