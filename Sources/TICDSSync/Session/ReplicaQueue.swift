import Base
import Cryptography
import SystemCalls
import SystemPackage
import TICDSCore

/// A change set that was fetched: its decrypted file in the replica waits to be applied.
struct FetchedSet {
    var client: RemoteName
    var identifier: String
    var modified: FileTime
    /// The time of sending, which decides the order of application.
    var sent: FileTime { ChangeSetIdentifier.sendingTime(RemoteName(identifier), modified: modified) }
    var digest: [UInt8]
    var file: FilePath
    var isGone = false
}

/// The sets that were fetched and are not in the document yet: `UnappliedSyncChanges` and its register.
struct ReplicaQueue {
    let folder: ReplicaFolder

    func file(_ identifier: String) -> FilePath {
        folder.unappliedChanges.pushing(
            FilePath(nameBytes: Array((identifier + RemoteLayout.changeSetSuffix).utf8)))
    }

    /// Fetches a set. The file gets its name with rename(2), so that a reader sees the complete file or none.
    func fetch(
        _ set: DocumentListing.ListedSet, _ storage: any RemoteStorage, _ keyring: RemoteKeyring
    ) throws(FileProblem) -> FetchedSet {
        let bytes = try keyring.read(storage, set.path, limit: .changeSet)
        let file = file(set.identifier)
        let new = folder.unappliedChanges.pushing(FilePath(nameBytes: Self.partial.bytes))
        try HelperFileFlush.remove(new)
        var copy = try FileWriter(
            FilePath(nameBytes: Self.partial.bytes), in: OwnedDescriptor.folder(folder.unappliedChanges))
        try bytes.withUnsafeBytes { (bytes) throws(FileProblem) in try copy.append(bytes) }
        try copy.finishUnsynced(modified: set.modified)
        try NewFile.rename(new, to: file)
        return FetchedSet(
            client: set.client, identifier: set.identifier, modified: set.modified,
            digest: Self.digest(bytes), file: file)
    }

    /// The digest of an empty file, whose content is missing: two empty files are not copies of each other.
    static let digestOfNothing = digest(SharedBytes([]))

    static func digest(_ bytes: SharedBytes) -> [UInt8] { bytes.withUnsafeBytes { Array(SHA256.hash($0)) } }

    /// Sets that an earlier run fetched and did not apply, and that are no longer in the remote.
    func setsGoneFromRemote(known: KnownSets, listed: Set<String>) throws(FileProblem) -> [FetchedSet] {
        guard try FileStatus.ifPresent(folder.unapplied) != nil else { return [] }
        var found: [FetchedSet] = []
        let register = try ChangeSetRegister(folder.unapplied)
        try register.forEachChangeSet { (line) throws(FileProblem) in
            guard let identifier = line.identifier, !known.contains(RemoteName(identifier)),
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

    /// Removes the remains of an interrupted run: fetched files of sets that are in the document, and a partial file.
    func removeLeftovers(known: KnownSets) throws(FileProblem) {
        let listing = try LocalStorage(root: folder.unappliedChanges).list(.root).whole()
        var waiting = 0
        for entry in listing where entry.kind == .file {
            let identifier = entry.name.removing(suffix: RemoteLayout.changeSetSuffix)
            if entry.name == Self.partial || identifier.map({ known.contains($0) }) == true {
                try HelperFileFlush.remove(
                    folder.unappliedChanges.pushing(FilePath(nameBytes: entry.name.bytes)))
            } else {
                waiting += 1
            }
        }
        if waiting == 0 { try HelperFileFlush.remove(folder.unapplied) }
    }

    private static let partial: RemoteName = ".fetched"

    func write(_ sets: [FetchedSet]) throws(FileProblem) {
        guard !sets.isEmpty else { return try HelperFileFlush.remove(folder.unapplied) }
        let lines = sets.map {
            RegisteredChangeSet(
                identifier: $0.identifier, fileName: $0.identifier + RemoteLayout.changeSetSuffix,
                clientIdentifier: $0.client.text, creationDate: $0.modified.secondsSince2001)
        }
        try RegisterFile.write(lines, to: folder.unapplied)
    }

    func remove(_ sets: [FetchedSet]) throws(FileProblem) {
        for set in sets { try HelperFileFlush.remove(set.file) }
    }
}

/// A change set that a run applies.
enum SetToApply {
    case new(FetchedSet)
    /// A set that is in the document, and that comes after a new one in the order of application.
    case known(DocumentListing.ListedSet, FilePath, read: () throws(FileProblem) -> SharedBytes)

    var isNew: Bool {
        if case .new = self { return true }
        return false
    }
}
