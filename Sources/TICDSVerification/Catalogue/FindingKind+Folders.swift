extension FindingArea {
    static let folders = FindingArea(
        "01", "Folders and names",
        [
            .folderNotListed, .applicationFolderMissing, .documentFolderMissing, .wrongKindOfEntry,
            .symbolicLink, .specialFile, .nameTwin, .nameNotUTF8, .shortIdentifier, .noDocument,
            .vanishedWhileListed, .unusedFolderMissing,
        ])
}

extension FindingKind {
    static let folderNotListed = FindingKind(
        "TICDS-0101", .error, .names, "A folder or an entry of it could not be listed",
        explanation: """
            The system refused to list a folder of the remote, or to tell the kind and size of something in it: no \
            permission, a failing disk or network drive, or folders nested deeper than any remote needs. Nothing \
            inside was checked, so that this verification is not complete.

            Whether clients suffer depends on whether they may read what this program may not. A client of the File \
            Manager variant takes a client's folder that it cannot list for an empty one and misses its change sets.
            """,
        effects: [Effect(.harmless, .nobody)],
        repair: .byHand,
        remedy: [
            "Look at the owner and the mode of the folder and of those above it; then verify again, as its owner:",
            "ls -ld {file}",
        ],
        sources: "ticds-protocol(7), 4.8.1-3")

    static let applicationFolderMissing = FindingKind(
        "TICDS-0102", .warning, .names, "A folder of the application is missing",
        explanation: """
            The first client of an application makes ClientDevices, Documents and Information/DeletedDocuments. They get lost in copies by programs that leave empty folders out (git, object \
            stores, some archivers), or because a cloud folder is only partly synchronised to this machine.

            A client that registers makes ClientDevices and its own folder in it, so that registration continues, and \
            a client that creates a document makes Documents. But until then lists fail: without ClientDevices those \
            of clients, and no client can be removed from a document; without Documents that of documents. Without \
            Information/DeletedDocuments no document can be deleted.
            """,
        effects: [Effect(.breaksLists, .everyone), Effect(.cannotRemove, .everyone)],
        repair: .folder,
        remedy: [
            "Make sure first that the whole cloud folder is on this machine; then:", NamesRemedy.makeFolder,
        ],
        sources: "ticds-remote-format(5), 1.3; ticds-protocol(7), 4.1, 4.11, 7.7-4")

    static let documentFolderMissing = FindingKind(
        "TICDS-0103", .error, .names, "A folder of a document is missing",
        explanation: """
            A document is created with the folders SyncChanges, SyncCommands, RecentSyncs, DeletedClients, WholeStore \
            and TemporaryFiles/WholeStore, and no client makes them again. Copies by programs that leave out empty \
            folders lose them.

            Without SyncChanges every synchronisation of the members fails, and no client can register. Without \
            SyncCommands the removal of a client stops halfway, after its change sets are gone, and the first \
            registration of a new client fails; the next one succeeds. Without RecentSyncs clients silently do not \
            record their synchronisations, and vacuum fails. Without DeletedClients no client can be \
            removed from the document. Without WholeStore no whole store can be uploaded or downloaded, and vacuum \
            fails. Without TemporaryFiles/WholeStore no whole store can be uploaded. These are the File Manager and \
            iCloud variants; Dropbox's server makes most missing folders itself.
            """,
        effects: [Effect(.blocks, .members), Effect(.cannotRegister, .newClients)],
        repair: .folder, remedy: [NamesRemedy.makeFolder],
        sources: "ticds-remote-format(5), 1.3; ticds-protocol(7), 4.2, 4.6, 4.8, 4.10")

    static let wrongKindOfEntry = FindingKind(
        "TICDS-0104", .error, .names, "A file lies where a folder belongs, or a folder where a file belongs",
        explanation: """
            The name is one that the framework uses, but for another kind of entry. A folder named like a file and \
            holding a file of the same name comes from the Dropbox variant: after an answer 503 of the server it \
            repeated the upload into a folder of the file's name, and in the case of salt and test file took that for \
            success. A file named like a folder comes from broken copies.

            Clients cannot read it. With deviceInfo.plist or documentInfo.plist lists fail; with the salt or the test file \
            no client can register, and none that is registered can start; where a folder of a document is a file it is \
            as if the folder were missing.
            """,
        effects: [Effect(.cannotRegister, .newClients), Effect(.breaksLists, .everyone)],
        repair: .place,
        remedy: [
            "If it is a folder that holds the right file, put that file in its place from the folder set aside:",
            NamesRemedy.setAside,
        ],
        sources: "ticds-protocol(7), 4.1 (DropboxSDK bug)")

    static let symbolicLink = FindingKind(
        "TICDS-0105", .warning, .names, "A symbolic link lies in the remote",
        explanation: """
            No variant of the framework makes links. Cloud services do not transfer them to other machines, or \
            transfer the target once and never again, so that each machine sees something else. This program follows \
            no link inside a remote: its target was not checked.

            To clients on this machine a link counts as the file or folder behind it, and as a stray where it has a \
            name that does not belong there; on other machines it is missing.
            """,
        effects: [Effect(.harmless, .nobody)],
        repair: .link,
        remedy: [
            "Set the link aside, and copy what it points to in its place (cp -p):", NamesRemedy.setAside,
        ],
        sources: "ticds-field-notes(7), 2-8")

    static let specialFile = FindingKind(
        "TICDS-0106", .error, .names, "A fifo, a socket or a device lies in the remote",
        explanation: """
            Nothing that synchronises makes such a file; it was put there by hand or by a program that took the folder \
            for its own. A client that opens a fifo waits until somebody writes to it, that is for ever. This program \
            did not open it.
            """,
        effects: [Effect(.blocks, .everyone)], repair: .place, remedy: [NamesRemedy.setAside],
        sources: "ticds-protocol(7), 7.1")
}
