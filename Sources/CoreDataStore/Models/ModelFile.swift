public import Base
import KeyedArchive
public import SystemCalls
public import SystemPackage

/// Files and folders with managed object models. The content of a file shows its type; its name does not matter.
public enum ModelFile {
    /// The model in a file (`.mom`, `contents`, `elements`), in an SQLite store that contains its model, or the current
    /// version in a folder (`.momd`, `.xcdatamodel`, `.xcdatamodeld`).
    ///
    /// - Throws: `.missing` or `.unreadable`; `.unsupported` for any other file or an unsupported kind of model;
    ///   `.damaged` for an inconsistent model; `.ambiguous` for a folder without a current version.
    public static func load(_ path: FilePath) throws(FileProblem) -> ManagedObjectModel {
        let versions = try versions(path)
        guard let version = versions.first(where: \.isCurrent) else {
            throw FileProblem(
                .ambiguous, path: path, "the folder does not show which of its versions is the current one",
                found: versions.map(\.name).joined(separator: ", "), advice: "Name the file of one version")
        }
        return try load(file: version.path)
    }

    /// Whether the file `path` begins like a model. It may still be a different file of the same form.
    public static func isModel(_ path: FilePath) throws(FileProblem) -> Bool {
        let head = try FileBytes.head(path, count: 4096)
        guard let kind = ModelFileKind(head) else { return false }
        return kind != .text || XMLReader.rootElement(of: head.array) == "model"
    }

    /// The model in `bytes`, the content of the file `path`.
    public static func model(_ bytes: SharedBytes, path: FilePath) throws(FileProblem) -> ManagedObjectModel {
        switch ModelFileKind(bytes) {
        case .compiled:
            try ManagedObjectModel.decoded(path) { () throws(PropertyListError) in
                try CompiledModelReader.model(bytes)
            }
        case .elements:
            try ManagedObjectModel.decoded(path) { () throws(PropertyListError) in
                try ElementsModelReader.model(bytes)
            }
        case .text: try contents(bytes, path)
        case .optimized:
            throw FileProblem(
                .unsupported, path: path, "an optimized model (.omo), of which the format is not known",
                expected: "a compiled model (.mom), which begins with \"bplist00\"", found: "\"momv2$\"",
                advice: compiled(beside: path).map { "Use \($0.escaped), the same model" }
                    ?? "Use the .mom file of the app, or the model's source (.xcdatamodeld)")
        case nil:
            throw FileProblem(
                .unsupported, path: path, "not a data model",
                expected: "a .mom, .momd, .xcdatamodel or .xcdatamodeld",
                found: bytes.count == 0 ? "an empty file" : nil,
                advice: "Name the app, or the folder with its model")
        }
    }

    /// The compiled model from which an optimized one was made; nil if it does not exist.
    private static func compiled(beside path: FilePath) -> FilePath? {
        guard let stem = path.stem else { return nil }
        let compiled = path.removingLastComponent().appending("\(stem).mom")
        // try?: only advice
        return (try? FileStatus.ifPresent(compiled))?.flatMap { $0.kind == .file ? compiled : nil }
    }

    static func load(file path: FilePath) throws(FileProblem) -> ManagedObjectModel {
        if let model = try modelIfStore(path) { return model }
        return try model(try FileBytes.read(path, limit: .model), path: path)
    }

    private static func contents(_ bytes: SharedBytes, _ path: FilePath) throws(FileProblem)
        -> ManagedObjectModel
    {
        let model: ManagedObjectModel
        do throws(XMLProblem) {
            model = try ContentsModelReader.model(bytes.array)
        } catch {
            throw FileProblem(error, path: path)
        }
        return try model.checked(path)
    }
}

/// The kinds of model files, by the first bytes and the class of the root object.
enum ModelFileKind {
    case compiled, elements, text, optimized

    init?(_ bytes: SharedBytes) {
        if bytes.starts(with: Array("momv2$".utf8)) {
            self = .optimized
        } else if bytes.starts(with: Array("bplist00".utf8)) {
            self = Self.rootClass(of: bytes) == "XDPMModel" ? .elements : .compiled
        } else if Self.isText(bytes) {
            self = .text
        } else {
            return nil
        }
    }

    /// The class of the root object of a keyed archive; nil if it cannot be read.
    static func rootClass(of bytes: SharedBytes) -> String? {
        guard var archive = try? ModelArchive(bytes, baseOffset: 0),  // try?: the bytes are not a model
            let root = try? archive.reader.root()  // try?: as above
        else { return nil }
        return (try? archive.className(of: root)) ?? nil  // try?: as above
    }

    private static func isText(_ bytes: SharedBytes) -> Bool {
        let marks: [[UInt8]] = [[0xEF, 0xBB, 0xBF], [0xFE, 0xFF], [0xFF, 0xFE]]
        let start = bytes.array(0..<64).drop { $0 == 0x20 || (0x09...0x0D).contains($0) }
        return start.first == UInt8(ascii: "<") || marks.contains { bytes.starts(with: $0) }
    }
}

extension FileProblem {
    /// Damaged XML in the file `path`.
    init(_ problem: XMLProblem, path: FilePath) {
        self.init(
            .damaged, path: path, offset: problem.offset,
            "damaged XML, line \(problem.line): \(problem.problem)")
    }
}
