extension FindingArea {
    static let leftovers = FindingArea(
        digits: "09", title: "Leftovers that waste space",
        kinds: [.temporaryFiles, .quietClient, .deviceWithoutDocument])
}

extension FindingKind {
    package static let temporaryFiles = FindingKind(
        "TICDS-0901", .note, .names, "Uploads of whole stores have left temporary files",
        explanation: """
            Every upload of a whole store first writes to TemporaryFiles, copies the files to WholeStore, and leaves \
            the temporary files where they are until the same client uploads again. Every document therefore has \
            temporary files, as large as its whole stores; those of removed clients stay permanently. No client reads \
            them. The finding counts their bytes.
            """, effects: [Effect(.wastesSpace, .nobody)],
        remedy: [
            "Remove only these files, and no change sets:",
            "ticds-vacuum {remote} --document={document} --leftovers-only",
            "Or also the change sets that every client has:",
            "ticds-vacuum {remote} --document={document} --leftovers", "Or by hand:",
            "While no client uploads a whole store (leave the folder WholeStore itself in place):",
            "mkdir -p ~/ticds-set-aside/{document}/TemporaryFiles",
            "mv -n {file}/WholeStore/* \"$(mktemp -d ~/ticds-set-aside/{document}/TemporaryFiles/XXXXXX)\"",
        ], sources: "ticds-remote-format(5), 1.3; ticds-protocol(7), 1.6, 4.8")

    package static let quietClient = FindingKind(
        "TICDS-0902", .note, .names, "A client has been silent for more than half a year",
        explanation: """
            The other clients of the document have synchronised or sent change sets at least 180 days after this \
            client did so for the last time: its device was probably replaced. Only the client's own vacuum ever \
            removes its sets, and its old recent sync holds back the vacuum of all clients, in all variants: no vacuum \
            removes a set that is younger than that recent sync. The finding counts the bytes of the client's own \
            sets.

            If the client comes back, it will synchronise as if nothing had happened. If it was removed and then comes \
            back, it throws away its helper files, including the edits that it has not sent. The commands of the \
            remedy do what the framework does when it removes a client, in the same order. After that, clients that \
            have not fetched the removed client's sets never get them.
            """, effects: [Effect(.stopsVacuum, .everyone), Effect(.wastesSpace, .nobody)],
        remedy: [
            "If it will not come back, let all others synchronise, and let one of them upload its whole store. Then:",
            "ticds-client delete --document={document} -- {remote} {client}", "Or by hand:",
            "mkdir -p ~/ticds-set-aside/{document}/SyncChanges ~/ticds-set-aside/{document}/SyncCommands "
                + "~/ticds-set-aside/{document}/RecentSyncs ~/ticds-set-aside/{document}/WholeStore",
            "cp -p {remote}/ClientDevices/{client}/deviceInfo.plist "
                + "{remote}/Documents/{document}/DeletedClients/{client}.plist",
            "mv -n {remote}/Documents/{document}/SyncChanges/{client} ~/ticds-set-aside/{document}/SyncChanges/",
            "mv -n {remote}/Documents/{document}/SyncCommands/{client} ~/ticds-set-aside/{document}/SyncCommands/",
            "mv -n {remote}/Documents/{document}/RecentSyncs/{client}.recentsync ~/ticds-set-aside/{document}/RecentSyncs/",
            "mv -n {remote}/Documents/{document}/WholeStore/{client} ~/ticds-set-aside/{document}/WholeStore/",
        ], sources: "ticds-protocol(7), 1.9, 1.10, 4.8; ticds-field-notes(7), 2-4")

    package static let deviceWithoutDocument = FindingKind(
        "TICDS-0904", .note, .names, "A client of the application belongs to no document",
        explanation: """
            The client is registered with the application, but no document contains any files of it: it has not opened \
            a document yet, it was removed from all documents, or its documents were deleted. Nothing ever removes its \
            folder. The client appears in the list of clients, and a deleted document that is created again gets a \
            tombstone for it.

            If the client is still in use, it makes the folder again when it next registers.
            """, effects: [Effect(.harmless, .nobody)],
        remedy: ["ticds-client delete --from-application -- {remote} {client}", "Or by hand:", setAside],
        sources: "ticds-protocol(7), 1.1-B3, 1.2-A5, 1.10, 4.8")
}
