import Base
public import SystemPackage

/// The error type of every module above `Base`: the file, the position in it, the problem, and the advice.
public struct FileProblem: Error, Sendable, Hashable {
    /// The category; the exit status of a program depends on it.
    public enum Kind: String, Sendable, CaseIterable {
        /// A missing file; missing permission or a failing disk; content against its format; an unsupported form; a
        /// missing password; a wrong password; a change during the read.
        case missing, unreadable, damaged, unsupported, encrypted, wrongPassword, changedWhileReading
        /// No remote; several; an unknown name; a failed write; refused for safety; too large; stopped by a signal.
        case notARemote, ambiguous, unknownName, writeFailed, refused, limit, interrupted
    }

    /// The category.
    public var kind: Kind
    /// The file or folder that the problem concerns.
    public var path: FilePath
    /// The offset of the fault in bytes from the start of the file.
    public var offset: Int?
    /// The problem, in one sentence without a full stop.
    public var problem: String
    /// The content of an intact file at this place.
    public var expected: String?
    /// The content of this file at this place.
    public var found: String?
    /// The advice, in one sentence without a full stop. Nil only if the caller will add it.
    public var advice: String?
    /// Whether another process uses the file, so that a later attempt can succeed.
    public var isBusy = false
    /// Whether the process lacked memory, a thread, a descriptor, or space for a private copy. This says nothing about
    /// the file.
    public private(set) var isScarcity = false
    /// The code of the finding that `ticds-verify` reports for this problem, such as "TICDS-0504"; nil for most
    /// problems.
    public var finding: String?

    /// A problem with the file at `path`; `offset` in bytes from its start.
    /// - Parameter advice: the usual advice of `kind` by default.
    public init(
        _ kind: Kind, path: FilePath, offset: Int? = nil, _ problem: String, expected: String? = nil,
        found: String? = nil, advice: String? = nil, finding: String? = nil
    ) {
        self.kind = kind
        self.path = path
        self.offset = offset
        self.problem = problem
        self.expected = expected
        self.found = found
        // The same whatever was written, and by which library.
        let isTooLarge = kind == .writeFailed && found?.contains("\(Errno.fileTooLarge)") == true
        self.advice = isTooLarge ? Self.largerFiles : advice ?? kind.usualAdvice
        self.finding = finding
    }

    /// The problem of a system call that failed on `path`.
    public init(_ errno: Errno, path: FilePath) {
        switch errno {
        case .noSuchFileOrDirectory, .notDirectory:
            self.init(.missing, path: path, "no such file or folder")
        case .permissionDenied, .notPermitted:
            self.init(
                .unreadable, path: path, "no permission",
                advice: "Check the owner and the mode, or run as the owner")
        case .socketNotConnected:
            self.init(
                .unreadable, path: path, "the program behind this mount has ended", found: "\(errno)",
                advice: "Unmount its folder with fusermount3 -u -z, then mount it again")
        case .noMemory: self = .noMemory(path: path)
        case .tooManyOpenFiles, .tooManyOpenFilesInSystem:
            self = .scarcity(
                path, "cannot be opened, since too many files are open", advice: Self.moreDescriptors)
        default: self.init(.unreadable, path: path, "cannot be read", found: "\(errno)")
        }
    }

    private static let largerFiles = "Raise the limit for the size of a file (ulimit -f), then try again"

    /// The system has no more memory for this process.
    /// - Parameter count: the bytes that were asked for; nil if a library asked.
    public static func noMemory(for count: Int? = nil, path: FilePath) -> FileProblem {
        scarcity(
            path, "not enough memory" + (count.map { " for \($0) bytes of it" } ?? ""),
            advice: "Free memory, or raise the limit of the process (ulimit -v), then try again")
    }

    /// The system has no more threads for this process.
    public static func noThread(path: FilePath) -> FileProblem {
        scarcity(
            path, "cannot be read without another thread, and the system has none left",
            advice: "Free memory, or raise the limits of the process (ulimit -u, ulimit -v), then try again")
    }

