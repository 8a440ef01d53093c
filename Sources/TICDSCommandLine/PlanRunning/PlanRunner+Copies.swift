import SystemCalls
package import SystemPackage
package import TICDSCore
package import TICDSOperations

extension PlanRunner {
    /// Puts a new copy in its place.
    /// - Parameters:
    ///   - folder: the local copy; nil for a dry run, in which there is none.
    ///   - existing: the earlier copy.
    package func run(
        _ plan: Plan, copying tree: RemoteTree, in folder: FilePath?, to target: CopyTarget,
        _ existing: RemoteSnapshot?
    ) throws -> ExitStatus {
        guard let upload = try target.upload(of: tree) else {
            return try run(plan, on: existing, snapshot: existing)
        }
        return try run(
            plan,
            by: { (watch) throws(FileProblem) in
                guard let folder else { return }
                try upload.run(from: folder, isInterrupted: watch.isInterrupted) {
                    watch.progress($0, $1)
                }
            })
    }
}
