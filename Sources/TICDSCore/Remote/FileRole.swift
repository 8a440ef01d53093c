public import SystemCalls

/// The purpose of a file or folder of a remote, by its place alone (ticds-remote-format(5), 1.3). The strays of a
/// snapshot show which entries do not belong in their place.
public enum FileRole: String, Sendable, CaseIterable {
    /// Any folder.
    case folder
    /// Small files that the framework writes once, by their names.
    case readMe, deviceInfo, documentInfo, salt, encryptionTest, integrityKey
    /// Files that synchronisation makes.
    case changeSet, commandSet, recentSync, tombstone
    /// Files that uploads of whole stores make.
    case wholeStore, register, sharedExternalData, temporaryFile
    /// Entries that the framework does not write.
    case symbolicLink, special, unknown

    /// The role of an entry, by its place and kind; opens nothing.
    public init(of path: RemotePath, kind: FileKind) {
        switch kind {
        case .folder: self = .folder
        case .symbolicLink: self = .symbolicLink
        case .special: self = .special
        case .file: self = Self.ofFile(path.names)
        }
    }

    private static func ofFile(_ names: [RemoteName]) -> FileRole {
        typealias Layout = RemoteLayout
        guard let last = names.last else { return .unknown }
        switch (names[0], names.count) {
        case (Layout.readMe, 1): return .readMe
        case (Layout.clientDevices, 3): return last == Layout.deviceInfo ? .deviceInfo : .unknown
        case (Layout.encryption, 2):
            return last == Layout.salt ? .salt : last == Layout.encryptionTest ? .encryptionTest : .unknown
        case (Layout.information, 3): return .tombstone
        case (Layout.documents, 3): return last == Layout.documentInfo ? .documentInfo : .unknown
        case (Layout.documents, 4...): return ofDocumentFile(names)
        default: return .unknown
        }
    }

    /// The role by the third name, which is the name of a folder in the document.
    private static func ofDocumentFile(_ names: [RemoteName]) -> FileRole {
        typealias Layout = RemoteLayout
        switch (names[2], names.count) {
        case (Layout.integrityKey, 4): return .integrityKey
        case (Layout.recentSyncs, 4): return .recentSync
        case (Layout.deletedClients, 4): return .tombstone
        case (Layout.syncChanges, 5): return .changeSet
        case (Layout.syncCommands, 5): return .commandSet
        case (Layout.temporaryFiles, _): return .temporaryFile
        case (Layout.wholeStore, 5...):
            if names[3] == Layout.sharedExternalData { return .sharedExternalData }
            if names[4] == Layout.wholeStoreFile { return .wholeStore }
            return names[4] == Layout.appliedSyncChangeSets ? .register : .unknown
        default: return .unknown
        }
    }
}
