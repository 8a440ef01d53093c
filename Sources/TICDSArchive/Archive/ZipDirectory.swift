import KeyedArchive
import TICDSCore

/// The names in the central directory of a zip, byte for byte. libarchive reads the rest of a zip, but composes accents in
/// names.
struct ZipDirectory {
    /// The names in the order of their members in the file, which is the order of libarchive.
    let names: [[UInt8]]

    private static let largest = 1 << 30
    private static let endSize = 22

    /// Nil if the directory is missing or damaged.
    init?(_ file: ArchiveInput) {
        guard let end = Self.end(file), end.count <= 0xFFFF_FFFF, end.size <= Self.largest,
            let directory = file.bytes(at: end.offset, count: Int(end.size))
        else { return nil }
        var found: [(offset: UInt64, name: [UInt8])] = []
        var position = 0
        while found.count < end.count {
            guard directory.number(at: position, width: 4) == 0x504B_0102,
                let offset = Self.little(directory, position + 42, 4),
                let nameSize = Self.little(directory, position + 28, 2),
                let extraSize = Self.little(directory, position + 30, 2),
                let commentSize = Self.little(directory, position + 32, 2),
                let name = directory.slice(position + 46..<position + 46 + Int(nameSize)),
                let extra = directory.slice(
                    position + 46 + Int(nameSize)..<position + 46 + Int(nameSize) + Int(extraSize))
            else { return nil }
            let needsMore = offset == 0xFFFF_FFFF
            let place = needsMore ? Self.largeOffset(directory, position, extra) : offset
            guard let place else { return nil }
            found.append((place, name.array))
            position += 46 + Int(nameSize) + Int(extraSize) + Int(commentSize)
        }
        names = found.sorted { $0.offset < $1.offset }.map(\.name)
    }

    private static func end(_ file: ArchiveInput) -> (count: UInt64, size: UInt64, offset: UInt64)? {
        let tailSize = min(file.size, endSize + 0xFFFF)
        guard tailSize >= endSize,
            // bounded: a part of the size
            let tail = file.bytes(at: UInt64(file.size - tailSize), count: tailSize)
        else { return nil }
        for position in stride(from: tail.count - endSize, through: 0, by: -1)
        where tail.number(at: position, width: 4) == 0x504B_0506 {
            guard let count = little(tail, position + 10, 2), let size = little(tail, position + 12, 4),
                let offset = little(tail, position + 16, 4)
            else { return nil }
            guard count == 0xFFFF || size == 0xFFFF_FFFF || offset == 0xFFFF_FFFF else {
                return (count, size, offset)
            }
            guard position >= 20, tail.number(at: position - 20, width: 4) == 0x504B_0607,
                let place = little(tail, position - 12, 8), let large = file.bytes(at: place, count: 56),
                large.number(at: 0, width: 4) == 0x504B_0606, let count = little(large, 32, 8),
                let size = little(large, 40, 8), let offset = little(large, 48, 8)
            else { return (count, size, offset) }
            return (count, size, offset)
        }
        return nil
    }

    /// The offset of a member beyond 4 GiB, which the Zip64 extra field contains after the sizes that do not fit.
    private static func largeOffset(_ directory: SharedBytes, _ position: Int, _ extra: SharedBytes)
        -> UInt64?
    {
        var place = 0
        while let kind = little(extra, place, 2), let size = little(extra, place + 2, 2) {
            if kind == 1 {
                var skipped = 0
                if little(directory, position + 24, 4) == 0xFFFF_FFFF { skipped += 8 }
                if little(directory, position + 20, 4) == 0xFFFF_FFFF { skipped += 8 }
                return little(extra, place + 4 + skipped, 8)
            }
            place += 4 + Int(size)
        }
        return nil
    }

    private static func little(_ bytes: SharedBytes, _ offset: Int, _ width: Int) -> UInt64? {
        guard let slice = bytes.slice(offset..<offset + width) else { return nil }
        return slice.array.reversed().reduce(0) { $0 << 8 | UInt64($1) }
    }
}
