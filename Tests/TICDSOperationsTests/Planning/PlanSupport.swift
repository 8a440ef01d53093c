import KeyedArchive
import SystemCalls
import SystemPackage
import TestSupport
import TICDSCore
import TICDSOperations

/// Remotes and plans in the form for the tests of planners.
extension RemoteBuilder {
    /// The present time in these tests.
    static let now = FileTime(seconds: 1_400_000_000)
    static let day: Int64 = 86_400

    /// The remote as planners see it.
    func planned(keyring: RemoteKeyring = RemoteKeyring(.plain)) throws -> PlannedRemote {
        try PlannedRemote(
            root: root, storage, try RemoteSnapshot.take(storage), keyring: keyring, now: Self.now,
            style: TextStyle(isUTC: true))
    }

    func state(_ path: String) throws -> EntryState { try storage.state(of: RemotePath(text: path)) }

    /// Two clients in one document; the second has every kind of file of a client.
    static func two() throws -> RemoteBuilder {
        let remote = try RemoteBuilder().skeleton()
        for client in ["first", "second"] {
            try remote.client(client, description: "The \(client)")
            let info = remote.root.pushing(FilePath("ClientDevices/\(client)/deviceInfo.plist"))
            try TestFiles.setTime(info, FileTime(seconds: 1_300_000_000, nanoseconds: 123_456_789))
        }
        try remote.document("notes").join("first", "notes").join("second", "notes")
        for number in 1...3 {
            try remote.changeSet(
                "set\(number)", of: "second", in: "notes", time: 1_390_000_000 + Int64(number))
        }
        try remote.recentSync(of: "first", in: "notes", time: 1_390_000_001)
        try remote.recentSync(of: "second", in: "notes", time: 1_390_000_003)
        try remote.wholeStore(of: "second", in: "notes", time: 1_380_000_000)
        return try remote.write(
            "Documents/notes/TemporaryFiles/WholeStore/second/WholeStore.ticdsync", "store",
            time: 1_380_000_000)
    }

    func encrypt(_ key: SyncKey) throws {
        try write("Encryption/salt.ticdsync", "0123456789abcdef")
        try write("Encryption/test.ticdsync", "test")
    }
}

extension RemotePath {
    init(text: String) { self.init(text.split(separator: "/").map { RemoteName(String($0)) }) }
}

extension Plan {
    /// One line for each action: its kind and its path.
    var lines: [String] {
        actions.map { action in
            let verb =
                switch action.kind {
                case .makeFolder: "folder"
                case .writeFile: "write"
                case .writeTree: "tree"
                case .adopt: "adopt"
                case .replaceFile: "replace"
                case .setTime: "time"
                case .moveToTrash: "trash"
                case .restore: "restore"
                }
            return "\(verb) \(action.kind.path)"
        }
    }

    func texts(_ kind: PlanNote.Kind) -> [String] { notes.filter { $0.kind == kind }.map(\.text) }

    /// The bytes that an action writes, from the plan.
    func bytes(_ position: Int, _ inside: RemotePath = .root) -> [UInt8]? {
        switch actions[position].kind {
        case .writeFile(_, .bytes(let content), _), .replaceFile(_, .bytes(let content), _, _): content.bytes
        case .writeTree(_, let entries):
            if case .bytes(let content) = entries.first(where: { $0.path == inside })?.content {
                content.bytes
            } else {
                nil
            }
        default: nil
        }
    }
}
