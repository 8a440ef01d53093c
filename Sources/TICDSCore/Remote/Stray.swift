import KeyedArchive
public import SystemCalls

/// An entry that the framework did not put there, or that needs a person's eye.
public struct Stray: Hashable, Sendable {
    /// What an entry seems to be.
    public enum Kind: String, Sendable, CaseIterable {
        /// A copy that a cloud service or a person made beside the original.
        case conflictedCopy
        /// `.NAME.icloud`, `NAME.nextcloud` and the like: the file itself is not on this machine.
        case cloudPlaceholder
        /// A file of the framework's without a single byte: online-only, or cut off.
        case emptyFile
        /// A file of the framework's of one byte, or of nothing but zeros: online-only, or lost.
        case notDownloaded
        /// What a sync service or a browser is still fetching.
        case partialDownload
        /// A temporary file of a program or of a sync service.
        case temporaryFile
        /// `.DS_Store`, `desktop.ini`, `Icon\r`, `.dropbox` and the like.
        case systemFile
        /// Never followed.
        case symbolicLink
        /// A fifo, a socket or a device.
        case specialFile
        /// A file where a folder belongs, or a folder where a file belongs.
        case wrongKind
        /// Differs from its neighbour `twin` in letter case or Unicode form only.
        case nameTwin
        /// Nothing that is known.
        case unknown
    }

    /// Where the entry lies in the remote.
    public var path: RemotePath
    /// What it seems to be.
    public var kind: Kind
    /// File, folder, link or something else.
    public var fileKind: FileKind
    /// Bytes of a file; of a folder 0.
    public var size: Int64
    /// Modification time.
    public var modified: FileTime
    /// The entry of the same folder that it is a copy or a twin of, where that is known.
    public var twin: RemoteName?
}

/// Which names are junk wherever they lie (ticds-field-notes(7), 2-3 and 2-8). What is none of these may still be out
/// of place; that the reader of the folder decides.
enum StrayRules {
    /// The sort of junk that an entry of `listing` is, and what it is a copy of; nil for a name that may be data.
    static func junk(_ entry: FolderEntry, in listing: FolderListing) -> (
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
        if AbsentContent.original(of: entry) != nil { return (.cloudPlaceholder, nil) }
        if entry.kind == .file {
            if partialSuffixes.contains(where: folded.hasSuffix) { return (.partialDownload, nil) }
            if isTransient(folded) { return (.temporaryFile, nil) }
        }
        let twin = CopyNames.original(of: entry.name, in: listing)
        return twin != nil || CopyNames.isConflict(folded) ? (.conflictedCopy, twin) : nil
    }

    /// True for the names, in lower case, of parts of downloads and of temporary files.
    static func isTransient(_ folded: String) -> Bool {
        partialSuffixes.contains(where: folded.hasSuffix)
            || temporarySuffixes.contains(where: folded.hasSuffix)
            || temporaryPrefixes.contains(where: folded.hasPrefix)
    }

    /// True for a change set as the framework names it: hexadecimal digits, separators, the suffix. No junk has such a
    /// name, and nearly all files of a remote have: they are spared the rest.
    private static func isChangeSetIdentifier(_ name: [UInt8]) -> Bool {
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
