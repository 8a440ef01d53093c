import CoreDataStore
import KeyedArchive
public import SystemCalls
public import SystemPackage
public import TICDSCore

/// The state file of `ticds-verify --state`: a binary property list with the files that were found intact.
public enum VerificationState {
    private static let schema = "state of ticds-verify, 1"

    /// The files in a state file of the remote at `root`; none if the state file does not exist.
    /// - Throws: `.unsupported` for a file of a different kind; `.refused` for the state file of a different remote;
    ///   `.damaged`.
    public static func read(_ path: FilePath, of root: FilePath) throws(FileProblem) -> KnownFiles {
        let found = try unlessMissing { () throws(FileProblem) in
            try FileBytes.read(path, limit: .verificationState)
        }
        guard let bytes = found else { return KnownFiles(isInUse: true) }
        let value: ArchivedValue
        do throws(PropertyListError) {
            value = try PropertyList.value(of: bytes)
        } catch {
            throw FileProblem(error, path: path, advice: advice)
        }
        guard value["schema"]?.stringValue == schema else {
            throw FileProblem(
                .unsupported, path: path, "not a state file of ticds-verify", expected: schema,
                found: value["schema"]?.stringValue ?? "another file", advice: "Name another file")
        }
        guard case .data(let owner)? = value["remote"], owner == root.bytes else {
            throw FileProblem(
                .refused, path: path, "the state file belongs to another remote", expected: root.escaped,
                found: "another", advice: "Use a separate state file for each remote")
        }
        return try files(value["files"], path)
    }

    /// Writes the state file, with rename(2).
    public static func write(_ known: KnownFiles, to path: FilePath, of root: FilePath) throws(FileProblem) {
        let files = known.files.sorted { $0.key < $1.key }.map { path, file -> ArchivedValue in
            .array([
                .data(path.names.map(\.bytes).joined(separator: [0]).map(\.self)),
                .integer(Int128(file.size)),
                .integer(Int128(file.modified.seconds)), .integer(Int128(file.modified.nanoseconds)),
                .integer(Int128(file.inode)), .data(file.digest), .integer(Int128(file.checked.seconds)),
            ])
        }
        let value = ArchivedValue.dictionary([
            ArchivedPair(key: .string("schema"), value: .string(schema)),
            ArchivedPair(key: .string("remote"), value: .data(root.bytes)),
            ArchivedPair(key: .string("files"), value: .array(files)),
        ])
        let bytes: [UInt8]
        do throws(PropertyListError) {
            bytes = try BinaryPropertyListWriter.bytes(of: value)
        } catch {
            throw FileProblem(error, path: path)
        }
        try AtomicFile.write(bytes, to: path)
    }

    private static let advice = "Remove the file; the next verification reads everything again"

    private static func files(_ value: ArchivedValue?, _ path: FilePath) throws(FileProblem) -> KnownFiles {
        guard case .array(let lines)? = value else { throw damaged(path) }
        var known = KnownFiles(isInUse: true)
        known.reserve(lines.count)
        var previous = RemotePath.root
        for line in lines {
            guard case .array(let fields) = line, fields.count == 7, case .data(let name) = fields[0],
                case .data(let digest) = fields[5], let size = number(fields[1]),
                let seconds = number(fields[2]), let nanoseconds = number(fields[3]),
                case .integer(let inodeNumber) = fields[4], let inode = UInt64(exactly: inodeNumber),
                let checked = number(fields[6])
            else { throw damaged(path) }
            let names = name.split(separator: 0, omittingEmptySubsequences: false)
            previous = RemotePath(names, sharing: previous)
            known[previous] = KnownFile(
                size: size, modified: FileTime(seconds: seconds, nanoseconds: Int32(clamping: nanoseconds)),
                inode: inode, digest: digest, checked: FileTime(seconds: checked))
        }
        return known
    }

    private static func number(_ value: ArchivedValue) -> Int64? {
        value.integerValue.flatMap { Int64(exactly: $0) }
    }

    private static func damaged(_ path: FilePath) -> FileProblem {
        FileProblem(.damaged, path: path, "the state file is damaged", advice: advice)
    }
}

/// The files of one remote that earlier verifications found intact, by path.
public struct KnownFiles: Sendable, Hashable {
    /// Whether a state file is used. If not, no digests are computed.
    public let isInUse: Bool
    private(set) var files: [RemotePath: KnownFile] = [:]

    /// A value without files.
    public init(isInUse: Bool = false) { self.isInUse = isInUse }

    /// Makes room for this number of files.
    mutating func reserve(_ count: Int) { files.reserveCapacity(count) }

    /// The number of known files.
    public var count: Int { files.count }

    /// The file at this path when it was found intact; nil if it was not.
    public subscript(path: RemotePath) -> KnownFile? {
        get { files[path] }
        set { files[path] = newValue }
    }

    /// Forgets the files at all other paths.
    mutating func keep(_ paths: Set<RemotePath>) { files = files.filter { paths.contains($0.key) } }
}

/// A file that a verification found intact, with the status that shows a change.
public struct KnownFile: Sendable, Hashable {
    /// The size in bytes.
    public var size: Int64
    /// Modification time.
    public var modified: FileTime
    /// Inode number.
    public var inode: UInt64
    /// SHA-256 of its bytes.
    public var digest: [UInt8]
    /// The time of the verification.
    public var checked: FileTime

    func isSameFile(as other: KnownFile) -> Bool {
        size == other.size && modified == other.modified && inode == other.inode
    }
}

extension KnownFile {
    init(_ status: FileStatus, digest: [UInt8], checked: FileTime) {
        self.init(
            size: status.size, modified: status.modified, inode: status.inode, digest: digest,
            checked: checked)
    }
}
