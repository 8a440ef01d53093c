import SystemCalls
import SystemPackage
import TICDSCore
import TICDSVerification

/// `fleet-loop status|verify FOLDER` does on each remote `FOLDER/*/*` what a command of a fleet comes to in the libraries,
/// on all cores of one process, and keeps nothing.
enum FleetLoop {
    static func run(_ arguments: [String]) throws {
        guard arguments.count == 3, ["status", "verify"].contains(arguments[1]) else {
            return print("usage: benchmark-tools fleet-loop status|verify FOLDER")
        }
        let top = FilePath(arguments[2])
        let remotes = try subfolders(top).flatMap { place in try subfolders(place) }
        try ParallelWork.tryForEach(below: remotes.count, workers: Cores.count) {
            number throws(FileProblem) in
            let storage = LocalStorage(root: remotes[number])
            let keyring = RemoteKeyring(.plain)
            if arguments[1] == "status" {
                let snapshot = try RemoteSnapshot.take(storage, countsSets: true)
                _ = RemoteReport(snapshot, sources: ReportSources(storage, keyring: keyring))
            } else {
                let snapshot = try RemoteSnapshot.take(storage)
                let context = VerificationContext(
                    storage: storage, snapshot: snapshot, keyring: keyring, now: .now)
                var settings = Verifier.Settings()
                settings.workers = 1
                _ = Verifier(context, settings).verify()
            }
        }
        print("\(remotes.count) remotes")
    }

    private static func subfolders(_ path: FilePath) throws(FileProblem) -> [FilePath] {
        try DirectoryReader.entries(of: OwnedDescriptor.folder(path)).filter { $0.1.kind == .folder }
            .map { path.appending(String(decoding: $0.0, as: UTF8.self)) }
    }
}
