import Base
import Cryptography
package import SystemCalls
package import TICDSCore

/// A digest of a listing of a remote: names, kinds, sizes and times of everything in it, but no contents. Two equal
/// digests mean that nothing has changed, as far as the file system shows.
package struct ListingDigest: Sendable, Hashable {
    /// 32 hexadecimal digits, the first half of a SHA-256; nil if a folder could not be listed.
    package var digest: String?
    /// The number of regular files and their total size; nil if a folder could not be listed.
    package var files: FileTotals?

    /// The digest of a listed tree.
    package init(_ tree: RemoteTree) throws(FileProblem) {
        var sum = try SHA256(for: tree.root)
        var files = FileTotals()
        var text: [UInt8] = []
        func add(_ number: Int64) { withUnsafeBytes(of: number.littleEndian) { text += $0 } }
        for folder in tree.folders.keys.sorted() {
            text.removeAll(keepingCapacity: true)
            text += folder.bytes
            text.append(0)
            for entry in tree.listing(folder).part {
                if entry.kind == .file { files.add(entry.size) }
                text += entry.name.bytes
                text.append(0)
                text.append(entry.kind.rawValue)
                // The time of a folder changes with its entries, and some storages have none.
                if entry.kind == .folder { continue }
                add(entry.size)
                add(entry.modified.seconds)
                add(Int64(entry.modified.nanoseconds))
            }
            sum.update(text)
        }
        guard tree.problems.isEmpty else { return }
        digest = hexadecimalDigits(of: sum.finalize().prefix(16))
        self.files = files
    }
}
