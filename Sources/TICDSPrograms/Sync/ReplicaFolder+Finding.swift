import SystemCalls
import SystemPackage
import TICDSCore

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
                .refused, path: path, "is no replica", expected: "a folder with Replica.json in it",
                advice: "Make one with ticds-sync clone")
        }
        return folder
    }

    /// The configuration, with options that stand for parts of it.
    func configuration(
        conflicts: ConflictPolicy.Choice? = nil, onBadSet: ReplicaConfiguration.BadSetChoice? = nil
    ) throws(FileProblem) -> ReplicaConfiguration {
        var configuration = try ReplicaConfiguration.read(configuration)
        if let conflicts { configuration.conflicts = ConflictPolicy(otherwise: conflicts) }
        if let onBadSet { configuration.onBadSet = onBadSet }
        return configuration
    }
}
