import CoreDataStore
import SystemCalls
import SystemPackage

/// Moves the external data of a finished store from a private folder to the place where the store will look for them.
/// The store itself comes afterwards: without it they have no effect.
///
/// Files that are there already stay, since another store with this name may refer to them.
struct ExternalDataMove {
    private let source: FilePath
    private let target: FilePath
    /// The names of the files that were moved; nil if the folder was moved as a whole.
    private let names: [FilePath]?

    /// Forces the files to disk and moves them; does nothing for a store without such files.
    /// - Parameters:
    ///   - store: the store in the private folder.
    ///   - place: its final path, on the same volume.
    init(of store: FilePath, to place: FilePath) throws(FileProblem) {
        source = ExternalStorage(store: store).folder.removingLastComponent()
        target = ExternalStorage(store: place).folder.removingLastComponent()
        guard try FileStatus.ifPresent(source) != nil else {
            names = []
            return
        }
        let files = try OwnedDescriptor.folder(source).folder(Self.inner)
        let all = try DirectoryReader.names(in: files)
        for name in all { try files.file(name).sync() }
        try files.sync()
        try OwnedDescriptor.folder(source).sync()
        let parent = try OwnedDescriptor.folder(target.removingLastComponent())
        if try FileStatus.ifPresent(target) == nil {
            try Self.move(source, to: target)
            names = nil
        } else {
            let inner = target.pushing(Self.inner)
            if try FileStatus.ifPresent(inner) == nil { try NewFile.makeFolder(inner) }
            let there = try OwnedDescriptor.folder(target).folder(Self.inner)
            for name in all { try files.move(name, to: there, as: name) }
            try there.sync()
            try OwnedDescriptor.folder(target).sync()
            names = all
        }
        try parent.sync()
    }

    /// Takes the files back, for a store that did not get its name.
    func takeBack() throws(FileProblem) {
        guard let names else { return try Self.move(target, to: source) }
        if names.isEmpty { return }
        let files = try OwnedDescriptor.folder(source).folder(Self.inner)
        let there = try OwnedDescriptor.folder(target).folder(Self.inner)
        for name in names { try there.move(name, to: files, as: name) }
    }

    private static let inner = FilePath("_EXTERNAL_DATA")

    private static func move(_ folder: FilePath, to new: FilePath) throws(FileProblem) {
        let from = try OwnedDescriptor.folder(folder.removingLastComponent())
        let to = try OwnedDescriptor.folder(new.removingLastComponent())
        try from.move(
            FilePath(nameBytes: folder.lastComponent?.bytes ?? []), to: to,
            as: FilePath(nameBytes: new.lastComponent?.bytes ?? []))
    }
}
