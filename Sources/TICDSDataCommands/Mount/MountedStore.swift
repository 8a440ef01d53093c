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
    private let kept: Mutex<(status: FileStatus, index: ObjectIndex)>

    /// Opens a loose store, or a whole store that a remote contains.
    package init(
        _ path: FilePath, model: String?, _ password: PasswordOptions, _ context: CommandContext
    ) throws {
        var options = StoreOptions()
        options.model = model
        options.password = password
        self.options = options
        self.path = path
        self.context = context
        let status = try FileStatus.of(path)
        kept = Mutex((status, try Self.index(path, options, context)))
    }

    private static func index(
        _ path: FilePath, _ options: StoreOptions, _ context: CommandContext
    ) throws -> ObjectIndex {
        let file = try StoreFile(path, options.password)
        let opened = try options.open(opened: file, context)
        return try ObjectIndex(opened.store, problems: [])
    }

    /// The top folder of the mount.
    package var top: any VirtualFolder { StoreFolder(store: self, path: path) }

    func objects() throws(FileProblem) -> ObjectIndex {
        try kept.withLock { (kept) throws(FileProblem) -> ObjectIndex in
            let status = try FileStatus.of(path)
            if status == kept.status { return kept.index }
            do {
                kept = (status, try Self.index(path, options, context))
            } catch let problem as FileProblem {
                throw problem
            } catch {
                throw FileProblem(.unreadable, path: path, "cannot be opened", found: "\(error)")
            }
            return kept.index
        }
    }

    fileprivate var modified: FileTime { kept.withLock(\.status.modified) }
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
