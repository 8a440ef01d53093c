import SystemCalls
import SystemPackage
import TICDSCore
import TICDSOperations
import TICDSStorages

/// Checks whether a plan can be carried out at all, before the user is asked to confirm it.
enum WriteObstacle {
    /// The largest number of folders that are checked; more would show nothing new.
    private static let mostFolders = 200

    /// The first local folder that the plan changes and to which this process may not write; nil if there is none.
    static func first(of plan: Plan) -> FileProblem? {
        if StorageSchemes.isAddress(plan.root.string) { return nil }
        var seen: Set<RemotePath> = []
        for action in plan.actions {
            if case .setTime = action.kind { continue }
            let path = action.kind.path
            let folder = path.parent
            guard seen.count < mostFolders, path.names.isEmpty || seen.insert(folder).inserted else {
                continue
            }
            let place =
                path.names.isEmpty ? plan.root.removingLastComponent() : folder.filePath(under: plan.root)
            if let problem = problem(in: place) { return problem }
        }
        return nil
    }

    private static func problem(in folder: FilePath) -> FileProblem? {
        var place = folder
        // ends: at the top of the path
        while true {
            guard let number = FileStatus.obstacle(toWritingIn: place) else { return nil }
            // The plan makes folders that do not exist yet.
            if number == .noSuchFileOrDirectory, place.lastComponent != nil {
                place.removeLastComponent()
                continue
            }
            return FileProblem(
                .refused, path: place, "this folder cannot be written, so nothing was changed",
                found: "\(number)",
                advice: number == .readOnlyFileSystem
                    ? "Mount the volume for writing, then try again"
                    : "Get permission to write here, or run the command as the owner of the folder")
        }
    }
}
