public import Base
public import SystemCalls

/// A folder whose content is made when somebody looks into it. A value may be kept for long: each call answers for the
/// present.
public protocol VirtualFolder: Sendable {
    /// Modification time.
    var modified: FileTime { get }

    /// All entries.
    /// - Throws: the reason why nothing of the folder can be listed; `.missing` if the folder is gone.
    func listing() throws(FileProblem) -> VirtualListing

    /// The entry of this name, also one that the listing does not show; nil if there is none.
    /// - Throws: the reason why it is unknown whether there is one.
    func entry(named name: String) throws(FileProblem) -> VirtualNode?
}

extension VirtualFolder {
    /// The entry of the listing.
    public func entry(named name: String) throws(FileProblem) -> VirtualNode? {
        let listing = try listing()
        if let position = listing.position(of: name) { return listing.node(at: position) }
        if let problem = listing.problem { throw problem }
        return nil
    }
}

/// A file whose content is made when somebody reads it.
public protocol VirtualFile: Sendable {
    /// Modification time.
    var modified: FileTime { get }

    /// The size in bytes, if it is known without making the content.
    var knownSize: Int64? { get }

    /// The size in bytes.
    func size() throws(FileProblem) -> Int64

    /// The content as it is now; it stays the same as long as somebody reads it.
    func open() throws(FileProblem) -> any VirtualContent

    /// Makes the contents of the files that a program will probably read after this one.
    func readAhead()
}

extension VirtualFile {
    /// Unknown.
    public var knownSize: Int64? { nil }

    /// Nothing.
    public func readAhead() {}

    /// The size that is known, or the size of the content.
    public func size() throws(FileProblem) -> Int64 {
        if let knownSize { return knownSize }
        return try open().size
    }
}

/// The content of an open file, which never changes.
public protocol VirtualContent: Sendable {
    /// The size in bytes.
    var size: Int64 { get }

    /// The bytes of a range; fewer at the end of the content.
    func read(_ range: Range<Int>) throws(FileProblem) -> SharedBytes
}

extension SharedBytes: VirtualContent {
    /// The size in bytes.
    public var size: Int64 { Int64(count) }

    /// The bytes of a range.
    public func read(_ range: Range<Int>) throws(FileProblem) -> SharedBytes {
        slice(range.clamped(to: 0..<count)) ?? SharedBytes([])
    }
}

/// A file or folder of a virtual tree.
public enum VirtualNode: Sendable {
    case folder(any VirtualFolder)
    case file(any VirtualFile)

    /// Modification time.
    public var modified: FileTime {
        switch self {
        case .folder(let folder): folder.modified
        case .file(let file): file.modified
        }
    }
}

/// The entries of a folder at one moment. Names are unique, and names and nodes are made on request: a folder may have a
/// hundred thousand.
public final class VirtualListing: Sendable {
    /// The number of entries.
    public let count: Int
    /// The reason why there may be more entries.
    public let problem: FileProblem?
    private let nameAt: @Sendable (Int) -> String
    private let positions: @Sendable (String) -> Int?
    private let folders: @Sendable (Int) -> Bool
    private let make: @Sendable (Int) -> VirtualNode

    /// A listing of this number of entries.
    /// - Parameters:
    ///   - name: makes the name at a position.
    ///   - position: finds the position of a name.
    ///   - isFolder: whether the entry at a position is a folder.
    ///   - make: makes the node at a position.
    public init(
        count: Int, problem: FileProblem? = nil, name: @escaping @Sendable (Int) -> String,
        position: @escaping @Sendable (String) -> Int?, isFolder: @escaping @Sendable (Int) -> Bool,
        _ make: @escaping @Sendable (Int) -> VirtualNode
    ) {
        self.count = count
        self.problem = problem
        nameAt = name
        positions = position
        folders = isFolder
        self.make = make
    }

    /// A listing of these names.
    public convenience init(
        _ names: [String], problem: FileProblem? = nil, isFolder: @escaping @Sendable (Int) -> Bool,
        _ make: @escaping @Sendable (Int) -> VirtualNode
    ) {
        let index = NameIndex(names)
        self.init(
            count: names.count, problem: problem, name: { index[$0] },
            position: { index.position(of: $0) }, isFolder: isFolder, make)
    }

    /// A listing of a few nodes.
    public convenience init(_ entries: [(name: String, node: VirtualNode)], problem: FileProblem? = nil) {
        let nodes = entries.map(\.node)
        self.init(entries.map(\.name), problem: problem) { position in
            if case .folder = nodes[position] { true } else { false }
        } _: {
            nodes[$0]
        }
    }

    /// All names.
    public var names: [String] { (0..<count).map(nameAt) }

    /// The name at a position.
    public func name(at position: Int) -> String { nameAt(position) }

    /// The position of a name; nil if there is no entry of this name.
    public func position(of name: String) -> Int? { positions(name) }

    /// Whether the entry is a folder.
    public func isFolder(at position: Int) -> Bool { folders(position) }

    /// The entry at a position.
    public func node(at position: Int) -> VirtualNode { make(position) }
}

/// A folder with a few entries that stay the same.
public struct FixedFolder: VirtualFolder {
    public let modified: FileTime
    private let entries: VirtualListing

    /// A folder with these entries, in this order.
    public init(modified: FileTime, _ entries: [(name: String, node: VirtualNode)]) {
        self.modified = modified
        self.entries = VirtualListing(entries)
    }

    public func listing() -> VirtualListing { entries }
}

/// A file with text that stays the same.
public struct FixedFile: VirtualFile {
    public let modified: FileTime
    private let bytes: SharedBytes

    /// A file with these bytes.
    public init(_ bytes: SharedBytes, modified: FileTime) {
        self.bytes = bytes
        self.modified = modified
    }

    public var knownSize: Int64? { bytes.size }

    public func open() -> any VirtualContent { bytes }
}
