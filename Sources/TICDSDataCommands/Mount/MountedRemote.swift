import Base
package import Mounting
import Synchronization
package import SystemCalls
package import SystemPackage
package import TICDSCommandLine
import TICDSCore

/// A remote as folders: decrypted, decoded, made when somebody looks. It is listed again when it may have changed.
package final class MountedRemote: Sendable {
    let keyring: RemoteKeyring
    let style: TextStyle
    /// The model for stores that contain none.
    let model: FilePath?
    let states: StateCache
    let bases = ReplayBases()
    let contents = ContentCache()
    let problems: MountProblems
    /// The damage of change sets that were read, by their files.
    let damage = Mutex<[RemotePath: FileProblem]>([:])
    private let salt: RemoteFile?
    private let path: FilePath
    /// The place of the remote for people.
    let shownPath: FilePath
    private let present: Mutex<Present>

    private struct Present {
        var moment: RemoteMoment
        /// The time of the listing, in milliseconds of the monotonic clock.
        var listed: Int64
        /// How long it took.
        var cost: Int64
        var problem: FileProblem?
    }

    /// The milliseconds for which a listing counts as the present.
    private static let validity: Int64 = 1_500
    /// A listing that took long counts for so many times as long.
    private static let patience: Int64 = 10

    /// A listed remote.
    package init(
        _ open: OpenRemote, model: FilePath?, _ problems: MountProblems, _ context: CommandContext
    ) throws(FileProblem) {
        self.problems = problems
        keyring = try open.keyring()
        style = TextStyle(isUTC: context.style.isUTC)
        self.model = model
        states = try StateCache()
        salt = open.snapshot.salt
        path = open.path
        shownPath = try open.storage.capabilities == nil ? path.resolved() ?? path : path
        let moment = RemoteMoment(open.storage, open.snapshot, keyring, style)
        present = Mutex(Present(moment: moment, listed: FileTime.monotonicMilliseconds, cost: 0))
    }

    /// A document for people.
    func place(of document: RemoteName) -> FilePath {
        RemoteLayout.document(document).filePath(under: path)
    }

    /// The top folder of the mount.
    package var top: any VirtualFolder { RemoteFolder(remote: self) }

    /// Removes what is kept on the disk.
    package func end() {
        states.removeAll()
        bases.removeAll()
    }

    /// The remote as it is now.
    /// - Throws: the reason why it cannot be listed.
    func now() throws(FileProblem) -> RemoteMoment {
        try present.withLock { (present) throws(FileProblem) -> RemoteMoment in
            let began = FileTime.monotonicMilliseconds
            let age = began -| present.listed
            if age > max(Self.validity, Self.patience *| present.cost) {
                renew(&present, began)
                // Two listings were in memory.
                FreedMemory.release()
            }
            if let problem = present.problem { throw problem }
            return present.moment
        }
    }

    private func renew(_ present: inout Present, _ began: Int64) {
        do throws(FileProblem) {
            let storage = try present.moment.storage.listedAgain()
            let snapshot = try RemoteSnapshot.take(storage)
            guard snapshot.salt == salt else {
                throw FileProblem(
                    .changedWhileReading, path: path, "the encryption of the remote has changed",
                    advice: "Mount it again")
            }
            if let gap = snapshot.gap(at: .root) { throw gap }
            // The folder on which a volume was mounted is empty without it.
            guard RemoteLocation.isRemote(snapshot.tree.listing(.root).part) else {
                throw FileProblem(
                    .unreadable, path: path, "is no longer a remote",
                    advice: "Check that its volume is mounted")
            }
            // An unchanged moment keeps what was made of it, unless a part may now be readable.
            if present.moment.unreadName != nil || !snapshot.tree.isSame(as: present.moment.snapshot.tree) {
                present.moment = RemoteMoment(storage, snapshot, keyring, style)
            }
            present.problem = nil
        } catch {
            // A remote that is gone is not an empty one.
            var problem = error
            if problem.kind == .missing { problem.kind = .unreadable }
            present.problem = problem
        }
        present.listed = FileTime.monotonicMilliseconds
        present.cost = present.listed -| began
    }
}

extension RemoteTree {
    /// Whether both were listed as a whole, with the same entries.
    fileprivate func isSame(as other: RemoteTree) -> Bool {
        guard problems.isEmpty, other.problems.isEmpty, folders.count == other.folders.count else {
            return false
        }
        return folders.allSatisfy { path, listing in
            guard let before = other.folders[path], before.count == listing.count else { return false }
            return listing.elementsEqual(before)
        }
    }
}

/// The folder of the whole mount.
private struct RemoteFolder: VirtualFolder {
    let remote: MountedRemote

    var modified: FileTime {
        // try?: the time of a remote that cannot be listed does not matter
        (try? remote.now())?.documents.map(\.modified).max() ?? FileTime(seconds: 0)
    }

    func listing() throws(FileProblem) -> VirtualListing {
        let moment = try remote.now()
        let readme = MountText.readme(of: remote.shownPath)
        return VirtualListing(
            [
                ("README.txt", .file(FixedFile(readme, modified: modified))),
                ("clients", .folder(ClientsFolder(remote: remote))),
                ("documents", .folder(DocumentsFolder(remote: remote))),
                ("raw", .folder(RawFolder(remote: remote, path: .root))),
            ], problem: moment.unreadName)
    }
}

/// `documents`.
private struct DocumentsFolder: VirtualFolder {
    let remote: MountedRemote

    var modified: FileTime { RemoteFolder(remote: remote).modified }

    func listing() throws(FileProblem) -> VirtualListing {
        let moment = try remote.now()
        let documents = moment.documents
        return VirtualListing(
            documents.map(\.name), problem: moment.snapshot.hiddenDocument, isFolder: { _ in true }
        ) { [remote] in .folder(DocumentFolder(remote: remote, identifier: documents[$0].snapshot.identifier))
        }
    }
}

/// `documents/NAME`.
private struct DocumentFolder: VirtualFolder {
    let remote: MountedRemote
    let identifier: RemoteName

    // try?: as above
    var modified: FileTime { (try? remote.now().document(identifier).modified) ?? FileTime(seconds: 0) }

    func listing() throws(FileProblem) -> VirtualListing {
        let document = try remote.now().document(identifier)
        return VirtualListing([
            ("at", .folder(TimesFolder(remote: remote, document: identifier))),
            ("changes", .folder(ChangesFolder(remote: remote, document: identifier))),
            (
                "objects",
                .folder(
                    ObjectsFolder(
                        source: DocumentObjects(remote: remote, document: identifier, until: nil),
                        modified: document.modified))
            ),
            ("stores", .folder(StoresFolder(remote: remote, document: identifier))),
        ])
    }
}
