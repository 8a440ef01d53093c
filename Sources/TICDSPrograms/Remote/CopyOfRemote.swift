import SystemCalls
import SystemPackage
import TICDSCommandLine
import TICDSCore

/// From where to where a remote is copied.
struct CopyOfRemote {
    let source: FilePath
    let target: FilePath
    private let password: PasswordOptions
    private let output: OutputOptions

    init(_ source: FilePath, _ target: FilePath, _ password: PasswordOptions, _ output: OutputOptions) {
        self.source = source
        self.target = target
        self.password = password
        self.output = output
    }

    var state: RemoteState {
        get throws(FileProblem) { RemoteState(root: target, stateHome: try Environment.stateHome) }
    }

    /// The key of the source.
    func key() throws(FileProblem) -> SyncKey { try OpenRemote(source, password).key() }

    /// Copies the entries, or everything.
    func fill(
        _ place: CopyFolder, _ tree: RemoteTree, only entries: [RemotePath]?
    ) throws(FileProblem) {
        let bar = CopyProgress(output)
        var copier = RemoteCopier(tree, to: place, only: entries) { bar.show($0, $1) }
        try copier.copy()
    }
}

/// The progress line of a copy.
private final class CopyProgress {
    private var bar: Progress

    init(_ output: OutputOptions) { bar = Progress("copying", output) }

    func show(_ bytes: Int64, _ total: Int64) {
        bar.update(ProgressState(bytes, of: total, .bytes))
    }
}
