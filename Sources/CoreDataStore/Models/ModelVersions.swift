import Base
import KeyedArchive
public import SystemCalls
public import SystemPackage

/// A version of a model.
public struct ModelVersion: Sendable, Hashable {
    /// The name of the file or folder without its extension.
    public var name: String
    /// The file of the version.
    public var path: FilePath
    /// Whether new stores use it.
    public var isCurrent: Bool
}

extension ModelFile {
    /// All versions in a model folder, sorted by name; a file is its only version.
    ///
    /// `VersionInfo.plist` of a `.momd` folder names the current version, and `.xccurrentversion` names it in an
    /// `.xcdatamodeld` folder (core-data-sqlite-store(5), 7.1 and 7.2). A single version is the current one.
    public static func versions(_ path: FilePath) throws(FileProblem) -> [ModelVersion] {
        guard let folder = try FolderListing(modelFolder: path) else {
            return [ModelVersion(name: path.stem ?? "", path: path, isCurrent: true)]
        }
        if let file = folder.sourceFile {
            return [ModelVersion(name: path.stem ?? "", path: path.appending(file), isCurrent: true)]
        }
        let versions = try folder.files.contains("VersionInfo.plist") ? compiled(folder) : sources(folder)
        guard !versions.isEmpty else {
            throw FileProblem(
                .unsupported, path: path, "the folder contains no data model",
                expected: "a .momd, .xcdatamodel or .xcdatamodeld",
                advice: "Name the app, or the folder with its model")
        }
        if versions.count == 1 {
            return versions.map { ModelVersion(name: $0.name, path: $0.path, isCurrent: true) }
        }
        return versions
    }

    /// The content of `.xccurrentversion` at `path` in an `.xcdatamodeld` folder whose current version is `name`.
    public static func currentVersionMark(_ name: String, path: FilePath) throws(FileProblem) -> [UInt8] {
        let mark = ArchivedValue.dictionary([
            ArchivedPair(key: .string("_XCCurrentVersionName"), value: .string("\(name).xcdatamodel"))
        ])
        do throws(PropertyListError) {
            return try XMLPropertyListWriter.bytes(of: mark)
        } catch {
            throw FileProblem(error, path: path)
        }
    }

    /// The versions of a `.momd` folder.
    private static func compiled(_ folder: FolderListing) throws(FileProblem) -> [ModelVersion] {
        let current = try folder.texts(in: "VersionInfo.plist")["NSManagedObjectModel_CurrentVersionName"]
        var versions: [ModelVersion] = []
        for file in folder.files where file != "VersionInfo.plist" {
            let path = folder.path.appending(file)
            guard try FileBytes.head(path, count: 8).starts(with: Array("bplist00".utf8)) else { continue }
            let name = file.stem
            versions.append(ModelVersion(name: name, path: path, isCurrent: name == current))
        }
        return versions
    }

    /// The versions of an `.xcdatamodeld` folder.
    private static func sources(_ folder: FolderListing) throws(FileProblem) -> [ModelVersion] {
        let mark: FilePath.Component = ".xccurrentversion"
        let current = folder.files.contains(mark) ? try folder.texts(in: mark)["_XCCurrentVersionName"] : nil
        var versions: [ModelVersion] = []
        for name in folder.folders {
            let path = folder.path.appending(name)
            guard let file = try FolderListing(path).sourceFile else { continue }
            versions.append(
                ModelVersion(name: name.stem, path: path.appending(file), isCurrent: name.string == current))
        }
        return versions
    }
}

/// The entries of a folder, sorted by the bytes of their names.
struct FolderListing {
    let path: FilePath
    private(set) var files: [FilePath.Component] = []
    private(set) var folders: [FilePath.Component] = []

    init(_ path: FilePath) throws(FileProblem) {
        self.path = path
        var entries: [(FilePath.Component, FileKind)] = []
        for (name, status) in try DirectoryReader.entries(of: try OwnedDescriptor.folder(path)) {
            let bytes = name.map { CChar(bitPattern: $0) } + [0]
            guard let component = FilePath.Component(platformString: bytes) else { continue }
            entries.append((component, status.kind))
        }
        entries.sort { $0.0.string.precedesInCodePoints($1.0.string) }
        files = entries.filter { $0.1 == .file }.map(\.0)
        folders = entries.filter { $0.1 == .folder }.map(\.0)
    }

    /// The listing of a path that the user named; nil for a file. A link to a folder is followed.
    init?(modelFolder path: FilePath) throws(FileProblem) {
        switch try FileStatus.of(path).kind {
        case .folder: try self.init(path)
        case .symbolicLink:
            // `OwnedDescriptor.folder` fails with ENOTDIR if the link leads to a file.
            let listing = try unlessMissing { () throws(FileProblem) in try FolderListing(path) }
            guard let listing else { return nil }
            self = listing
        case .file, .special: return nil
        }
    }

    /// The model file of an `.xcdatamodel` folder.
    var sourceFile: FilePath.Component? { files.first { $0 == "contents" || $0 == "elements" } }

    /// The strings of the property list in a file of the folder.
    func texts(in file: FilePath.Component) throws(FileProblem) -> [String: String] {
        let path = path.appending(file)
        let bytes = try FileBytes.read(path, limit: .model)
        do throws(PropertyListError) {
            var texts: [String: String] = [:]
            for pair in try PropertyList.value(of: bytes).pairs ?? [] {
                if let key = pair.key.stringValue { texts[key] = pair.value.stringValue }
            }
            return texts
        } catch {
            throw FileProblem(error, path: path)
        }
    }
}
