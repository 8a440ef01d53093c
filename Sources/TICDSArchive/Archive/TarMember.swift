import Base
import SystemCalls
import SystemPackage

/// A member of a pax archive (POSIX.1-2001), if needed with an extended header. Owners and modes are constant.
struct TarMember {
    var name: [UInt8]
    var isFolder: Bool
    var size: Int64
    var modified: FileTime
    static let block = 512
    /// The greatest number of eleven octal digits.
    private static let largestNumber: Int64 = 1 << 33 - 1
    private static let longestName = 100
    private static let longestPrefix = 155
    private static let extendedName = Array("PaxHeader".utf8)[...]

    /// The largest number of bytes of the headers of a member whose name has `nameCount` bytes.
    static func headerLimit(nameCount: Int) -> Int { 3 * block + padded(nameCount + 160) }

    static func padded(_ count: Int) -> Int { (count + block - 1) / block * block }

    /// Writes the headers into memory of at least `headerLimit` bytes; returns their size in bytes.
    func writeHeader(to memory: UnsafeMutableRawBufferPointer) -> Int {
        let slash = prefixEnd
        let isPlain = slash != nil && name.allSatisfy { $0 < 0x80 }
        let records = records(withName: !isPlain)
        var count = 0
        if !records.isEmpty {
            let header = Header(type: UInt8(ascii: "x"), mode: 0o644, size: Int64(records.count), modified: 0)
            header.write(name: Self.extendedName, prefix: [], to: memory)
            let end = Self.block + Self.padded(records.count)
            let room = UnsafeMutableRawBufferPointer(rebasing: memory[Self.block..<end])
            room.copyBytes(from: records)
            UnsafeMutableRawBufferPointer(rebasing: room[records.count...]).initializeMemory(
                as: UInt8.self, repeating: 0)
            count = end
        }
        let type = isFolder ? UInt8(ascii: "5") : UInt8(ascii: "0")
        let header = Header(
            type: type, mode: isFolder ? 0o755 : 0o644, size: size > Self.largestNumber ? 0 : size,
            modified: (0...Self.largestNumber).contains(modified.seconds) ? modified.seconds : 0)
        let place = UnsafeMutableRawBufferPointer(rebasing: memory[count...])
        switch slash {
        case nil: header.write(name: name.prefix(Self.longestName), prefix: [], to: place)
        case 0: header.write(name: name[...], prefix: [], to: place)
        case let slash?: header.write(name: name[(slash + 1)...], prefix: name[..<slash], to: place)
        }
        return count + Self.block
    }

    /// The position of the slash at which ustar divides a long name; 0 for a short name, nil if the name does not fit.
    private var prefixEnd: Int? {
        if name.count <= Self.longestName { return 0 }
        let start = max(1, name.count - Self.longestName - 1)
        let end = isFolder ? name.count - 1 : name.count
        let slash = name[start..<end].firstIndex(of: UInt8(ascii: "/"))
        guard let slash, slash <= Self.longestPrefix else { return nil }
        return slash
    }

    private func records(withName: Bool) -> [UInt8] {
        var records: [UInt8] = []
        if withName {
            if String(validating: name, as: UTF8.self) == nil {
                Self.append("hdrcharset", Array("BINARY".utf8), to: &records)
            }
            Self.append("path", name, to: &records)
        }
        if size > Self.largestNumber { Self.append("size", Array(String(size).utf8), to: &records) }
        if modified.nanoseconds != 0 || !(0...Self.largestNumber).contains(modified.seconds) {
            Self.append("mtime", time, to: &records)
        }
        return records
    }

    /// The time in seconds with nine digits of the fraction. Before 1970 both count downwards.
    private var time: [UInt8] {
        let isNegative = modified.seconds < 0
        let isBroken = isNegative && modified.nanoseconds > 0
        let seconds = isBroken ? modified.seconds + 1 : modified.seconds  // bounded: negative
        // bounded: 1 to 999,999,999
        var nanoseconds = isBroken ? 1_000_000_000 - modified.nanoseconds : modified.nanoseconds
        var text: [UInt8] = []
        text.reserveCapacity(32)
        if isNegative { text.append(UInt8(ascii: "-")) }
        text += String(seconds.magnitude).utf8
        text.append(UInt8(ascii: "."))
        let start = text.count
        for _ in 0..<9 { text.append(UInt8(ascii: "0")) }
        for place in (start..<start + 9).reversed() {
            text[place] += UInt8(nanoseconds % 10)  // bounded: a digit
            nanoseconds /= 10
        }
        return text
    }

