import Base
import KeyedArchive
import SystemCalls
import SystemPackage
import TICDSCore
import TICDSVerification

/// Makes missing or damaged files from other information in the remote.
struct KnownInformation {
    let context: VerificationContext
    let damaged: Set<RemotePath>
    private var snapshot: RemoteSnapshot { context.snapshot }
    private static let saltSize = 16

    /// The content of a file to write.
    struct Made {
        var bytes: [UInt8]
        /// The modification time; nil for the present time.
        var modified: FileTime?
        var origin: String
    }

    /// The content of a missing or damaged file; nil for other files, if the password is needed but missing, and for
    /// names that are not UTF-8.
    func information(at path: RemotePath) -> Made? {
        guard path.isUTF8 else { return nil }
        switch FileRole(of: path, kind: .file) {
        case .deviceInfo: return deviceInfo(of: path.names[1], at: path)
        case .documentInfo: return documentInfo(of: path.names[1], at: path)
        case .tombstone:
            guard let name = path.last?.removing(suffix: RemoteLayout.propertyListSuffix) else { return nil }
            let isOfClient = path.names.first == RemoteLayout.documents
            return isOfClient ? deviceInfo(of: name, at: path) : documentInfo(of: name, at: path)
        case .encryptionTest: return encryptionTest(path)
        default: return nil
        }
    }

    /// The file inside a folder of the same name that is in its place, as the Dropbox variant may leave it.
    func fileInside(_ path: RemotePath) -> Made? {
        guard let name = path.last else { return nil }
        let inside = path.appending(name)
        switch FileRole(of: path, kind: .file) {
        case .deviceInfo: return copy(of: inside, isReadable: Self.isDeviceInfo)
        case .documentInfo: return copy(of: inside, isReadable: Self.isDocumentInfo)
        case .salt:
            guard let bytes = raw(inside), bytes.count == Self.saltSize else { return nil }
            return Made(
                bytes: bytes.array, modified: snapshot.tree[inside].part?.modified, origin: "from \(inside)")
        default: return nil
        }
    }

    private func deviceInfo(of client: RemoteName, at path: RemotePath) -> Made? {
        let name = client.appending(suffix: RemoteLayout.propertyListSuffix)
        let tombstones = snapshot.documents.map {
            $0.path.appending(RemoteLayout.deletedClients).appending(name)
        }
        let copies = [RemoteLayout.deviceInfo(of: client)] + tombstones
        for other in copies where other != path {
            if let made = copy(of: other, isReadable: Self.isDeviceInfo) { return made }
        }
        let description = descriptionInDocuments(of: client)
        let info = DeviceInfo(description: description ?? client.text, identifier: client.text)
        let origin =
            description == nil
            ? "from its identifier alone, which also serves as the description"
            : "from the information of a document about the client that created it"
        // try?: texts always make a property list
        return made(try? info.bytes(path: path.filePath(under: context.root)), at: path, origin)
    }

    /// The description of a client in the information of a document that it created; nil if there is none.
    private func descriptionInDocuments(of client: RemoteName) -> String? {
        for document in snapshot.documents {
            guard let file = document.documentInfo.part?.path, let info = documentInfo(in: file),
                info.originalDeviceIdentifier == client.text
            else { continue }
            if let description = info.originalDeviceDescription { return description }
        }
        return nil
    }

    private func documentInfo(of document: RemoteName, at path: RemotePath) -> Made? {
        let name = document.appending(suffix: RemoteLayout.propertyListSuffix)
        let tombstone: RemotePath = [RemoteLayout.information, RemoteLayout.deletedDocuments, name]
        for other in [RemoteLayout.documentInfo(of: document), tombstone] where other != path {
            if let made = copy(of: other, isReadable: Self.isDocumentInfo) { return made }
        }
        let key = snapshot.document(document).flatMap { IntegrityKeys.oldest(of: $0, context) }
        let description = key?.originalDevice.flatMap { deviceDescription(of: RemoteName($0)) }
        let info = DocumentInfo(
            identifier: document.text, description: document.text,
            originalDeviceIdentifier: key?.originalDevice, originalDeviceDescription: description)
        let origin =
            "from its identifier" + (key?.originalDevice == nil ? "" : " and its integrity key")
            + "; the name that the application gave it is lost"
        // try?: texts always make a property list
        let bytes = try? info.bytes(path: path.filePath(under: context.root))
        return made(bytes, at: path, modified: key?.file.modified, origin)
    }

    func documentInfo(in file: RemotePath) -> DocumentInfo? {
        let place = file.filePath(under: context.root)
        guard !damaged.contains(file) else { return nil }
        return context.attempt(file) { () throws(FileProblem) in
            try DocumentInfo(context.keyring.read(context.storage, file, limit: .information), path: place)
        }
    }

    private func deviceDescription(of client: RemoteName) -> String? {
        let file = RemoteLayout.deviceInfo(of: client)
        let info = context.attempt(file) { () throws(FileProblem) in
            try DeviceInfo(
                context.keyring.read(context.storage, file, limit: .information),
                path: file.filePath(under: context.root))
        }
        return info?.description
    }

    private func encryptionTest(_ path: RemotePath) -> Made? {
        guard snapshot.isEncrypted, case .checked = context.keyring.state else { return nil }
        // try?: texts always make a property list
        let bytes = try? SmallFiles.encryptionTest(
            application: snapshot.applicationIdentifier.text, unique: ArchivedUUID.random().description,
            path: path.filePath(under: context.root))
        return made(bytes, at: path, "with the key of the given password")
    }

    private func raw(_ path: RemotePath) -> SharedBytes? {
        guard snapshot.tree[path].part?.kind == .file else { return nil }
        return context.attempt(path) { () throws(FileProblem) in
            try context.storage.read(path, limit: .information)
        }
    }

    /// The bytes of a copy, unchanged; nil if clients cannot read them.
    private func copy(of path: RemotePath, isReadable: (SharedBytes, FilePath) -> Bool) -> Made? {
        guard !damaged.contains(path), let bytes = raw(path), bytes.count > 0 else { return nil }
        let place = path.filePath(under: context.root)
        guard context.keyring.needsDecryption(bytes) == snapshot.isEncrypted else { return nil }
        if context.keyring.state != .locked {
            // try?: bytes in memory; a copy that cannot be decrypted is not used
            guard let plain = try? context.keyring.plainBytes(bytes, path: place), isReadable(plain, place)
            else { return nil }
        }
        return Made(bytes: bytes.array, modified: snapshot.tree[path].part?.modified, origin: "from \(path)")
    }

    private static func isDeviceInfo(_ bytes: SharedBytes, _ path: FilePath) -> Bool {
        // try?: damage is the answer
        (try? DeviceInfo(bytes, path: path))?.identity.missingKeys.isEmpty == true
    }

    private static func isDocumentInfo(_ bytes: SharedBytes, _ path: FilePath) -> Bool {
        // try?: damage is the answer
        (try? DocumentInfo(bytes, path: path))?.identity.missingKeys.isEmpty == true
    }

    /// The bytes, encrypted if the remote is; nil if the password is missing.
    private func made(
        _ plain: [UInt8]?, at path: RemotePath, modified: FileTime? = nil, _ origin: String
    ) -> Made? {
        if case .unchecked = context.keyring.state { return nil }
        let place = path.filePath(under: context.root)
        // try?: a locked keyring makes nothing
        guard let plain, let sealed = try? context.keyring.sealed(plain, path: place) else { return nil }
        return Made(bytes: sealed, modified: modified, origin: origin)
    }
}
