import SystemCalls
import TICDSCore
import TICDSOperations
import TICDSVerification

extension RepairPlanner {
    mutating func trash(_ finding: Finding) throws(FileProblem) -> Verdict {
        if finding.kind == .partialDownload { return try partialDownload(finding) }
        try actions.trash(finding.path, for: finding.kind)
        if finding.kind == .tombstoneOfMember, let client = finding.client {
            notes.add(.consequence, "Client \(client) stays: to remove it, use ticds-client delete")
        }
        return .repaired
    }

    /// Moves a partial download to the trash, unless the complete file would then be missing.
    private mutating func partialDownload(_ finding: Finding) throws(FileProblem) -> Verdict {
        guard let name = finding.path.last?.withoutExtension else { return .left("it has no name") }
        let whole = finding.path.parent.appending(name)
        if try snapshot.tree[whole].whole == nil, RemotePlaces.isFixed(whole), !fill(whole, finding) {
            return .left("the complete file, \(whole), is missing: restore it from a back-up")
        }
        try actions.trash(finding.path, for: finding.kind)
        return .repaired
    }

    mutating func link(_ finding: Finding) throws(FileProblem) -> Verdict {
        if isFrameworkPath(finding.path) {
            return .left(
                "it takes the place of a file or folder of the framework: replace it by what it points to")
        }
        try actions.trash(finding.path, for: finding.kind)
        return .repaired
    }

    mutating func place(_ finding: Finding) throws(FileProblem) -> Verdict {
        let path = finding.path
        if isFrameworkPath(path), !fill(path, finding) {
            return .left("what belongs in its place is not known")
        }
        try actions.trash(path, for: finding.kind)
        return .repaired
    }

    private func isFrameworkPath(_ path: RemotePath) -> Bool {
        if RemotePlaces.isFixed(path) { return true }
        guard let name = path.last, !name.isHidden else { return false }
        switch RemotePlace(of: path) {
        case .changeSets: return name.removing(suffix: RemoteLayout.changeSetSuffix) != nil
        case .recentSyncs: return name.removing(suffix: RemoteLayout.recentSyncSuffix) != nil
        case .clients, .wholeStores, .clientDevices: return members.contains(name)
        case .integrityKey: return FrameworkLists.isLongEnough(name)
        case .documents: return false
        case .elsewhere:
            let folder = path.parent.last
            if folder == RemoteLayout.syncCommands { return members.contains(name) }
            let isTombstone = folder == RemoteLayout.deletedClients || folder == RemoteLayout.deletedDocuments
            return isTombstone && name.removing(suffix: RemoteLayout.propertyListSuffix) != nil
        }
    }

    private var members: Set<RemoteName> {
        Set(snapshot.clientDevices.map(\.identifier)).union(
            snapshot.documents.flatMap { $0.clients.map(\.identifier) + $0.syncCommands })
    }

    /// Makes the file or folder that belongs at `path`, which is free or will be; returns false if its content is
    /// unknown.
    private mutating func fill(_ path: RemotePath, _ finding: Finding) -> Bool {
        if RemotePlaces.isFolder(path) || isClientsFolder(path) {
            makeFolder(path, for: finding.kind)
            return true
        }
        switch FileRole(of: path, kind: .file) {
        case .readMe: return true
        case .deviceInfo, .documentInfo, .salt, .encryptionTest:
            if let inside = known.fileInside(path) {
                actions.write(path, inside.bytes, modified: inside.modified, for: finding.kind)
                return true
            }
            return makeInformation(path, for: finding.kind)
        default: return false
        }
    }

    private func isClientsFolder(_ path: RemotePath) -> Bool {
        let folders = [RemoteLayout.syncChanges, RemoteLayout.syncCommands]
        guard path.names.count == 4, folders.contains(path.names[2]) else { return false }
        return path.last.map(members.contains) ?? false
    }
}

/// The fixed paths of the framework (ticds-remote-format(5), 1.3).
enum RemotePlaces {
    private typealias Layout = RemoteLayout
    static let application: [RemotePath] = [
        [Layout.clientDevices], [Layout.documents], [Layout.encryption], [Layout.information],
        [Layout.information, Layout.deletedDocuments], [Layout.information, Layout.deletedClients],
    ]
    /// The paths of a document, without `IntegrityKey`, which is useless without a key.
    static let document: [RemotePath] = [
        [Layout.syncChanges], [Layout.syncCommands], [Layout.recentSyncs], [Layout.deletedClients],
        [Layout.wholeStore], [Layout.temporaryFiles], [Layout.temporaryFiles, Layout.wholeStore],
    ]

    /// Whether the framework makes this folder for every app or document.
    static func isFolder(_ path: RemotePath) -> Bool {
        if application.contains(path) { return true }
        guard path.names.first == Layout.documents, path.names.count > 2 else { return false }
        return document.contains(RemotePath(Array(path.names.dropFirst(2))))
    }

    /// Whether the path is such a folder, or a file with a fixed name.
    static func isFixed(_ path: RemotePath) -> Bool {
        if isFolder(path) { return true }
        switch FileRole(of: path, kind: .file) {
        case .deviceInfo, .documentInfo, .salt, .encryptionTest, .wholeStore, .register, .readMe: return true
        default: return path.names.count == 3 && path.last == Layout.integrityKey
        }
    }
}
