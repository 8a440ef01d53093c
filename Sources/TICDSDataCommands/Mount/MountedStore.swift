import Base
import CoreDataStore
package import Mounting
import Synchronization
import SystemCalls
package import SystemPackage
package import TICDSCommandLine
import TICDSCore

/// A store as a folder of its objects.
package final class MountedStore: ObjectSource {
    private let path: FilePath
    private let options: StoreOptions
    private let context: CommandContext
    let problems: MountProblems
    private let kept: Mutex<(state: State, index: ObjectIndex)>

    /// Opens a loose store, or a whole store that a remote contains.
    package init(
        _ path: FilePath, model: String?, _ password: PasswordOptions, _ problems: MountProblems,
        _ context: CommandContext
    ) throws {
        self.problems = problems
        options = StoreOptions(model: model, password)
        self.path = path
        self.context = context
        let state = try State(of: path)
        kept = Mutex((state, try Self.index(path, options, context)))
    }

    /// The status of the store and of its log, which also has rows.
    private struct State: Equatable {
        let store: FileStatus
        let log: FileStatus?

        init(of path: FilePath) throws(FileProblem) {
            do throws(FileProblem) {
                store = try FileStatus.of(path)
                log = try FileStatus.ifPresent(FilePath(nameBytes: path.bytes + Array("-wal".utf8)))
            } catch {
                // A store that is gone is not an empty one.
                var problem = error
                if problem.kind == .missing { problem.kind = .unreadable }
                throw problem
            }
        }

        var modified: FileTime { max(store.modified, log?.modified ?? store.modified) }
    }

    private static func index(
        _ path: FilePath, _ options: StoreOptions, _ context: CommandContext
    ) throws -> ObjectIndex {
        let file = try StoreFile(path, options.password)
        let opened = try options.open(opened: file, context)
        return try ObjectIndex(opened.store, problems: [], keepsSyncIDs: false)
    }

    /// The top folder of the mount.
    package var top: any VirtualFolder { StoreFolder(store: self, path: path) }

    var place: FilePath { path }

    func objects() throws(FileProblem) -> ObjectIndex {
        try kept.withLock { (kept) throws(FileProblem) -> ObjectIndex in
            let state = try State(of: path)
            if state == kept.state { return kept.index }
            do {
                kept = (state, try Self.index(path, options, context))
            } catch let problem as FileProblem {
                throw problem
            } catch {
                throw FileProblem(.unreadable, path: path, "cannot be opened", found: "\(error)")
            }
            return kept.index
        }
    }

    fileprivate var modified: FileTime { kept.withLock(\.state.modified) }
}

/// The folder of the whole mount.
private struct StoreFolder: VirtualFolder {
    let store: MountedStore
    let path: FilePath

    var modified: FileTime { store.modified }

    func listing() -> VirtualListing {
        VirtualListing([
            ("README.txt", .file(FixedFile(MountText.readme(ofStore: path), modified: modified))),
            ("objects", .folder(ObjectsFolder(source: store, modified: modified))),
        ])
    }
}
