extension FindingKind {
    package static let copiedChangeSet = FindingKind(
        "TICDS-0210", .error, .names, "A conflicted copy of a change set",
        explanation: """
            A cloud service, or a person with a file browser, made a copy of a change set. Clients distinguish change \
            sets only by name, so that the copy is new to all of them except its author: they apply its edits a second \
            time. A client that edited the same objects after the original silently loses those edits, and passes the \
            loss on. Removing the copy does not change clients that have already applied it; but clients that were \
            away, and new clients, then no longer apply it.

            The name shows who made the copy. Dropbox, ownCloud and Nextcloud add "(conflicted copy)", OneDrive adds \
            the name of a computer, Synology Drive "_CaseConflict", Resilio Sync ".Conflict", Syncthing \
            ".sync-conflict", FileCloud "(Conflict_", pCloud ".conflicted", Cozy "-conflict", and a file browser \
            "(1)", "2", "copy" or the like. Whatever name a service gives it, a file is a copy if its name \
            begins with the stem of another set's name and the bytes of both are the same. Only if the framework made \
            both names are they two sets.

            If there is no original beside the copy, the original itself was renamed: give it its old name back \
            instead.
            """, effects: [Effect(.appliedTwice, .everyoneElse)], repair: .copy,
        remedy: ["Make sure that the original {subject} is there; then:", setAside],
        sources: "ticds-remote-format(5), 1.7; ticds-protocol(7), 4.7-1")

    package static let copiedClientFolder = FindingKind(
        "TICDS-0211", .error, .names, "A conflicted copy of a client's folder of change sets",
        explanation: """
            Clients take the copy for one more client and apply every change set in it whose name they have not \
            applied yet. A set that the original folder contains under the same name is applied once, so it does no \
            harm; a set that only the copy contains reaches the others through the copy alone. No vacuum ever cleans \
            the copy, so that clients which start later may apply old sets from it over newer edits. The copy has no \
            device info, so that the list of the document's clients fails as a whole.

            Before you remove the copy, look for sets that only the copy contains: move them to the original folder, \
            with their modification times, or their edits are lost.
            """, effects: [Effect(.breaksLists, .everyone), Effect(.appliedTwice, .newClients)],
        repair: .copy,
        remedy: [
            "See which sets only the copy contains, and move them to the original folder {subject} with mv -n; then:",
            setAside,
        ], sources: "ticds-protocol(7), 1.5, 4.7-1")

    package static let copiedRecentSync = FindingKind(
        "TICDS-0212", .warning, .names, "A conflicted copy of a recent-sync file",
        explanation: """
            The vacuum keeps every change set that is younger than the oldest file in RecentSyncs. No client will ever \
            renew the date of the copy, so that from now on the vacuum removes no set that is younger than the copy. \
            All variants count the copy if its name ends in .recentsync; the File Manager and iCloud variants count it \
            whatever its name.
            """, effects: [Effect(.stopsVacuum, .everyone)], repair: .copy, remedy: [setAside],
        sources: "ticds-protocol(7), 1.9, 4.1-4, 4.7-1")

    package static let copiedIntegrityKey = FindingKind(
        "TICDS-0213", .error, .names, "A conflicted copy of the integrity key",
        explanation: """
            The name of the file is the key, so that the copy is another key. Which of the two a client reads is a \
            matter of chance. A client that reads the copy believes that the document was replaced: it throws away its \
            helper files, including the edits that it has not sent yet, and cannot synchronise until the app registers \
            the document again.

            A copy without its original is worse, because all clients then read a wrong key: give the file its old \
            name back.
            """, effects: [Effect(.wipesUnsentEdits, .everyone), Effect(.blocks, .everyone)], repair: .copy,
        remedy: [
            "Do not let anybody start the app, and make sure that the original {subject} is there; then:",
            setAside,
        ], sources: "ticds-protocol(7), 1.2, 1.8.1-1, 4.1-2, 4.7-1")

    package static let copiedFile = FindingKind(
        "TICDS-0214", .note, .names, "A conflicted copy of some other file or folder",
        explanation: """
            A cloud service made a copy of a file that clients know only by a fixed name, such as deviceInfo.plist, \
            documentInfo.plist or WholeStore.ticdsync, and no client reads the copy. A copied folder of a document or \
            of a client's device appears in the lists as one more document or client. Only their contents show which \
            of two files is the right one. If the original is damaged and the copy is intact, ticds-verify --repair puts the \
            copy in its place. The contents of a copied folder, such as SyncChanges, reach no client: see \
            whether the original folder has them, too.
            """, effects: [Effect(.harmless, .nobody)], repair: .copy,
        remedy: ["Compare it with {subject}, and set aside the one that you do not want:", setAside],
        sources: "ticds-protocol(7), 4.7-1")

    package static let copiedWholeStore = FindingKind(
        "TICDS-0215", .warning, .names, "A conflicted copy of a client's folder of whole stores",
        explanation: """
            The copy counts as a whole store of one more client. A new client, which downloads the store with the \
            latest date, may choose the copy. The date of the copy is never renewed and therefore holds back the \
            vacuum: change sets that are younger than the oldest whole store stay permanently.
            """, effects: [Effect(.stopsVacuum, .everyone), Effect(.wrongData, .newClients)], repair: .copy,
        remedy: [setAside], sources: "ticds-remote-format(5), 1.5; ticds-protocol(7), 1.7, 1.9")
}
