import SystemCalls

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
        if isChangeSetIdentifier(entry.name.bytes) { return nil }
        let text = entry.name.text
        let folded = text.lowercased()
        if systemNames.contains(folded) || folded.hasPrefix("._") { return (.systemFile, nil) }
        if AbsentContent.original(of: entry) != nil { return (.cloudPlaceholder, nil) }
        if entry.kind == .file {
            if partialSuffixes.contains(where: folded.hasSuffix) { return (.partialDownload, nil) }
            if isTransient(folded) { return (.temporaryFile, nil) }
        }
        return conflictedCopy(entry, text: text, folded: folded, in: listing)
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

    private static func conflictedCopy(
        _ entry: FolderEntry, text: String, folded: String, in listing: FolderListing
    ) -> (kind: Stray.Kind, twin: RemoteName?)? {
        let original = originalName(of: text).map { RemoteName($0) }
        let twin = original.flatMap { listing[$0]?.name }
        if holdsConflictWord(Array(folded.utf8)) { return (.conflictedCopy, twin) }
        return twin.map { (.conflictedCopy, $0) }
    }

    /// `a.plist` for `a (1).plist`, `a 2.plist` and `a (anything).plist`; nil for other names. Identifiers are opaque,
    /// so the answer counts only where that file exists.
    private static func originalName(of text: String) -> String? {
        guard text.utf8.contains(UInt8(ascii: " ")) else { return nil }
        let dot = text.lastIndex(of: ".") ?? text.endIndex
        let stem = text[..<dot]
        let isBracketed = stem.last == ")"
        guard let mark = stem.lastIndex(of: isBracketed ? "(" : " "), mark > stem.startIndex else {
            return nil
        }
        let added = stem[stem.index(after: mark)...]
        guard isBracketed || (!added.isEmpty && added.allSatisfy { $0.isWholeNumber }) else { return nil }
        let end = isBracketed ? stem.index(before: mark) : mark
        return stem[end] == " " ? String(stem[..<end] + text[dot...]) : nil
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
    private static func holdsConflictWord(_ name: [UInt8]) -> Bool {
        holds(name, conflictPart) && conflictWords.contains { holds(name, $0) }
    }

    /// True where `word` is somewhere in `name`. A remote has many names: `String.contains` would take most of the
    /// time of a listing.
    private static func holds(_ name: [UInt8], _ word: [UInt8]) -> Bool {
        guard name.count >= word.count else { return false }
        return (0...name.count - word.count).contains { start in
            name[start] == word[0] && name[start..<start + word.count].elementsEqual(word)
        }
    }

    /// A part of each of the words below.
    private static let conflictPart = Array("nfli".utf8)
    /// In English and in the languages of some services' other editions, in lower case.
    private static let conflictWords = [
        "conflicted copy", "sync-conflict", "in konflikt stehende kopie", "copie en conflit",
        "copia en conflicto", "copia in conflitto", "_conflict-", "(case conflict",
    ].map { Array($0.utf8) }
}
