public import SystemCalls
public import SystemPackage

/// Plans to remove all remote data of an application (ticds-protocol(7), 4.12).
public enum RemoteRemoval {
    /// The plan: the whole folder moves to the trash, and no tombstone is left, as when the framework does it.
    /// - Parameters:
    ///   - root: the remote, absolute and without links.
    ///   - names: what people call the clients.
    public static func plan(
        of snapshot: RemoteSnapshot, root: FilePath, command: String, names: ClientNames
    ) throws(FileProblem) -> Plan {
        try snapshot.checkListed()
        let seen = try snapshot.tree.state(of: .root)
        var plan = Plan(
            root: root, command: command,
            summary: "Remove all remote data of \(snapshot.applicationIdentifier)")
        plan.note(
            .reason,
            "The folder holds \(counted(snapshot.documents.count, "document")) and "
                + "\(counted(snapshot.clientDevices.count, "client")): \(counted(seen.files ?? 0, "file")) of "
                + "\(seen.size) bytes")
        for document in snapshot.documents where document.wholeStores.allSatisfy({ $0.store == nil }) {
            plan.note(
                .warning,
                "Document \(document.identifier) has no whole store: what its clients have not applied yet is only here"
            )
        }
        if snapshot.clientDevices.isEmpty { plan.note(.consequence, "No client is registered") }
        for client in snapshot.clientDevices {
            let last = lastSync(of: client.identifier, in: snapshot)
            plan.note(
                .consequence,
                "\(names.name(of: client.identifier))\(last.map { ", last synchronised at \($0.iso)," } ?? "") keeps its "
                    + "own data; while it is open each synchronisation fails with error 21, and when it next registers it "
                    + "does so as if for the first time")
        }
        plan.note(
            .consequence,
            "The client that registers first makes the folder anew, is asked whether to encrypt it and whether to create "
                + "each document, and uploads its own data")
        plan.note(
            .consequence,
            "Every other client then finds a new integrity key, throws away the edits that it has not sent, and loads "
                + "that client's data")
        plan.note(
            .warning,
            "Change sets that not every client has applied are lost to those that have not, unless this is undone"
        )
        plan.add(.moveToTrash(path: .root, seen: seen))
        return plan
    }

    private static func lastSync(of client: RemoteName, in snapshot: RemoteSnapshot) -> FileTime? {
        snapshot.documents.compactMap { $0.recentSync(of: client)?.file.modified }.max()
    }

    private static func counted(_ number: Int, _ noun: String) -> String {
        "\(number) \(noun)\(number == 1 ? "" : "s")"
    }
}
