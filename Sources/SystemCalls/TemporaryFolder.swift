public import Base
import CSystemCalls
import Glibc
import Synchronization
public import SystemPackage

/// A private folder (mode 0700) that is removed with its content when its last owner is freed, or when a signal that
/// can be caught ends the process. A killed process leaves its folder; the next process that makes such a folder in the
/// same place removes it. A process holds a lock on its folder, so that others see that it is in use.
public final class TemporaryFolder: Sendable {
    /// The folder.
    public let path: FilePath
    /// The lock; nil if the file system does not support locks.
    private let lock: AdvisoryLock?

    /// The folders of this process. The process keeps this lock while it ends, so that no thread makes another folder.
    private static let present = Mutex<Set<FilePath>>([])

    /// Makes the folder in `parent`, by default `TMPDIR` or `/tmp`.
    public init(in parent: FilePath? = nil, prefix: String = "ticds") throws(FileProblem) {
        TerminationSignals.listen()
        let isOfTarget = parent != nil
        let parent = parent ?? Self.standardParent
        Self.removeAbandoned(in: parent, prefix: prefix)
        // Another process may, very rarely, take an unlocked folder for an abandoned one.
        for _ in 0..<Self.attempts {
            let path = parent.appending("\(prefix).\(randomHexadecimalDigits(bytes: Self.digits / 2))")
            let number = Self.present.withLock { present -> Errno? in
                guard path.withPlatformString({ mkdir($0, 0o700) }) == 0 else {
                    return Errno(rawValue: errno)
                }
                present.insert(path)
                return nil
            }
            if let number, isOfTarget {
                throw FileProblem(
                    .writeFailed, path: parent, "nothing can be written to this folder", found: "\(number)",
                    advice: number == .noSuchFileOrDirectory
                        ? "Create it, or choose another place"
                        : "Choose another place, or get permission to write here")
            }
            if let number {
                throw .noPrivateCopy(path, "cannot make a temporary folder", number)
            }
            let outcome: AdvisoryLock.Outcome?
            do throws(FileProblem) {
                outcome = try AdvisoryLock.take(path)
            } catch {
                let problem = Self.cannotUse(path, error)
                Self.withdraw(path)
                if error.kind != .missing { throw problem }
                outcome = nil
            }
            switch outcome {
            case .held(let lock)? where lock.isHeld(on: path):
                self.path = path
                self.lock = lock
                return
            case .unsupported?:
                self.path = path
                lock = nil
                return
            default: Self.withdraw(path)
            }
        }
        throw FileProblem(
            .writeFailed, path: parent, "each temporary folder is removed as soon as it is made",
            found: "\(Self.attempts) attempts", advice: "Find out which program removes them, or set TMPDIR")
    }

    private static let attempts = 10

    /// Removes an empty unused folder of this process.
    private static func withdraw(_ path: FilePath) {
        present.withLock { present in
            _ = path.withPlatformString { rmdir($0) }
            present.remove(path)
        }
    }

    private static func cannotUse(_ path: FilePath, _ problem: FileProblem) -> FileProblem {
        // try?: it only chooses the advice
        let mode = (try? FileStatus.of(path).mode) ?? 0o700
        return FileProblem(
            .writeFailed, path: path, "a temporary folder was made, but cannot be opened",
            found: problem.found ?? problem.problem,
            advice: mode & 0o700 == 0o700
                ? "Allow more open files: see ulimit -n"
                : "Set a umask that leaves the owner all rights, such as umask 077")
    }

    /// The targets that are made in folders of this process, for errors that may be printed after the folder is gone.
    private static let targets = Mutex<[(folder: FilePath, name: FilePath.Component, target: FilePath)]>([])
    /// The largest number of targets; one command makes fewer at the same time.
    private static let mostTargets = 1000

    /// Makes errors name the target, which appears under its name at the end, in place of this folder.
    /// - Parameter name: the name in this folder under which the target is made.
    public func represent(_ target: FilePath, as name: FilePath.Component) {
        Self.targets.withLock { targets in
            if targets.count == Self.mostTargets { targets.removeFirst() }
            targets.append((path, name, target))
        }
    }

    /// The path that users know for a path in a folder of this process; the path itself for all others.
    fileprivate static func visible(_ path: FilePath) -> FilePath {
        targets.withLock { targets in
            for (folder, name, target) in targets.reversed() {
                // The name has random digits, and the path may be absolute although the folder's is not.
                guard let start = path.components.firstIndex(where: { $0 == folder.lastComponent }) else {
                    continue
                }
                let inside = path.components[start...].dropFirst()
                guard inside.first == name else { return target }
                var visible = target
                visible.components.append(contentsOf: inside.dropFirst())
                return visible
            }
            return path
        }
    }

    /// The sentence with each target in place of the private folder in which it is made.
    fileprivate static func visible(_ text: String) -> String {
        guard text.contains(".ticds") else { return text }
        return targets.withLock { targets in
            targets.reduce(text) { text, place in
                text.replacing(place.folder.appending(place.name).escaped, with: place.target.escaped)
                    .replacing(place.folder.escaped, with: place.target.escaped)
            }
        }
    }

    deinit {
        Self.remove(path)
        Self.present.withLock { _ = $0.remove(path) }
    }

    /// The value of `TMPDIR`, otherwise `/tmp`.
    static var standardParent: FilePath {
        guard let value = getenv("TMPDIR"), value.pointee != 0 else { return "/tmp" }
        return FilePath(platformString: value)
    }

    /// Removes all folders of this process and calls `end`.
    public static func removeAllAtEnd(_ end: () -> Never) -> Never {
        present.withLock { present in
            // Other threads still run, and may create files in a folder that is being removed.
            for path in present {
                for _ in 0..<100 where path.withPlatformString({ access($0, F_OK) }) == 0 { remove(path) }
            }
            end()
        }
    }

