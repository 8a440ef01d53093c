extension FindingKind {
    package static let wholeStoreFolderEmpty = FindingKind(
        "TICDS-0313", .warning, .names, "A client's folder in WholeStore holds no whole store",
        explanation: """
            An upload was interrupted after it had deleted the old store, or an upload is running at this moment. The \
            vacuum of the Dropbox variant waits for the missing store permanently and blocks all later tasks of its \
            client. The File Manager variant skips the folder, but its vacuum fails if there is no other one. New \
            clients cannot start from this store.
            """, effects: [Effect(.stopsVacuum, .everyone, only: .dropbox)], repair: .wholeStore,
        remedy: [
            "Let the client upload its whole store again. If the client is no longer in use:", setAside,
        ], sources: "ticds-protocol(7), 1.6, 1.7, 1.9, 4.1-7")

    package static let noWholeStore = FindingKind(
        "TICDS-0314", .error, .names, "A document has change sets but no whole store",
        explanation: """
            A new client starts from a whole store that another client has uploaded. There is none, so that the \
            download fails with code 9 and no device can join, in all variants. Only the recent syncs limit the \
            vacuum: it removes sets that later clients could then find only in a whole store.
            """, effects: [Effect(.cannotDownload, .newClients)],
        remedy: [
            "Let a client that has all data upload its whole store, and let no client vacuum before that."
        ], sources: "ticds-protocol(7), 1.7-1, 1.9")

    package static let tombstoneOfDocument = FindingKind(
        "TICDS-0315", .note, .names, "A tombstone of a document that exists",
        explanation: """
            A deletion of the document was interrupted before it removed the document, or somebody copied the document \
            back. Clients look at the tombstone only if the document is missing, so that it does no harm now. But an \
            interrupted deletion may have removed a part of the document: see whether other findings indicate that.
            """, effects: [Effect(.harmless, .nobody)], repair: .trash, remedy: [setAside],
        sources: "ticds-protocol(7), 1.2-A, 1.11")

    package static let deviceTwice = FindingKind(
        "TICDS-0316", .note, .contents, "Two clients look like one device",
        explanation: """
            Two or more clients of the application have the same description and the same user info in their \
            deviceInfo.plist. Most often an application was installed again, or its settings were lost, and the device \
            registered again; the older client will never synchronise again. Two devices to which their owner gave the \
            same name look alike, too.

            A client that will never synchronise again keeps its change sets and its whole store permanently, and its \
            recent sync holds back the vacuum of all others. If both clients are still active on one device, each \
            takes the other for another device, which does no harm.
            """, effects: [Effect(.stopsVacuum, .everyoneElse), Effect(.wastesSpace, .nobody)],
        remedy: [
            "Find out which of the two is still in use, by the last synchronisation:",
            "ticds-inspect clients {remote}", "Then remove the other one:",
            "ticds-client delete {remote} CLIENT --from-application",
        ], sources: "ticds-field-notes(7), 3-2; ticds-protocol(7), 1.9")

    package static let wholeStoreOfNobody = FindingKind(
        "TICDS-0317", .warning, .names, "A whole store of an unknown client",
        explanation: """
            Neither the document nor the application has a client of this name, but no client checks that: new clients \
            choose the store if its date is the latest, and its date, which no client renews, holds back the vacuum. \
            Most likely somebody deleted the folders of a client by hand and left this store behind. A folder that \
            contains no store stops only the vacuum of the Dropbox variant, and no client chooses it. Before you \
            remove the store, make sure that there is another whole store; otherwise new clients cannot start.
            """, effects: [Effect(.stopsVacuum, .everyone)], repair: .wholeStore,
        remedy: [setAside], sources: "ticds-protocol(7), 1.7-1, 1.9")

    package static let syncCommands = FindingKind(
        "TICDS-0318", .note, .names, "There are sync commands",
        explanation: """
            The framework makes a folder in SyncCommands for every client, but commands were never implemented: no \
            known version writes .synccmd files, and none reads them. These files come from a private version of the \
            framework in the app.
            """, effects: [Effect(.harmless, .nobody)], remedy: [setAside],
        sources: "ticds-remote-format(5), 1.3, 1.4")
}
