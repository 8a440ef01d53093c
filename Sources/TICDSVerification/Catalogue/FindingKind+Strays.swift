extension FindingArea {
    static let strays = FindingArea(
        "02", "Strays and cloud services",
        [
            .strayChangeSet, .hiddenAmongChangeSets, .strayAmongClients, .strayIntegrityKey, .strayRecentSync,
            .strayAmongDevices, .strayAmongDocuments, .strayAmongWholeStores, .strayElsewhere,
            .copiedChangeSet, .copiedClientFolder, .copiedRecentSync, .copiedIntegrityKey, .copiedFile,
            .copiedWholeStore, .cloudPlaceholder, .partialDownload, .emptyChangeSet, .emptyFile,
            .contentNotHere,
        ])
}

extension FindingKind {
    static let strayChangeSet = FindingKind(
        "TICDS-0201", .error, .names, "A stray lies among the change sets of a client",
        explanation: """
            Clients take everything in the folder of another client for a change set, whatever its name: they cut the \
            last extension off, add .syncchg, and ask for that file. It does not exist, the download fails, and with it \
            the whole synchronisation: every client but the owner of the folder is blocked until the stray is gone. \
            Desktop systems (desktop.ini, Icon), editors and sync programs leave such files; a folder does the same harm.

            Two cases differ. A stray whose own name ends in .syncchg is fetched and applied as a change set: where \
            nothing is encrypted it is swallowed as an empty one or crashes the client, where the remote is encrypted \
            it blocks. A stray that is named like a set of the folder up to its extension makes clients fetch that set \
            twice: without harm where nothing is encrypted, while in an encrypted remote the second copy stops the \
            File Manager and Dropbox variants.
            """,
        effects: [Effect(.blocks, .everyoneElse)], repair: .trash, remedy: [NamesRemedy.setAside],
        sources: "ticds-remote-format(5), 1.5; ticds-protocol(7), 4.8.1, 7.1-1, 7.3-1")

    static let hiddenAmongChangeSets = FindingKind(
        "TICDS-0202", .warning, .names, "A hidden file lies among the change sets of a client",
        explanation: """
            Names that begin with a dot are skipped by the File Manager and iCloud variants, so that clients of these \
            do not notice it. The Dropbox variant does not skip them: it asks for a change set of that name, does not \
            find it, and is blocked like by any stray. Typical are .DS_Store and the ._ files that Macs leave on foreign \
            volumes.

            Dropbox switched off the interface that this variant uses in 2017, so that no such client lives any more.
            """,
        effects: [Effect(.blocks, .everyoneElse, only: .dropbox)], repair: .trash,
        remedy: [NamesRemedy.setAside],
        sources: "ticds-remote-format(5), 1.5, 1.7; ticds-protocol(7), 7.1-1")

    static let strayAmongClients = FindingKind(
        "TICDS-0203", .warning, .names, "A stray lies among the clients' folders in SyncChanges",
        explanation: """
            Everything in SyncChanges counts as a client, even a plain file. Synchronisation still works: all variants \
            take it for a client without change sets. But the list of the document's clients looks for device info of \
            that name and fails as a whole; names that begin with a dot are no exception. The Dropbox variant lists \
            folders only.
            """,
        effects: [Effect(.breaksLists, .everyone)],
        repair: .trash, remedy: [NamesRemedy.setAside],
        sources: "ticds-remote-format(5), 1.5; ticds-protocol(7), 4.5, 4.8.1-3, 7.1-3")

    static let strayIntegrityKey = FindingKind(
        "TICDS-0204", .error, .names, "A stray lies beside the integrity key",
        explanation: """
            The name of the file in IntegrityKey is the key of the document, and clients take the first name of five or \
            more characters that the system lists. Which one is first is chance: it may be the stray, hidden or not. \
            A client that finds another key than the one it remembers believes that the document was replaced: it \
            throws its helper files away, and with them all edits that were not yet sent, and cannot synchronise until \
            the app registers the document again. A client that registers meanwhile remembers the stray as the key, and \
            suffers the same when it is gone. All variants do so.
            """,
        effects: [Effect(.wipesUnsentEdits, .everyone), Effect(.blocks, .everyone)],
        repair: .trash,
        remedy: [
            "First make sure that nobody starts the app, since the outcome of each synchronisation is random. Then:",
            NamesRemedy.setAside,
        ],
        sources: "ticds-remote-format(5), 1.5; ticds-protocol(7), 4.2, 4.8.1-1, 7.1-2")

    static let strayRecentSync = FindingKind(
        "TICDS-0205", .warning, .names, "A stray lies in RecentSyncs",
        explanation: """
            Vacuum keeps every change set that is younger than the oldest entry of RecentSyncs. The File Manager and \
            iCloud variants count every entry, hidden files too, and nobody ever renews the date of a stray: from now on \
            no set that is younger than it will be removed, for ever. The Dropbox variant only looks at names that end in \
            .recentsync.
            """,
        effects: [Effect(.stopsVacuum, .everyone)], repair: .trash, remedy: [NamesRemedy.setAside],
        sources: "ticds-remote-format(5), 1.5; ticds-protocol(7), 4.9, 7.1-4")

    static let strayAmongDevices = FindingKind(
        "TICDS-0206", .warning, .names, "A stray lies among the clients' folders in ClientDevices",
        explanation: """
            When a deleted document is created again, the device info of everything in ClientDevices is copied into \
            the new document, and one failure ends the operation: with the stray there, no deleted document can be \
            created again. The File Manager and iCloud variants count hidden files too; the Dropbox variant those of \
            five and more characters. The list of clients and all other operations still work.
            """,
        effects: [Effect(.cannotRegister, .everyone)], repair: .trash, remedy: [NamesRemedy.setAside],
        sources: "ticds-remote-format(5), 1.5; ticds-protocol(7), 4.2-A5, 4.4, 7.1-5")

    static let strayAmongDocuments = FindingKind(
        "TICDS-0207", .error, .names, "A stray file lies among the documents",
        explanation: """
            The File Manager and iCloud variants take every name in Documents that does not begin with a dot for a \
            document, and read its documentInfo.plist. One that cannot be read fails the whole list: no client can \
            show which documents there are, so that new devices cannot open any. Clients that have their document \
            open continue. The Dropbox variant lists folders only.
            """,
        effects: [Effect(.breaksLists, .everyone)], repair: .trash, remedy: [NamesRemedy.setAside],
        sources: "ticds-remote-format(5), 1.5; ticds-protocol(7), 4.3, 7.1-6")

    static let strayAmongWholeStores = FindingKind(
        "TICDS-0208", .note, .names, "A stray file lies among the whole stores",
        explanation: """
            A whole store is a folder with WholeStore.ticdsync in it; the File Manager and iCloud variants look into \
            everything in WholeStore that is not hidden and pass over what they cannot look into, the Dropbox variant \
            lists folders only. Only while there is no whole store at all does the stray change anything: vacuum and \
            download then fail with another error.
            """,
        effects: [Effect(.harmless, .nobody)], repair: .trash, remedy: [NamesRemedy.setAside],
        sources: "ticds-remote-format(5), 1.5; ticds-protocol(7), 4.7, 4.9")

    static let strayElsewhere = FindingKind(
        "TICDS-0209", .note, .names, "A stray lies where nobody looks",
        explanation: """
            The framework did not make it, but in this folder clients look for files of fixed names only, or they pass \
            over a name like this. It does no harm as long as it stays here.
            """,
        effects: [Effect(.harmless, .nobody)], repair: .trash, remedy: [NamesRemedy.setAside],
        sources: "ticds-remote-format(5), 1.3, 1.5")
}
