import TICDSCore

/// Checks that the files of documents and clients that belong together exist.
struct MembershipCheck: RemoteCheck {
    private let context: VerificationContext
    private var covered: CoveredPaths { context.covered }
    private let devices: Set<RemoteName>
    private var snapshot: RemoteSnapshot { context.snapshot }

    private init(_ context: VerificationContext) {
        self.context = context
        devices = Set(context.snapshot.clientDevices.map(\.identifier))
    }

    static func findings(_ context: VerificationContext) -> [Finding] { MembershipCheck(context).findings() }

    private func findings() -> [Finding] {
        var findings = devicesWithoutInfo() + unknownMembers() + tombstonesOfDocuments()
        for document in snapshot.documents {
            if let finding = documentInfo(of: document) { findings.append(finding) }
            if let finding = integrityKey(of: document) { findings.append(finding) }
        }
        return findings
    }

    private func devicesWithoutInfo() -> [Finding] {
        snapshot.clientDevices.compactMap { device in
            let folder: RemotePath = [RemoteLayout.clientDevices, device.identifier]
            let path = folder.appending(RemoteLayout.deviceInfo)
            guard device.deviceInfo.isMissing, isListed(folder), !covered.contains(path),
                !covered.isTwin(folder)
            else { return nil }
            return context.finding(
                .deviceInfoMissing, at: path, client: device.identifier, expected: "a file", found: "nothing",
                effects: isMember(device.identifier) ? nil : FindingKind.strayAmongDevices.effects)
        }
    }

    private func isMember(_ client: RemoteName) -> Bool {
        snapshot.documents.contains { document in
            document.clients.contains { $0.identifier == client }
        }
    }

    /// Members of documents without a folder in `ClientDevices`: one finding for each, for all its documents.
    private func unknownMembers() -> [Finding] {
        guard isListed([RemoteLayout.clientDevices]) else { return [] }
        var seen = devices
        var findings: [Finding] = []
        for document in snapshot.documents {
            for client in document.clients where seen.insert(client.identifier).inserted {
                let path: RemotePath = [RemoteLayout.clientDevices, client.identifier]
                guard !covered.contains(path), !covered.isTwin(client.path) else { continue }
                findings.append(
                    context.finding(
                        .deviceMissing, at: path, document: document.identifier, client: client.identifier,
                        expected: "a folder with deviceInfo.plist", found: "nothing"))
            }
        }
        return findings
    }

    private func tombstonesOfDocuments() -> [Finding] {
        let documents = Set(snapshot.documents.map(\.identifier))
        return snapshot.deletedDocuments.lazy.filter { documents.contains($0.identifier) }.map {
            context.finding(.tombstoneOfDocument, at: $0.file.path, document: $0.identifier)
        }
    }

    /// The finding affects all clients of the app, which list the documents, and not only the members.
    private func documentInfo(of document: DocumentSnapshot) -> Finding? {
        let path = RemoteLayout.documentInfo(of: document.identifier)
        guard document.documentInfo.isMissing, isListed(document.path), !covered.contains(path),
            !covered.isTwin(document.path)
        else { return nil }
        var finding = context.finding(.documentInfoMissing, at: path, expected: "a file", found: "nothing")
        finding.document = document.identifier
        return finding
    }

    private func integrityKey(of document: DocumentSnapshot) -> Finding? {
        let folder = document.path.appending(RemoteLayout.integrityKey)
        let isReadable = isListed(folder) || snapshot.tree[folder].isMissing
        guard isListed(document.path), isReadable, !covered.contains(folder), !covered.isTwin(document.path)
        else { return nil }
        let keys = document.integrityKeys.filter { $0.path.last.map(FrameworkLists.isLongEnough) ?? false }
        if keys.count > 1, keys.allSatisfy({ covered.isTwin($0.path) }) { return nil }
        if keys.count > 1, let newest = keys.max(by: { $0.modified < $1.modified }) {
            return context.finding(
                .severalIntegrityKeys, at: newest.path, document: document.identifier,
                expected: "1 file", found: "\(keys.count) files")
        }
        guard keys.isEmpty else { return nil }
        if let short = document.integrityKeys.first {
            return context.finding(
                .shortIntegrityKey, at: short.path, document: document.identifier,
                expected: "at least \(RemoteLayout.shortestListedName) characters",
                found: short.path.last?.description)
        }
        if isBeingDownloaded(in: folder) { return nil }
        return context.finding(
            .integrityKeyMissing, at: folder, document: document.identifier, expected: "1 file",
            found: isListed(folder) ? "an empty folder" : "no folder")
    }

    /// Whether the folder contains a placeholder or a partial download, so that the key is not lost.
    private func isBeingDownloaded(in folder: RemotePath) -> Bool {
        snapshot.tree.listing(folder).part.contains { entry in
            covered.isBeingDownloaded(folder.appending(entry.name))
        }
    }

    private func isListed(_ folder: RemotePath) -> Bool { snapshot.tree.folders[folder] != nil }
}
