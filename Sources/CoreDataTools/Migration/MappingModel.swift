public import Base
public import CoreDataStore
public import SystemCalls
public import SystemPackage

import KeyedArchive

/// A mapping model of Xcode or of an app (NSMappingModel): how the objects of one version of a model become those of
/// another one.
public struct MappingModel: Sendable, Hashable {
    /// The form of the file.
    public enum Form: String, Sendable, Hashable, CaseIterable {
        /// The source that Xcode edits: `xcmapping.xml`.
        case source
        /// What Xcode makes of it for an app: `.cdm`.
        case compiled
    }

    /// What a mapping of entities does (NSEntityMappingType).
    public enum Kind: String, Sendable, Hashable, CaseIterable {
        /// The app makes the objects.
        case custom
        /// The entity is new.
        case add
        /// The objects are left out.
        case remove
        /// Both versions of the entity are the same.
        case copy
        /// The objects change.
        case transform
        /// The file does not say it.
        case undefined

        /// The kind with a number of NSEntityMappingType.
        init?(number: Int) {
            let kinds: [Kind] = [.undefined, .custom, .add, .remove, .copy, .transform]
            guard kinds.indices.contains(number) else { return nil }
            self = kinds[number]
        }
    }

    /// The mapping of an entity (NSEntityMapping).
    public struct Entity: Sendable, Hashable {
        /// The name, which expressions refer to.
        public var name: String
        /// What the mapping does.
        public var kind: Kind
        /// The entity of the old model; nil for a new entity.
        public var source: String?
        /// The entity of the new model; nil if the objects are left out.
        public var destination: String?
        /// The version hash of the entity of the old model; nil if the file does not have it.
        public var sourceHash: [UInt8]?
        /// The version hash of the entity of the new model; nil if the file does not have it.
        public var destinationHash: [UInt8]?
        /// The class of the app that carries out the mapping (NSEntityMigrationPolicy); nil for the usual one.
        public var policy: String?
        /// The condition on the old objects, as a format string; nil for all.
        public var condition: String?
        /// An expression that fetches the old objects in another way; nil for none.
        public var fetch: ArchivedExpression?
        /// The mappings of attributes, by name.
        public var attributes: [Property] = []
        /// The mappings of relationships, by name.
        public var relationships: [Property] = []
    }

    /// The mapping of a property (NSPropertyMapping).
    public struct Property: Sendable, Hashable {
        /// The property of the new model.
        public var name: String
        /// The value; nil for none, or for what Xcode generates.
        public var expression: ArchivedExpression?
        /// Whether Xcode generates an expression if there is none: the property of the same name.
        public var isGenerated = false
        /// The key path from the old object for the generated expression; nil for the name.
        public var keyPath: String?
        /// The entity mapping for the generated expression of a relationship; nil for the usual one.
        public var mapping: String?
    }

    /// The file.
    public var path: FilePath
    /// The form of the file.
    public var form: Form
    /// The path of the old model in the project; nil in the compiled form.
    public var sourceModelPath: String?
    /// The path of the new model in the project; nil in the compiled form.
    public var destinationModelPath: String?
    /// The copy of the old model in the file; nil in the compiled form.
    public var sourceModel: ManagedObjectModel?
    /// The copy of the new model in the file; nil in the compiled form.
    public var destinationModel: ManagedObjectModel?
    /// The mappings of entities, in their order.
    public var entities: [Entity]
    /// The problems of the file. A mapping model with problems can be shown, but not carried out.
    public var problems: [FileProblem] = []

    /// The file in a folder of Xcode.
    static let sourceFile = FilePath.Component("xcmapping.xml")

    /// Whether a path is a mapping model, by its content; a folder `.xcmappingmodel` is one by its name.
    public static func isMappingModel(_ path: FilePath) throws(FileProblem) -> Bool {
        let real = try path.resolved() ?? path
        guard try FileStatus.of(real).kind == .file else {
            return path.extension == "xcmappingmodel" || real.extension == "xcmappingmodel"
        }
        let head = try FileBytes.head(real, count: headSize)
        if head.starts(with: Array("bplist00".utf8)) {
            // Most property lists say what they are at their end.
            guard
                let bytes = try unlessTooLarge({ () throws(FileProblem) in
                    try FileBytes.read(real, limit: .model)
                })
            else { return false }
            return CompiledMappingReader.isMappingModel(bytes)
        }
        return isSource(head)
    }

    private static let headSize = 65_536

    private static func unlessTooLarge(
        _ read: () throws(FileProblem) -> SharedBytes
    ) throws(FileProblem) -> SharedBytes? {
        do throws(FileProblem) {
            return try read()
        } catch {
            if error.kind == .limit, !error.isUnread { return nil }
            throw error
        }
    }

    /// Whether a file begins like an XML store with a mapping model, whose entities its metadata name.
    private static func isSource(_ head: SharedBytes) -> Bool {
        guard XMLKind(head) == .store else { return false }
        return String(decoding: head.array(0..<headSize), as: UTF8.self).contains(
            "<key>XDDevMappingModel</key>")
    }

    /// Reads a mapping model: a folder `.xcmappingmodel`, its `xcmapping.xml`, or a `.cdm`.
    /// - Throws: `.unsupported` for another file, `.damaged` for one of which nothing can be read.
    public static func load(_ path: FilePath) throws(FileProblem) -> MappingModel {
        let real = try path.resolved() ?? path
        var file = path
        if try FileStatus.of(real).kind != .file { file = path.appending(sourceFile) }
        return try model(try FileBytes.read(file, limit: .model), path: file)
    }

    /// The mapping model in `bytes`, the content of the file `path`.
    public static func model(_ bytes: SharedBytes, path: FilePath) throws(FileProblem) -> MappingModel {
        if CompiledMappingReader.isMappingModel(bytes) {
            do throws(PropertyListError) {
                return try CompiledMappingReader.model(bytes, path: path)
            } catch {
                throw FileProblem(error, path: path)
            }
        }
        guard isSource(bytes) else {
            throw FileProblem(
                .unsupported, path: path, "not a mapping model",
                expected: "a folder .xcmappingmodel, its xcmapping.xml, or a .cdm",
                found: bytes.count == 0 ? "an empty file" : nil,
                advice: "Name the mapping model in the project or in the app")
        }
        return try SourceMappingReader.model(bytes, path: path)
    }
}

extension MappingModel.Entity {
    /// The entity that a mapping of this kind needs and does not name; nil if it names all.
    var lackingEntity: String? {
        let isCarriedOver = kind == .copy || kind == .transform
        if source == nil, destination == nil { return "an old or a new entity" }
        if source == nil, isCarriedOver || kind == .remove { return "an old entity" }
        if destination == nil, isCarriedOver || kind == .add { return "a new entity" }
        return nil
    }

    /// The name of a mapping without one, as Xcode shows it.
    static func usualName(_ source: String?, _ destination: String?) -> String {
        [source, destination].compactMap(\.self).joined(separator: "To")
    }
}
