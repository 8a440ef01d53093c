import Base
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
        let read = try unlessMissing { () throws(FileProblem) in
            try FileBytes.read(path, limit: .verificationState)
        }
        guard let bytes = read else { return KnownFiles(isInUse: true) }
        let list: StateList
        let found: (schema: String?, owner: [UInt8]?)
        do throws(PropertyListError) {
            list = StateList(list: try BinaryPropertyList(bytes))
            found = (try list.text("schema"), try list.data(list.value("remote")))
        } catch {
            throw FileProblem(error, path: path, advice: advice)
        }
        guard found.schema == schema else {
            throw FileProblem(
                .unsupported, path: path, "not a state file of ticds-verify", expected: schema,
                found: found.schema ?? "another file", advice: "Name another file")
        }
        guard found.owner == root.bytes else {
            throw FileProblem(
                .refused, path: path, "the state file belongs to another remote", expected: root.escaped,
                found: "another", advice: "Use a separate state file for each remote")
        }
        do throws(PropertyListError) {
            if let files = try list.files() { return files }
        } catch {
            throw FileProblem(error, path: path, advice: advice)
        }
        throw FileProblem(.damaged, path: path, "the state file is damaged", advice: advice)
    }

    /// Writes the state file, with rename(2).
    public static func write(_ known: KnownFiles, to path: FilePath, of root: FilePath) throws(FileProblem) {
        let files = known.files.sorted { $0.path < $1.path }.map { path, file -> ArchivedValue in
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
}

/// The property list of a state file, read in place: all its values at once take ten times its size.
private struct StateList {
    let list: BinaryPropertyList

    /// The longest path, in bytes.
    private static let longestPath = 1 << 14
    /// The largest number of keys, and of names in a path.
    private static let mostNames = 64

    /// The object at a key; nil without one.
    func value(_ key: String) throws(PropertyListError) -> Int? {
        guard case .dictionary(let keys, let values) = try list.node(list.top) else { return nil }
        for place in 0..<min(keys.count, Self.mostNames) {
            let name = try list.reference(keys, place)
            if try list.string(name) == key { return try list.reference(values, place) }
        }
        return nil
    }

    func text(_ key: String) throws(PropertyListError) -> String? {
        guard let index = try value(key) else { return nil }
        return try list.string(index)
    }

    func data(_ index: Int?) throws(PropertyListError) -> [UInt8]? {
        guard let index, case .data(let range) = try list.node(index), range.count <= Self.longestPath else {
            return nil
        }
        return list.bytes.array(range)
    }

    /// The files; nil if their form is a different one.
    func files() throws(PropertyListError) -> KnownFiles? {
        guard let index = try value("files"), case .array(let lines) = try list.node(index) else {
            return nil
        }
        var known = KnownFiles(isInUse: true)
        // The folder of the last file, and its files: a state file lists the files of a folder together.
        var folder: (path: RemotePath, range: Range<Int>)?
        var files: [(key: RemoteName, value: KnownFile)] = []
        var bytes = 0
        for place in 0..<lines.count {
            let line = try list.reference(lines, place)
            guard case .array(let fields) = try list.node(line), fields.count == 7,
                case .data(let path) = try list.node(list.reference(fields, 0)),
                path.count <= Self.longestPath,
                let digest = try data(list.reference(fields, 5)), let size: Int64 = try number(fields, 1),
                let seconds: Int64 = try number(fields, 2),
                let nanoseconds: Int64 = try number(fields, 3),
                let inode: UInt64 = try number(fields, 4), let checked: Int64 = try number(fields, 6)
            else { return nil }
            // A damaged file may refer to one name a million times, or overlap names.
            bytes += path.count
            guard bytes <= list.bytes.count else { return nil }
            let name = nameStart(of: path)
            let around = path.lowerBound..<name
            if folder.map({ !areEqual($0.range, around) }) ?? true {
                if let folder, !known.add(files, in: folder.path) { return nil }
                files.removeAll(keepingCapacity: true)
                guard let names = names(in: around) else { return nil }
                folder = (names, around)
            }
            files.append(
                (
                    RemoteName(list.bytes.array(name..<path.upperBound)),
                    KnownFile(
                        size: size,
                        modified: FileTime(seconds: seconds, nanoseconds: Int32(clamping: nanoseconds)),
                        inode: inode, digest: digest, checked: FileTime(seconds: checked))
                ))
        }
        if let folder, !known.add(files, in: folder.path) { return nil }
        return known
    }

    /// The offset of the last name of a path: after the last 0.
    private func nameStart(of path: Range<Int>) -> Int {
        list.bytes.withUnsafeBytes { bytes in
            bytes[path].lastIndex(of: 0).map { $0 + 1 } ?? path.lowerBound
        }
    }

    private func areEqual(_ one: Range<Int>, _ other: Range<Int>) -> Bool {
        one.count == other.count
            && list.bytes.withUnsafeBytes { bytes in
                UnsafeRawBufferPointer(rebasing: bytes[one]).begins(
                    with: UnsafeRawBufferPointer(rebasing: bytes[other]))
            }
    }

    /// The path of a folder, with a 0 after each name; nil for too many names.
    private func names(in range: Range<Int>) -> RemotePath? {
        if range.isEmpty { return .root }
        let names = list.bytes.array(range).dropLast().split(
            separator: 0, maxSplits: Self.mostNames, omittingEmptySubsequences: false)
        return names.count < Self.mostNames ? RemotePath(names.map { RemoteName($0) }) : nil
    }

    private func number<Number: FixedWidthInteger>(
        _ fields: PropertyListReferences, _ place: Int
    ) throws(PropertyListError) -> Number? {
        guard case .integer(let number) = try list.node(list.reference(fields, place)) else { return nil }
        return Number(exactly: number)
    }
}

/// The files of one remote that earlier verifications found intact, by path.
public struct KnownFiles: Sendable, Hashable {
    /// Whether a state file is used. If not, no digests are computed.
    public let isInUse: Bool
    /// The number of known files.
    public private(set) var count = 0
    /// The files of each folder by their names. No folder is empty.
    private var folders: [RemotePath: [RemoteName: KnownFile]] = [:]

    /// A value without files.
    public init(isInUse: Bool = false) { self.isInUse = isInUse }

    /// The files with their paths, in no order.
    var files: some Sequence<(path: RemotePath, file: KnownFile)> {
        folders.lazy.flatMap { folder, files in
            files.lazy.map { (path: folder.appending($0.key), file: $0.value) }
        }
    }

    /// The file at this path when it was found intact; nil if it was not.
    public subscript(path: RemotePath) -> KnownFile? {
        get { path.last.flatMap { folders[path.parent]?[$0] } }
        set {
            guard let name = path.last else { return }
            let folder = path.parent
            if let newValue {
                let old = folders[folder, default: [:]].updateValue(newValue, forKey: name)
                count += old == nil ? 1 : 0
            } else if folders[folder]?.removeValue(forKey: name) != nil {
                count -= 1
                if folders[folder]?.isEmpty == true { folders[folder] = nil }
            }
        }
    }

    /// The files of a folder by their names.
    subscript(folder folder: RemotePath) -> [RemoteName: KnownFile] { folders[folder] ?? [:] }

    /// Adds the files of a folder; returns false if one of them is known already.
    fileprivate mutating func add(
        _ files: [(key: RemoteName, value: KnownFile)], in folder: RemotePath
    ) -> Bool {
        var all = folders.removeValue(forKey: folder) ?? [:]
        let before = all.count
        all.reserveCapacity(before + files.count)
        for (name, file) in files { all[name] = file }
        folders[folder] = all
        count += files.count
        return all.count == before + files.count
    }

    /// Forgets the files at all other paths.
    mutating func keep(_ paths: Set<RemotePath>) {
        for (path, _) in files where !paths.contains(path) { self[path] = nil }
    }
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