    /// A record begins with its own length, which includes these digits.
    private static func append(_ key: String, _ value: [UInt8], to records: inout [UInt8]) {
        let rest = key.utf8.count + value.count + 3
        var length = rest + 1
        while length != rest + String(length).utf8.count { length = rest + String(length).utf8.count }
        records.reserveCapacity(records.count + length)
        records += String(length).utf8
        records.append(UInt8(ascii: " "))
        records += key.utf8
        records.append(UInt8(ascii: "="))
        records += value
        records.append(UInt8(ascii: "\n"))
    }

    /// The 512-byte ustar header.
    private struct Header {
        var type: UInt8
        var mode: Int64
        var size: Int64
        var modified: Int64

        func write(
            name: ArraySlice<UInt8>, prefix: ArraySlice<UInt8>, to memory: UnsafeMutableRawBufferPointer
        ) {
            let block = UnsafeMutableRawBufferPointer(rebasing: memory[..<TarMember.block])
            block.initializeMemory(as: UInt8.self, repeating: 0)
            block.copyBytes(from: name)
            Self.write(mode, digits: 6, to: block, at: 100)
            block[106] = UInt8(ascii: " ")
            // Owner and group, and the numbers of a device.
            for place in [108, 116, 329, 337] {
                Self.write(0, digits: 6, to: block, at: place)
                block[place + 6] = UInt8(ascii: " ")
            }
            Self.write(size, digits: 11, to: block, at: 124)
            block[135] = UInt8(ascii: " ")
            Self.write(modified, digits: 11, to: block, at: 136)
            block[147] = UInt8(ascii: " ")
            block[156] = type
            UnsafeMutableRawBufferPointer(rebasing: block[257..<265]).copyBytes(from: Self.magic)
            UnsafeMutableRawBufferPointer(rebasing: block[345..<500]).copyBytes(from: prefix)
            // The checksum counts its own field as spaces.
            Self.write(8 * Int64(UInt8(ascii: " ")) + Self.sum(block), digits: 6, to: block, at: 148)
            block[155] = UInt8(ascii: " ")
        }

        /// The sum of 512 bytes, eight at a time; a 16-bit lane has room for the sum of its bytes.
        private static func sum(_ block: UnsafeMutableRawBufferPointer) -> Int64 {
            let mask: UInt64 = 0x00FF_00FF_00FF_00FF
            var sums: UInt64 = 0
            for number in 0..<TarMember.block / 8 {
                let word = block.loadUnaligned(fromByteOffset: 8 * number, as: UInt64.self)
                sums &+= (word & mask) &+ (word >> 8 & mask)
            }
            return (0..<4).reduce(0) { $0 + Int64(sums >> (16 * UInt64($1)) & 0xFFFF) }
        }

        private static let magic: [UInt8] = Array("ustar\u{0}00".utf8)

        private static func write(
            _ number: Int64, digits: Int, to block: UnsafeMutableRawBufferPointer, at place: Int
        ) {
            var rest = number
            for place in (place..<place + digits).reversed() {
                block[place] = UInt8(ascii: "0") + UInt8(truncatingIfNeeded: rest & 7)
                rest >>= 3
            }
        }
    }
}

/// Members of a tar archive in memory: a part of the archive that is compressed separately.
struct TarPiece: ~Copyable {
    private let room: PrivateBytes
    /// The number of bytes written so far.
    private(set) var count = 0

    init(capacity: Int, path: FilePath) throws(FileProblem) {
        room = try PrivateBytes(count: capacity, path: path)
    }

    /// An empty piece that reuses the memory of an earlier piece if possible, since allocating memory takes time.
    static func empty(
        reusing old: inout TarPiece?, capacity: Int, path: FilePath
    ) throws(FileProblem) -> TarPiece {
        guard var piece = old.take(), piece.room.memory.count >= capacity else {
            return try TarPiece(capacity: capacity, path: path)
        }
        piece.cut(to: 0)
        return piece
    }

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

    mutating func append(_ bytes: UnsafeRawBufferPointer) -> Int {
        let part = bytes.prefix(room.memory.count - count)
        UnsafeMutableRawBufferPointer(rebasing: room.memory[count...]).copyBytes(from: part)
        count += part.count
        return part.count
    }

    mutating func pad() { addZeros(TarMember.padded(count) - count) }

    mutating func addZeros(_ number: Int) {
        let rest = UnsafeMutableRawBufferPointer(rebasing: room.memory[count..<count + number])
        rest.initializeMemory(as: UInt8.self, repeating: 0)
        count += number
    }

    mutating func cut(to count: Int) { self.count = count }
    var bytes: UnsafeRawBufferPointer { UnsafeRawBufferPointer(rebasing: room.memory[..<count]) }

    consuming func finish() -> SharedBytes {
        let count = count
        return room.shared(0..<count)
    }
}
