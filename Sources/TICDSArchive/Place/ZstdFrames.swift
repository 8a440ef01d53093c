import Base
import SystemCalls
import TICDSCore

/// The frames of a file that zstd compressed (RFC 8878). ticds compresses each piece of an archive as a frame, and most
/// pieces begin with a member, so that a reader can begin at the piece of a member.
struct ZstdFrames: Sendable {
    /// The offsets of the frames; none for a file of another form. Frames behind damage are missing.
    private(set) var starts: [Int] = []

    private static let magic: [UInt8] = [0x28, 0xB5, 0x2F, 0xFD]
    /// The longest header of a frame.
    private static let headerSize = 18
    /// The sizes of the identifier of a dictionary, and of the size of the content, by their flags.
    private static let dictionarySizes = [0, 1, 2, 4]
    private static let contentSizes = [0, 2, 4, 8]

    /// Walks over the headers of frames and blocks.
    init(_ file: any ReadableFile, size: Int) throws(FileProblem) {
        var offset = 0
        while offset < size {
            let header = try file.head(count: Self.headerSize, at: offset)
            guard header.starts(with: Self.magic), header.count > Self.magic.count else { return }
            let descriptor = header[Self.magic.count]
            let isSingle = descriptor & 0x20 != 0
            var content = Self.contentSizes[Int(descriptor >> 6)]
            if content == 0, isSingle { content = 1 }
            // bounded: small sizes
            var block =
                offset + Self.magic.count + 1 + (isSingle ? 0 : 1)
                + Self.dictionarySizes[Int(descriptor & 3)] + content
            var isLast = false
            while !isLast {
                let bytes = try file.head(count: 3, at: block)
                guard bytes.count == 3 else { return }
                isLast = bytes[0] & 1 != 0
                let kind = bytes[0] >> 1 & 3
                guard kind != 3 else { return }
                let length = Int(bytes[0]) >> 3 | Int(bytes[1]) << 5 | Int(bytes[2]) << 13
                // bounded: 21 bits, and the end of the file ends the walk
                block += 3 + (kind == 1 ? 1 : length)
            }
            starts.append(offset)
            offset = block + (descriptor & 4 != 0 ? 4 : 0)  // bounded: as above
        }
    }
}

extension ReadableFile {
    /// The bytes from an offset on; fewer at the end of the file.
    fileprivate func head(count: Int, at offset: Int) throws(FileProblem) -> [UInt8] {
        var bytes = [UInt8](repeating: 0, count: count)
        var span = bytes.mutableSpan
        let filled = try span.withUnsafeMutableBytes { (buffer) throws(FileProblem) in
            try read(into: buffer, at: offset)
        }
        return Array(bytes.prefix(filled))
    }
}

/// Which member a frame of an archive begins with, as far as it was looked up.
struct FrameIndex {
    let frames: ZstdFrames
    /// The position of the entry with whose member a frame begins; nil for a frame that goes on with an earlier member.
    private var firsts: [Int: Int?] = [0: -1]

    init(_ frames: ZstdFrames) { self.frames = frames }

    /// The last frame that begins with the member of an entry or an earlier one. Entries are taken to be in the order of
    /// their members.
    /// - Parameter first: looks up the entry of a frame.
    mutating func frame(
        of position: Int, _ first: (_ frame: Int) throws(FileProblem) -> Int?
    ) throws(FileProblem) -> Int {
        var (low, high) = (0, frames.starts.count)
        while high - low > 1 {
            var middle = low + (high - low) / 2
            let half = middle
            // A large member has many frames; the next one that begins with a member decides.
            while middle < high, try known(middle, first) == nil { middle += 1 }
            if middle < high, let entry = try known(middle, first), entry <= position {
                low = middle
            } else {
                high = half
            }
        }
        return low
    }

    private mutating func known(
        _ frame: Int, _ first: (Int) throws(FileProblem) -> Int?
    ) throws(FileProblem) -> Int? {
        if let known = firsts[frame] { return known }
        let found = try first(frame)
        firsts[frame] = .some(found)
        return found
    }
}
