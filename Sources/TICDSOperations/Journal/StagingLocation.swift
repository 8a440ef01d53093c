import Base
import Cryptography
import SystemCalls
import SystemPackage

/// Chooses where new files are staged: on the remote's volume, and outside of the remote if possible.
struct StagingLocation {
    /// The folder in which the staging folders of operations are made.
    private let folder: FilePath
    let trashIsNear: Bool
    /// The folder for what stays after a run, such as an interrupted copy. Each state home has its own folder.
    let shared: FilePath

    init(_ state: RemoteState) throws(FileProblem) {
        if let inner = state.inner {
            folder = inner.appending("staging")
            shared = folder
            trashIsNear = true
            return
        }
        if state.isElsewhere {
            folder = state.folder.appending("staging")
            shared = folder
            trashIsNear = true
            return
        }
        let parent = state.root.removingLastComponent()
        let isThere = try PrivateDirectory.exists(state.root)
        let volume = try Volume(of: OwnedDescriptor.folder(isThere ? state.root : parent))
        trashIsNear = try Volume(of: OwnedDescriptor.folder(state.folder)) == volume
        if trashIsNear {
            folder = state.folder.appending("staging")
            shared = folder
        } else {
            // Beside the remote; if the remote is a volume of its own, hidden inside it. No client looks there
            // (ticds-remote-format(5), 1.5).
            let isWithParent = try Volume(of: OwnedDescriptor.folder(parent)) == volume
            folder = isWithParent ? parent : state.root
            let owner =
                [HostIdentity.host, HostIdentity.identifier, ""].flatMap { Array($0.utf8) + [0] }
                + state.folder.bytes
            shared = folder.appending(".ticds-\(hexadecimalDigits(of: SHA256.hash(owner).prefix(8)))")
        }
    }

    /// The path of a staging folder for one operation, with a random name.
    /// - Throws: `.refused` if the folder around it is not writable.
    func make() throws(FileProblem) -> FilePath {
        guard trashIsNear || FileStatus.canWrite(in: folder) else {
            throw FileProblem(
                .refused, path: folder,
                "cannot write to this folder, and the journal is not on the volume of the remote",
                advice:
                    "Set XDG_STATE_HOME to a folder on the volume of the remote, or get permission to write here"
            )
        }
        return folder.appending((trashIsNear ? "" : ".ticds-") + RandomName.make())
    }

    /// The present path of a staging folder in the journal: beside the remote if both have moved together, or in the
    /// state folder if that has moved.
    static func found(_ noted: FilePath, _ state: RemoteState) throws(FileProblem) -> FilePath {
        guard let name = noted.lastComponent, isRandom(noted) else {
            throw FileProblem(
                .damaged, path: state.journal, "the journal names a folder that no operation makes",
                found: noted.escaped, advice: "Restore the journal from a back-up; nothing was changed")
        }
        if try PrivateDirectory.exists(noted) { return noted }
        let places = [
            state.root.removingLastComponent().appending(name), state.root.appending(name),
            (state.inner ?? state.folder).appending("staging").appending(name),
        ]
        for place in places where try PrivateDirectory.exists(place) { return place }
        return noted
    }

    /// Whether a folder has a name that ``make()`` gives.
    static func isRandom(_ staging: FilePath) -> Bool {
        let name = staging.lastComponent?.bytes ?? []
        let prefix = Array(".ticds-".utf8)
        return RandomName.matches(name.starts(with: prefix) ? name.dropFirst(prefix.count) : name[...])
    }
}

/// Staging folders that operations have left.
enum Leftovers {
    /// Removes the staging folders of operations that have ended.
    static func remove(
        _ journal: borrowing Journal, _ storage: any WritableStorage
    ) throws(FileProblem) {
        for operation in try journal.operations() where !operation.isUnfinished {
            let places = try journal.places(of: operation.number)
            if operation.state == .rolledBack, try PrivateDirectory.exists(places.trashFolder) {
                try places.check()
                try OperationRun.remove(places.trashFolder)
            }
            guard try PrivateDirectory.exists(places.staging) else { continue }
            try places.check()
            try OperationRun.clean(places, storage.operation(at: places))
        }
    }
}
