import SystemCalls

/// A file that is encrypted in an encrypted remote (ticds-remote-format(5), 1.4).
public struct ProtectedFile: Hashable, Sendable {
    /// The file.
    public var file: RemoteFile
    /// The purpose of the file.
    public var role: FileRole
    /// False for strays, and for files in a place that the framework does not know: only a test decryption shows
    /// whether such a file is encrypted.
    public var isExpected: Bool
}

extension RemoteSnapshot {
    /// The files that clients encrypt, in the order of their paths. Files that are never encrypted are left out (the
    /// salt, `ReadMe.txt`, integrity keys, recent syncs and registers), and the test file, which is written and removed
    /// with the salt.
    public func protectedFiles() -> [ProtectedFile] {
        var strays: Set<RemotePath> = []
        for stray in self.strays where !Self.isData(stray.kind) { strays.insert(stray.path) }
        var found: [ProtectedFile] = []
        tree.forEachFile(below: .root) { file in
            let role = FileRole(of: file.path, kind: .file)
            guard let isKnown = Self.isProtected(file.path, role) else { return }
            found.append(
                ProtectedFile(file: file, role: role, isExpected: isKnown && !strays.contains(file.path)))
        }
        return found
    }

    /// Whether a file in this place is encrypted; nil if it never is.
    private static func isProtected(_ path: RemotePath, _ role: FileRole) -> Bool? {
        switch role {
        case .readMe, .salt, .encryptionTest, .integrityKey, .recentSync, .register: nil
        case .deviceInfo, .documentInfo, .wholeStore, .sharedExternalData: true
        case .changeSet: path.last?.removing(suffix: RemoteLayout.changeSetSuffix) != nil
        case .tombstone: path.last?.removing(suffix: RemoteLayout.propertyListSuffix) != nil
        case .temporaryFile:
            path.last == RemoteLayout.appliedSyncChangeSets
                ? nil : path.names.contains(RemoteLayout.wholeStoreFile)
        case .folder, .commandSet, .symbolicLink, .special, .unknown: false
        }
    }

    /// Whether a stray is a file of the framework: a copy of one, or one without content.
    private static func isData(_ kind: Stray.Kind) -> Bool {
        switch kind {
        case .conflictedCopy, .emptyFile, .notDownloaded, .nameTwin: true
        default: false
        }
    }

}
