import Rclone
package import SystemCalls
import SystemPackage
package import TICDSOperations

/// The kinds of remote storage that commands support.
package enum StorageSchemes {
    /// All kinds. A new kind is a line here, and a separate target.
    private static let all: [any StorageScheme.Type] = [RcloneScheme.self]

    /// Whether a text is meant as an address of a storage.
    package static func isAddress(_ text: String) -> Bool { scheme(of: text) != nil }

    /// The kind of storage of whose addresses a text seems to be.
    package static func scheme(of text: String) -> (any StorageScheme.Type)? {
        all.first { text.hasPrefix($0.prefix) }
    }

    /// The place that a text names; nil for a local path.
    /// - Throws: `FileProblem` of kind `notARemote` for a malformed address.
    package static func address(_ text: String) throws(FileProblem) -> (any StorageAddress)? {
        guard let scheme = scheme(of: text) else { return nil }
        if let address = scheme.address(text) { return address }
        throw FileProblem(
            .notARemote, path: FilePath(scheme.prefix), "is not an address of \(scheme.prefix.dropLast())",
            expected: scheme.form, advice: scheme.advice)
    }

    /// The text without the secrets of all addresses in it.
    package static func hidden(in text: String) -> String { all.reduce(text) { $1.hidden(in: $0) } }

    /// Chooses the number of files that are fetched or uploaded at the same time.
    package static func choose(transfers: Int) { for scheme in all { scheme.choose(transfers: transfers) } }
}
