package import SystemCalls
package import SystemPackage
package import TICDSCore
package import TICDSOperations

/// A small remote, a plan with every kind of change, and a state home beside it.
package struct ChangedRemote: Sendable {
    package let builder: RemoteBuilder
    package let home: TemporaryFolder

    package static let sets: RemotePath = ["Documents", "notes", "SyncChanges", "client-B"]

    /// - Parameters:
    ///   - parent: the folder of the remote, by default the folder of temporary folders.
    ///   - home: the folder of the state home, with the same default.
    package init(in parent: FilePath? = nil, home: FilePath? = nil) throws {
        builder = try RemoteBuilder(in: parent)
        self.home = try TemporaryFolder(in: home, prefix: "ticds-state")
        try builder.skeleton().client("client-A").client("client-B").document("notes")
        try builder.join("client-A", "notes").join("client-B", "notes")
        for number in 0..<5 {
            let time = 1_300_000_000 + Int64(number) * 1_000
            try builder.changeSet("000038852123\(number).000001-SET", of: "client-B", in: "notes", time: time)
        }
        try builder.recentSync(of: "client-A", in: "notes", time: 1_300_000_000)
        try builder.link("Documents/notes/SyncChanges/client-B/link", to: "../../../../../outside")
        try setTimes(of: root)
    }

    /// Sets a fixed time for entries with a current one.
    private func setTimes(of path: FilePath) throws {
        let status = try FileStatus.of(path)
        if status.kind == .folder {
            var names: [FilePath] = []
            try DirectoryReader.forEachEntry(of: try OwnedDescriptor.folder(path)) { name, _ in
                names.append(FilePath(nameBytes: name))
            }
            for name in names { try setTimes(of: path.pushing(name)) }
        }
        if status.modified.seconds > 1_400_000_000 {
            try TestFiles.setTime(path, FileTime(seconds: 1_250_000_000))
        }
    }

    package var root: FilePath { builder.root }
    package var canonicalRoot: FilePath { (try? root.resolved()) ?? root }
    package var state: RemoteState {
        RemoteState(root: canonicalRoot, stateHome: home.path.appending("ticds"))
    }
    package var image: TreeImage { get throws { try TreeImage(of: root).withoutIdentity } }

    package func journal() throws -> Journal {
        guard let journal = try Journal.read(state) else { throw Errno.noSuchFileOrDirectory }
        return journal
    }

    /// A plan with every kind of change except restoring.
    package func plan() throws -> Plan {
        let tree = try RemoteSnapshot.take(builder.storage).tree
        var plan = Plan(root: canonicalRoot, command: "test", summary: "Change a little of everything")
        let info: RemotePath = ["ClientDevices", "client-B", "deviceInfo.plist"]
        let tombstone: RemotePath = ["Documents", "notes", "DeletedClients", "client-B.plist"]
        let seen = try tree.state(of: info)
        plan.add(.writeFile(path: tombstone, content: .copy(of: info, seen: seen), modified: seen.modified))
        plan.add(.moveToTrash(path: Self.sets, seen: try tree.state(of: Self.sets)))
        plan.add(.makeFolder(path: Self.sets))
        let documentInfo: RemotePath = ["Documents", "notes", "documentInfo.plist"]
        plan.add(
            .replaceFile(
                path: documentInfo, content: .bytes(PlannedBytes(Array("<plist/>".utf8))),
                modified: FileTime(seconds: 1_200_000_000, nanoseconds: 123_456_789),
                seen: try tree.state(of: documentInfo)))
        let recent: RemotePath = ["Documents", "notes", "RecentSyncs", "client-A.recentsync"]
        plan.add(
            .setTime(
                path: recent, modified: FileTime(seconds: 1_310_000_000, nanoseconds: 1),
                seen: try tree.state(of: recent)))
        plan.add(
            .writeTree(
                path: ["Documents", "new"],
                entries: [
                    TreeEntry(path: ["SyncChanges"]),
                    TreeEntry(path: ["SyncChanges", "client-A"], modified: FileTime(seconds: 1_000_000_000)),
                    TreeEntry(
                        path: ["documentInfo.plist"], content: .bytes(PlannedBytes([1, 2, 255])),
                        modified: FileTime(seconds: 1_100_000_000)),
                ]))
        plan.add(.moveToTrash(path: ["ReadMe.txt"], seen: try tree.state(of: ["ReadMe.txt"])))
        return plan
    }
}
