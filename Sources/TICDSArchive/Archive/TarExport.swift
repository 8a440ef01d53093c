import Base
import Cryptography
import Dispatch
import Synchronization
import SystemCalls
import SystemPackage
import TICDSCore

/// Writes a compressed pax archive in pieces: the manifest, the batches, and the end.
struct TarExport {
    let source: ExportSource
    let compressor: PieceCompressor
    /// Takes the number of bytes of files that were written.
    let progress: (Int64) -> Void

    private var pieceSize: Int { compressor.pieceSize }

    func write(
        _ manifest: ArchiveManifest, _ batches: [ReadBatch], to stream: PieceStream
    ) throws(FileProblem) {
        try add(manifest, to: stream)
        for batch in batches {
            switch batch.content {
            case .packed(let bytes): stream.append(bytes)
            case .loaded(let pieces): for piece in pieces { try compress(piece, stream) }
            case .gone: try writeAgain(batch, manifest, stream)
            }
            progress(batch.stored(in: manifest.entries).reduce(0) { $0 +| manifest.entries.size(at: $1) })
        }
        var end = try TarPiece(capacity: 2 * TarMember.block, path: compressor.path)
        end.addZeros(2 * TarMember.block)
        try compress(end.finish(), stream)
        try stream.finish()
    }

    /// The parts of a manifest that stay in memory until all have been made, compressed. The others are made again.
    private static let keptParts = 16

    /// Adds the manifest in parts, made on several threads; only its header waits for all, since it has their size.
    private func add(_ manifest: ArchiveManifest, to stream: PieceStream) throws(FileProblem) {
        let text = ManifestText(manifest)
        let digest = try OrderedDigest(partCount: text.partCount, path: compressor.path)
        let parts = (0..<text.partCount).map { number in
            stream.begin { [compressor] _ throws(FileProblem) in
                let bytes = text.part(number)
                digest.add(bytes, number)
                return try ManifestPart(bytes, number < Self.keptParts ? compressor : nil)
            }
        }
        let size = { () throws(FileProblem) -> Int in
            var size = ManifestSeal.count
            for part in parts { size += try part.value().size }
            return size
        }
        stream.appendLater { [compressor] () throws(FileProblem) in
            let member = manifest.member(size: try size())
            let capacity = TarMember.headerLimit(nameCount: member.name.count)
            var header = try TarPiece(capacity: capacity, path: compressor.path)
            header.begin(member)
            return try compressor.compress(header.bytes)
        }
        for (number, part) in parts.enumerated() {
            if number < Self.keptParts {
                stream.appendLater { () throws(FileProblem) in try part.value().packed }
            } else {
                try stream.append { [compressor] _ throws(FileProblem) in
                    try text.part(number).span.withUnsafeBytes(compressor.compress)
                }
            }
        }
        stream.appendLater { [compressor] () throws(FileProblem) in
            let size = try size()
            let zeros = [UInt8](repeating: 0, count: TarMember.padded(size) - size)
            return try (ManifestSeal.bytes(digest.value) + zeros).span.withUnsafeBytes(compressor.compress)
        }
    }

    private func compress(_ piece: SharedBytes, _ stream: PieceStream) throws(FileProblem) {
        try stream.append { [compressor] _ throws(FileProblem) in try compressor.compress(piece) }
    }

    private func writeAgain(
        _ batch: ReadBatch, _ manifest: ArchiveManifest, _ stream: PieceStream
    ) throws(FileProblem) {
        let positions = batch.stored(in: manifest.entries)
        let entries = positions.lazy.map { manifest.entries[$0] }
        // Files may have grown since they were listed.
        for part in ExportBatch.cut(entries, of: manifest.application, limit: pieceSize, isEnd: false) {
            let first = positions[part.entries.lowerBound]
            let entry = manifest.entries[first]
            if part.isLarge, let file = batch.file(of: entry, at: first) {
                try write(entry.member(of: manifest.application), to: stream) { (take) throws(FileProblem) in
                    try source.readAgain(entry, file, to: take)
                }
                continue
            }
            try stream.append { [source, compressor, pieceSize] room throws(FileProblem) in
                let capacity = max(part.size, pieceSize)
                var piece = try TarPiece.empty(reusing: &room, capacity: capacity, path: compressor.path)
                try source.load(positions[part.entries], batch, of: manifest, into: &piece)
                let packed = try compressor.compress(piece.bytes)
                room = consume piece
                return packed
            }
        }
    }

    /// Writes a member of any size with one piece at a time in memory.
    private func write(
        _ member: TarMember, to stream: PieceStream,
        _ content: (_ take: (UnsafeRawBufferPointer) throws(FileProblem) -> Void) throws(FileProblem) -> Void
    ) throws(FileProblem) {
        var piece: TarPiece? = try TarPiece(capacity: pieceSize, path: compressor.path)
        piece?.begin(member)
        try content { (bytes) throws(FileProblem) in
            var rest = bytes
            // ends: with the bytes: a new piece has room
            while true {
                let taken = piece?.append(rest) ?? 0
                rest = UnsafeRawBufferPointer(rebasing: rest.dropFirst(taken))
                if rest.isEmpty { return }
                if let full = piece.take() { try compress(full.finish(), stream) }
                piece = try TarPiece(capacity: pieceSize, path: compressor.path)
            }
        }
        piece?.pad()
        if let last = piece.take() { try compress(last.finish(), stream) }
    }
}

/// A part of the text of a manifest.
private struct ManifestPart: Sendable {
    var size: Int
    /// The compressed bytes; empty if they are made again.
    var packed = SharedBytes([])

    /// - Parameter compressor: nil for a part that is made again when it is written.
    init(_ text: [UInt8], _ compressor: PieceCompressor?) throws(FileProblem) {
        size = text.count
        if let compressor { packed = try text.span.withUnsafeBytes(compressor.compress) }
    }
}

/// The SHA-256 of parts that several threads make.
private final class OrderedDigest: Sendable {
    private let digest: Mutex<SHA256>
    /// A semaphore for each part, signalled when the earlier parts have been added.
    private let turns: [DispatchSemaphore]

    init(partCount: Int, path: FilePath) throws(FileProblem) {
        digest = Mutex(try SHA256(for: path))
        turns = (0...partCount).map { _ in DispatchSemaphore(value: 0) }
        turns[0].signal()
    }

    /// Waits for the earlier parts, on which other threads already work, since work begins in order.
    func add(_ bytes: [UInt8], _ number: Int) {
        turns[number].wait()
        digest.withLock { $0.update(bytes) }
        turns[number + 1].signal()
    }

    /// The digest; valid once all parts have been added.
    var value: [UInt8] { digest.withLock { $0.finalize() } }
}
