import SystemCalls
import SystemPackage
import TICDSCore

/// Checks that each folder of the framework exists and could be listed.
struct FolderCheck: RemoteCheck {
    private let context: VerificationContext
    private var covered: CoveredPaths { context.covered }
    private var snapshot: RemoteSnapshot { context.snapshot }

    static func findings(_ context: VerificationContext) -> [Finding] {
        FolderCheck(context: context).findings()
    }

    private func findings() -> [Finding] {
        var findings = snapshot.problems.map(notListed) + missingApplicationFolders()
        if context.hasLostEncryption {
            findings.append(
                context.finding(
                    .encryptionGone, at: RemoteLayout.saltPath, expected: "a salt, as there was one before",
                    found: "none"))
        }
        for document in snapshot.documents { findings += missingFolders(of: document) }
        if snapshot.documents.isEmpty, !snapshot.clientDevices.isEmpty, isListed([RemoteLayout.documents]) {
            findings.append(context.finding(.noDocument, at: [RemoteLayout.documents]))
        }
        return findings
    }

    private func notListed(_ problem: FileProblem) -> Finding {
        let path = RemotePath(insideOf: snapshot.root, problem.path)
        let kind: FindingKind = problem.kind == .missing ? .vanishedWhileListed : .folderNotListed
        return context.finding(kind, problem, at: path, document: RemotePlace(of: path).document)
    }

    private func isListed(_ folder: RemotePath) -> Bool { snapshot.tree.folders[folder] != nil }

    private func missingApplicationFolders() -> [Finding] {
        typealias Layout = RemoteLayout
        let needed: [(RemotePath, FindingKind, [Effect]?)] = [
            ([Layout.clientDevices], .applicationFolderMissing, nil),
            ([Layout.documents], .applicationFolderMissing, [Effect(.breaksLists, .everyone)]),
            ([Layout.information], .applicationFolderMissing, [Effect(.cannotRemove, .everyone)]),
            (
                [Layout.information, Layout.deletedDocuments], .applicationFolderMissing,
                [Effect(.cannotRemove, .everyone)]
            ),
            ([Layout.information, Layout.deletedClients], .unusedFolderMissing, nil),
            ([Layout.encryption], .unusedFolderMissing, nil),
        ]
        return needed.compactMap { path, kind, effects in
            guard isListed(path.parent), isMissing(path) else { return nil }
            return context.finding(kind, at: path, expected: "a folder", found: "nothing", effects: effects)
        }
    }

    /// Leaves out `IntegrityKey`, whose absence has a finding of its own.
    private func missingFolders(of document: DocumentSnapshot) -> [Finding] {
        guard isListed(document.path), !covered.isTwin(document.path) else { return [] }
        var missing = document.missingFolders.filter { $0 != RemoteLayout.integrityKey }
            .map { document.path.appending($0) }
        let temporary = document.path.appending(RemoteLayout.temporaryFiles)
        if isListed(temporary) { missing.append(temporary.appending(RemoteLayout.wholeStore)) }
        return missing.filter(isMissing).map { path in
            context.finding(
                .documentFolderMissing, at: path, document: document.identifier, expected: "a folder",
                found: "nothing", effects: Self.effects(ofMissing: path.names[2]))
        }
    }

    private func isMissing(_ path: RemotePath) -> Bool {
        snapshot.tree[path].isMissing && !covered.contains(path)
    }

    static func effects(ofMissing folder: RemoteName) -> [Effect]? {
        switch folder {
        case RemoteLayout.syncCommands:
            [Effect(.cannotRemove, .members), Effect(.cannotRegister, .newClients)]
        case RemoteLayout.recentSyncs: [Effect(.stopsVacuum, .members)]
        case RemoteLayout.deletedClients: [Effect(.cannotRemove, .members)]
        case RemoteLayout.wholeStore:
            [
                Effect(.cannotUpload, .members), Effect(.stopsVacuum, .members),
                Effect(.cannotDownload, .newClients),
            ]
        case RemoteLayout.temporaryFiles: [Effect(.cannotUpload, .members)]
        default: nil
        }
    }
}

extension RemotePath {
    /// The path inside the remote at `root` of a local file; the root itself for a file outside.
    init(insideOf root: FilePath, _ path: FilePath) {
        let names = path.bytes
        let start = root.bytes
        guard names.starts(with: start) else {
            self = .root
            return
        }
        self.init(names.dropFirst(start.count).split(separator: UInt8(ascii: "/")).map { RemoteName($0) })
    }
}
