import Base
import SystemCalls
import SystemPackage
import TICDSCore

/// Checked bytes of members of archives, in private files without a name in `TMPDIR`. At most ``bound`` bytes stay: two
/// files of half of it, of which the older one is dropped as a whole when the newer one is full. A member that is larger
/// than half has a file to itself. Used by one thread at a time.
final class MemberSpool {
    /// The bytes that are kept: `TICDS_SPOOL_SIZE`, by default 2 GiB.
    let bound: Int64
    private let archive: FilePath
    /// The newer file, with its number, and the older one.
    private var current: (file: SpoolFile, number: UInt32)?
    private var previous: (file: SpoolFile, number: UInt32)?
    private var used: Int64 = 0
    private var lastNumber: UInt32 = 0
    /// The place of each entry: its offset, and the number of its file, which is 0 for an entry that was never kept.
    private var offsets: [Int64]
    private var numbers: [UInt32]

    /// - Parameters:
    ///   - count: the number of entries of the archive.
    ///   - archive: the archive, for errors.
    init(count: Int, archive: FilePath, bound: Int64? = nil) {
        let named = Environment["TICDS_SPOOL_SIZE"].flatMap { Int64($0) }.map { max($0, 0) }
        self.bound = bound ?? named ?? 2 << 30
        self.archive = archive
        offsets = Array(repeating: 0, count: count)
        numbers = Array(repeating: 0, count: count)
    }

    /// The bytes of an entry; nil if they are not here, or no longer.
    func bytes(of position: Int, size: Int64) -> SpooledBytes? {
        let number = numbers[position]
        guard number > 0, let found = [current, previous].first(where: { $0?.number == number }) ?? nil else {
            return nil
        }
        return SpooledBytes(file: found.file, offset: offsets[position], size: size)
    }

    /// Keeps the bytes of an entry.
    /// - Parameter write: writes them through `append`, and throws if they are not to be believed.
    func keep(
        _ position: Int, size: Int64,
        _ write: (_ append: (UnsafeRawBufferPointer) throws(FileProblem) -> Void) throws(FileProblem) -> Void
    ) throws(FileProblem) {
        if current == nil || used > 0 && used +| size > bound / 2 {
            lastNumber += 1  // bounded: by the bytes that were written
            previous = current
            current = nil
            current = (try SpoolFile(archive: archive), lastNumber)
            used = 0
        }
        guard let current else { return }
        let start = used
        // After an error, too: what was written stays where holes would be.
        try write { (bytes) throws(FileProblem) in
            try current.file.write(bytes, at: used)
            used +|= Int64(bytes.count)
        }
        offsets[position] = start
        numbers[position] = current.number
    }
}

/// A private file without a name.
final class SpoolFile: Sendable {
    private let file: UnnamedFile
    private let descriptor: FileDescriptor
    /// The archive, for errors.
    private let archive: FilePath

    init(archive: FilePath) throws(FileProblem) {
        self.archive = archive
        file = try UnnamedFile()
        do {
            descriptor = try FileDescriptor.open(file.path, .readWrite, options: [.closeOnExec])
        } catch {
            throw Self.failure(archive, error)
        }
    }

    deinit { try? descriptor.close() }  // try?: the file is not used any more

    /// Writes bytes; zeros become a hole.
    func write(_ bytes: UnsafeRawBufferPointer, at offset: Int64) throws(FileProblem) {
        if bytes.isAllZero { return }
        do {
            _ = try descriptor.writeAll(toAbsoluteOffset: offset, bytes)
        } catch {
            throw Self.failure(archive, error)
        }
    }

    /// Fills the whole of `buffer`. What was never written is zeros, also behind the end of the file.
    func read(into buffer: UnsafeMutableRawBufferPointer, at offset: Int64) throws(FileProblem) {
        var filled = 0
        while filled < buffer.count {
            let rest = UnsafeMutableRawBufferPointer(rebasing: buffer[filled...])
            let count: Int
            do {
                count = try descriptor.read(fromAbsoluteOffset: offset +| Int64(filled), into: rest)
            } catch {
                throw FileProblem(error as? Errno ?? .ioError, path: archive)
            }
            if count == 0 {
                rest.initializeMemory(as: UInt8.self, repeating: 0)
                return
            }
            filled += count
        }
    }

    private static func failure(_ archive: FilePath, _ error: any Error) -> FileProblem {
        .noPrivateCopy(archive, "cannot be unpacked into a temporary file", error)
    }
}

/// The bytes of a member in a spool. They stay as long as this value.
struct SpooledBytes: Sendable {
    let file: SpoolFile
    let offset: Int64
    let size: Int64

    /// Fills `buffer` with the bytes from `start` on; returns their number, which is less if the member ends before.
    func read(into buffer: UnsafeMutableRawBufferPointer, at start: Int) throws(FileProblem) -> Int {
        let count = Int(min(Int64(buffer.count), max(0, size -| Int64(max(0, start)))))
        guard start >= 0, count > 0 else { return 0 }
        try file.read(
            into: UnsafeMutableRawBufferPointer(rebasing: buffer[..<count]), at: offset +| Int64(start))
        return count
    }

    /// All bytes.
    func privateBytes(path: FilePath) throws(FileProblem) -> PrivateBytes {
        let bytes = try PrivateBytes(count: Int(size), path: path)
        _ = try read(into: bytes.memory, at: 0)
        return bytes
    }

    /// The bytes of a range; fewer if the member ends before.
    func bytes(in range: Range<Int>, path: FilePath) throws(FileProblem) -> SharedBytes {
        let range = range.clamped(to: 0..<Int(size))
        let bytes = try PrivateBytes(count: range.count, path: path)
        let count = try read(into: bytes.memory, at: range.lowerBound)
        return bytes.shared(0..<count)
    }
}
