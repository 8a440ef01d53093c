import KeyedArchive
import SystemCalls
import SystemPackage

/// Members of a tar archive, put together in memory: a part of an archive that is compressed by itself.
struct TarPiece: ~Copyable {
    private let room: PrivateBytes
    /// Bytes that are there already.
    private(set) var count = 0

    /// - Parameters:
    ///   - capacity: bytes that it can hold.
    ///   - path: for errors.
    init(capacity: Int, path: FilePath) throws(FileProblem) {
        room = try PrivateBytes(count: capacity, path: path)
    }

    /// An empty piece in memory that an earlier one left, or in new memory: that costs the system time.
    static func empty(
        reusing old: inout TarPiece?, capacity: Int, path: FilePath
    ) throws(FileProblem) -> TarPiece {
        guard var piece = old.take(), piece.room.memory.count >= capacity else {
            return try TarPiece(capacity: capacity, path: path)
        }
        piece.cut(to: 0)
        return piece
    }

    /// Begins a member, for which there must be room.
    mutating func begin(_ member: TarMember) {
        count += member.writeHeader(to: UnsafeMutableRawBufferPointer(rebasing: room.memory[count...]))
    }

    /// Lets `body` write the next `size` bytes, and fills the last block with zeros.
    mutating func fill<Answer>(
        _ size: Int, _ body: (UnsafeMutableRawBufferPointer) throws(FileProblem) -> Answer
    ) throws(FileProblem) -> Answer {
        let answer = try body(UnsafeMutableRawBufferPointer(rebasing: room.memory[count..<count + size]))
        count += size
        pad()
        return answer
    }

    /// Takes as many bytes as there is room for; returns how many.
    mutating func append(_ bytes: UnsafeRawBufferPointer) -> Int {
        let part = bytes.prefix(room.memory.count - count)
        UnsafeMutableRawBufferPointer(rebasing: room.memory[count...]).copyBytes(from: part)
        count += part.count
        return part.count
    }

    /// Fills the last block of a member with zeros.
    mutating func pad() { addZeros(TarMember.padded(count) - count) }

    mutating func addZeros(_ number: Int) {
        let rest = UnsafeMutableRawBufferPointer(rebasing: room.memory[count..<count + number])
        rest.initializeMemory(as: UInt8.self, repeating: 0)
        count += number
    }

    /// Takes away what came behind the first `count` bytes.
    mutating func cut(to count: Int) { self.count = count }

    /// What is there.
    var bytes: UnsafeRawBufferPointer { UnsafeRawBufferPointer(rebasing: room.memory[..<count]) }

    consuming func finish() -> SharedBytes {
        let count = count
        return room.shared(0..<count)
    }
}
