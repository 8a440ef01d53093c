import Base
public import SystemCalls
public import SystemPackage

/// A model file, compared with a store.
public struct ModelCandidate: Sendable, Hashable {
    /// The model file.
    public var path: FilePath
    /// The model.
    public var model: ManagedObjectModel
    /// The comparison of version hashes.
    public var comparison: VersionHashComparison

    /// A model file that was compared.
    public init(path: FilePath, model: ManagedObjectModel, comparison: VersionHashComparison) {
        self.path = path
        self.model = model
        self.comparison = comparison
    }
}

/// The result of a search for the model of a store.
public struct ModelSearch: Sendable {
    /// All models, the best match first: by the number of entities with equal hashes, of entities that differ or are
    /// missing, then by path.
    public var candidates: [ModelCandidate] = []
    /// Files that look like models but cannot be read.
    public var problems: [FileProblem] = []

    /// A search among models that were compared, the best match first.
    public init(candidates: [ModelCandidate] = []) { self.candidates = candidates }

    /// The models that match the store.
    public var fitting: [ModelCandidate] { candidates.filter(\.comparison.fits) }

    /// The models that may match the store, each content once.
    public var possible: [ModelCandidate] {
        var seen: Set<ManagedObjectModel> = []
        return candidates.filter { $0.comparison.mayFit && seen.insert($0.model).inserted }
    }

    /// The models that together match the store: each of their entities has the hash in the store, and all hashes of
    /// the store occur. Apps merge such models. Empty if there are none.
    public func merged(for hashes: [String: [UInt8]]) -> [ModelCandidate] {
        let parts = candidates.filter { candidate in
            !candidate.model.entities.isEmpty
                && candidate.comparison.entries.allSatisfy {
                    $0.outcome == .same || $0.outcome == .missingInModel
                }
        }
        var left = Set(hashes.keys)
        var chosen: [ModelCandidate] = []
        for part in parts {
            let names = part.model.entities.map(\.name)
            guard names.contains(where: left.contains) else { continue }
            left.subtract(names)
            chosen.append(part)
        }
        return left.isEmpty && chosen.count > 1 ? chosen : []
    }

    /// The first model that matches the store; nil if none does.
    /// - Throws: the reason why a file could not be read, if no readable file matches but that one could.
    public func best() throws(FileProblem) -> ModelCandidate? {
        if let first = fitting.first { return first }
        if let unread = problems.first(where: \.isUnread) { throw unread }
        return nil
    }
}

extension ModelFile {
    /// Compares every model file in `path` and the folders below it with the version hashes of a store.
    ///
    /// It ignores other files and does not follow links. `path` may also be one model file, or a store that contains its
    /// model.
    /// - Throws: an error if `path` cannot be read, contains too many files and folders, or is a store without a model.
    public static func candidates(
        in path: FilePath, for hashes: [String: [UInt8]]
    ) throws(FileProblem) -> ModelSearch {
        var search = ModelSearch()
        func add(_ model: ManagedObjectModel, _ file: FilePath) {
            let comparison = VersionHashComparison(model: model, storeHashes: hashes)
            search.candidates.append(ModelCandidate(path: file, model: model, comparison: comparison))
        }
        let files = try files(in: path)
        if files == [path], let model = try modelIfStore(path) {
            add(model, path)
            return search
        }
        for file in files {
            do throws(FileProblem) {
                if let model = try modelIfAny(file) { add(model, file) }
            } catch {
                search.problems.append(error)
            }
        }
        search.candidates.sort {
            ($1.comparison.equalCount, $0.comparison.mismatchCount, $0.path.string)
                < ($0.comparison.equalCount, $1.comparison.mismatchCount, $1.path.string)
        }
        return search
    }

    /// The model in a file; nil if the file is not a model.
    static func modelIfAny(_ path: FilePath) throws(FileProblem) -> ManagedObjectModel? {
        let head = try FileBytes.head(path, count: 4096)
        guard let kind = ModelFileKind(head), kind != .optimized else { return nil }
        let bytes = try FileBytes.read(path, limit: .model)
        switch kind {
        case .text:
            return XMLReader.rootElement(of: bytes.array) == "model" ? try model(bytes, path: path) : nil
        case .compiled, .elements, .optimized:
            guard let name = ModelFileKind.rootClass(of: bytes) else { return nil }
            return ["NSManagedObjectModel", "XDPMModel"].contains(name) ? try model(bytes, path: path) : nil
        }
    }

    private static func files(in path: FilePath) throws(FileProblem) -> [FilePath] {
        guard let top = try FolderListing(modelFolder: path) else { return [path] }
        var files: [FilePath] = []
        var waiting = [(folder: top, depth: 0)]
        while let (folder, depth) = waiting.popLast() {
            files += folder.files.map { folder.path.appending($0) }
            guard files.count + waiting.count <= searchLimit else {
                throw FileProblem(
                    .limit, path: path, "more than \(searchLimit) files to look through for a model",
                    advice: "Name a smaller folder, or the model itself")
            }
            if depth == searchDepth { continue }
            for name in folder.folders {
                waiting.append((try FolderListing(folder.path.appending(name)), depth + 1))
            }
        }
        return files
    }

    static let searchLimit = 20_000
    static let searchDepth = 12
}

extension VersionHashComparison {
    /// The number of entities with equal hashes.
    public var equalCount: Int { entries.count { $0.outcome == .same } }

    /// The number of entities that do not match.
    public var mismatchCount: Int {
        entries.count { $0.outcome != .same && $0.outcome != .notComputable }
    }
}

extension XMLReader {
    /// The name of the root element; nil if the text is not XML.
    static func rootElement(of bytes: [UInt8]) -> String? {
        // try?: the text is not XML
        guard var reader = try? XMLReader(bytes), case .start(let name, _)? = try? reader.next() else {
            return nil
        }
        return name
    }
}
