import Base
import Cryptography
import SystemCalls
import SystemPackage
import TICDSCore

/// The marks of the files of a remote when an archive of it was written, by the positions of the files in its manifest.
///
/// They are a file in the cache with the SHA-256 of the manifest as its name: a line, for each entry of the manifest the
/// inode number (8 bytes), seconds (8) and nanoseconds (4) of the last change, the least significant byte first, and the SHA-256
/// of all before. A file that is missing or damaged costs time alone: the next archive reads all files.
struct ArchiveMarks: Sendable, Equatable {
    /// The marks; nil for folders, and for files that may have changed since they were read.
    private(set) var marks: [ChangeMark?]

    init(_ marks: [ChangeMark?]) { self.marks = marks }

    private static let head = Array("ticds marks of an archive, 1\n".utf8)
    private static let recordSize = 20

    /// The marks for the archive whose manifest has this digest, and this number of entries; nil if there are none.
    static func read(_ folder: FilePath, manifest digest: [UInt8], count: Int) -> ArchiveMarks? {
        // try?: without marks all files are read
        guard let bytes = try? FileBytes.read(place(folder, digest), limit: .archiveMarks),
            count <= bytes.count,  // bounded: so that the sum below does not overflow
            bytes.count == head.count + count * recordSize + 32
        else { return nil }
        return bytes.withUnsafeBytes { bytes in
            let content = UnsafeRawBufferPointer(rebasing: bytes.dropLast(32))
            guard content.starts(with: head), SHA256.hash(content).elementsEqual(bytes.suffix(32)) else {
                return nil
            }
            return ArchiveMarks((0..<count).map { mark(content, at: head.count + $0 * recordSize) })
        }
    }

    private static func mark(_ bytes: UnsafeRawBufferPointer, at offset: Int) -> ChangeMark? {
        let inode = UInt64(littleEndian: bytes.loadUnaligned(fromByteOffset: offset, as: UInt64.self))
        let seconds = Int64(littleEndian: bytes.loadUnaligned(fromByteOffset: offset + 8, as: Int64.self))
        let rest = Int32(littleEndian: bytes.loadUnaligned(fromByteOffset: offset + 16, as: Int32.self))
        return inode == 0
            ? nil : ChangeMark(inode: inode, changed: FileTime(seconds: seconds, nanoseconds: rest))
    }

    /// Writes the file, with rename(2), and removes files that nothing has used for long.
    func write(_ folder: FilePath, manifest digest: [UInt8]) throws(FileProblem) {
        var bytes = Self.head
        bytes.reserveCapacity(bytes.count + marks.count * Self.recordSize + 32)
        for mark in marks {
            withUnsafeBytes(of: (mark?.inode ?? 0).littleEndian) { bytes += $0 }
            withUnsafeBytes(of: (mark?.changed.seconds ?? 0).littleEndian) { bytes += $0 }
            withUnsafeBytes(of: (mark?.changed.nanoseconds ?? 0).littleEndian) { bytes += $0 }
        }
        bytes += SHA256.hash(bytes)
        try CacheFolder.make(folder)
        try AtomicFile.write(bytes, to: Self.place(folder, digest))
        try Self.removeOld(folder)
    }

    private static func place(_ folder: FilePath, _ digest: [UInt8]) -> FilePath {
        folder.appending(hexadecimalDigits(of: digest))
    }

    private static let daysKept: Int64 = 100

    private static func removeOld(_ folder: FilePath) throws(FileProblem) {
        let oldest = FileTime.now.seconds -| daysKept * 86_400
        let open = try OwnedDescriptor.folder(folder)
        for name in try DirectoryReader.names(in: open) {
            guard let status = open.statusIfAny(ofName: name.bytes), status.kind == .file,
                status.modified.seconds < oldest
            else { continue }
            try open.remove(name)
        }
    }
}

/// The files that an earlier archive contains, as an export compares them with those of the remote.
struct EarlierFiles: Sendable {
    private let earlier: EarlierArchive
    /// The marks of the files when the earlier archive was written; nil if all files are to be read.
    private let marks: ArchiveMarks?
    /// The volume of the remote; files of a volume that is mounted in it may have no reliable marks.
    private let device: UInt64
    /// Files that changed later may change again without a new mark.
    private let settled: FileTime

    init(_ earlier: EarlierArchive, marks: ArchiveMarks?, device: UInt64, settled: FileTime) {
        self.earlier = earlier
        self.marks = marks
        self.device = device
        self.settled = settled
    }

    /// The digest of a file that has not changed since the earlier archive was written; nil if it must be read.
    /// - Parameter next: where its path is searched first: after the last one that was found.
    func digest(
        of path: RemotePath, _ status: FileStatus, _ mark: ChangeMark, next: inout Int
    ) -> [UInt8]? {
        guard let marks, status.kind == .file, status.device == device,
            let position = earlier.position(of: path, next: &next),
            marks.marks[position] == mark
        else { return nil }
        return earlier.digest(at: position, status.size, status.modified)
    }

    /// A mark for the next archive; nil for a file that may change again without a new one.
    func lasting(_ known: (status: FileStatus, mark: ChangeMark)?) -> ChangeMark? {
        known.flatMap { $0.status.device == device && $0.mark.changed < settled ? $0.mark : nil }
    }

    /// Keeps the marks of the files of a new archive, and of the earlier one if it had none.
    func keep(_ marks: [ChangeMark?], of manifest: ArchiveManifest, in cache: FilePath) throws(FileProblem) {
        let text = ManifestText(manifest)
        try ArchiveMarks(marks).write(cache, manifest: text.digest(for: cache))
        if self.marks != nil { return }
        var former = [ChangeMark?](repeating: nil, count: earlier.entryCount)
        var next = 0
        for position in manifest.entries.indices {
            guard let mark = marks[position], let digest = manifest.entries.digest(at: position),
                let place = earlier.position(of: manifest.entries.path(at: position), next: &next),
                earlier.digest(
                    at: place, manifest.entries.size(at: position), manifest.entries.modified(at: position))
                    == digest
            else { continue }
            former[place] = mark
        }
        try ArchiveMarks(former).write(cache, manifest: earlier.bases[0].digest)
    }
}
