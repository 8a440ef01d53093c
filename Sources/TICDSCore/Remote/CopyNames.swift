/// The names that sync services and file browsers give to copies.
enum CopyNames {
    /// The entry of `listing` that is the original, if this name marks a copy. Identifiers may have any form, so a name
    /// that looks like that of a copy counts only if the original is there.
    static func original(of name: RemoteName, in listing: FolderListing) -> RemoteName? {
        let bytes = name.bytes
        let folded = name.text.lowercased()
        guard bytes.contains(where: isInMarks) || holdsConflict(folded.utf8) else { return nil }
        if let word = wordsInFront.first(where: { folded.hasPrefix($0) }),
            let twin = listing[RemoteName(bytes.dropFirst(word.utf8.count))]?.name
        {
            return twin
        }
        let dot = bytes.lastIndex(of: UInt8(ascii: ".")) ?? bytes.endIndex
        let end = dot > 0 ? dot : bytes.endIndex
        return original(bytes[..<end], then: bytes[end...], in: listing)
            ?? (end < bytes.endIndex ? original(bytes[...], then: [], in: listing) : nil)
    }

    /// The entry whose name is the part of `stem` before the mark of a copy, followed by `rest`.
    private static func original(
        _ stem: ArraySlice<UInt8>, then rest: ArraySlice<UInt8>, in listing: FolderListing
    ) -> RemoteName? {
        for cut in stem.indices.dropFirst() where isBoundary(stem[cut]) {
            let mark = String(decoding: stem[cut...], as: UTF8.self).lowercased()
            if isMark(mark), let twin = listing[RemoteName(stem[..<cut] + rest)]?.name { return twin }
        }
        return nil
    }

    /// Whether a mark can begin here: a separator of words, or the first byte of a character that is not ASCII.
    private static func isBoundary(_ byte: UInt8) -> Bool { byte >= 0xC0 || " -_.([".utf8.contains(byte) }

    /// Every mark without a word for a conflict contains one of these bytes.
    private static func isInMarks(_ byte: UInt8) -> Bool { byte >= 0xC0 || " (".utf8.contains(byte) }

    /// True for ` 2`, `(1)`, ` (anything)`, ` - copy (2)`, `_name_caseconflict_1` and the like.
    private static func isMark(_ mark: String) -> Bool {
        if mark.hasPrefix(" ("), mark.hasSuffix(")") { return true }
        if holdsConflict(mark.utf8) { return true }
        let word = withoutNumber(mark)
        return word.isEmpty || wordsBehind.contains(word)
    }

    /// A mark without the number at its end: ` 2`, ` (2)` or `(2)`.
    private static func withoutNumber(_ mark: String) -> String {
        var rest = mark[...]
        let isBracketed = rest.last == ")"
        if isBracketed { rest.removeLast() }
        guard let last = rest.last, last.isWholeNumber else { return mark }
        while rest.last?.isWholeNumber == true { rest.removeLast() }
        guard let before = rest.popLast(), before == (isBracketed ? "(" : " ") else { return mark }
        if isBracketed, rest.last == " " { rest.removeLast() }
        return String(rest)
    }

    /// Whether this name, in lower case, can only be the name of a conflicted copy, even if the original is not there.
    static func isConflict(_ folded: String) -> Bool {
        let bytes = Array(folded.utf8)
        if holds(bytes, surePart) && sureWords.contains(where: { holds(bytes, $0) }) { return true }
        let dot = bytes.lastIndex(of: UInt8(ascii: ".")) ?? bytes.endIndex
        return [bytes[..<dot], bytes[...]].contains { stem in
            guard stem.last == UInt8(ascii: ")"), let open = stem.lastIndex(of: UInt8(ascii: "(")) else {
                return false
            }
            return holdsConflict(stem[open...])
        }
    }

    private static func holdsConflict(_ folded: some Sequence<UInt8>) -> Bool {
        let folded = Array(folded)
        if holds(folded, surePart) && conflictWords.contains(where: { holds(folded, $0) }) { return true }
        return folded.contains { $0 >= 0xC0 } && foreignConflictWords.contains { holds(folded, $0) }
    }

    /// Whether `name` contains `word`. `String.contains` would take most of the time of a listing.
    private static func holds(_ name: [UInt8], _ word: [UInt8]) -> Bool {
        guard name.count >= word.count else { return false }
        return (0...name.count - word.count).contains { start in
            name[start] == word[0] && name[start..<start + word.count].elementsEqual(word)
        }
    }

    // MARK: Words, in lower case

    /// Words for a conflict in the languages of the sync services.
    private static let conflictWords = ["conflict", "konflikt", "conflit"].map { Array($0.utf8) }
    private static let foreignConflictWords = ["конфликт", "конфлікт", "競合", "衝突", "冲突", "충돌"]
        .map { Array($0.utf8) }

    /// The part that each ASCII word above and below contains.
    private static let surePart = Array("nfli".utf8)
    /// Marks that only conflicted copies have.
    private static let sureWords = [
        "conflicted copy", "sync-conflict", "in konflikt stehende kopie", "copie en conflit",
        "copia en conflicto", "copia in conflitto", "_conflict-", "(conflict_", "_caseconflict",
        "_whitespaceconflict", "_tailcharacterconflict", ".conflicted", "[conflicted]",
    ].map { Array($0.utf8) }

    /// The words that file browsers put behind the name of a copy.
    private static let wordsBehind: Set<String> = [
        " copy", " - copy", " kopie", " - kopie", " copie", " - copie", " copia", " - copia", " kopia",
        " - kopia", " cópia", " - cópia", " kopi", " - kopi", " コピー", " - コピー", "のコピー", " 副本", " - 副本",
    ]

    /// The words that file browsers put in front of the name.
    private static let wordsInFront = [
        "copy of ", "kopie von ", "copie de ", "copia de ", "copia di ", "kopia ",
    ]
}
