import KeyedArchive
import SystemCalls
package import SystemPackage

/// Writes large values of a new store to files beside it, as Core Data does (core-data-sqlite-store(5), 2.4).
///
/// A file stays even if its object is not inserted after all, until `removeLast`.
package struct ExternalDataWriter {
    /// The smallest value that gets a file, in bytes. Core Data keeps values up to about 100 KB in the row.
    package static let smallestSize = 100 * 1024 + 1
    /// The folder for the files, which exists from the first file on.
    private let folder: FilePath
    /// The number of files.
    package private(set) var count = 0
    /// The files of the last object.
    private var last: [FilePath] = []

    /// A writer for the store `path`, which is new.
    package init(store path: FilePath) { folder = ExternalStorage(store: path).folder }

    /// Begins an object.
    mutating func begin() { if !last.isEmpty { last = [] } }

    /// Writes a large value to a new file, and returns the content of the column; nil for a value that the row keeps.
    mutating func reference(to bytes: [UInt8]) throws(FileProblem) -> [UInt8]? {
        guard (Self.smallestSize...ReadLimit.externalData.bytes).contains(bytes.count) else { return nil }
        let name = ArchivedUUID.random().description
        if count == 0 {
            try NewFile.makeFolder(folder.removingLastComponent())
            try NewFile.makeFolder(folder)
        }
        count += 1
        let file = folder.appending(name)
        try NewFile.write(bytes, to: file)
        last.append(file)
        return [2] + Array(name.utf8) + [0]
    }

    /// Removes the files of an object that was not inserted.
    mutating func removeLast() {
        for file in last { StoreFiles.remove(file) }
        last = []
    }
}
