import Base
import SystemCalls
public import SystemPackage

/// One name in a remote: the bytes from the listing of its folder. Names need not be UTF-8, and two names that differ
/// only in Unicode form are two files.
public struct RemoteName: Hashable, Comparable, Sendable {
    /// The bytes of the name, without a slash.
    public let bytes: [UInt8]

    /// A name of these bytes.
    public init(_ bytes: some Sequence<UInt8>) { self.bytes = Array(bytes) }
    /// A name of the text's UTF-8.
    public init(_ text: String) { bytes = Array(text.utf8) }

    /// The application identifier of the remote at `root`: the name of the folder. In a storage of rclone,
    /// `rclone:NAME:path`, the path may be a single name; without a path it is the name of the storage.
    public init(ofRemoteAt root: FilePath) {
        let name = root.lexicallyNormalized().lastComponent?.bytes ?? []
        guard root.components.count == 1, root.isRelative, name.starts(with: "rclone:".utf8) else {
            bytes = Array(name)
            return
        }
        let storage = name.dropFirst("rclone:".utf8.count)
        let parts = storage.drop { $0 == UInt8(ascii: ":") }.split(
            separator: UInt8(ascii: ":"), maxSplits: 1, omittingEmptySubsequences: true)
        bytes = Array(parts.last ?? storage)
    }

    /// The name as text, with U+FFFD for bytes that are not UTF-8.
    public var text: String { String(decoding: bytes, as: UTF8.self) }

    /// Whether the bytes are UTF-8.
    public var isUTF8: Bool { String(validating: bytes, as: UTF8.self) != nil }

    /// Whether the name begins with a dot.
    public var isHidden: Bool { bytes.first == UInt8(ascii: ".") }

    /// The name without `suffix` (such as `.plist`); nil if it ends differently or consists of the suffix.
    public func removing(suffix: String) -> RemoteName? {
        let end = Array(suffix.utf8)
        guard bytes.count > end.count, bytes.suffix(end.count).elementsEqual(end) else { return nil }
        return RemoteName(bytes.dropLast(end.count))
    }

    /// The name with a suffix behind it.
    public func appending(suffix: String) -> RemoteName { RemoteName(bytes + Array(suffix.utf8)) }

    /// The name up to its last dot; the whole name if it has no dot but one at the beginning.
    public var withoutExtension: RemoteName {
        guard let dot = bytes.lastIndex(of: UInt8(ascii: ".")), dot > 0 else { return self }
        return RemoteName(bytes[..<dot])
    }

    // Arrays compare and hash their bytes one by one, which takes a tenth of the time of a verification.

    public static func == (one: RemoteName, other: RemoteName) -> Bool {
        one.bytes.count == other.bytes.count
            && one.bytes.withUnsafeBytes { mine in other.bytes.withUnsafeBytes { mine.begins(with: $0) } }
    }

    public func hash(into hasher: inout Hasher) {
        hasher.combine(bytes.count)
        bytes.withUnsafeBytes { hasher.combine(bytes: $0) }
    }

    public static func < (one: RemoteName, other: RemoteName) -> Bool {
        one.bytes.withUnsafeBytes { mine in other.bytes.withUnsafeBytes { mine.precedes($0) } }
    }
}

extension RemoteName {
    /// Whether the bytes are the name of an entry of a folder: not empty, no path, and not too long.
    public var isSafe: Bool {
        !bytes.isEmpty && bytes.count <= FilePath.Component.longest && bytes != Array(".".utf8)
            && bytes != Array("..".utf8)
            && !bytes.contains(0) && !bytes.contains(UInt8(ascii: "/"))
    }
}

extension RemoteName: CustomStringConvertible, ExpressibleByStringLiteral {
    /// A name given as a literal.
    public init(stringLiteral text: String) { self.init(text) }
    /// The name for people, control characters and foreign bytes escaped.
    public var description: String { escapedName(bytes) }
}

/// The path of a file or folder inside a remote, from its root down; empty for the root itself.
public struct RemotePath: Hashable, Comparable, Sendable {
    /// The names on the way, from the root down.
    public let names: [RemoteName]

    /// A path of these names.
    public init(_ names: [RemoteName]) { self.names = names }

    /// A path of these names, which shares the memory of the names that `other` has at the same places: a long list of
    /// paths takes a third of the space.
    package init(_ names: [ArraySlice<UInt8>], sharing other: RemotePath) {
        var shared: [RemoteName] = []
        shared.reserveCapacity(names.count)
        for bytes in names {
            let known = shared.count < other.names.count ? other.names[shared.count] : nil
            let isKnown = known.map { known in
                known.bytes.count == bytes.count
                    && known.bytes.withUnsafeBytes { mine in bytes.withUnsafeBytes { mine.begins(with: $0) } }
            }
            if let known, isKnown == true { shared.append(known) } else { shared.append(RemoteName(bytes)) }
        }
        self.names = shared
    }

    /// The remote itself.
    public static let root = RemotePath([])

    /// The last name; nil for the root.
    public var last: RemoteName? { names.last }
    /// The path itself and every folder above it, from the root down.
    public var lineage: some Sequence<RemotePath> {
        (0...names.count).lazy.map { [names] in RemotePath(Array(names.prefix($0))) }
    }

    /// The folder around it; the root for the root itself.
    public var parent: RemotePath { RemotePath(names.dropLast()) }

    /// The path of an entry in this folder.
    public func appending(_ name: RemoteName) -> RemotePath {
        var longer: [RemoteName] = []
        longer.reserveCapacity(names.count + 1)
        longer += names
        longer.append(name)
        return RemotePath(longer)
    }

    /// The names joined by `/`, as bytes.
    public var bytes: [UInt8] {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(names.reduce(0) { $0 + $1.bytes.count + 1 })
        for (position, name) in names.enumerated() {
            if position > 0 { bytes.append(UInt8(ascii: "/")) }
            bytes += name.bytes
        }
        return bytes
    }
    /// The names joined by `/`, as text, with U+FFFD for bytes that are not UTF-8.
    public var text: String { String(decoding: bytes, as: UTF8.self) }
    /// Whether every name on the way is UTF-8.
    public var isUTF8: Bool { names.allSatisfy(\.isUTF8) }
    /// Whether every name on the way can be the name of an entry.
    public var isSafe: Bool { names.allSatisfy(\.isSafe) }

    /// The local path for a remote at `root`.
    public func filePath(under root: FilePath) -> FilePath {
        guard !names.isEmpty else { return root }
        var path = root.bytes
        for name in names {
            if path.last != UInt8(ascii: "/"), !path.isEmpty { path.append(UInt8(ascii: "/")) }
            path += name.bytes
        }
        return FilePath(pathBytes: path)
    }

    public static func < (one: RemotePath, other: RemotePath) -> Bool {
        one.names.lexicographicallyPrecedes(other.names)
    }
}

extension RemotePath: CustomStringConvertible, ExpressibleByArrayLiteral {
    /// A path given as a literal.
    public init(arrayLiteral names: RemoteName...) { self.init(names) }
    public var description: String { escapedName(bytes) }
}
