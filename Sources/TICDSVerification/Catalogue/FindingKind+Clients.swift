extension FindingKind {
    static let tombstoneOfMember = FindingKind(
        "TICDS-0307", .warning, .names, "A tombstone of a client that is still there",
        explanation: """
            DeletedClients says that this client was removed from the document, and yet SyncChanges has its folder. \
            Either a removal was interrupted before it removed anything, or the client was removed while it was \
            running: the Dropbox and iCloud variants create their folder again and continue. If the folder of such a \
            client is missing for a moment while the client registers, the client assumes that it was removed, and \
            throws away its helper files, including the edits that it has not sent yet.
            """,
        effects: [Effect(.wipesUnsentEdits, .thisClient)],
        repair: .trash,
        remedy: [
            "If the client is in use, set its tombstone aside:", NamesRemedy.setAside,
            "If it is not in use, remove it again:",
            "ticds-client delete --document={document} -- {remote} {client}",
        ],
        sources: "ticds-protocol(7), 4.2-B2, 4.10, 7.2-5")

    static let changeSetFolderGone = FindingKind(
        "TICDS-0308", .error, .names,
        "A client's folder of change sets is gone, and the client does not notice",
        explanation: """
            The client left traces in the document (a recent sync, a whole store or its folder in SyncCommands), but \
            it has no folder in SyncChanges, and no tombstone says that it was removed. Somebody deleted the folder, \
            or a copy left it out because it was empty. The client registers without complaint, since it remembers the \
            key. The File Manager variant then fails at the end of every synchronisation, when it uploads its own \
            edits: it receives but never sends. The Dropbox and iCloud variants make the folder anew.

            Change sets that were in the folder and that others had not fetched are lost. Meanwhile, a recent sync of \
            the client holds back the vacuum of all clients.
            """,
        effects: [Effect(.blocks, .thisClient), Effect(.stopsVacuum, .everyone)],
        repair: .folder,
        remedy: [
            "mkdir -p {remote}/Documents/{document}/SyncChanges/{client} "
                + "{remote}/Documents/{document}/SyncCommands/{client}"
        ],
        sources: "ticds-protocol(7), 4.2-B3, 7.2-3, 7.2-4, D-4")

    static let commandFolderMissing = FindingKind(
        "TICDS-0309", .warning, .names, "A client of a document has no folder in SyncCommands",
        explanation: """
            The folder is always empty, so that programs which leave out empty folders lose it when they copy a \
            remote. Synchronisation does not need the folder. But if a client of the File Manager variant removes this \
            client from the document, it fails after it has deleted the change sets and before it deletes the recent \
            sync and the whole store. The Dropbox variant has no problem.
            """,
        effects: [Effect(.cannotRemove, .thisClient)], repair: .folder, remedy: [NamesRemedy.makeFolder],
        sources: "ticds-protocol(7), 4.10-5, 7.2-4")

    static let removalInterrupted = FindingKind(
        "TICDS-0310", .warning, .names, "A removed client left files behind, or is still running",
        explanation: """
            There is a tombstone, and the client's change sets are gone, but its folder in SyncCommands, its recent \
            sync or its whole store remains. Either the removal was interrupted, or the client was running: while it \
            has nothing to send, it synchronises without an error and writes its recent-sync file anew each time. In \
            that case quit its app, or start it again, first. Removing the client again with the framework has no \
            effect: the framework sees no folder in SyncChanges and reports success. A recent sync that no client \
            renews holds back the vacuum of all clients for ever; new clients may still choose the whole store; and \
            because of the folder in SyncCommands, the next registration of the client fails once.
            """,
        effects: [Effect(.stopsVacuum, .everyone), Effect(.cannotRegister, .thisClient)],
        repair: .removal,
        remedy: [
            "After you have quit the client's app:",
            "ticds-client delete --document={document} -- {remote} {client}", "Or step by step:",
            "mkdir -p ~/ticds-set-aside/{document}/RecentSyncs ~/ticds-set-aside/{document}/SyncCommands "
                + "~/ticds-set-aside/{document}/WholeStore",
            "Move away those of the three that exist:",
            "mv -n {remote}/Documents/{document}/SyncCommands/{client} ~/ticds-set-aside/{document}/SyncCommands/",
            "mv -n {remote}/Documents/{document}/RecentSyncs/{client}.recentsync ~/ticds-set-aside/{document}/RecentSyncs/",
            "mv -n {remote}/Documents/{document}/WholeStore/{client} ~/ticds-set-aside/{document}/WholeStore/",
        ],
        sources: "ticds-protocol(7), 4.10, 7.2-4")

    static let recentSyncMissing = FindingKind(
        "TICDS-0311", .warning, .names, "A client of a document has no recent-sync file",
        explanation: """
            Each client writes its recent-sync file at the end of every synchronisation; its date keeps the other \
            clients from removing change sets that this one has not fetched. Without this file the client is not \
            protected: a vacuum may remove sets that it still needs. Either the client registered and never finished a \
            synchronisation, or the file was lost. The program reports this only if other clients have change sets \
            that could be removed.
            """,
        effects: [Effect(.vacuumsTooMuch, .thisClient)],
        remedy: [
            "If the client is in use, let it synchronise. Until then, no client should vacuum. To protect it at once, "
                + "put an old file there; clients look at its time only:",
            "touch -d 2001-01-01T00:00:00Z {file}",
        ],
        sources: "ticds-protocol(7), 4.8.3-5, 4.9, 7.5-7")

    static let recentSyncOfNobody = FindingKind(
        "TICDS-0312", .warning, .names, "A recent sync of an unknown client",
        explanation: """
            Neither the document nor the application has a client of this name. No client will ever renew the date of \
            the file, but the vacuum counts it: from now on no variant removes a change set that is younger than the \
            file. Most likely somebody deleted the folders of a client by hand and left this file behind.
            """,
        effects: [Effect(.stopsVacuum, .everyone)], repair: .trash, remedy: [NamesRemedy.setAside],
        sources: "ticds-protocol(7), 4.9, 7.1-4")
}
