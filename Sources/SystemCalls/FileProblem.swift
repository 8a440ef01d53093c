public import KeyedArchive
public import SystemPackage

/// The one error of every room above the property lists: which file, where, what is wrong, what to do.
public struct FileProblem: Error, Sendable, Hashable {
    /// What sort of problem it is; the command line derives its exit status from it.
    public enum Kind: String, Sendable {
        case missing, unreadable, damaged, unsupported, encrypted, wrongPassword, changedWhileReading
        case notARemote, ambiguous, unknownName, writeFailed, refused, limit, interrupted
    }

    public var kind: Kind
    /// The file or folder it is about.
    public var path: FilePath
    /// Offset in bytes where it shows.
    public var offset: Int?
    /// What is wrong, in one sentence without a full stop.
    public var problem: String
    public var expected: String?
    public var found: String?
    /// What to do next, in one sentence without a full stop.
    public var advice: String?

    public init(
        _ kind: Kind, path: FilePath, offset: Int? = nil, _ problem: String, expected: String? = nil,
        found: String? = nil, advice: String? = nil
    ) {
        self.kind = kind
        self.path = path
        self.offset = offset
        self.problem = problem
        self.expected = expected
        self.found = found
        self.advice = advice
    }

    /// A damaged property list or keyed archive inside `path`.
    public init(_ error: PropertyListError, path: FilePath, advice: String? = nil) {
        self.init(
            .damaged, path: path, offset: error.offset, "damaged property list", expected: error.expected,
            found: error.found, advice: advice)
    }

    /// A system call that failed on `path`.
    public init(_ errno: Errno, call: String, path: FilePath) {
        switch errno {
        case .noSuchFileOrDirectory, .notDirectory:
            self.init(.missing, path: path, "no such file or folder", found: "\(call): \(errno)")
        case .permissionDenied, .notPermitted:
            self.init(
                .unreadable, path: path, "no permission", found: "\(call): \(errno)",
                advice: "Check the owner and the mode, or run as the owner")
        default:
            self.init(.unreadable, path: path, "cannot be read", found: "\(call): \(errno)")
        }
    }
}
