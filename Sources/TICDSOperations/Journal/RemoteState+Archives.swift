import Base
public import SystemCalls
public import SystemPackage

/// Folders of archives, and small files beside the journal.
extension RemoteState {
    /// The file that marks the state of a folder of archives, and contains the name of its trash. Two users or machines
    /// that share the folder have two journals, and two folders for trash.
    private var mark: FilePath { folder.appending("archives") }

    /// The state of a folder of archives; nil if ticds never removed anything from it.
    /// - Parameter root: absolute and without links.
    public static func knownArchives(in root: FilePath, stateHome: FilePath) throws(FileProblem)
        -> RemoteState?
    {
        try RemoteState(root: root, stateHome: stateHome).asKnownFolderOfArchives()
    }

    /// The state of a folder of archives, which is made if it is missing. Two processes must not do so at once.
    public static func archives(in root: FilePath, stateHome: FilePath) throws(FileProblem) -> RemoteState {
        if let known = try knownArchives(in: root, stateHome: stateHome) { return known }
        let state = RemoteState(root: root, stateHome: stateHome)
        try state.makeKnown()
        try AtomicFile.write(Array(randomHexadecimalDigits(bytes: 6).utf8), to: state.mark)
        guard let known = try state.asKnownFolderOfArchives() else {
            throw FileProblem(
                .missing, path: state.mark, "another process removed this file while ticds created it",
                advice: "Another command removed it: run the command again")
        }
        return known
    }

    /// The state with the trash of a folder of archives; nil for any other state.
    func asKnownFolderOfArchives() throws(FileProblem) -> RemoteState? {
        guard let bytes = try Self.bytes(of: mark) else { return nil }
        guard bytes.count == 12, bytes.allSatisfy(isHexadecimalDigit) else {
            throw FileProblem(
                .damaged, path: mark, "does not contain the name of the trash of \(root) is called",
                expected: "12 hexadecimal digits", found: "\(bytes.count) bytes",
                advice: "Write the digits of the folder .ticds-trash-DIGITS into this file")
        }
        let trash = root.appending(".ticds-trash-" + String(decoding: bytes, as: UTF8.self))
        return RemoteState(root: root, folder: folder, inner: trash)
    }

    /// Makes the trash of a folder of archives.
    /// - Throws: `.missing` if the folder does not exist: its volume may not be mounted.
    func makeInnerTrash() throws(FileProblem) {
        guard let inner else { return }
        do throws(FileProblem) {
            _ = try OwnedDescriptor.folder(root)
        } catch  where error.kind == .missing {
            throw FileProblem(
                .missing, path: root, "no such folder; its trash was in it", found: error.found,
                advice: "Mount the volume that it is on")
        }
        try PrivateDirectory.make(inner)
    }

    /// The content of a small file that a command keeps beside the journal; nil if there is none.
    public func kept(_ name: FilePath) throws(FileProblem) -> [UInt8]? {
        try Self.bytes(of: folder.pushing(name))
    }

    /// Rewrites a small file beside the journal under a lock.
    /// - Parameter change: takes the content, nil if there is no file, and returns the new content.
    public func keep(
        _ name: FilePath, _ change: ([UInt8]?) throws(FileProblem) -> [UInt8]
    ) throws(FileProblem) {
        try makeKnown()
        let path = folder.pushing(name)
        let lockFile = FilePath(pathBytes: path.bytes + Array(".lock".utf8))
        let lock = try FileLock(lockFile, wait: 60) { holder in
            FileProblem(
                .refused, path: path, "another command has been writing this file for a minute",
                found: holder,
                advice: "Wait until it has ended")
        }
        let old = try Self.bytes(of: path)
        let new = try change(old)
        if new != old { try AtomicFile.write(new, to: path) }
        _ = consume lock
    }

    private static func bytes(of path: FilePath) throws(FileProblem) -> [UInt8]? {
        try unlessMissing { () throws(FileProblem) in try FileBytes.read(path, limit: .configuration).array }
    }
}