    /// A private copy of a file, in `TMPDIR`, could not be made or written.
    public static func noPrivateCopy(
        _ path: FilePath, _ problem: String, _ error: any Error
    ) -> FileProblem {
        let advice =
            switch error as? Errno {
            case .tooManyOpenFiles?, .tooManyOpenFilesInSystem?: moreDescriptors
            case .noSuchFileOrDirectory?, .notDirectory?, .permissionDenied?, .notPermitted?,
                .readOnlyFileSystem?:
                "Set TMPDIR to a folder that can be written"
            default: temporarySpace
            }
        var problem = FileProblem(.writeFailed, path: path, problem, found: "\(error)", advice: advice)
        problem.isScarcity = true
        return problem
    }

    private static let moreDescriptors = "Raise the limit of open files (ulimit -n), then try again"

    private static func scarcity(_ path: FilePath, _ problem: String, advice: String) -> FileProblem {
        var problem = FileProblem(.limit, path: path, problem, advice: advice)
        problem.isScarcity = true
        return problem
    }

    /// The folder that is to contain a new file or folder is missing. No command creates it, since its volume may not be
    /// mounted.
    public static func noFolder(_ path: FilePath) -> FileProblem {
        FileProblem(
            .missing, path: path, "no such folder",
            advice: "Create it: mkdir -p \(ShellWord.quoted(path)); or mount the volume that it is on")
    }
}

extension FileProblem.Kind {
    /// The advice on a problem without further information; nil for refusals, each of which has its own reason.
    var usualAdvice: String? {
        switch self {
        case .missing: "Check the name, and that its volume is mounted"
        case .unreadable: "Check the disk or the connection, then try again"
        case .damaged: "Restore it from a back-up, or from another client's copy"
        case .unsupported: "Open it with the program that wrote it"
        case .encrypted: "Give the password with --password-file"
        case .wrongPassword: "Try another password"
        case .changedWhileReading: "Wait until other programs have finished, then try again"
        case .notARemote: "Name the folder that contains ClientDevices and Documents"
        case .ambiguous: "Name one of them"
        case .unknownName: "Name one that exists"
        case .writeFailed: "Check the space and the permissions there, then try again"
        case .limit: "Free memory, or look at the file: it is larger than any real one"
        case .interrupted: "Run the command again"
        case .refused: nil
        }
    }
}

extension FileProblem: CustomStringConvertible {
    /// `PATH: offset N: problem, CODE (expected X, found Y). Advice.` Safe to print on a terminal.
    public var description: String {
        var text = path.escaped + ": "
        if let offset { text += "offset \(offset): " }
        text += problem
        if let finding { text += ", \(finding)" }
        let details = [expected.map { "expected \($0)" }, found.map { "found \($0)" }].compactMap(\.self)
        if !details.isEmpty { text += " (" + details.joined(separator: ", ") + ")" }
        text += "."
        if let advice { text += " " + Self.sentence(advice) }
        return escapedText(text)
    }

    /// The text with a full stop, unless it ends with a question mark or with a command, to which the stop would belong.
    package static func sentence(_ text: String) -> String {
        let last = text.split(separator: ": ").last ?? ""
        let isCommand =
            commands.contains { last.hasPrefix($0) } && last.count < text.count && !last.contains(". ")
            && !last.contains("; ")
        return text + (isCommand || text.hasSuffix("?") ? "" : ".")
    }

    private static let commands = ["ticds-", "ticds ", "mkdir ", "rclone "]
}

/// Runs `body` and returns its result, or nil if the file or folder does not exist (ENOENT, ENOTDIR). It throws every
/// other error: a file without read permission, a failing disk and a stale handle are not absences.
public func unlessMissing<Result>(_ body: () throws(FileProblem) -> Result) throws(FileProblem) -> Result? {
    do throws(FileProblem) {
        return try body()
    } catch {
        guard error.kind == .missing else { throw error }
        return nil
    }
}

/// The result of `body`; nil for a file of the wrong kind or content. Throws if the content is unknown (EACCES, EIO).
public func unlessInvalid<Result>(_ body: () throws(FileProblem) -> Result) throws(FileProblem) -> Result? {
    do throws(FileProblem) {
        return try body()
    } catch {
        if error.isUnread { throw error }
        return nil
    }
}

extension FileProblem {
    /// Whether the file or folder could not be examined, so that its content is unknown: no permission, a failing disk,
    /// a stale handle, another program that changes it during the read, no space for a private copy, no memory, or a
    /// signal.
    public var isUnread: Bool {
        switch kind {
        case .unreadable, .changedWhileReading, .writeFailed, .interrupted: true
        default: isScarcity
        }
    }
}
