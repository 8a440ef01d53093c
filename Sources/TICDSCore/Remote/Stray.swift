import Base
public import SystemCalls

/// An entry that the framework did not make, or that a user should examine.
public struct Stray: Hashable, Sendable {
    /// The kind that an entry seems to have.
    public enum Kind: String, Sendable, CaseIterable {
        /// A copy that a cloud service or a person made beside the original.
        case conflictedCopy
        /// `.NAME.icloud`, `NAME.nextcloud` and the like: the file itself is not local.
        case cloudPlaceholder
        /// An empty file of the framework: online-only, or truncated.
        case emptyFile
        /// A file of the framework of one byte, or of zeros: online-only, or lost.
        case notDownloaded
        /// A download of a sync service or a browser that has not finished.
        case partialDownload
        /// A temporary file of a program or of a sync service.
        case temporaryFile
        /// `.DS_Store`, `desktop.ini`, `Icon\r`, `.dropbox` and the like.
        case systemFile
        /// A symbolic link, which is never followed.
        case symbolicLink
        /// A fifo, a socket or a device.
        case specialFile
        /// A file where a folder belongs, or a folder where a file belongs.
        case wrongKind
        /// An entry that differs from its neighbour `twin` only in letter case or Unicode form.
        case nameTwin
        /// An entry of no known kind.
        case unknown
    }

    /// Its path in the remote.
    public var path: RemotePath
    /// The kind that it seems to have.
    public var kind: Kind
    /// File, folder, link or something else.
    public var fileKind: FileKind
    /// The size of a file in bytes; 0 for a folder.
    public var size: Int64
    /// Modification time.
    public var modified: FileTime
    /// The entry of the same folder that it is a copy or a twin of, if known.
    public var twin: RemoteName?
}

/// Names that are junk in every folder (ticds-field-notes(7), 2-3 and 2-8). `SnapshotSorter` decides which other names
/// belong in a folder.
package enum StrayRules {
    /// The kind of junk that an entry of `listing` is, and its original if it is a copy; nil for possible data.
    package static func junk(_ entry: FolderEntry, in listing: FolderListing) -> (
        kind: Stray.Kind, twin: RemoteName?
    )? {
        switch entry.kind {
        case .symbolicLink: return (.symbolicLink, nil)
        case .special: return (.specialFile, nil)
        case .file, .folder: break
        }
        if let original = listing.original(of: entry.name) { return (.conflictedCopy, original) }
        if isChangeSetIdentifier(entry.name.bytes) { return nil }
        let text = entry.name.text
        let folded = text.lowercased()
        if systemNames.contains(folded) || folded.hasPrefix("._") { return (.systemFile, nil) }
        if CloudPlaceholder.original(of: entry) != nil { return (.cloudPlaceholder, nil) }
        if entry.kind == .file {
            if partialSuffixes.contains(where: folded.hasSuffix) { return (.partialDownload, nil) }
            if isTransient(folded) { return (.temporaryFile, nil) }
        }
        let twin = CopyNames.original(of: entry.name, in: listing)
        return twin != nil || CopyNames.isConflict(folded) ? (.conflictedCopy, twin) : nil
    }

    /// Whether a name, in lower case, is that of a partial download or a temporary file.
    package static func isTransient(_ folded: String) -> Bool {
        partialSuffixes.contains(where: folded.hasSuffix)
            || temporarySuffixes.contains(where: folded.hasSuffix)
            || temporaryPrefixes.contains(where: folded.hasPrefix)
    }

    /// Whether this is the name that the framework gives to a change set: hexadecimal digits, separators, the suffix.
    /// Nearly all files of a remote have such a name, and no junk does, so the other checks are not needed.
    package static func isChangeSetIdentifier(_ name: [UInt8]) -> Bool {
        let identifier = name.dropLast(changeSetSuffix.count)
        guard let first = identifier.first, isHexadecimalDigit(first),
            name[identifier.endIndex...].elementsEqual(changeSetSuffix)
        else { return false }
        return identifier.allSatisfy { isHexadecimalDigit($0) || separators.contains($0) }
    }

    private static let changeSetSuffix = Array(RemoteLayout.changeSetSuffix.utf8)
    private static let separators = Array("-.,".utf8)

    private static let systemNames: Set<String> = [
        ".ds_store", ".localized", ".dropbox", ".dropbox.attr", ".dropbox.cache", "desktop.ini", "thumbs.db",
        "icon\r",
        ".directory", ".trash", ".trashes", ".fseventsd", ".spotlight-v100", ".documentrevisions-v100",
        ".stfolder",
        ".stversions", ".stignore", ".sync", ".owncloudsync.log",
    ]
    private static let partialSuffixes = [
        ".part", ".partial", ".crdownload", ".download", ".filepart", ".!sync", ".bts", ".octransferid",
    ]
    private static let temporarySuffixes = [
        ".tmp", ".temp", ".swp", ".swx", ".bak", ".orig", ".lock", ".lck", "~",
    ]
    private static let temporaryPrefixes = [
        "~$", ".~", ".#", "#", ".syncthing.", ".goutputstream-", ".nfs", ".fuse_hidden",
    ]
}
