/// What `body` gives; nil where the file or folder that it looks at does not exist (ENOENT, ENOTDIR). Every other error
/// is thrown: a file that may not be read, a failing disk or a stale handle are no absence.
public func unlessMissing<Result>(_ body: () throws(FileProblem) -> Result) throws(FileProblem) -> Result? {
    do throws(FileProblem) {
        return try body()
    } catch {
        guard error.kind == .missing else { throw error }
        return nil
    }
}

/// What `body` gives; nil where it fails because of what a file is or holds. A file that could not be looked at may hold
/// anything: that is thrown.
public func unlessUnfit<Result>(_ body: () throws(FileProblem) -> Result) throws(FileProblem) -> Result? {
    do throws(FileProblem) {
        return try body()
    } catch {
        if error.isUnread { throw error }
        return nil
    }
}

extension FileProblem {
    /// Whether a file or folder could not be looked at, and so may hold anything: no permission, a failing disk, a stale
    /// handle, or somebody who changes it meanwhile.
    public var isUnread: Bool { kind == .unreadable || kind == .changedWhileReading }
}
