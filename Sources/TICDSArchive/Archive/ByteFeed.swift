import KeyedArchive
import SystemCalls

/// Bytes that come in pieces, taken in other pieces.
struct ByteFeed {
    private let next: () throws(FileProblem) -> SharedBytes?
    private var piece = SharedBytes([])
    private var used = 0
    /// Bytes taken so far.
    private(set) var offset: Int64 = 0

    init(_ next: @escaping () throws(FileProblem) -> SharedBytes?) { self.next = next }

    /// Hands on the next `count` bytes; false where they end before.
    mutating func take(
        _ count: Int64, _ body: (UnsafeRawBufferPointer) throws(FileProblem) -> Void
    ) throws(FileProblem) -> Bool {
        try takeRanges(count) { (piece, range) throws(FileProblem) in
            try piece.withUnsafeBytes { (bytes) throws(FileProblem) in
                try body(UnsafeRawBufferPointer(rebasing: bytes[range]))
            }
        }
    }

    /// The same, in pieces that may be kept.
    mutating func takeShared(
        _ count: Int64, _ body: (SharedBytes) throws(FileProblem) -> Void
    ) throws(FileProblem) -> Bool {
        try takeRanges(count) { (piece, range) throws(FileProblem) in
            if let part = piece.slice(range) { try body(part) }
        }
    }

    private mutating func takeRanges(
        _ count: Int64, _ body: (SharedBytes, Range<Int>) throws(FileProblem) -> Void
    ) throws(FileProblem) -> Bool {
        var left = count
        while left > 0 {
            if used == piece.count {
                guard let more = try next() else { return false }
                piece = more
                used = 0
            }
            let length = Int(min(left, Int64(piece.count - used)))
            try body(piece, used..<used + length)
            used += length
            offset += Int64(length)
            left -= Int64(length)
        }
        return true
    }

    /// The next `count` bytes; fewer at the end.
    mutating func array(_ count: Int) throws(FileProblem) -> [UInt8] {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(count)
        _ = try take(Int64(count)) { piece in bytes += piece }
        return bytes
    }
}
