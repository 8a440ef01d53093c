public import SystemCalls
public import SystemPackage

/// A model that was found at a path.
public struct FoundModel: Sendable, Hashable {
    /// The file of the model.
    public var path: FilePath
    /// The name of the version; for a single file its name without the extension.
    public var name: String
    /// Whether new stores use this version; true for a single file.
    public var isCurrent: Bool
    /// The model.
    public var model: ManagedObjectModel

    /// A model that was found.
    public init(path: FilePath, name: String, isCurrent: Bool, model: ManagedObjectModel) {
        self.path = path
        self.name = name
        self.isCurrent = isCurrent
        self.model = model
    }
}

/// The models at a path: that of a file, all versions in a model folder, or all models below any other folder.
public struct ModelCollection: Sendable {
    /// The models, sorted by path.
    public private(set) var models: [FoundModel] = []
    /// Files that look like models but cannot be read.
    public private(set) var problems: [FileProblem] = []
    /// Whether the path is one model, possibly of several versions.
    public let isOneModel: Bool

    /// Reads the models at `path`. It does not follow links below `path`.
    /// - Throws: an error if `path` cannot be read or has too many files, and for a file that is not a model.
    public init(_ path: FilePath) throws(FileProblem) {
        guard let folder = try FolderListing(modelFolder: path) else {
            isOneModel = true
            models = [try Self.read(ModelVersion(name: path.stem ?? "", path: path, isCurrent: true))]
            return
        }
        isOneModel = ["momd", "xcdatamodel", "xcdatamodeld"].contains(path.extension ?? "")
        if isOneModel {
            for version in try ModelFile.versions(path) { add(version) }
        } else {
            try addAll(below: folder)
        }
        models.sort { $0.path.string < $1.path.string }
        if models.isEmpty, problems.isEmpty {
            throw FileProblem(
                .unsupported, path: path, "the folder contains no data model",
                expected: "a .mom, .momd, .xcdatamodel or .xcdatamodeld",
                advice: "Name the app, or the folder with its model")
        }
    }

    private mutating func add(_ version: ModelVersion) {
        do throws(FileProblem) { models.append(try Self.read(version)) } catch { problems.append(error) }
    }

    private static func read(_ version: ModelVersion) throws(FileProblem) -> FoundModel {
        FoundModel(
            path: version.path, name: version.name, isCurrent: version.isCurrent,
            model: try ModelFile.load(file: version.path))
    }

    /// Adds the folders that each contain the versions of one model, and other files that are models.
    private mutating func addAll(below top: FolderListing) throws(FileProblem) {
        var waiting = [(folder: top, depth: 0)]
        var seen = 0
        while let (folder, depth) = waiting.popLast() {
            seen += folder.files.count + folder.folders.count
            guard seen <= ModelFile.searchLimit else {
                throw FileProblem(
                    .limit, path: top.path,
                    "more than \(ModelFile.searchLimit) files to look through for models",
                    advice: "Name a smaller folder, or the model itself")
            }
            addFiles(of: folder)
            if depth == ModelFile.searchDepth { continue }
            for name in folder.folders {
                let path = folder.path.appending(name)
                if ["momd", "xcdatamodel", "xcdatamodeld"].contains(path.extension ?? "") {
                    do throws(FileProblem) {
                        for version in try ModelFile.versions(path) { add(version) }
                    } catch {
                        problems.append(error)
                    }
                } else {
                    waiting.append((try FolderListing(path), depth + 1))
                }
            }
        }
    }

    private mutating func addFiles(of folder: FolderListing) {
        for file in folder.files {
            let path = folder.path.appending(file)
            do throws(FileProblem) {
                guard let model = try ModelFile.modelIfAny(path) else {
                    try refuseOptimized(file, in: folder)
                    continue
                }
                models.append(FoundModel(path: path, name: path.stem ?? "", isCurrent: true, model: model))
            } catch {
                problems.append(error)
            }
        }
    }

    /// Refuses an optimized model if it is alone; beside the compiled one it adds nothing.
    private func refuseOptimized(_ file: FilePath.Component, in folder: FolderListing) throws(FileProblem) {
        guard file.extension == "omo" else { return }
        if folder.files.contains(where: { $0.stem == file.stem && $0.extension == "mom" }) { return }
        _ = try ModelFile.load(file: folder.path.appending(file))
    }
}
