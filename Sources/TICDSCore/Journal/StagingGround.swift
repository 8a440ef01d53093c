import Cryptography
import SystemCalls
import SystemPackage

/// Chooses where new files are made: on the remote's volume, and outside of the remote where that can be.
struct StagingGround {
    let staging: FilePath
    let trashIsNear: Bool

    init(_ state: RemoteState) throws(FileProblem) {
        let parent = state.root.removingLastComponent()
        let isThere = (try? FileStatus.of(state.root)) != nil
        let volume = try Volume(of: OpenFile.folder(isThere ? state.root : parent))
        if try Volume(of: OpenFile.folder(state.folder)) == volume {
            staging = state.folder.appending("staging")
            trashIsNear = true
        } else {
            trashIsNear = false
            let digest = hexadecimalDigits(of: SHA256.hash(state.root.bytes).prefix(6))
            // Beside the remote; where the remote is a volume of its own, in it, hidden. No client looks there
            // (ticoredatasync.md, 1.5).
            let isWithParent = try Volume(of: OpenFile.folder(parent)) == volume
            staging = (isWithParent ? parent : state.root).appending(".ticds-\(digest)")
        }
    }
}

/// What ended operations left behind.
enum Leftovers {
    /// Removes the staging folders of operations that have ended; there is nothing in them that anyone needs.
    static func remove(_ journal: borrowing Journal) throws(FileProblem) {
        for operation in try journal.operations() where !operation.isUnfinished {
            let places = try journal.places(of: operation.number)
            guard (try? FileStatus.of(places.stagingFolder)) != nil else { continue }
            try OperationRun.clean(places)
        }
    }
}
