import KeyedArchive
public import SystemCalls
public import SystemPackage

extension RemoteVault {
    /// Encrypts a file of this machine piece by piece, as it belongs into the remote.
    /// - Parameter path: the file that is to be, for errors.
    /// - Throws: `.encrypted` without a key; `.refused` where the key could not be tried, and where the files have the form of 2011's first weeks.
    public func seal(
        _ file: FilePath, as path: FilePath, to sink: (UnsafeRawBufferPointer) throws(FileProblem) -> Void
    ) throws(FileProblem) {
        let key = try sealingKey(path)
        guard form == .since2011June else {
            throw FileProblem(
                .refused, path: path, "cannot be encrypted in the form that was used before June 2011",
                advice: "The programs only read that form")
        }
        let source = try OpenFile.file(file)
        var stream = try EncryptingStream(key: key, path: path)
        var offset = 0
        while true {
            let piece = try source.bytes(in: offset..<offset + EncryptedFile.chunkSize)
            guard piece.count > 0 else { break }
            offset += piece.count
            try piece.withUnsafeBytes { (bytes) throws(FileProblem) in try stream.take(bytes, sink) }
        }
        try stream.finish(sink)
    }
}
