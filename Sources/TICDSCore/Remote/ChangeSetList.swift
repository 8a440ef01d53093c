import Base
public import SystemCalls

/// One `.syncchg` file as a listing shows it.
public struct ChangeSetFile: Hashable, Sendable {
    /// Name of the file, with its suffix.
    public var name: RemoteName
    /// The name without its extension. Its form differs between versions of the framework.
    public var identifier: RemoteName
    /// The size in bytes.
    public var size: Int64
    /// Modification time: change sets are applied in this order (ticds-remote-format(5), 3.5).
    public var modified: FileTime
}

/// The change sets of one client in one document, sorted by name: a view of the listing of the folder. If the sets were
/// only counted, it has no elements.
public struct ChangeSetList: RandomAccessCollection, Sendable {
    private let listing: FolderListing
    private let positions: [UInt32]

    init(listing: FolderListing = FolderListing(), positions: [UInt32] = []) {
        self.listing = listing
        self.positions = positions
    }

    /// Always 0.
    public var startIndex: Int { 0 }
    /// The number of sets.
    public var endIndex: Int { positions.count }

    /// The set at a position in the order of names.
    public subscript(position: Int) -> ChangeSetFile {
        let entry = listing[Int(positions[position])]
        return ChangeSetFile(
            name: entry.name,
            identifier: entry.name.removing(suffix: RemoteLayout.changeSetSuffix) ?? entry.name,
            size: entry.size, modified: entry.modified)
    }

    /// The size of a set in bytes.
    public func size(at position: Int) -> Int64 { listing.size(at: Int(positions[position])) }

    /// Modification time of a set. Faster than the whole `ChangeSetFile`.
    public func modified(at position: Int) -> FileTime { listing.modified(at: Int(positions[position])) }

    /// The place of a set in the listing of its folder.
    public func listingPosition(at position: Int) -> Int { Int(positions[position]) }

    /// Calls `body` with the bytes of an identifier, without copying them. They are valid during the call only.
    public func withIdentifier<Result>(
        at position: Int, _ body: (UnsafeRawBufferPointer) -> Result
    ) -> Result {
        listing.withName(at: Int(positions[position])) { name in
            let start = name.count - Self.suffix.count
            let isWhole =
                start > 0
                && Self.suffix.withUnsafeBytes {
                    UnsafeRawBufferPointer(rebasing: name[start...]).begins(with: $0)
                }
            return body(isWhole ? UnsafeRawBufferPointer(rebasing: name[..<start]) : name)
        }
    }

    private static let suffix = Array(RemoteLayout.changeSetSuffix.utf8)

    /// The sets that were only counted; nil if all are elements.
    public var counted: CountedSets? { listing.counted }

    /// The name of the set with the latest modification time; nil without sets.
    var newest: RemoteName? {
        if let counted { return counted.totals.count == 0 ? nil : RemoteName(counted.newest.name) }
        return indices.max { modified(at: $0) < modified(at: $1) }.map { self[$0].name }
    }

    /// The number and size of all sets.
    public var totals: FileTotals {
        if let counted { return counted.totals }
        return positions.reduce(into: FileTotals()) { $0.add(listing.size(at: Int($1))) }
    }

    /// The earliest and the latest modification time; nil without sets.
    public var times: ClosedRange<FileTime>? {
        if let counted { return counted.times }
        guard let first = positions.first else { return nil }
        let start = listing.modified(at: Int(first))
        return positions.reduce(start...start) { range, position in
            let time = listing.modified(at: Int(position))
            return Swift.min(range.lowerBound, time)...Swift.max(range.upperBound, time)
        }
    }
}
