import SystemCalls
import TICDSCore

extension SimulatedRun {
    /// Fetches every requested set; one failure blocks all of them (ticds-protocol(7), 4.8.1-5 to 7).
    mutating func fetch(_ requests: [ChangeSetRequest]) -> Bool {
        guard !requests.isEmpty else {
            return add(
                step(
                    "Fetch the change sets", .done, nil, "5", [],
                    "All are applied: there is nothing to fetch."))
        }
        let missing = requests.filter { $0.entry == nil }
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
                    """
                ))
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
                Of these, \(doubtful) \(doubtful == 1 ? "is" : "are") not newer than its last \
                synchronisation, so that the client has most likely applied \
                \(doubtful == 1 ? "it" : "them") already.
                """)
        }
        if !isChecked {
            sentences.append(
                "Some could not be checked here: there is no password, or they are too large or not plain files."
            )
        }
        return sentences.joined(separator: " ")
    }

    /// The model of the application: that of the user, or of the whole store that the client downloads or has uploaded, or
    /// of all whole stores.
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
            stores: requests.isEmpty ? [] : stores, source: source, context,
            isEncrypted ? context.keyring : RemoteKeyring(.plain))
    }

    private func missingStep(_ missing: [ChangeSetRequest]) -> SimulationStep {
        let more = missing.count - 1
        let others =
            more == 0 ? "" : more == 1 ? ", and so does 1 more entry" : ", and so do \(more) more entries"
        return step(
            "Fetch the change sets", .fails, variant.errorOfMissingFile, "5", missing.map(\.listed),
            """
            \(missing[0].listed.last ?? "") makes the client request \
            \(missing[0].path.last ?? ""), which does not exist\(others). The run fails, and \
            the client receives nothing at all until that is repaired.
            """
        )
    }

    /// The step for identifiers that the client requests twice; nil if there are none.
    private func repeatedStep(_ requests: [ChangeSetRequest]) -> SimulationStep? {
        var seen: Set<RemoteName> = []
        let repeated = requests.filter { !seen.insert($0.identifier).inserted }
        guard !repeated.isEmpty else { return nil }
        let text = "Identifiers that are listed more than once: \(repeated.count)"
        let name = "Fetch the change sets"
        if isEncrypted, variant != .iCloud {
            return step(
                name, .fails, .fileManager, "5", repeated.map(\.listed),
                """
                \(text). The client cannot move the second file aside for decryption, because the \
                first is already there. The run fails.
                """
            )
        }
        return step(
            name, .unknown, nil, "5", repeated.map(\.listed),
            "\(text). The client applies each of them once; chance decides which of its files it uses.")
    }

    /// Collects the sets that exist in the order of application, each once.
    private mutating func collect(_ requests: [ChangeSetRequest]) {
        let lastSync = simulation.client.flatMap { client in
            context.snapshot.tree[
                listing.folder(RemoteLayout.recentSyncs).appending(
                    client.appending(suffix: RemoteLayout.recentSyncSuffix))]
        }?.modified
        let isKnownClient = simulation.start == .running || simulation.standing != .newcomer
        let downloads = simulation.start == .anew && simulation.standing == .removed
        // If the recent sync was removed together with the client, the remote does not show what it has applied.
        let isGone = simulation.start == .running && simulation.standing == .removed
        let check = FetchedContent(
            context: context, variant: variant, decrypts: isEncrypted, model: clientModel(for: requests))
        var seen: Set<RemoteName> = []
        for request in requests {
            guard let entry = request.entry, seen.insert(request.identifier).inserted else { continue }
            let modified = variantTime(entry)
            let result = check.result(of: request.path, entry)
            simulation.changeSets.append(
                SimulatedChangeSet(
                    document: simulation.document, author: request.author, identifier: request.identifier,
                    path: request.path, modified: modified, size: entry.size,
                    isCertain: !isKnownClient || downloads || lastSync.map { $0 < modified } ?? !isGone,
                    fate: result.fate, reason: result.reason, isOfAttribute: result.isOfAttribute))
        }
        simulation.changeSets.sort {
            ($0.modified, $0.identifier) < ($1.modified, $1.identifier)
        }
    }
}
