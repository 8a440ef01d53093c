import SystemCalls

/// What a person should read before a key is reset.
extension IntegrityReset {
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
                    .reason, "The document has no key that clients see: nobody can register or synchronise")
            }
            return
        }
        plan.note(
            .reason, "The key \(kept.name)\(origin(of: kept)) stays; clients that remember it go on as before"
        )
        if kept.content?.originalDevice == nil {
            plan.note(
                .reason, "The content of the key, which no client reads, becomes what the framework writes")
        }
    }

    private func origin(of entry: IntegrityKeyEntry) -> String {
        let maker = entry.content?.originalDevice.map { ", made by \(names.name(of: RemoteName($0)))" } ?? ""
        return "\(maker), of \(entry.modified.iso)"
    }

    private func addConsequences(to plan: inout Plan) {
        plan.note(
            .consequence,
            "Every client that remembers another key than \(key) will throw away its unsent edits, with all else that "
                + "it knows of the document's synchronisation, and must load the whole store anew")
        if document.clients.isEmpty {
            plan.note(.consequence, "No client is registered with the document now")
        } else if kept == nil {
            plan.note(
                .consequence, "That concerns every client of the document, as long as it synchronises again")
        } else {
            plan.note(
                .consequence,
                "Which key a client remembers is not written in the remote; it may concern any of these")
        }
        for client in document.clients {
            let sync = document.recentSync(of: client.identifier)
            let time =
                sync.map { ", last synchronised at \($0.file.modified.iso)" }
                ?? ", last synchronised nobody knows when"
            plan.note(.consequence, names.name(of: client.identifier) + time)
        }
        plan.note(
            .consequence,
            "A client that is open now fails with error 20 at each synchronisation until its app is started again"
        )
    }

    private func addWarnings(to plan: inout Plan) {
        plan.note(
            .warning,
            "Let every client send its edits first, and close the apps: what was not sent is lost for good")
        if let store = newestStore {
            plan.note(
                .warning,
                "The clients will load the whole store of \(names.name(of: store.client)), of \(store.modified.iso), "
                    + "and the change sets since")
        } else {
            plan.note(
                .warning,
                "No whole store is in the remote: the clients will have nothing to load, and edits that "
                    + "are not in change sets any more are lost to them")
        }
        if let oldest = folder.keys.first {
            let others = folder.keys.count > 1
            plan.note(
                .warning,
                others
                    ? "The oldest key is probably the one that most clients remember: --key=\(ShellWord.quoted(oldest.name.bytes)) keeps it"
                    : "Nothing is wrong with the key \(oldest.name): a new one only serves to make all clients start anew"
            )
        } else {
            plan.note(
                .warning,
                "A client may still remember the old key (user defaults, TICDSync.integrityKey."
                    + "\(document.identifier)): with that one as --key it would lose nothing")
        }
    }

    private var newestStore: (client: RemoteName, modified: FileTime)? {
        document.wholeStores.compactMap { store in store.store.map { (store.client, $0.modified) } }
            .max { $0.1 < $1.1 }
    }
}
