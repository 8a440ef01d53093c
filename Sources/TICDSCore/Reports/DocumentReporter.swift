import Base
import SystemCalls

/// Makes the report of one document.
struct DocumentReporter {
    let document: DocumentSnapshot
    let snapshot: RemoteSnapshot
    /// The descriptions of the devices.
    let descriptions: [RemoteName: String]

    func report(_ reader: inout ReportReader) -> DocumentReport {
        let lags = lags(&reader)
        var wholeStores: [WholeStoreReport] = []
        for store in document.wholeStores {
            wholeStores.append(
                WholeStoreReport(
                    store, gap: snapshot.gap(below: store.path), isEncrypted: snapshot.isEncrypted,
                    reader: &reader))
        }
        let times = document.clients.compactMap(\.changeSets.times)
        return DocumentReport(
            identifier: document.identifier, info: reader.documentInfo(document.documentInfo.part),
            lastSync: document.recentSyncsFolderModified,
            integrityKeys: seen(document.integrityKeys.compactMap(\.path.last), RemoteLayout.integrityKey),
            clients: clients(lags),
            members: Seen(
                document.clients.map(\.identifier),
                snapshot.gap(inNamesOf: document.path.appending(RemoteLayout.syncChanges))),
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
            hasDocumentInfo: document.documentInfo.map { $0 != nil })
    }

    /// The value, with the reason why a folder of the document may contain more.
    private func seen<Value>(_ value: Value, _ folder: RemoteName) -> Seen<Value> {
        Seen(value, gap(folder))
    }

    /// The reason why there may be more in a folder of the document than was listed.
    private func gap(_ folder: RemoteName) -> FileProblem? {
        snapshot.gap(below: document.path.appending(folder))
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
        let listed = Set(FrameworkLists.clients(of: document.identifier, snapshot.tree))
        let changes = document.path.appending(RemoteLayout.syncChanges)
        let knowsMembers = snapshot.gap(inNamesOf: changes) == nil
        let knowsTombstones = gap(RemoteLayout.deletedClients) == nil
        let stores = document.path.appending(RemoteLayout.wholeStore)
        let uploads = document.path.appending(RemoteLayout.temporaryFiles).appending(RemoteLayout.wholeStore)
        return names.sorted().map { name in
            DocumentClientReport(
                identifier: name, description: descriptions[name],
                isMember: members[name] != nil ? true : knowsMembers ? false : nil,
                hasTombstone: tombstones.contains(name) ? true : knowsTombstones ? false : nil,
                lastSync: document.recentSync(of: name)?.file.modified,
                wholeStoreUploaded: wholeStoreUploaded(name, in: stores),
                changeSets: Seen(
                    members[name]?.changeSets.totals ?? FileTotals(),
                    snapshot.gap(at: changes.appending(name))),
                changeSetTimes: members[name]?.changeSets.times,
                temporaryFiles: Seen(
                    temporaryFiles[name] ?? FileTotals(), snapshot.gap(below: uploads.appending(name))),
                lag: lags[name],
                isListed: listed.contains(name) ? true : knowsMembers ? false : nil)
        }
    }

    private func wholeStoreUploaded(_ client: RemoteName, in folder: RemotePath) -> Seen<FileTime?> {
        let time = document.wholeStore(of: client)?.store?.modified
        return Seen(time, time == nil ? snapshot.gap(below: folder.appending(client)) : nil)
    }

    /// `TemporaryFiles/WholeStore/<client>/...`
    private func temporaryFilesByClient() -> [RemoteName: FileTotals] {
        document.temporaryFiles.reduce(into: [:]) { totals, file in
            let names = file.path.names
            guard names.count > 5, names[3] == RemoteLayout.wholeStore else { return }
            totals[names[4], default: FileTotals()].add(file.size)
        }
    }

    /// For every client with a register, the change sets of other clients that it does not name.
    private func lags(_ reader: inout ReportReader) -> [RemoteName: ClientLag] {
        let files = document.wholeStores.compactMap { store in store.register.map { (store.client, $0) } }
        let registers = zip(files, reader.appliedChangeSets(files.map(\.1))).compactMap { file, applied in
            applied.map { (client: file.0, modified: file.1.modified, applied: $0) }
        }
        var behind: [RemoteName: [ClientLag.Author]] = [:]
        var problem = gap(RemoteLayout.syncChanges)
        for author in document.clients where !registers.isEmpty {
            let others = registers.filter { $0.client != author.identifier }
            let found = sets(of: author, missingInAnyOf: others.map(\.applied), &reader)
            problem = problem ?? found.problem
            let sets = found.part
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
                    ClientLag(
                        asOf: $0.modified, applied: $0.applied.count,
                        behind: Seen(behind[$0.client] ?? [], problem))
                )
            }
        ) { one, _ in one }
    }

    /// The sets of an author that at least one register does not name.
    private func sets(
        of author: ClientChangeSets, missingInAnyOf registers: [Set<String>], _ reader: inout ReportReader
    ) -> Seen<[(identifier: String, modified: FileTime)]> {
        func isMissing(_ identifier: String) -> Bool { registers.contains { !$0.contains(identifier) } }
        guard author.changeSets.counted != nil, !registers.isEmpty else {
            return .all(
                author.changeSets.indices.compactMap { position in
                    let identifier = author.changeSets.withIdentifier(at: position) {
                        String(decoding: $0, as: UTF8.self)
                    }
                    guard isMissing(identifier) else { return nil }
                    return (identifier, author.changeSets.modified(at: position))
                })
        }
        let suffix = RemoteLayout.changeSetSuffix.utf8.count
        return reader.entries(of: author.path) {
            isMissing(String(decoding: $0.dropLast(suffix), as: UTF8.self))
        }
        .map { sets in
            sets.map { (String(decoding: $0.name.bytes.dropLast(suffix), as: UTF8.self), $0.modified) }
        }
    }
}

extension ClosedRange<FileTime> {
    func union(_ other: ClosedRange<FileTime>) -> ClosedRange<FileTime> {
        Swift.min(lowerBound, other.lowerBound)...Swift.max(upperBound, other.upperBound)
    }
}
