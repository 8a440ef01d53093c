import TICDSCore

/// The names of members as paths, or why they are none.
enum MemberPath {
    /// - Returns: the path below the place where the archive is unpacked; the root for `./`.
    static func path(of name: [UInt8]) -> Result<RemotePath, Refusal> {
        if name.first == UInt8(ascii: "/") { return .failure(Refusal("an absolute name")) }
        if name.contains(0) { return .failure(Refusal("a name with a zero byte")) }
        var parts = name.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
        if parts.count > 1, parts.last?.isEmpty == true { parts.removeLast() }
        while parts.first?.elementsEqual(".".utf8) == true { parts.removeFirst() }
        let path = RemotePath(parts.map { RemoteName($0) })
        if path.names.contains("..") { return .failure(Refusal("a name that leads out of the archive")) }
        guard path.isSafe else { return .failure(Refusal("a name that no file can have")) }
        guard path.names.count <= RemoteScanner.deepestFolder + 1 else {
            return .failure(Refusal("folders nested too deep"))
        }
        return .success(path)
    }

    struct Refusal: Error {
        let problem: String

        init(_ problem: String) { self.problem = problem }
    }
}
