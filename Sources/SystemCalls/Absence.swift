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

/// Runs `body` and returns its result, or nil if the file has the wrong kind or content. It throws an error that leaves
/// the content unknown, such as EACCES or EIO.
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
    /// a stale handle, another program that changes it during the read, no room for a private copy, or a signal.
    public var isUnread: Bool {
        switch kind {
        case .unreadable, .changedWhileReading, .writeFailed, .interrupted: true
        default: false
        }
    }
}
