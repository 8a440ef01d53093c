import Base
import SystemCalls
package import SystemPackage

/// The files of the package itself, for tests that read them.
package enum SourceTree {
    /// The folder of the package.
    package static let root = FilePath(#filePath).removingLastComponent().removingLastComponent()
        .removingLastComponent()

    /// All files below a folder of the package whose names end with `suffix`, sorted.
    package static func files(below folder: String, suffix: String) throws -> [FilePath] {
        try files(below: root.pushing(FilePath(folder)), suffix)
    }

    /// The lines of a text file, without line ends.
    package static func lines(of file: FilePath) throws -> [String] {
        String(decoding: try FileBytes.read(file).array, as: UTF8.self)
            .split(separator: "\n", omittingEmptySubsequences: false).map { String($0) }
    }

    private static func files(below folder: FilePath, _ suffix: String) throws -> [FilePath] {
        var found: [FilePath] = []
        var folders: [FilePath] = []
        try DirectoryReader.forEachEntry(of: try OwnedDescriptor.folder(folder)) { name, status in
            guard case .success(let status) = status else { return }
            let path = folder.pushing(FilePath(nameBytes: name))
            if status.kind == .folder {
                folders.append(path)
            } else if path.string.hasSuffix(suffix) {
                found.append(path)
            }
        }
        for folder in folders { found += try files(below: folder, suffix) }
        return found.sorted { $0.string < $1.string }
    }
}
