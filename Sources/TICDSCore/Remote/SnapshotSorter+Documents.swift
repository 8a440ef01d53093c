import SystemCalls

extension SnapshotSorter {
    mutating func documents() -> [DocumentSnapshot] {
        var documents: [DocumentSnapshot] = []
        for identifier in folders(in: [RemoteLayout.documents]) { documents.append(document(identifier)) }
        return documents
    }

    private static let documentFolders = [
        RemoteLayout.integrityKey, RemoteLayout.syncChanges, RemoteLayout.syncCommands,
        RemoteLayout.recentSyncs,
        RemoteLayout.deletedClients, RemoteLayout.wholeStore, RemoteLayout.temporaryFiles,
    ]

    private mutating func document(_ identifier: RemoteName) -> DocumentSnapshot {
        let path = RemoteLayout.document(identifier)
        let recentSyncs = path.appending(RemoteLayout.recentSyncs)
        let files = fixed(in: path, files: [RemoteLayout.documentInfo], folders: Self.documentFolders)
        let (wholeStores, shared) = wholeStores(in: path.appending(RemoteLayout.wholeStore))
        return DocumentSnapshot(
            identifier: identifier, documentInfo: files[RemoteLayout.documentInfo],
            integrityKeys: integrityKeys(in: path.appending(RemoteLayout.integrityKey)),
            clients: clients(in: path.appending(RemoteLayout.syncChanges)),
            syncCommands: syncCommands(in: path.appending(RemoteLayout.syncCommands)),
            recentSyncs: self.files(in: recentSyncs, suffix: RemoteLayout.recentSyncSuffix)
                .map { RecentSync(client: $0, file: $1) },
            recentSyncsFolderModified: tree[recentSyncs].flatMap { $0.kind == .folder ? $0.modified : nil },
            deletedClients: tombstones(in: path.appending(RemoteLayout.deletedClients)),
            wholeStores: wholeStores, sharedExternalData: shared,
            temporaryFiles: temporaryFiles(in: path.appending(RemoteLayout.temporaryFiles)),
            missingFolders: Self.documentFolders.filter { tree[path.appending($0)]?.kind != .folder })
    }

    private mutating func integrityKeys(in folder: RemotePath) -> [RemoteFile] {
        accept(in: folder) { $0.name.isHidden ? .unknown : Self.misplaced($0, wanted: .file) }
            .map { RemoteFile(path: folder.appending($0.name), $0) }
    }

    private mutating func syncCommands(in folder: RemotePath) -> [RemoteName] {
        let clients = folders(in: folder)
        for client in clients {
            _ = files(in: folder.appending(client), suffix: RemoteLayout.commandSetSuffix)
        }
        return clients
    }

    private mutating func clients(in folder: RemotePath) -> [ClientChangeSets] {
        var clients: [ClientChangeSets] = []
        for client in folders(in: folder) {
            let path = folder.appending(client)
            clients.append(ClientChangeSets(identifier: client, path: path, changeSets: changeSets(in: path)))
        }
        return clients
    }

    /// The change sets of a folder. There may be very many, so that a name is looked at closely only where it holds
    /// a character that no framework puts into an identifier.
    private mutating func changeSets(in folder: RemotePath) -> ChangeSetList {
        let listing = tree.listing(folder)
        let suffix = Array(RemoteLayout.changeSetSuffix.utf8)
        var positions: [UInt32] = []
        positions.reserveCapacity(listing.count)
        for position in listing.indices {
            let isOrdinary =
                listing.kind(at: position) == .file && listing.size(at: position) > 1
                && !listing.holdsOnlyZeros(at: position) && listing.original(at: position) == nil
            if isOrdinary && listing.withName(at: position, { isPlainName($0, endingIn: suffix) }) {
                positions.append(UInt32(clamping: position))
                continue
            }
            let entry = listing[position]
            if let junk = StrayRules.junk(entry, in: listing) {
                add(entry, in: folder, junk.kind, twin: junk.twin)
            } else if entry.kind != .file || entry.name.isHidden
                || entry.name.removing(suffix: RemoteLayout.changeSetSuffix) == nil
            {
                add(entry, in: folder, Self.misplaced(entry, wanted: .file) ?? .unknown)
            } else {
                positions.append(UInt32(clamping: position))
                addIfAbsent(entry, in: folder)
            }
        }
        addTwins(of: listing, in: folder)
        return ChangeSetList(listing: listing, positions: positions)
    }

    /// Hexadecimal digits, `-`, `,` and `.` before the suffix; no dot or suffix alone. Words of sync services have other
    /// letters.
    private func isPlainName(_ name: UnsafeRawBufferPointer, endingIn suffix: [UInt8]) -> Bool {
        guard name.count > suffix.count, name[0] != UInt8(ascii: "."),
            name.suffix(suffix.count).elementsEqual(suffix)
        else { return false }
        return name.dropLast(suffix.count).allSatisfy { byte in
            switch byte {
            case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "A")...UInt8(ascii: "F"),
                UInt8(ascii: "a")...UInt8(ascii: "f"), UInt8(ascii: ","), UInt8(ascii: "-"),
                UInt8(ascii: "."):
                true
            default: false
            }
        }
    }
}
