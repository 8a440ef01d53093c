import Base
import CoreDataStore
import SystemCalls
import SystemPackage

/// Removes the layers of a whole store, one after the other.
struct WholeStoreOpener {
    let storage: any RemoteStorage
    let keyring: RemoteKeyring
    let limits: ZipFile.Limits
    /// The result so far.
    var file = WholeStoreFile()
    /// Whether the copy needs a name, by which its external data are found.
    var isNamed = false
    /// Whether the store is copied even if it could be read in its place.
    var isCopied = false

    mutating func open(_ path: RemotePath) throws(FileProblem) -> WholeStoreFile {
        let kind = try kind(of: path)
        file.layers.append(kind)
        let reader = RangeReader(storage, path)
        if kind == .encrypted || kind == .unknown,
            let absence = try CloudPlaceholder.of(try storage.open(path))
        {
            throw absence.problem(reader.path)
        }
        switch kind {
        case .sqlite, .binary, .xml:
            // The private folder that this may make belongs to the result.
            return finished(try localPath(path), kind)
        case .zip:
            if ForeignContent.of(reader.path)?.isOwnArchive == true { throw noStore(kind, reader.path) }
            return try extract(reader)
        case .encrypted: return try decrypt(reader)
        case .folder: return try openFolder(path)
        case .empty, .unknown: throw noStore(kind, reader.path)
        }
    }

    private mutating func kind(of path: RemotePath) throws(FileProblem) -> WholeStoreKind {
        let status = try storage.status(of: path)
        if status.kind == .file { file.modified = status.modified }
        var head = SharedBytes([])
        if status.kind == .file {
            head = try storage.head(path, count: PlainSignature.headSize)
            try keyring.check(head, size: status.size, path: path.filePath(under: storage.root))
        }
        return WholeStoreKind(head: head, kind: status.kind, isEncrypted: keyring.isEncrypted)
    }

    private mutating func finished(_ path: FilePath, _ kind: WholeStoreKind) -> WholeStoreFile {
        file.path = path
        file.kind = kind
        return file
    }

    /// A store that is neither encrypted nor zipped is read in its place; a store in a distant storage is fetched
    /// first.
    private mutating func localPath(_ path: RemotePath) throws(FileProblem) -> FilePath {
        if !isCopied {
            let onDisk = try storage.onDisk(path)
            file.folder = onDisk.folder
            return onDisk.path
        }
        let target = try privateFolder().appending("Store")
        try storage.copyStore(path, to: target)
        return target
    }

    private mutating func decrypt(_ reader: RangeReader) throws(FileProblem) -> WholeStoreFile {
        let target = try newFile("Decrypted")
        // The zip is needed until the store has been extracted.
        let decrypted = file.unnamed
        defer { withExtendedLifetime(decrypted) {} }
        try PrivateFile.write(target) { (output) throws(FileProblem) in
            try keyring.decryptPrivately(reader) { (bytes) throws(FileProblem) in try output.write(bytes) }
        }
        let kind = try WholeStoreKind(ofPlain: target)
        file.layers.append(kind)
        if kind == .zip { return try extract(RangeReader(target), of: reader.path) }
        guard kind.isStore else { throw noStore(kind, reader.path) }
        return finished(target, kind)
    }

    /// Extracts the store from a zip. `owner` is the file of the remote for errors.
    private mutating func extract(
        _ reader: RangeReader, of owner: FilePath? = nil
    ) throws(FileProblem) -> WholeStoreFile {
        do throws(FileProblem) {
            let zip = try ZipFile(reader)
            let member = try zip.storeMember()
            let target = try newFile("Store")
            try zip.extract(member, to: target, limits: limits)
            file.memberName = member.name
            let kind = try WholeStoreKind(ofPlain: target)
            file.layers.append(kind)
            guard kind.isStore else { throw noStore(kind, reader.path) }
            return finished(target, kind)
        } catch {
            throw error.path == reader.path ? error.renamed(owner ?? error.path) : error
        }
    }

    /// The place for a copy that is decrypted or unzipped.
    private mutating func newFile(_ name: FilePath.Component) throws(FileProblem) -> FilePath {
        if isNamed { return try privateFolder().appending(name) }
        let unnamed = try UnnamedFile()
        file.unnamed = unnamed
        return unnamed.path
    }

    private mutating func privateFolder() throws(FileProblem) -> FilePath {
        if let folder = file.folder { return folder.path }
        let made = try TemporaryFolder()
        file.folder = made
        return made.path
    }

