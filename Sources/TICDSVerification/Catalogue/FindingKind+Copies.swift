extension FindingKind {
    static let copiedChangeSet = FindingKind(
        "TICDS-0210", .error, .names, "A conflicted copy of a change set",
        explanation: """
            A cloud service, or a person with a file browser, made a second file of a change set. Clients distinguish \
            change sets only by name, so that this one is new to all of them except its author: its edits are \
            applied a second time. A client that edited the same objects after the original silently loses those \
            edits, and passes the loss on. Clients that have already applied it are not changed when the copy is \
            gone; but clients that were away, and new ones, no longer apply it.

            The name tells who made the copy: "(conflicted copy)" Dropbox, ownCloud and Nextcloud, the name of a computer \
            OneDrive, "_CaseConflict" Synology Drive, ".Conflict" Resilio Sync, ".sync-conflict" Syncthing, "(Conflict_" \
            FileCloud, ".conflicted" pCloud, "-conflict" Cozy, "(1)", "2", "copy" and the like a file browser. \
            Whatever name a service gives it, a file is a copy if its name continues, after the stem of another set's \
            name, with no letter and no digit, and the bytes of both are the same.

            If a copy of a set has no original beside it, the original was renamed: then restore its name instead.
            """,
        effects: [Effect(.appliedTwice, .everyoneElse)],
        repair: .copy,
        remedy: ["Make sure that the original {subject} is there; then:", NamesRemedy.setAside],
        sources: "ticds-remote-format(5), 1.7; ticds-protocol(7), 7.7-1")

    static let copiedClientFolder = FindingKind(
        "TICDS-0211", .error, .names, "A conflicted copy of a client's folder of change sets",
        explanation: """
            Clients take the copy for one more client and apply every change set in it whose name they have not applied \
            yet. A set that the original holds under the same name is applied once, so it does no harm; a set that only \
            the copy holds reaches the others through the copy alone. Vacuum never cleans the copy, so that clients \
            which start later may apply old sets from it over newer edits. It has no device info, and the list of the \
            document's clients fails as a whole.

            Before you remove it, look for sets that only the copy contains: they must move to the original folder, \
            with their modification times, or their edits are lost.
            """,
        effects: [Effect(.breaksLists, .everyone), Effect(.appliedTwice, .newClients)],
        repair: .copy,
        remedy: [
            "See which sets only the copy holds, and move them to the original folder {subject} with mv -n; then:",
            NamesRemedy.setAside,
        ],
        sources: "ticds-protocol(7), 4.5, 7.7-1")

    static let copiedRecentSync = FindingKind(
        "TICDS-0212", .warning, .names, "A conflicted copy of a recent-sync file",
        explanation: """
            Vacuum keeps every change set that is younger than the oldest file in RecentSyncs. No client will ever renew \
            the date of the copy, so that from now on no set younger than it is removed. All variants count it where it \
            ends in .recentsync; the File Manager and iCloud variants count it whatever its name.
            """,
        effects: [Effect(.stopsVacuum, .everyone)], repair: .copy, remedy: [NamesRemedy.setAside],
        sources: "ticds-protocol(7), 4.9, 7.1-4, 7.7-1")

    static let copiedIntegrityKey = FindingKind(
        "TICDS-0213", .error, .names, "A conflicted copy of the integrity key",
        explanation: """
            The name of the file is the key, so that the copy is another key. Which of the two a client reads is \
            random. \
            One that reads the copy believes that the document was replaced: it throws its helper files away, and with \
            them the edits that were not yet sent, and cannot synchronise until the app registers the document again.

            A copy without its original is worse: all clients read a wrong key. Then give the file its old name back.
            """,
        effects: [Effect(.wipesUnsentEdits, .everyone), Effect(.blocks, .everyone)],
        repair: .copy,
        remedy: [
            "Let nobody start the app, make sure that the original {subject} is there; then:",
            NamesRemedy.setAside,
        ],
        sources: "ticds-protocol(7), 4.2, 4.8.1-1, 7.1-2, 7.7-1")

    static let copiedFile = FindingKind(
        "TICDS-0214", .note, .names, "A conflicted copy of some other file or folder",
        explanation: """
            A cloud service made a second file of one that clients know by a fixed name only, such as deviceInfo.plist, \
            documentInfo.plist or WholeStore.ticdsync, and nobody reads the copy. A copied folder of a document or of a \
            client's device appears as one more of them in the lists. Which of two copies of a file is the right one, \
            only their contents can tell. What \
            lies in a copy of a whole folder, such as SyncChanges, reaches nobody: see whether the original has it, too.
            """,
        effects: [Effect(.harmless, .nobody)],
        repair: .copy,
        remedy: [
            "Compare it with {subject}, and set the one aside that is not wanted:", NamesRemedy.setAside,
        ],
        sources: "ticds-protocol(7), 7.7-1")

    static let copiedWholeStore = FindingKind(
        "TICDS-0215", .warning, .names, "A conflicted copy of a client's folder of whole stores",
        explanation: """
            The copy counts as a whole store of one more client. It may be chosen when a new client downloads the store \
            with the latest date, and its own date holds back vacuum, since it is never renewed: change sets that are \
            younger than the oldest whole store stay for ever.
            """,
        effects: [Effect(.stopsVacuum, .everyone), Effect(.wrongData, .newClients)],
        repair: .copy, remedy: [NamesRemedy.setAside],
        sources: "ticds-remote-format(5), 1.5; ticds-protocol(7), 4.7, 4.9")
}
