import SystemCalls

/// Which names may be given to clients and integrity keys that are new. Those that are there already are taken as
/// they are, whatever they look like.
public enum IdentifierRules {
    /// Why `name` should not be an identifier or a key, as the end of a sentence that begins with it; nil for a good
    /// one.
    public static func objection(to name: RemoteName) -> String? {
        guard name.isSafe else { return "cannot be the name of a file" }
        guard name.isUTF8 else { return "is not UTF-8" }
        let text = name.text
        if name.isHidden { return "begins with a full stop" }
        guard FrameworkLists.isLongEnough(name) else {
            return
                "has fewer than \(RemoteLayout.shortestListedName) characters, so that clients do not see it"
        }
        if text.unicodeScalars.contains(where: isUnfit) { return "contains a control character" }
        if SyncKey.trimmed(text) != text { return "begins or ends with white space" }
        let entry = FolderEntry(name: name, kind: .file, size: 1, modified: FileTime(seconds: 0))
        if let junk = StrayRules.junk(entry, in: FolderListing()) {
            return "looks like a stray (\(junk.kind.rawValue))"
        }
        return nil
    }

    private static func isUnfit(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.properties.generalCategory {
        case .control, .format, .lineSeparator, .paragraphSeparator, .privateUse, .unassigned: true
        default: false
        }
    }
}