    private func noStore(_ kind: WholeStoreKind, _ path: FilePath) -> FileProblem {
        if kind == .empty {
            return FileProblem(
                .damaged, path: path, offset: 0, "the whole store is empty", expected: "a Core Data store",
                found: "0 bytes",
                advice: "It may not have been downloaded yet; otherwise use the store of another client")
        }
        let content = file.layers.contains(.encrypted) ? nil : ForeignContent.of(path)
        return FileProblem(
            .damaged, path: path, offset: 0, "not a whole store",
            expected: "an SQLite, binary or XML store, or a zip with one",
            found: content?.name ?? "other bytes",
            advice: content?.advice
                ?? (file.layers.contains(.encrypted)
                    ? "Use the store of another client"
                    : "It may be encrypted in a remote whose Encryption/salt.ticdsync is gone"))
    }

    /// The form of a folder: `Data`, and `.Data_SUPPORT/_EXTERNAL_DATA` for its blobs (ticds-field-notes(7), 1). A
    /// different name for the store is accepted if it is the only one.
    private mutating func openFolder(_ path: RemotePath) throws(FileProblem) -> WholeStoreFile {
        var stores: [RemoteName] = []
        for name in try names(in: path) {
            let kind = try kind(of: path.appending(name))
            if kind.isStore || kind == .encrypted || kind == .zip { stores.append(name) }
        }
        if stores.contains(WholeStoreFolder.storeName) { stores = [WholeStoreFolder.storeName] }
        let place = path.filePath(under: storage.root)
        guard let store = stores.first else {
            // try?: nil means that it is not a remote
            if let remote = try? RemoteLocation.find(place) {
                throw FileProblem(
                    .unsupported, path: place, "is a remote", expected: "the file of one whole store",
                    found: "the remote \(remote.escaped)",
                    advice:
                        "Name a file below Documents/DOCUMENT/WholeStore/CLIENT; ticds-store list shows the paths"
                )
            }
            let content = ForeignContent.of(place)
            throw FileProblem(
                .damaged, path: place, "the folder contains no store", expected: "a file Data",
                found: content?.name,
                advice: content?.advice
                    ?? "It may not have been downloaded yet; otherwise use the store of another client")
        }
        guard stores.count == 1 else {
            throw FileProblem(
                .ambiguous, path: place, "several stores in one folder", expected: "one",
                found: stores.map(\.description).listed(),
                advice: "Copy the one that you mean to another place, and name it")
        }
        let storePath = path.appending(store)
        var external = ExternalDataFiles(of: storePath, in: path, storage, keyring)
        file.externalData = external.folder
        // A store looks for its external data only beside itself.
        isCopied = !external.shared.isEmpty
        isNamed = !external.own.isEmpty || isCopied
        let opened = try open(storePath)
        if opened.isCopy { try copy(&external, beside: opened.path) }
        file.notes += external.notes
        file.gaps = external.gaps
        return finished(opened.path, opened.kind)
    }

    /// Copies the external data beside a private copy, where the store looks for them, decrypted like the store. A file
    /// that cannot be read becomes a gap, as for a store that is read in its place.
    private func copy(_ external: inout ExternalDataFiles, beside store: FilePath) throws(FileProblem) {
        let files = external.own + external.shared
        if files.isEmpty { return }
        let folder = try StoreExtraction.makeExternalData(in: StoreExtraction.support(store))
        for file in files {
            let name = file.last ?? ""
            do throws(FileProblem) {
                try copyValue(file, to: folder.pushing(FilePath(nameBytes: name.bytes)))
            } catch {
                guard ![.writeFailed, .interrupted, .encrypted].contains(error.kind) else { throw error }
                try discard(name, in: folder)
                // A file that has vanished is missing.
                if error.kind != .missing { external.gaps.files[name.text] = error }
            }
        }
    }

    private func copyValue(_ file: RemotePath, to target: FilePath) throws(FileProblem) {
        let reader = RangeReader(storage, file)
        let size = Int(try reader.status().size)
        let head = try reader.read(0..<min(size, PlainSignature.headSize))
        if keyring.isEncrypted { try keyring.check(head, size: Int64(size), path: reader.path) }
        guard keyring.needsDecryption(head) else { return try storage.copy(file, to: target) }
        try PrivateFile.write(target) { (output) throws(FileProblem) in
            try keyring.decryptPrivately(reader) { (bytes) throws(FileProblem) in try output.write(bytes) }
        }
    }

    /// Removes the part of a file that was copied so far.
    private func discard(_ name: RemoteName, in folder: FilePath) throws(FileProblem) {
        _ = try unlessMissing { () throws(FileProblem) in
            try OwnedDescriptor.folder(folder).remove(FilePath(nameBytes: name.bytes))
        }
    }

    /// The visible files of a folder that are not companions of an SQLite store.
    private func names(in path: RemotePath) throws(FileProblem) -> [RemoteName] {
        let files = try storage.list(path).whole().filter { $0.kind == .file }
        return files.map(\.name).filter(WholeStoreFolder.mayBeStore)
    }
}
