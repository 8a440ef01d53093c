import SystemCalls

/// The names that the framework's own lists show (ticds-remote-format(5), 1.5, File Manager). Each list leaves out
/// different names; the snapshot leaves out none.
public enum FrameworkLists {
    /// Clients of the app: names without a dot at the start, with at least five characters.
    public static func applicationClients(_ tree: RemoteTree) -> [RemoteName] {
        tree.listing([RemoteLayout.clientDevices]).part.map(\.name)
            .filter { !$0.isHidden && isLongEnough($0) }
    }

    /// Clients of a document: names with at least five characters, with or without a dot.
    public static func clients(of document: RemoteName, _ tree: RemoteTree) -> [RemoteName] {
        tree.listing([RemoteLayout.documents, document, RemoteLayout.syncChanges]).part.map(\.name)
            .filter(isLongEnough)
    }

    /// Whether a name is long enough, in UTF-16 units, for the framework's lists.
    public static func isLongEnough(_ name: RemoteName) -> Bool {
        // A unit takes at most four bytes, so nearly all names need not be counted.
        name.bytes.count >= 4 * RemoteLayout.shortestListedName
            || name.text.utf16.count >= RemoteLayout.shortestListedName
    }

}

/// Checks names for new clients and integrity keys. ticds accepts existing names in any form.
public enum IdentifierRules {
    /// The reason why `name` should not be an identifier or a key, as the end of a sentence that begins with it; nil
    /// for a valid name.
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
