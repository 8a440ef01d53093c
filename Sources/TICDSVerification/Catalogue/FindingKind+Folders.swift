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
            The system refused to list a folder of the remote, or to report the kind and size of an entry in it: there \
            is no permission, a disk or a network drive is failing, or folders are nested deeper than any remote \
            needs. Nothing inside was checked, so that this verification is incomplete.

            Whether clients suffer depends on whether they may read what this program may not. If a client of the File \
            Manager variant cannot list the folder of another client, it takes that folder for empty and misses the \
            change sets in it.
            """,
        effects: [Effect(.harmless, .nobody)],
        remedy: [
            "Look at the owner and the mode of the folder and of the folders above it; then verify again as their owner:",
            "ls -ld {file}",
        ],
        sources: "ticds-protocol(7), 4.8.1-3")

    static let applicationFolderMissing = FindingKind(
        "TICDS-0102", .warning, .names, "A folder of the application is missing",
        explanation: """
            The first client of an application makes ClientDevices, Documents and Information/DeletedDocuments. \
            Folders get lost if a program that leaves out empty folders copies the remote (git, object stores, some \
            archivers), or if a cloud folder is only partly synchronised to this machine.

            A client that registers makes ClientDevices and its own folder in it, so that registration continues, and \
            a client that creates a document makes Documents. But until then lists fail: without ClientDevices, the \
            lists of clients fail and no client can be removed from a document; without Documents, the list of \
            documents fails. Without Information/DeletedDocuments no document can be deleted.
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
            and TemporaryFiles/WholeStore, and no client makes them again. Programs that leave out empty folders lose \
            them when they copy a remote.

            Without SyncChanges every synchronisation of the members fails, and no client can register. Without \
            SyncCommands the removal of a client stops halfway, after its change sets are gone, and the first \
            registration of a new client fails; the next one succeeds. Without RecentSyncs clients silently fail to \
            record their synchronisations, and the vacuum fails. Without DeletedClients no client can be removed from \
            the document. Without WholeStore no whole store can be uploaded or downloaded, and the vacuum fails. \
            Without TemporaryFiles/WholeStore no whole store can be uploaded. This is true of the File Manager and \
            iCloud variants; the server of Dropbox makes most missing folders itself.
            """,
        effects: [Effect(.blocks, .members), Effect(.cannotRegister, .newClients)],
        repair: .folder, remedy: [NamesRemedy.makeFolder],
        sources: "ticds-remote-format(5), 1.3; ticds-protocol(7), 4.2, 4.6, 4.8, 4.10")

    static let wrongKindOfEntry = FindingKind(
        "TICDS-0104", .error, .names, "A file lies where a folder belongs, or a folder where a file belongs",
        explanation: """
            The framework uses this name, but for another kind of entry. A folder that is named like a file and holds \
            a file of the same name comes from the Dropbox variant: after the server had answered 503, it repeated the \
            upload into a folder with the name of the file, and took that for success in the case of salt and test \
            file. A file that is named like a folder comes from a broken copy.

            Clients cannot read the entry. If it is deviceInfo.plist or documentInfo.plist, lists fail. If it is the \
            salt or the test file, no client can register, and no registered client can start. A file in the place of \
            a document's folder has the effect of a missing folder.
            """,
        effects: [Effect(.cannotRegister, .newClients), Effect(.breaksLists, .everyone)],
        repair: .place,
        remedy: [
            "If it is a folder that contains the right file, set the folder aside, and put that file in its place:",
            NamesRemedy.setAside,
        ],
        sources: "ticds-protocol(7), 4.1 (DropboxSDK bug)")

    static let symbolicLink = FindingKind(
        "TICDS-0105", .warning, .names, "A symbolic link lies in the remote",
        explanation: """
            No variant of the framework makes links. Cloud services do not transfer them to other machines, or \
            transfer the target once and never again, so that each machine sees something else. This program follows \
            no link inside a remote, so that it did not check the target.

            Clients on this machine take the link for the file or folder behind it, and for a stray if its name does \
            not belong there; on other machines the link is missing.
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
            No client and no sync service makes such a file; a person put it there, or a program that took the folder \
            for its own. A client that opens a fifo waits until somebody writes to it, which never happens. This \
            program did not open it.
            """,
        effects: [Effect(.blocks, .everyone)], repair: .place, remedy: [NamesRemedy.setAside],
        sources: "ticds-protocol(7), 7.1")
}
