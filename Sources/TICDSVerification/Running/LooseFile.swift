import CoreDataStore
import KeyedArchive
import SystemCalls
import SystemPackage
import TICDSCore

/// Tells by its bytes what a file that lies in no remote is for.
enum LooseFile {
    /// What has no known beginning is taken for what its name says, and else for a change set.
    static func role(of path: FilePath) throws(FileProblem) -> FileRole {
        let head = try FileBytes.head(path, count: XMLBeginning.headSize)
        switch PlainSignature(head) {
        case .zip: return .wholeStore
        case .binaryStore, .sqlite: return try store(path)
        case .xml where XMLBeginning(head) == .store: return .wholeStore
        case .binaryPropertyList, .xml: return try list(path)
        case nil: return path.extension == "ticdsync" ? .wholeStore : .changeSet
        }
    }

    private static func store(_ path: FilePath) throws(FileProblem) -> FileRole {
        let store = try unlessUnfit { () throws(FileProblem) in try PersistentStores.open(path) }
        guard let hashes = store?.metadata.versionHashes else {
            return path.extension == "syncchg" ? .changeSet : .wholeStore
        }
        if hashes[FrameworkModels.syncChangeSetEntity] != nil { return .register }
        return hashes[FrameworkModels.syncChangeEntity] == nil ? .wholeStore : .changeSet
    }

    private static func list(_ path: FilePath) throws(FileProblem) -> FileRole {
        let info = try unlessUnfit { () throws(FileProblem) in
            try DocumentInfo(FileBytes.read(path, limit: .information), path: path)
        }
        if info != nil, path.extension == "recentsync" { return .recentSync }
        return info?.identifier == nil ? .deviceInfo : .documentInfo
    }
}
