import Base
package import KeyedArchive
package import SystemCalls
package import SystemPackage

/// A complete binary store whose bytes are made in pieces while they are written.
package struct BinaryStoreOutput {
    private let map: PropertyListOutput
    private let metadata: [UInt8]
    private let header: BinaryStoreHeader

    init(map: PropertyListOutput, metadata: [UInt8], primaryKeyGeneration: UInt64) {
        self.map = map
        self.metadata = metadata
        header = BinaryStoreHeader(
            mapSize: map.count, metadataSize: metadata.count, primaryKeyGeneration: primaryKeyGeneration)
    }

    /// The number of bytes.
    package var count: Int { header.metadata.upperBound }

    /// Passes all bytes to `sink`, in pieces.
    package func write<Failure>(
        to sink: (UnsafeRawBufferPointer) throws(Failure) -> Void
    ) throws(Failure) {
        try header.bytes.span.withUnsafeBytes { (bytes) throws(Failure) in try sink(bytes) }
        try map.write(to: sink)
        try metadata.span.withUnsafeBytes { (bytes) throws(Failure) in try sink(bytes) }
    }

    /// All bytes.
    package var bytes: [UInt8] {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(count)
        write { bytes += $0 }
        return bytes
    }
}

/// A copy of a binary store that `BinaryStoreWriter` has written, with other metadata. The objects are copied in pieces,
/// without being read.
package struct BinaryStoreCopy: Sendable {
    private let path: FilePath
    private let map: Range<Int>
    private let metadata: [UInt8]
    private let header: BinaryStoreHeader

    /// - Throws: `.damaged` for a file that is not a binary store.
    package init(of path: FilePath, metadata: StoreMetadata) throws(FileProblem) {
        self.path = path
        let file = try OwnedDescriptor.file(path)
        let size = Int(clamping: try file.status().size)
        let head = try file.bytes(in: 0..<BinaryStoreHeader.size)
        let old = try BinaryStoreHeader(head, size: size, path: path)
        map = old.map
        do throws(PropertyListError) {
            self.metadata = try BinaryStoreWriter.archive(of: metadata)
        } catch {
            throw FileProblem(error, path: path)
        }
        header = BinaryStoreHeader(
            mapSize: old.map.count, metadataSize: self.metadata.count,
            primaryKeyGeneration: old.primaryKeyGeneration)
    }

    /// The number of bytes.
    package var count: Int { header.metadata.upperBound }

    /// Passes all bytes to `sink`, in pieces.
    package func write(
        to sink: (UnsafeRawBufferPointer) throws(FileProblem) -> Void
    ) throws(FileProblem) {
        let file = try OwnedDescriptor.file(path)
        try header.bytes.span.withUnsafeBytes { (bytes) throws(FileProblem) in try sink(bytes) }
        var offset = map.lowerBound
        while offset < map.upperBound {
            let piece = try file.bytes(in: offset..<min(offset + Self.pieceSize, map.upperBound))
            guard piece.count > 0 else { throw .changing(path) }
            try piece.withUnsafeBytes { (bytes) throws(FileProblem) in try sink(bytes) }
            offset += piece.count
        }
        try metadata.span.withUnsafeBytes { (bytes) throws(FileProblem) in try sink(bytes) }
    }

    private static let pieceSize = 256 << 10
}

extension BinaryStoreHeader {
    /// The header of a store whose objects come first, as Core Data writes it.
    fileprivate init(mapSize: Int, metadataSize: Int, primaryKeyGeneration: UInt64) {
        let start = Self.size + mapSize  // bounded: 64, and bytes that exist
        self.init(
            map: Self.size..<start, metadata: start..<start + metadataSize,
            primaryKeyGeneration: primaryKeyGeneration)
    }
}
