import CSystemCalls
import Glibc
public import SystemPackage

extension FilePath {
    /// The absolute path without links, `.` and `..` (realpath(3)); nil if it does not exist or its links form a loop.
    /// - Throws: every other error, since the unresolved path could mean a different place.
    public func resolved() throws(FileProblem) -> FilePath? {
        guard let text = withPlatformString({ realpath($0, nil) }) else {
            let number = Errno(rawValue: errno)
            if number == .tooManySymbolicLinkLevels { return nil }
            let problem = FileProblem(number, path: self)
            if problem.kind == .missing { return nil }
            throw problem
        }
        defer { free(text) }
        return FilePath(platformString: text)
    }

    /// The folder that contains the entry; `.` for a single name.
    public var parent: FilePath {
        let parent = removingLastComponent()
        return parent.isEmpty ? "." : parent
    }

    /// Refuses a new file or folder whose folder does not exist.
    /// - Throws: `FileProblem` of kind `missing`.
    public func requireParent() throws(FileProblem) {
        if try parent.resolved() == nil { throw .noFolder(parent) }
    }

    /// The absolute path of an entry, which may be missing or a link; nil if its folder does not exist.
    public func resolvedInFolder() throws(FileProblem) -> FilePath? {
        guard let name = lastComponent, let folder = try parent.resolved() else { return nil }
        return folder.appending(name)
    }

    /// The absolute path without links in the part that exists, like `realpath --canonicalize-missing`.
    public func resolvedAllowingMissing() throws(FileProblem) -> FilePath {
        if let resolved = try resolved() { return resolved }
        let absolute = try isAbsolute ? self : (FilePath(".").resolved() ?? "/").pushing(self)
        let clean = absolute.lexicallyNormalized()
        guard let name = clean.lastComponent, clean != "/" else { return clean }
        return try clean.removingLastComponent().resolvedAllowingMissing().appending(name)
    }
}

extension FilePath {
    /// A path from the bytes of a folder listing: one name, or several with `/` between them.
    public init(nameBytes: some Sequence<UInt8>) { self.init(pathBytes: Array(nameBytes)) }

    /// A path from its bytes.
    public init(pathBytes bytes: [UInt8]) {
        self = withUnsafeTemporaryAllocation(of: CChar.self, capacity: bytes.count + 1) { characters in
            for (position, byte) in bytes.enumerated() { characters[position] = CChar(bitPattern: byte) }
            characters[bytes.count] = 0
            return characters.baseAddress.map { FilePath(platformString: UnsafePointer($0)) } ?? FilePath()
        }
    }
}

/// The file that this process runs.
public enum CurrentExecutable {
    /// The path by which the process was started, with links not resolved; nil if the system does not report it.
    public static let path: FilePath? = ticds_run_file().map { FilePath(platformString: $0) }
}
