import Cryptography
import KeyedArchive
import SystemCalls
import SystemPackage
import TICDSCore

/// A change set that lies decrypted in the replica, and is to be applied.
struct FetchedSet {
    var client: RemoteName
    var identifier: String
    /// Modification time in the remote.
    var modified: FileTime
    /// What the order of application goes by.
    var sent: FileTime { ChangeSetIdentifier.sendingTime(RemoteName(identifier), modified: modified) }
    /// SHA-256 of the plain bytes.
    var digest: [UInt8]
    var file: FilePath
    /// Whether it is no longer in the remote.
    var isGone = false
}

/// The sets that were fetched and are not in the document yet: `UnappliedSyncChanges` and its register.
struct ReplicaQueue {
    let folder: ReplicaFolder

    /// Where the plain bytes of a set lie.
    func file(_ identifier: String) -> FilePath {
        folder.unappliedChanges.pushing(
            FilePath(nameBytes: Array((identifier + RemoteLayout.changeSetSuffix).utf8)))
    }

    /// Fetches a set. Whoever reads the file meanwhile sees all of it, or none.
    func fetch(
        _ set: DocumentListing.ListedSet, _ storage: any RemoteStorage, _ keyring: RemoteKeyring
    ) throws(FileProblem) -> FetchedSet {
        let bytes = try keyring.read(storage, set.path, limit: .changeSet)
        let file = file(set.identifier)
        let new = folder.unappliedChanges.pushing(FilePath(nameBytes: Self.half.bytes))
        try ReplicaSettlement.remove(new)
        var copy = try WrittenFile(
            FilePath(nameBytes: Self.half.bytes), in: OwnedDescriptor.folder(folder.unappliedChanges))
        try bytes.withUnsafeBytes { (bytes) throws(FileProblem) in try copy.append(bytes) }
        try copy.finishUnsynced(modified: set.modified)
        try NewFile.rename(new, to: file)
        return FetchedSet(
            client: set.client, identifier: set.identifier, modified: set.modified,
            digest: Self.digest(bytes), file: file)
    }

    static func digest(_ bytes: SharedBytes) -> [UInt8] {
        bytes.withUnsafeBytes { Array(SHA256.hash($0)) }
    }

    /// Sets that were fetched earlier, are not in the document, and are no longer in the remote.
    /// - Parameter listed: identifiers of the sets that are.
    func left(known: Set<[UInt8]>, listed: Set<String>) throws(FileProblem) -> [FetchedSet] {
        guard try FileStatus.ifPresent(folder.unapplied) != nil else { return [] }
        var found: [FetchedSet] = []
        let register = try ChangeSetRegister(folder.unapplied)
        try register.forEachChangeSet { (line) throws(FileProblem) in
            guard let identifier = line.identifier, !known.contains(Array(identifier.utf8)),
                !listed.contains(identifier), RemoteName(identifier).isSafe
            else { return }
            let file = self.file(identifier)
            let bytes = try unlessMissing {
                () throws(FileProblem) in try FileBytes.read(file, limit: .changeSet)
            }
            guard let bytes else { return }
            found.append(
                FetchedSet(
                    client: RemoteName(line.clientIdentifier ?? ""), identifier: identifier,
                    modified: line.creationDate.flatMap { FileTime(secondsSince2001: $0) } ?? .now,
                    digest: Self.digest(bytes), file: file, isGone: true))
        }
        return found
    }

    /// Removes what a run left behind that ended early: sets that are in the document, and halves of files.
    func tidy(known: Set<[UInt8]>) throws(FileProblem) {
        let listing = try LocalStorage(root: folder.unappliedChanges).list(.root).whole()
        var waiting = 0
        for entry in listing where entry.kind == .file {
            let identifier = entry.name.removing(suffix: RemoteLayout.changeSetSuffix)
            if entry.name == Self.half || identifier.map({ known.contains($0.bytes) }) == true {
                try ReplicaSettlement.remove(
                    folder.unappliedChanges.pushing(FilePath(nameBytes: entry.name.bytes)))
            } else {
                waiting += 1
            }
        }
        if waiting == 0 { try ReplicaSettlement.remove(folder.unapplied) }
    }

    private static let half: RemoteName = ".fetched"

    /// Writes the register of what waits.
    func write(_ sets: [FetchedSet]) throws(FileProblem) {
        guard !sets.isEmpty else { return try ReplicaSettlement.remove(folder.unapplied) }
        let lines = sets.map {
            RegisteredChangeSet(
                identifier: $0.identifier, fileName: $0.identifier + RemoteLayout.changeSetSuffix,
                clientIdentifier: $0.client.text, creationDate: $0.modified.secondsSince2001)
        }
        try RegisterFile.write(lines, to: folder.unapplied)
    }

    /// Removes the plain bytes of sets that are in the document.
    func remove(_ sets: [FetchedSet]) throws(FileProblem) {
        for set in sets { try ReplicaSettlement.remove(set.file) }
    }
}
