import Base
import CoreDataStore
import KeyedArchive
import SystemCalls
import SystemPackage

/// The tables of Core Data itself: entities, metadata and the model. If one is lost, its rows are searched for on all
/// pages, including old versions.
struct CoreDataTables {
    /// The entities; nil if they are lost.
    private(set) var entities: StoreEntities?
    private(set) var metadata = StoreMetadata(.none)
    private(set) var cachedModel: ManagedObjectModel?
    private(set) var problems: [FileProblem] = []
    private let path: FilePath
    private let encoding: RecordText

    init(_ source: PageSource, _ schema: RecoverySchema) throws(FileProblem) {
        path = source.path
        encoding = source.encoding
        var reader = TableReader(source)
        var numbered: [NumberedEntity] = []
        var found: StoreMetadata?
        var contents: [UInt8]?
        func root(_ name: String) -> Int? {
            schema.tables.first { $0.name == name }.flatMap { $0.root > 0 ? $0.root : nil }
        }
        let encoding = encoding
        if let root = root("Z_PRIMARYKEY") {
            try reader.forEachRow(from: root) { key, values in
                Self.add(Self.entity(key, values, encoding), to: &numbered)
            }
        }
        if let root = root("Z_METADATA") {
            try reader.forEachRow(from: root) { _, values in found = found ?? Self.metadata(values, encoding)
            }
        }
        if let root = root("Z_MODELCACHE") {
            try reader.forEachRow(from: root) { _, values in
                contents = contents ?? RecordRow(values: values, encoding: encoding).blob(0)
            }
        }
        if numbered.isEmpty || schema.isLost {
            if numbered.isEmpty {
                problems.append(
                    FileProblem(
                        .damaged, path: path, "the table of entities, Z_PRIMARYKEY, is lost",
                        advice: "The entities come from other pages, or from the model; name it with --model")
                )
            }
            var model: ManagedObjectModel?
            var tries = 0
            try TableReader.forEachRecord(of: source) { key, values in
                Self.add(Self.entity(key, values, encoding), to: &numbered)
                found = found ?? Self.metadata(values, encoding)
                guard model == nil, contents == nil, values.count == 1, case .blob(let bytes) = values[0],
                    bytes.count > 100, tries < 100
                else { return }
                tries += 1
                // try?: the blob is not a model
                model = try? Self.model(bytes, source.path)
            }
            cachedModel = model
        }
        if let found { metadata = found }
        if let contents {
            do throws(FileProblem) {
                cachedModel = try Self.model(contents, path)
            } catch {
                problems.append(error)
            }
        }
        setEntities(numbered)
    }

    private static func add(_ entity: NumberedEntity?, to rows: inout [NumberedEntity]) {
        guard let entity, rows.count < 10_000, entity.number < StoreEntities.firstHistoryNumber,
            !rows.contains(where: { $0.number == entity.number || $0.name == entity.name })
        else { return }
        rows.append(entity)
    }

    /// A row of Z_PRIMARYKEY; nil for any other.
    private static func entity(
        _ key: Int64?, _ values: [RecordValue], _ encoding: RecordText
    ) -> NumberedEntity? {
        let row = RecordRow(values: values, encoding: encoding)
        guard values.count == 4, values[0] == .null, let name = row.text(1),
            let number = key.flatMap({ Int(exactly: $0) }), number > 0, number < 1 << 31,
            name.utf8.first.map({ $0 < 0x30 || $0 > 0x39 }) == true, name.utf8.count <= 1000,
            values[2] == .null || row.integer(2) != nil, values[3] == .null || row.integer(3) != nil
        else { return nil }
        let above = Int(clamping: row.integer(2) ?? 0)
        guard above >= 0, above != number else { return nil }
        return NumberedEntity(number: number, name: name, superentityNumber: above)
    }

    /// A row of Z_METADATA; nil for any other.
    private static func metadata(_ values: [RecordValue], _ encoding: RecordText) -> StoreMetadata? {
        let row = RecordRow(values: values, encoding: encoding)
        guard values.count == 3, let list = row.blob(2), list.starts(with: Array("bplist00".utf8)) else {
            return nil
        }
        // try?: without metadata the model is not compared
        guard let value = try? BinaryPropertyList(SharedBytes(list)).value(),
            value[StoreMetadata.versionHashesKey] != nil
        else { return nil }
        return StoreMetadata(value, uuid: row.text(1))
    }

    private static func model(
        _ bytes: [UInt8], _ path: FilePath
    ) throws(FileProblem) -> ManagedObjectModel {
        let archive = try RawDeflate.inflate(SharedBytes(bytes), limit: 64 << 20, path: path)
        return try ManagedObjectModel.decoded(path) { () throws(PropertyListError) in
            try CompiledModelReader.model(archive)
        }
    }

    private mutating func setEntities(_ found: [NumberedEntity]) {
        guard !found.isEmpty else { return }
        // Only some of the rows may survive.
        let known = Set(found.map(\.number))
        let rows = found.map { row in
            let isKnown = known.contains(row.superentityNumber)
            return NumberedEntity(
                number: row.number, name: row.name, superentityNumber: isKnown ? row.superentityNumber : 0)
        }
        do throws(FileProblem) {
            entities = try StoreEntities(rows) { found in
                FileProblem(
                    .damaged, path: path, "the table Z_PRIMARYKEY has two rows that exclude each other",
                    found: found)
            }
        } catch {
            problems.append(error)
        }
    }
}