    private static let digits = 16

    /// Whether a name is that of a temporary folder: with this prefix, or with one that ticds programs use.
    private static func isName(_ name: UnsafeRawBufferPointer, prefix: String) -> Bool {
        let start = name.dropLast(digits + 1)
        guard name.count > digits + 1, name[start.count] == UInt8(ascii: "."),
            name.suffix(digits).allSatisfy({ (48...57).contains($0) || (97...102).contains($0) })
        else { return false }
        return start.elementsEqual(prefix.utf8)
            || ["ticds", ".ticds"].contains { start.starts(with: $0.utf8) }
    }

    /// Removes folders of this user whose processes have ended.
    public static func removeAbandoned(in parent: FilePath, prefix: String) {
        guard let open = try? OwnedDescriptor.folder(parent) else { return }  // try?: leftovers may stay
        var found: [FilePath] = []
        // try?: leftovers may stay
        try? DirectoryReader.forEachEntry(of: open, where: { isName($0, prefix: prefix) }) { name, status in
            guard case .success(let status) = status, status.kind == .folder, status.owner == geteuid() else {
                return
            }
            let path = parent.pushing(FilePath(nameBytes: name))
            // A folder that its owner cannot open, as after an extreme umask, is empty, since no process can use it.
            if status.mode & 0o700 != 0o700 { _ = path.withPlatformString { rmdir($0) } }
            found.append(path)
        }
        for path in found {
            // try?: leftovers may stay
            guard case .held(let lock)? = try? AdvisoryLock.take(path), lock.isHeld(on: path) else {
                continue
            }
            remove(path)
        }
    }

    /// Removes folders of killed processes. A lock must prevent other processes from making folders with this prefix.
    public static func removeAbandoned(in parent: borrowing OwnedDescriptor, prefix: String)
        throws(FileProblem)
    {
        var names: [[UInt8]] = []
        try DirectoryReader.forEachEntry(of: parent) { name, status in
            guard isName(name, prefix: prefix), case .success(let status) = status, status.kind == .folder
            else {
                return
            }
            names.append(Array(name))
        }
        for name in names { remove(parent.path.pushing(FilePath(nameBytes: name))) }
    }

    /// Removes a tree without following links. Entries that cannot be removed stay.
    private static func remove(_ folder: FilePath) {
        var folders: [FilePath] = []
        if let open = try? OwnedDescriptor.folder(folder) {  // try?: entries that cannot be removed stay
            try? DirectoryReader.forEachEntry(of: open) { name, status in  // try?: as above
                let path = folder.pushing(FilePath(nameBytes: name))
                if case .success(let status) = status, status.kind == .folder {
                    folders.append(path)
                } else {
                    _ = path.withPlatformString { unlink($0) }
                }
            }
        }
        folders.forEach(remove)
        _ = folder.withPlatformString { rmdir($0) }
    }
}

/// A private file in `TMPDIR` without a directory entry (O_TMPFILE), so that nothing is left, whatever ends the
/// process. The file exists as long as this value or another open descriptor. On a system without `/proc` it has a name
/// in a private folder.
public final class UnnamedFile: Sendable {
    /// The path by which other code of this process opens the file.
    public let path: FilePath
    private let descriptor: CInt
    private let folder: TemporaryFolder?

    /// Makes an empty file.
    public init() throws(FileProblem) {
        let parent = TemporaryFolder.standardParent
        let opened = parent.withPlatformString { ticds_open_unnamed($0) }
        guard opened >= 0 else {
            throw .noPrivateCopy(parent, "cannot make a temporary file", Errno(rawValue: errno))
        }
        descriptor = opened
        let path = FilePath(Self.folder + "\(opened)")
        if path.withPlatformString({ access($0, R_OK | W_OK) }) == 0 {
            self.path = path
            folder = nil
        } else {
            let named = try TemporaryFolder()
            self.path = named.path.appending("file")
            folder = named
            try NewFile.write([], to: self.path)
        }
    }

    /// Replaces the content of the file.
    public func write(_ bytes: SharedBytes) throws(FileProblem) {
        let target = path.withPlatformString { open($0, O_WRONLY | O_TRUNC | O_CLOEXEC) }
        guard target >= 0 else { throw .writing(Errno(rawValue: errno), path: path) }
        defer { close(target) }
        if let failure = bytes.withUnsafeBytes({ writeAll($0, to: target, at: 0) }) {
            throw .writing(failure, path: path)
        }
    }

    deinit { _ = close(descriptor) }

    private static let folder = "/proc/self/fd/"

    /// Whether a path is a link below `/proc/self/fd`, which leads only to an open file of this process.
    public static func isPath(_ path: FilePath) -> Bool { path.bytes.starts(with: folder.utf8) }
}

extension FileProblem {
    /// The advice for a lack of space for a private copy.
    public static let temporarySpace = "Set TMPDIR to a folder with enough space"

    /// The problem with the target that a user named, in place of the private folder in which a command makes it.
    public var withVisiblePaths: FileProblem {
        var problem = self
        problem.path = TemporaryFolder.visible(path)
        problem.problem = TemporaryFolder.visible(self.problem)
        problem.expected = expected.map { TemporaryFolder.visible($0) }
        problem.found = found.map { TemporaryFolder.visible($0) }
        // The target is not in TMPDIR.
        let isElsewhere = problem.path != path && advice == Self.temporarySpace
        problem.advice = isElsewhere ? kind.usualAdvice : advice.map { TemporaryFolder.visible($0) }
        return problem
    }
}
