extension FindingKind {
    static let tombstoneOfMember = FindingKind(
        "TICDS-0307", .warning, .names, "A tombstone of a client that is still there",
        explanation: """
            DeletedClients says that this client was removed from the document, and yet SyncChanges has its folder. \
            Either a removal was interrupted before it removed anything, or the client was removed while it was \
            running: the \
            Dropbox and iCloud variants create their folder again and continue. When such a client registers and its \
            folder is missing for a moment, it assumes that it was removed and throws its helper files away, and with \
            them the edits that were not yet sent.
            """,
        effects: [Effect(.wipesUnsentEdits, .thisClient)],
        repair: .trash,
        remedy: [
            "If the client is in use, set its tombstone aside:", NamesRemedy.setAside,
            "If it is not, remove it once more:",
            "ticds-client delete --document={document} -- {remote} {client}",
        ],
        sources: "ticds-protocol(7), 4.2-B2, 4.10, 7.2-5")

    static let changeSetFolderGone = FindingKind(
        "TICDS-0308", .error, .names,
        "A client's folder of change sets is gone, and the client does not notice",
        explanation: """
            The client left traces in the document (a recent sync, a whole store or its folder in SyncCommands), but it \
            has no folder in SyncChanges, and no tombstone says that it was removed. Somebody deleted the folder, or a \
            copy left it out because it was empty. The client registers without complaint, since it remembers the key; \
            the File Manager variant then fails at the end of every synchronisation, when it uploads its own edits: it \
            receives but never sends. The Dropbox and iCloud variants make the folder anew.

            Change sets that were in the folder and that others had not fetched are lost. A recent sync of the client \
            holds back everybody's vacuum meanwhile.
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
            The folder is always empty, so that copies which leave out empty folders lose it. Synchronisation does not \
            need it. But the File Manager variant fails when it removes the client from the document, after it has \
            deleted the change sets and before it deletes the recent sync and the whole store. The Dropbox variant \
            has no problem.
            """,
        effects: [Effect(.cannotRemove, .thisClient)], repair: .folder, remedy: [NamesRemedy.makeFolder],
        sources: "ticds-protocol(7), 4.10-5, 7.2-4")

    static let removalInterrupted = FindingKind(
        "TICDS-0310", .warning, .names, "A removed client has left something, or still runs",
        explanation: """
            There is a tombstone, the client's change sets are gone, but its folder in SyncCommands, its recent sync or \
            its whole store remains. Either the removal was interrupted, or the client was running: while it has \
            nothing to send it synchronises without an error, and writes its recent-sync file anew each time. Then \
            its app must be quit or started again first. Removing the client again with the framework does nothing: \
            the framework sees no folder in SyncChanges and reports success. The recent sync that nobody renews holds \
            back everybody's vacuum for ever; the whole store may still be chosen by new clients; with the folder in \
            SyncCommands the next registration of the client fails once.
            """,
        effects: [Effect(.stopsVacuum, .everyone), Effect(.cannotRegister, .thisClient)],
        repair: .removal,
        remedy: [
            "When the client's app has been quit:",
            "ticds-client delete --document={document} -- {remote} {client}", "Or step by step:",
            "mkdir -p ~/ticds-set-aside/{document}/RecentSyncs ~/ticds-set-aside/{document}/SyncCommands "
                + "~/ticds-set-aside/{document}/WholeStore",
            "Move away what there is of the three:",
            "mv -n {remote}/Documents/{document}/SyncCommands/{client} ~/ticds-set-aside/{document}/SyncCommands/",
            "mv -n {remote}/Documents/{document}/RecentSyncs/{client}.recentsync ~/ticds-set-aside/{document}/RecentSyncs/",
            "mv -n {remote}/Documents/{document}/WholeStore/{client} ~/ticds-set-aside/{document}/WholeStore/",
        ],
        sources: "ticds-protocol(7), 4.10, 7.2-4")

    static let recentSyncMissing = FindingKind(
        "TICDS-0311", .warning, .names, "A client of a document has no recent-sync file",
        explanation: """
            Each client writes its recent-sync file at the end of every synchronisation; its date keeps the other clients \
            from removing change sets that this one has not fetched. Without it the client is not protected: vacuum \
            may remove what it still needs. Either the client registered and never finished a synchronisation, or the \
            file was lost. This is only reported where other clients have change sets that could be removed.
            """,
        effects: [Effect(.vacuumsTooMuch, .thisClient)],
        repair: .byHand,
        remedy: [
            "If the client is in use, let it synchronise. Until then, no client should vacuum. To protect it at once, "
                + "put an old file there; clients look at its time only:",
            "touch -d 2001-01-01T00:00:00Z {file}",
        ],
        sources: "ticds-protocol(7), 4.8.3-5, 4.9, 7.5-7")

    static let recentSyncOfNobody = FindingKind(
        "TICDS-0312", .warning, .names, "A recent sync of an unknown client",
        explanation: """
            Neither the document nor the application has a client of this name. Nobody will ever renew the date of the \
            file, but vacuum counts it: from now on no change set that is younger than it will be removed, by any variant. \
            It is left over from a client whose folders were deleted by hand.
            """,
        effects: [Effect(.stopsVacuum, .everyone)], repair: .trash, remedy: [NamesRemedy.setAside],
        sources: "ticds-protocol(7), 4.9, 7.1-4")
}
