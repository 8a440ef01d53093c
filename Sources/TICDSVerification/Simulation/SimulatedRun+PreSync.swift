import Base
import CoreDataStore
import SystemCalls
import TICDSCore

extension SimulatedRun {
    /// Checks the integrity key, and lists and fetches the change sets (ticds-protocol(7), 1.8.1).
    mutating func preSync() -> Bool {
        guard checkKey(), let clients = otherClients() else { return false }
        guard !clients.isEmpty else {
            return add(
                step(
                    "List the clients", .done, nil, "2", [],
                    "There is no other client, so there is nothing to fetch."))
        }
        guard let requests = listChangeSets(of: clients) else { return false }
        return fetch(requests)
    }

    func step(
        _ name: String, _ outcome: SimulationStep.Outcome, _ error: FrameworkError?, _ number: String,
        _ paths: [RemotePath], _ sentence: String
    ) -> SimulationStep {
        SimulationStep(.preSync, name, outcome, error, section: "1.8.1-" + number, paths: paths, sentence)
    }

    private mutating func checkKey() -> Bool {
        let name = "Read the integrity key"
        let folder = listing.folder(RemoteLayout.integrityKey)
        guard let keys = listing.integrityKeys, let first = keys.first else {
            let isThere = listing[listing.document] != nil
            let text = """
                \(isThere ? "There is no integrity key" : "The document does not exist"), so every synchronisation of \
                every client fails. The framework reads its text for this error beyond the end of a table, which may \
                crash the application.
                """
            return add(step(name, .fails, .integrityKeyMissing, "1", [folder], text))
        }
        let paths = keys.map { folder.appending($0.name) }
        if simulation.start == .running, keys.allSatisfy({ knowledge(of: $0) == .another }) {
            let text = """
                \(keys.count == 1 ? "\(first.name) is" : "None of the names is") the name of a key, so the client \
                remembers another one: the run fails, and the client wipes its helper files, including edits that it \
                has not sent.
                """
            return add(step(name, .fails, .integrityKeysDiffer, "1", paths, text))
        }
        if keys.count == 1, simulation.start == .running, knowledge(of: first) == .unproven {
            return add(step(name, .unknown, .integrityKeysDiffer, "1", paths, Self.otherKey))
        }
        guard keys.count > 1 else {
            let text = "The simulation assumes that the client remembers \(first.name)."
            return add(step(name, .done, nil, "1", paths, text))
        }
        let text = """
            \(keys.count) names can be taken for the key, and chance decides which comes first. If \
            it is not the one that the client remembers, the run fails with code 20, and the client \
            wipes its helper files, including edits that it has not sent.
            """
        return add(step(name, .unknown, .integrityKeysDiffer, "1", paths, text))
    }

    private mutating func otherClients() -> [FolderEntry]? {
        guard let clients = listing.clients else {
            let text = "The folder SyncChanges is missing or cannot be listed."
            let paths = [listing.folder(RemoteLayout.syncChanges)]
            _ = add(step("List the clients", .fails, variant.errorOfMissingFile, "2", paths, text))
            return nil
        }
        return clients.filter { $0.name != simulation.client }
    }

    /// The sets of all clients that are not registered as applied; nil if a folder cannot be listed.
    private mutating func listChangeSets(of clients: [FolderEntry]) -> [ChangeSetRequest]? {
        var requests: [ChangeSetRequest] = []
        var notListed: [RemotePath] = []
        var listed = 0
        for client in clients {
            let folder = listing.folder(RemoteLayout.syncChanges).appending(client.name)
            guard let sets = listing.changeSets(of: client.name) else {
                notListed.append(folder)
                continue
            }
            listed += sets.positions.count
            for position in sets.positions {
                let request = ChangeSetRequest(in: sets.folder, listed: position)
                if !applied.contains(request.identifier.text) { requests.append(request) }
            }
        }
        let name = "List the change sets"
        // Dropbox also returns a listing for a file, which is empty.
        let isFile = { (path: RemotePath) in self.listing[path]?.kind == .file }
        if variant == .dropbox, !notListed.allSatisfy(isFile) {
            let text = """
                Entries of SyncChanges that cannot be listed: \(notListed.count). The run fails.
                """
            _ = add(step(name, .fails, .dropboxClient, "3", notListed, text))
            return nil
        }
        var text = """
            \(counted(clients.count, "client")) with \(counted(listed, "change set")), \
            \(listed - requests.count) registered as applied\(knowledge).
            """
        if !notListed.isEmpty {
            text += """
                 \(notListed.count) of the clients cannot be listed and \
                \(notListed.count == 1 ? "counts" : "count") as having no sets.
                """
        }
        _ = add(step(name, .done, nil, "3", notListed, text))
        return requests
    }

