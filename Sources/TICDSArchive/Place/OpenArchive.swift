import Base
import Cryptography
import SystemCalls
import SystemPackage
import TICDSCore

/// An archive that stays open while a command reads it, whatever file takes its name.
struct OpenArchive: Sendable {
    /// The path by which it was opened, for errors.
    let path: FilePath
    private let file: LocalFile
    private let status: FileStatus
    /// The names with which the paths of the remote's members begin.
    var prefix: [RemoteName] = []
    /// Whether it has a manifest, which is its first member.
    var hasManifest = false

    /// - Throws: `.unsupported` for a fifo or a device, which cannot be read twice.
    init(_ named: FilePath) throws(FileProblem) {
        let place = try named.resolved() ?? named
        path = named
        do throws(FileProblem) {
            file = LocalFile(try OwnedDescriptor.file(place))
        } catch {
            guard error.kind != .missing, try FileStatus.ifPresent(place)?.kind == .special else {
                throw error
            }
            throw FileProblem(
                .unsupported, path: named, "cannot be read as a remote, since it can be read only once",
                expected: "an archive in a file", found: "a pipe or a device",
                advice: "Write it to a file first")
        }
        status = try file.status()
    }

    /// A reader at the beginning of the archive.
    func reader() throws(FileProblem) -> any MemberReader {
        try checkUnchanged()
        return try ArchiveOrigin.reader(ArchiveInput(file, size: Int(status.size), path: path))
    }

    /// A reader behind the manifest, if there is one.
    func readerAfterManifest() throws(FileProblem) -> any MemberReader {
        let reader = try reader()
        if hasManifest { _ = try reader.next() }
        return reader
    }

    /// A reader at the beginning of a frame.
    /// - Parameter count: the number of compressed bytes to read; nil for all.
    func reader(from start: Int, count: Int? = nil) throws(FileProblem) -> any MemberReader {
        try checkUnchanged()
        let end = count.map { min(Int(status.size), start +| $0) } ?? Int(status.size)
        return try ArchiveOrigin.reader(ArchiveInput(file, from: start, size: end, path: path))
    }

    /// The frames of the archive.
    func frames() throws(FileProblem) -> ZstdFrames { try ZstdFrames(file, size: Int(status.size)) }

    /// - Throws: `.changedWhileReading` if a program wrote to the file.
    func checkUnchanged() throws(FileProblem) {
        guard try file.status() == status else {
            throw FileProblem(
                .changedWhileReading, path: path, "the archive changed while it was read",
                advice: "Wait until it is written, then try again")
        }
    }

    /// The members of an archive without a manifest, sorted by path, each file with its SHA-256: all that can show
    /// whether a member is the same when it is read again. In addition, the members whose content is unknown here, such as
    /// hard links.
    /// - Throws: `.refused` for a hostile name and for a member that occurs twice.
    func members(
        limit: Int
    ) throws(FileProblem) -> (entries: BackupEntries, unknown: [(path: RemotePath, problem: FileProblem)]) {
        let reader = try reader()
        var members: [RemotePath: BackupEntry] = [:]
        var unknown: [(path: RemotePath, problem: FileProblem)] = []
        var totals = UnpackedTotals(UnpackLimits(), path: path)
        while let member = try reader.next() {
            let place: RemotePath
            switch MemberPath.path(of: member.name) {
            case .success(let found): place = found
            case .failure(let refusal): throw .hostile(path, member.name, refusal.problem)
            }
            if place.names.isEmpty { continue }
            try totals.addEntry()
            var entry = BackupEntry(path: place, role: .folder, size: 0, modified: member.modified)
            switch member.kind {
            case .folder: break
            case .symbolicLink: entry.role = .symbolicLink
            case .device, .fifo: entry.role = .special
            case .other(let kind):
                unknown.append((place, unsupported(kind, place)))
                continue
            case .file:
                entry.role = .unknown
                var hash = try SHA256(for: path)
                try reader.content { (piece) throws(FileProblem) in
                    hash.update(piece)
                    entry.size +|= Int64(piece.count)
                    try totals.add(piece.count, isZero: piece.isAllZero, bytesRead: reader.bytesRead)
                }
                entry.digest = hash.finalize()
            }
            guard members[place] == nil || member.kind == .folder && members[place]?.role == .folder else {
                throw .hostile(path, member.name, "a member that occurs twice")
            }
            members[place] = entry
        }
        return (BackupEntries(members.values.sorted { $0.path < $1.path }), unknown)
    }

    private func unsupported(_ kind: String, _ member: RemotePath) -> FileProblem {
        FileProblem(
            .unsupported, path: path, "contains \(kind), which ticds does not read in an archive",
            found: "\(member)", advice: "Unpack it with the program that made it, and name the folder")
    }
}
