import SystemCalls

/// What a person should read before a key is reset.
extension IntegrityResetPlanner {
    func addNotes(to plan: inout Plan) {
        addReasons(to: &plan)
        if kept == nil || !others.filter(\.canBeTaken).isEmpty { addConsequences(to: &plan) }
        if kept == nil { addWarnings(to: &plan) }
    }

    private func addReasons(to plan: inout Plan) {
        for entry in folder.keys where entry != kept {
            plan.note(.reason, "The document has the key \(entry.name)\(origin(of: entry))")
        }
        for entry in others where !entry.isKey && entry.canBeTaken {
            plan.note(.reason, "Clients can take \(entry.name) for the key")
        }
        guard let kept else {
            if folder.keys.isEmpty {
                plan.note(
                    .reason, "The document has no key that clients see: no client can register or synchronise"
                )
            }
            return
        }
        plan.note(
            .reason,
            "The key \(kept.name)\(origin(of: kept)), stays; clients that remember it continue as before"
        )
        if kept.content?.originalDevice == nil {
            plan.note(
                .reason, "The key gets the content that the framework writes, which no client reads")
        }
    }

    private func origin(of entry: IntegrityKeyEntry) -> String {
        let maker = entry.content?.originalDevice.map { " by \(names.name(of: RemoteName($0)))" } ?? ""
        return ", made\(maker) at \(entry.modified.iso)"
    }

    private func addConsequences(to plan: inout Plan) {
        plan.note(
            .consequence,
            "Every client that remembers another key than \(key) will throw away its unsent edits, with everything else "
                + "that it knows about the document's synchronisation, and must load the whole store again")
        if document.clients.isEmpty {
            plan.note(.consequence, "No client is registered with the document now")
        } else if kept == nil {
            plan.note(
                .consequence, "This affects every client of the document that synchronises again")
        } else {
            plan.note(
                .consequence,
                "The remote does not show which key a client remembers; this may affect any of these clients")
        }
        for client in document.clients {
            let sync = document.recentSync(of: client.identifier)
            let time =
                sync.map { ", last synchronised at \($0.file.modified.iso)" }
                ?? ", time of the last synchronisation unknown"
            plan.note(.consequence, names.name(of: client.identifier) + time)
        }
        plan.note(
            .consequence,
            "A client that is running now fails with error 20 at each synchronisation until its app is started again"
        )
    }

    private func addWarnings(to plan: inout Plan) {
        plan.note(
            .warning,
            "Let every client send its edits first, and close the apps: edits that were not sent are lost for good"
        )
        if let store = newestStore {
            plan.note(
                .warning,
                "The clients will load the whole store of \(names.name(of: store.client)) of \(store.modified.iso), "
                    + "and the change sets since then")
        } else {
            plan.note(
                .warning,
                "There is no whole store in the remote: the clients will have nothing to load, and lose the edits "
                    + "that are no longer in change sets")
        }
        if let oldest = folder.keys.first {
            let others = folder.keys.count > 1
            plan.note(
                .warning,
                others
                    ? "The oldest key is probably the one that most clients remember: --key=\(ShellWord.quoted(oldest.name.bytes)) keeps it"
                    : "Nothing is wrong with the key \(oldest.name): a new key only makes all clients start anew"
            )
        } else {
            plan.note(
                .warning,
                "A client may still remember the old key (user defaults, TICDSync.integrityKey."
                    + "\(document.identifier)): if you give that key with --key, the client loses nothing")
        }
    }

    private var newestStore: (client: RemoteName, modified: FileTime)? {
        document.wholeStores.compactMap { store in store.store.map { (store.client, $0.modified) } }
            .max { $0.1 < $1.1 }
    }
}
