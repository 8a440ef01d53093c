import SystemCalls
import SystemPackage
import TICDSSync

extension ReplicaFolder {
    /// The replica in the folder `path`.
    /// - Throws: `.missing` where there is no such folder; `.refused` where it holds no replica.
    static func find(_ path: FilePath) throws(FileProblem) -> ReplicaFolder {
        guard let place = try path.resolved() else {
            throw FileProblem(.missing, path: path, "no such folder")
        }
        let folder = ReplicaFolder(place)
        guard try FileStatus.ifPresent(folder.configuration)?.kind == .file else {
            throw FileProblem(
                .refused, path: path, "is not a replica", expected: "a folder with Replica.json in it",
                advice: "Create one with ticds-sync clone")
        }
        return folder
    }
}
