import CoreDataStore
import KeyedArchive
import SystemCalls
import SystemPackage
import TICDSCore

/// Tells by its bytes what a file that lies in no remote is for.
enum LooseFile {
    /// Property lists above this size in bytes are not looked into.
    private static let listLimit = 1 << 20

    /// What has no known beginning is taken for what its name says, and else for a change set.
    static func role(of path: FilePath) throws(FileProblem) -> FileRole {
        let head = try FileBytes.head(path, count: PlainSignature.headSize)
        switch PlainSignature(head) {
        case .zip: return .wholeStore
        case .binaryStore, .sqlite: return store(path)
        case .binaryPropertyList, .xml: return list(path)
        case nil: return path.extension == "ticdsync" ? .wholeStore : .changeSet
        }
    }

    private static func store(_ path: FilePath) -> FileRole {
        if let store = try? PersistentStores.open(path) {
            let hashes = store.metadata.versionHashes
            if hashes[FrameworkModels.syncChangeSetEntity] != nil { return .register }
            if hashes[FrameworkModels.syncChangeEntity] == nil { return .wholeStore }
            return .changeSet
        }
        return path.extension == "syncchg" ? .changeSet : .wholeStore
    }

    private static func list(_ path: FilePath) -> FileRole {
        guard let bytes = try? FileBytes.read(path, limit: listLimit),
            let info = try? DocumentInfo(bytes, path: path)
        else { return .deviceInfo }
        if path.extension == "recentsync" { return .recentSync }
        return info.identifier == nil ? .deviceInfo : .documentInfo
    }
}
