import CoreDataStore
import SystemCalls
import SystemPackage
import TICDSCommandLine
import TICDSCore

/// A store as named on the command line, made readable: in place, or as a private copy that lives as long as this
/// value.
struct StoreFile {
    /// The file to open.
    let path: FilePath
    /// When the app wrote it last.
    let modified: FileTime
    /// What was found from the outside in: `[.encrypted, .zip, .sqlite]`, say.
    let layers: [WholeStoreKind]
    /// What its reader must know of that.
    let notes: [StoreNote]
    /// Files of external data that could not be read.
    let gaps: ExternalDataGaps
    private let copy: WholeStoreFile?

    /// - Throws: what `WholeStoreFile.open` throws for a zipped, encrypted or folder store.
    init(_ named: FilePath, _ password: PasswordOptions) throws(FileProblem) {
        let status = try FileStatus.of(named)
        if status.kind == .file {
            let kind = try WholeStoreKind(ofPlain: named)
            if kind.isStore || kind == .empty {
                path = named
                modified = status.modified
                layers = [kind]
                notes = []
                gaps = ExternalDataGaps()
                copy = nil
                return
            }
        }
        let whole = try named.resolved() ?? named
        let remote = try RemoteLocation.remote(around: whole)
        let storage = OpenRemote.storage(at: remote ?? whole.removingLastComponent())
        let names = whole.components.dropFirst(storage.root.components.count)
        let place = RemotePath(names.map { RemoteName($0.bytes) })
        let keyring = remote == nil ? RemoteKeyring(.plain) : try OpenRemote.keyring(storage, password)
        let opened = try WholeStoreFile.open(place, in: storage, keyring: keyring)
        path = opened.path
        modified = opened.modified
        layers = opened.layers
        notes = opened.notes
        gaps = opened.gaps
        copy = opened
    }
}
