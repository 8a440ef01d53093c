import Base
public import SystemCalls
import SystemPackage
import TICDSCore

/// Plans to remove all remote data of an app (ticds-protocol(7), 1.12).
public enum RemoteRemovalPlanner {
    /// The plan: the whole folder moves to the trash, and no tombstone is left, as in the framework's own removal.
    public static func plan(of remote: ListedRemote, command: String) throws(FileProblem) -> Plan {
        let (snapshot, names, style) = (remote.snapshot, remote.names, remote.style)
        let seen = try snapshot.tree.state(of: .root)
        var plan = Plan(
            root: remote.root, command: command,
            summary: "Remove all remote data of \(snapshot.applicationIdentifier)")
        plan.explain(
            "The folder contains \(counted(snapshot.documents.count, "document")) and "
                + "\(counted(snapshot.clientDevices.count, "client")): \(counted(seen.files ?? 0, "file")), "
                + "\(style.size(seen.size))")
        for document in snapshot.documents where document.wholeStores.allSatisfy({ $0.store == nil }) {
            plan.warn(
                "Document \(document.identifier) has no whole store: the edits that its clients have not applied yet exist only here"
            )
        }
        if snapshot.clientDevices.isEmpty { plan.addConsequence("No client is registered") }
        for client in snapshot.clientDevices {
            let last = lastSync(of: client.identifier, in: snapshot)
            plan.addConsequence(
                "\(names.name(of: client.identifier))\(last.map { ", last synchronised on \(style.minute($0))," } ?? "") keeps its "
                    + "own data; while its app is running, each synchronisation fails with error 21, and its next "
                    + "registration is like its first")
        }
        plan.addConsequence(
            "The client that registers first makes the folder again, asks its app whether to encrypt it and whether to "
                + "create each document, and uploads its own data")
        plan.addConsequence(
            "Every other client then finds a new integrity key, throws away the edits that it has not sent, and loads "
                + "that client's data")
        plan.warn(
            "Clients that have not applied all change sets lose the edits in them, unless you undo this")
        plan.add(.moveToTrash(path: .root, seen: seen))
        return plan
    }

    private static func lastSync(of client: RemoteName, in snapshot: RemoteSnapshot) -> FileTime? {
        snapshot.documents.compactMap { $0.recentSync(of: client)?.file.modified }.max()
    }
}
