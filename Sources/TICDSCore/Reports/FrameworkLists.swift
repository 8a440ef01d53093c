/// Which names the framework's own lists show (ticds-remote-format(5), 1.5, File Manager). Each list leaves out other
/// names; the snapshot leaves out none.
public enum FrameworkLists {
    /// Documents of the application: all but names that begin with a dot. Files count.
    public static func documents(_ tree: RemoteTree) -> [RemoteName] {
        names(in: [RemoteLayout.documents], tree).filter { !$0.isHidden }
    }

    /// Clients of the application: no dot at the start, five characters at least.
    public static func applicationClients(_ tree: RemoteTree) -> [RemoteName] {
        names(in: [RemoteLayout.clientDevices], tree).filter { !$0.isHidden && isLongEnough($0) }
    }

    /// Clients of a document: five characters at least, dot or not.
    public static func clients(of document: RemoteName, _ tree: RemoteTree) -> [RemoteName] {
        names(in: [RemoteLayout.documents, document, RemoteLayout.syncChanges], tree).filter(isLongEnough)
    }

    /// False for names that are shorter, in UTF-16 units, than the framework shows.
    public static func isLongEnough(_ name: RemoteName) -> Bool {
        // A unit stands for four bytes at most; nearly all names need not be counted.
        name.bytes.count >= 4 * RemoteLayout.shortestListedName
            || name.text.utf16.count >= RemoteLayout.shortestListedName
    }

    private static func names(in folder: RemotePath, _ tree: RemoteTree) -> [RemoteName] {
        tree.listing(folder).map(\.name)
    }
}
