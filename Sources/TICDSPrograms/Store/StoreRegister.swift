import SystemCalls
import SystemPackage
import TICDSCore

/// Names of the register that goes with a store outside of a remote.
enum StoreRegister {
    /// What replays write: `Rescued.sqlite.AppliedSyncChangeSets.ticdsync`, so that several stores can lie in a folder.
    static func own(of store: FilePath) -> FilePath {
        FilePath(pathBytes: store.bytes + [UInt8(ascii: ".")] + RemoteLayout.appliedSyncChangeSets.bytes)
    }

    /// The register that lies beside a store: its own, or the one that is called as the framework calls it; nil where
    /// there is none.
    static func beside(_ store: FilePath) throws(FileProblem) -> FilePath? {
        let name = FilePath(nameBytes: RemoteLayout.appliedSyncChangeSets.bytes)
        for register in [own(of: store), store.removingLastComponent().pushing(name)]
        where try FileStatus.ifPresent(register)?.kind == .file {
            return register
        }
        return nil
    }
}