    private var knowledge: String {
        switch simulation.known.source {
        case .ownRegister:
            " in the register that the client uploaded; the remote does not show what it applied later"
        case .downloadedRegister: " in the register that came with the whole store"
        case .nothing:
            simulation.standing == .newcomer || simulation.start == .anew && simulation.standing == .removed
                ? "" : "; there is no register of the client, so nothing is known"
        }
    }
}

/// A change set that a client requests: its identifier with the suffix .syncchg. A client may request a hundred thousand.
struct ChangeSetRequest {
    let folder: SimulatedFolder
    /// The position of the entry that makes the client request the set.
    private let listedPosition: Int
    /// The position of the entry that the client requests; nil if it does not exist.
    let position: Int?

    init(in folder: SimulatedFolder, listed: Int) {
        self.folder = folder
        listedPosition = listed
        let name = folder.listing[listed].name
        let requested = Self.requested(name)
        position = requested == name ? listed : folder.listing.position(of: requested)
    }

    private static func requested(_ name: RemoteName) -> RemoteName {
        name.withoutExtension.appending(suffix: RemoteLayout.changeSetSuffix)
    }

    private var listedName: RemoteName { folder.listing[listedPosition].name }
    var identifier: RemoteName { listedName.withoutExtension }
    /// The entry that makes the client request it.
    var listed: RemotePath { folder.path.appending(listedName) }
    /// The path that the client requests, which may not exist.
    var path: RemotePath { folder.path.appending(Self.requested(listedName)) }

    /// The positions of requests with the identifier of an earlier one.
    static func repetitions(in requests: some Collection<ChangeSetRequest>) -> Set<Int> {
        // Hashes take a tenth of the memory of identifiers, and are usually all different.
        var hashes: Set<Int> = []
        var repeatedHashes: Set<Int> = []
        for hash in requests.lazy.map(\.identifier.hashValue) where !hashes.insert(hash).inserted {
            repeatedHashes.insert(hash)
        }
        if repeatedHashes.isEmpty { return [] }
        var seen: Set<RemoteName> = []
        var repeated: Set<Int> = []
        for (position, request) in requests.enumerated() {
            let identifier = request.identifier
            guard repeatedHashes.contains(identifier.hashValue) else { continue }
            if !seen.insert(identifier).inserted { repeated.insert(position) }
        }
        return repeated
    }
}

extension SimulatedRun {
    /// Fetches every requested set; a single failure blocks all of them (ticds-protocol(7), 1.8.1-5 to 7).
    mutating func fetch(_ requests: [ChangeSetRequest]) -> Bool {
        guard !requests.isEmpty else {
            return add(
                step(
                    "Fetch the change sets", .done, nil, "5", [],
                    "All are applied: there is nothing to fetch."))
        }
        let missing = requests.filter { $0.position == nil }
        collect(requests)
        if !missing.isEmpty { return add(missingStep(missing)) }
        if let step = repeatedStep(requests) { return add(step) }
        let refused = simulation.changeSets.filter { $0.fate == .cannotBeFetched }
        guard refused.isEmpty else {
            return add(
                step(
                    "Fetch the change sets", .fails, .encryption, "5", refused.map(\.path),
                    """
                    Change sets that cannot be decrypted: \(refused.count). The run fails, and \
                    the client receives nothing at all until that is repaired.
                    """))
        }
        let isChecked = simulation.changeSets.allSatisfy { $0.fate != .unknown }
        return add(
            step("Fetch the change sets", isChecked ? .done : .unknown, nil, "5", [], fetchedText(isChecked)))
    }

    private func fetchedText(_ isChecked: Bool) -> String {
        let count = simulation.changeSets.count
        let doubtful = simulation.changeSets.count { !$0.isCertain }
        var sentences = ["\(counted(count, "change set")) to fetch."]
        if doubtful > 0 {
            sentences.append(
                """
                Of these, \(doubtful) \(doubtful == 1 ? "is" : "are") not newer than its last synchronisation, so \
                that the client has most likely applied \(doubtful == 1 ? "it" : "them") already.
                """)
        }
        if !isChecked {
            sentences.append(
                "Some could not be checked here: there is no password, or they are too large or not plain files."
            )
        }
        return sentences.joined(separator: " ")
    }

    /// The user's model, or the model of the whole store that the client downloads or has uploaded, or of all whole
    /// stores.
    private func clientModel(for requests: [ChangeSetRequest]) -> ClientModel {
        if let givenModel { return ClientModel(givenModel) }
        let folders = requests.isEmpty ? [] : listing.storeFolders ?? []
        let own = simulation.client.flatMap { listing.store(of: $0) }?.path
        let chosen = simulation.wholeStore ?? own
        let stores = chosen.map { [$0] } ?? folders.compactMap { listing.store(of: $0.name)?.path }
        let source =
            simulation.wholeStore != nil
            ? "the whole store that it downloads"
            : own != nil ? "the whole store that it uploaded" : "the whole stores of the document"
        return ClientModel(
            stores: requests.isEmpty ? [] : stores, source: source, context, readingKeyring)
    }

