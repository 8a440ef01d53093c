import Base
import SystemCalls

/// Makes the report of one document.
struct DocumentReporter {
    let document: DocumentSnapshot
    let tree: RemoteTree
    let isEncrypted: Bool
    /// What the devices are called.
    let descriptions: [RemoteName: String]

    func report(_ reader: inout ReportReader) -> DocumentReport {
        let lags = lags(&reader)
        var wholeStores: [WholeStoreReport] = []
        for store in document.wholeStores {
            wholeStores.append(WholeStoreReport(store, isEncrypted: isEncrypted, reader: &reader))
        }
        let times = document.clients.compactMap(\.changeSets.times)
        return DocumentReport(
            identifier: document.identifier, info: reader.documentInfo(document.documentInfo),
            lastSync: document.recentSyncsFolderModified,
            integrityKeys: seen(document.integrityKeys.compactMap(\.path.last), RemoteLayout.integrityKey),
            clients: clients(lags),
            members: seen(document.clients.map(\.identifier), RemoteLayout.syncChanges),
            wholeStores: seen(wholeStores, RemoteLayout.wholeStore),
            deletedClients: seen(document.deletedClients.map(\.identifier), RemoteLayout.deletedClients),
            changeSets: seen(
                document.clients.reduce(into: FileTotals()) { $0.add($1.changeSets.totals) },
                RemoteLayout.syncChanges),
            changeSetTimes: times.reduce(times.first) { $0?.union($1) },
            temporaryFiles: seen(
                document.temporaryFiles.reduce(into: FileTotals()) { $0.add($1.size) },
                RemoteLayout.temporaryFiles),
            sharedExternalData: seen(document.sharedExternalData, RemoteLayout.wholeStore),
            missingFolders: document.missingFolders, unlisted: document.unlisted,
            hasDocumentInfo: seen(document.documentInfo != nil, RemoteLayout.documentInfo))
    }

    /// What follows from everything below a folder of the document.
    private func seen<Value>(_ value: Value, _ folder: RemoteName) -> Seen<Value> {
        Seen(value, tree.gap(below: document.path.appending(folder)))
    }

    private func clients(_ lags: [RemoteName: ClientLag]) -> [DocumentClientReport] {
        let members = Dictionary(document.clients.map { ($0.identifier, $0) }) { one, _ in one }
        let tombstones = Set(document.deletedClients.map(\.identifier))
        let temporaryFiles = temporaryFilesByClient()
        var names = Set(members.keys)
        names.formUnion(document.recentSyncs.map(\.client))
        names.formUnion(document.wholeStores.map(\.client))
        names.formUnion(document.syncCommands)
        names.formUnion(temporaryFiles.keys)
        let listed = Set(FrameworkLists.clients(of: document.identifier, tree))
        let changes = document.path.appending(RemoteLayout.syncChanges)
        let knowsMembers = tree.listing(changes).isWhole
        return names.sorted().map { name in
            DocumentClientReport(
                identifier: name, description: descriptions[name],
                isMember: members[name] != nil ? true : knowsMembers ? false : nil,
                hasTombstone: tombstones.contains(name),
                lastSync: document.recentSync(of: name)?.file.modified,
                wholeStoreUploaded: document.wholeStore(of: name)?.store?.modified,
                changeSets: Seen(
                    members[name]?.changeSets.totals ?? FileTotals(), tree.gap(at: changes.appending(name))),
                changeSetTimes: members[name]?.changeSets.times,
                temporaryFiles: temporaryFiles[name] ?? FileTotals(), lag: lags[name],
                isListed: listed.contains(name))
        }
    }

    /// `TemporaryFiles/WholeStore/<client>/...`
    private func temporaryFilesByClient() -> [RemoteName: FileTotals] {
        document.temporaryFiles.reduce(into: [:]) { totals, file in
            let names = file.path.names
            guard names.count > 5, names[3] == RemoteLayout.wholeStore else { return }
            totals[names[4], default: FileTotals()].add(file.size)
        }
    }

    /// For every client with a register, the change sets of others that it does not name.
    private func lags(_ reader: inout ReportReader) -> [RemoteName: ClientLag] {
        let files = document.wholeStores.compactMap { store in store.register.map { (store.client, $0) } }
        let registers = zip(files, reader.appliedChangeSets(files.map(\.1))).compactMap { file, applied in
            applied.map { (client: file.0, modified: file.1.modified, applied: $0) }
        }
        var behind: [RemoteName: [ClientLag.Author]] = [:]
        for author in document.clients where !registers.isEmpty {
            let others = registers.filter { $0.client != author.identifier }
            let sets = sets(of: author, missingInAnyOf: others.map(\.applied), &reader)
            for register in others {
                let missing = sets.filter { !register.applied.contains($0.identifier) }
                guard let oldest = missing.map(\.modified).min() else { continue }
                behind[register.client, default: []].append(
                    ClientLag.Author(client: author.identifier, changeSets: missing.count, oldest: oldest))
            }
        }
        return Dictionary(
            registers.map {
                (
                    $0.client,
                    ClientLag(asOf: $0.modified, applied: $0.applied.count, behind: behind[$0.client] ?? [])
                )
            }
        ) { one, _ in one }
    }

    /// The sets of an author that some register does not name.
    private func sets(
        of author: ClientChangeSets, missingInAnyOf registers: [Set<String>], _ reader: inout ReportReader
    ) -> [(identifier: String, modified: FileTime)] {
        func isMissing(_ identifier: String) -> Bool { registers.contains { !$0.contains(identifier) } }
        guard author.changeSets.counted != nil, !registers.isEmpty else {
            return author.changeSets.indices.compactMap { position in
                let identifier = author.changeSets.withIdentifier(at: position) {
                    String(decoding: $0, as: UTF8.self)
                }
                guard isMissing(identifier) else { return nil }
                return (identifier, author.changeSets.modified(at: position))
            }
        }
        let suffix = RemoteLayout.changeSetSuffix.utf8.count
        return reader.entries(of: author.path) {
            isMissing(String(decoding: $0.dropLast(suffix), as: UTF8.self))
        }
        .map { (String(decoding: $0.name.bytes.dropLast(suffix), as: UTF8.self), $0.modified) }
    }
}

extension ClosedRange<FileTime> {
    func union(_ other: ClosedRange<FileTime>) -> ClosedRange<FileTime> {
        Swift.min(lowerBound, other.lowerBound)...Swift.max(upperBound, other.upperBound)
    }
}
