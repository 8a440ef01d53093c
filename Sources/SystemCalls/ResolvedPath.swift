public import SystemPackage

#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#endif

extension FilePath {
    /// The absolute path without links, `.` and `..`; nil where it leads nowhere.
    /// - Throws: where the system does not say: the path would stand for another place.
    public func resolved() throws(FileProblem) -> FilePath? {
        guard let text = withPlatformString({ realpath($0, nil) }) else {
            let number = Errno(rawValue: errno)
            if number == .tooManySymbolicLinkLevels { return nil }
            let problem = FileProblem(number, call: "realpath", path: self)
            if problem.kind == .missing { return nil }
            throw problem
        }
        defer { free(text) }
        return FilePath(platformString: text)
    }

    /// The folder around the entry; `.` for a name alone.
    public var parent: FilePath {
        let parent = removingLastComponent()
        return parent.isEmpty ? "." : parent
    }

    /// The absolute path of an entry that need not be there, and is not followed where it is a link; nil where its folder
    /// is not there.
    public func resolvedInFolder() throws(FileProblem) -> FilePath? {
        guard let name = lastComponent, let folder = try parent.resolved() else { return nil }
        return folder.appending(name)
    }

    /// The absolute path without links, as far as the folders on the way are there.
    public func resolvedAsFarAsThere() throws(FileProblem) -> FilePath {
        if let resolved = try resolved() { return resolved }
        let absolute = try isAbsolute ? self : (FilePath(".").resolved() ?? "/").pushing(self)
        let clean = absolute.lexicallyNormalized()
        guard let name = clean.lastComponent, clean != "/" else { return clean }
        return try clean.removingLastComponent().resolvedAsFarAsThere().appending(name)
    }
}