    private func missingStep(_ missing: [ChangeSetRequest]) -> SimulationStep {
        let more = missing.count - 1
        let others =
            more == 0 ? "" : more == 1 ? ", and so does 1 more entry" : ", and so do \(more) more entries"
        return step(
            "Fetch the change sets", .fails, variant.errorOfMissingFile, "5", missing.map(\.listed),
            """
            \(missing[0].listed.last ?? "") makes the client request \(missing[0].path.last ?? ""), which does not \
            exist\(others). The run fails, and the client receives nothing at all until that is repaired.
            """)
    }

    private func repeatedStep(_ requests: [ChangeSetRequest]) -> SimulationStep? {
        let repeated = ChangeSetRequest.repetitions(in: requests).sorted().map { requests[$0] }
        guard !repeated.isEmpty else { return nil }
        let text = "Identifiers that are listed more than once: \(repeated.count)"
        let name = "Fetch the change sets"
        if isEncrypted, variant != .iCloud {
            return step(
                name, .fails, .fileManager, "5", repeated.map(\.listed),
                """
                \(text). The client cannot move the second file aside for decryption, because the \
                first is already there. The run fails.
                """)
        }
        return step(
            name, .unknown, nil, "5", repeated.map(\.listed),
            "\(text). The client applies each of them once; chance decides which of its files it uses.")
    }

    /// Collects the existing sets in the order of application, each once.
    private mutating func collect(_ requests: [ChangeSetRequest]) {
        let lastSync = simulation.client.flatMap { client in
            listing[
                listing.folder(RemoteLayout.recentSyncs).appending(
                    client.appending(suffix: RemoteLayout.recentSyncSuffix))]
        }?.modified
        let isKnownClient = simulation.start == .running || simulation.standing != .newcomer
        let downloads = simulation.start == .anew && simulation.standing == .removed
        // If the recent sync was removed together with the client, the remote does not show which sets it has applied.
        let isGone = simulation.start == .running && simulation.standing == .removed
        let check = FetchedContent(
            context: context, variant: variant, decrypts: isEncrypted, model: clientModel(for: requests),
            objects: knownObjects)
        var existing = requests.filter { $0.position != nil }
        let repeated = ChangeSetRequest.repetitions(in: existing)
        if !repeated.isEmpty {
            existing = existing.indices.filter { !repeated.contains($0) }.map { existing[$0] }
        }
        var sets = existing.compactMap { request in
            request.position.map { position in
                let modified = variantTime(request.folder.listing.modified(at: position))
                return SimulatedChangeSet(
                    folder: request.folder, position: position, modified: modified,
                    isCertain: !isKnownClient || downloads || lastSync.map { $0 < modified } ?? !isGone,
                    fate: .unknown)
            }
        }
        existing = []
        sets.sort { one, other in
            one.modified != other.modified
                ? one.modified < other.modified : one.identifier < other.identifier
        }
        for number in sets.indices {
            let set = sets[number]
            let result = check.result(of: set.path, set.folder.listing[set.position])
            sets[number].fate = result.fate
            sets[number].reason = result.reason
            sets[number].onICloud = result.onICloud
        }
        simulation.changeSets += sets
        markStrays()
    }

    /// Marks files that are too short for a store, which clients never write. Such a file was a set with changes if a
    /// register names it.
    private mutating func markStrays() {
        let short = simulation.changeSets.indices.filter {
            simulation.changeSets[$0].fate == .swallowedAsEmpty
                && simulation.changeSets[$0].size < Int64(BinaryStoreHeader.size)
        }
        if short.isEmpty { return }
        var registered: Set<String> = []
        for folder in listing.storeFolders ?? [] {
            let path = listing.folder(RemoteLayout.wholeStore).appending(folder.name)
                .appending(RemoteLayout.appliedSyncChangeSets)
            guard listing[path]?.kind == .file else { continue }
            registered.formUnion(readRegister(path) ?? [])
        }
        for position in short
        where !registered.contains(simulation.changeSets[position].identifier.text) {
            simulation.changeSets[position].mayBeStray = true
        }
    }

    /// The objects of the whole store that the client downloads, or of all whole stores.
    private var knownObjects: KnownObjects {
        let folders = listing.storeFolders ?? []
        let stores =
            simulation.wholeStore.map { [$0] } ?? folders.compactMap { listing.store(of: $0.name)?.path }
        return KnownObjects(
            stores: stores, isWhole: simulation.wholeStore != nil, context, readingKeyring)
    }

    /// The keyring of a client's readings: without a salt the client decrypts nothing.
    private var readingKeyring: RemoteKeyring { isEncrypted ? context.keyring : RemoteKeyring(.plain) }
}
