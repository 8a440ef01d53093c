extension FindingArea {
    static let folders = FindingArea(
        digits: "01", title: "Folders and names",
        kinds: [
            .folderNotListed, .applicationFolderMissing, .documentFolderMissing, .wrongKindOfEntry,
            .symbolicLink, .specialFile, .nameTwin, .nameNotUTF8, .shortIdentifier, .noDocument,
            .vanishedWhileListed, .unusedFolderMissing,
        ])
}

extension FindingKind {
    package static let folderNotListed = FindingKind(
        "TICDS-0101", .error, .names, "A folder or an entry of it could not be listed",
        explanation: """
            The system refused to list a folder of the remote, or to report the kind and size of an entry in it: there \
            is no permission, a disk or a network drive is failing, or folders are nested deeper than any remote \
            needs. Nothing inside was checked, so that this verification is incomplete.

            Whether clients suffer depends on whether they may read what this program may not. If a client of the File \
            Manager variant cannot list the folder of another client, it takes that folder for empty and misses the \
            change sets in it.
            """, effects: [Effect(.notChecked, .everyone)],
        remedy: [
            "Move a folder that is nested too deep out of the remote. Otherwise:",
            "Look at the owner and the mode of the folder and of the folders above it; then verify again as their owner:",
            "ls -ld {file}",
        ], sources: "ticds-protocol(7), 1.8.1-3")

    package static let applicationFolderMissing = FindingKind(
        "TICDS-0102", .warning, .names, "A folder of the application is missing",
        explanation: """
            The first client of an application makes ClientDevices, Documents and Information/DeletedDocuments. \
            Folders get lost if a program that leaves out empty folders copies the remote (git, object stores, some \
            archivers), or if a cloud folder is only partly synchronised to this machine.

            A client that registers makes ClientDevices and its own folder in it, so that registration continues, and \
            a client that creates a document makes Documents. But until then lists fail: without ClientDevices, the \
            lists of clients fail and no client can be removed from a document; without Documents, the list of \
            documents fails. Without Information/DeletedDocuments no document can be deleted.
            """, effects: [Effect(.breaksLists, .everyone), Effect(.cannotRemove, .everyone)],
        repair: .folder,
        remedy: ["Make sure first that the whole cloud folder is on this machine; then:", makeFolder],
        sources: "ticds-remote-format(5), 1.3; ticds-protocol(7), 1.1, 1.11, 4.7-4")

    package static let documentFolderMissing = FindingKind(
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
            """, effects: [Effect(.blocks, .members), Effect(.cannotRegister, .newClients)], repair: .folder,
        remedy: [makeFolder], sources: "ticds-remote-format(5), 1.3; ticds-protocol(7), 1.2, 1.6, 1.8, 1.10")

    package static let wrongKindOfEntry = FindingKind(
        "TICDS-0104", .error, .names, "A file lies where a folder belongs, or a folder where a file belongs",
        explanation: """
            The framework uses this name, but for another kind of entry. A folder that is named like a file and holds \
            a file of the same name comes from the Dropbox variant: after the server had answered 503, it repeated the \
            upload into a folder with the name of the file, and took that for success in the case of salt and test \
            file. A file that is named like a folder comes from a broken copy.

            Clients cannot read the entry. If it is deviceInfo.plist or documentInfo.plist, lists fail. If it is the \
            salt or the test file, no client can register, and no registered client can start. A file in the place of \
            a document's folder has the effect of a missing folder.
            """, effects: [Effect(.cannotRegister, .newClients), Effect(.breaksLists, .everyone)],
        repair: .place,
        remedy: [
            "If it is a folder that contains the right file, set the folder aside, and put that file in its place:",
            setAside,
        ], sources: "ticds-protocol(7), 1.1 (DropboxSDK bug)")

    package static let symbolicLink = FindingKind(
        "TICDS-0105", .warning, .names, "A symbolic link lies in the remote",
        explanation: """
            No variant of the framework makes links. Cloud services do not transfer them to other machines, or \
            transfer the target once and never again, so that each machine sees something else. This program follows \
            no link inside a remote, so that it did not check the target.

            Clients on this machine take the link for the file or folder behind it, and for a stray if its name does \
            not belong there; on other machines the link is missing.
            """, effects: [Effect(.harmless, .nobody)], repair: .link,
        remedy: ["Set the link aside, and copy what it points to in its place (cp -p):", setAside],
        sources: "ticds-field-notes(7), 2-8")

    package static let specialFile = FindingKind(
        "TICDS-0106", .error, .names, "A fifo, a socket or a device lies in the remote",
        explanation: """
            No client and no sync service makes such a file; a person put it there, or a program that took the folder \
            for its own. A client that opens a fifo waits until somebody writes to it, which never happens. This \
            program did not open it.
            """, effects: [Effect(.blocks, .everyone)], repair: .place, remedy: [setAside],
        sources: "ticds-protocol(7), 4.1")

    package static let nameTwin = FindingKind(
        "TICDS-0107", .warning, .names, "Two names of a folder differ in letter case or Unicode form only",
        explanation: """
            On this file system these are two names; on a Mac or in Dropbox they are one. Such names come from a \
            client whose identifier was written in another case, from a file system that writes accents in the other \
            Unicode form, or from a cloud service that added both. If the remote lies on a volume that ignores case, \
            the contents of both fall into one folder, or one of them vanishes.

            The Dropbox variant compares paths letter by letter; if its server answers with the other spelling, an \
            operation never ends. In the other variants a client finds only the folder whose name is spelt exactly \
            like the client's own identifier: edits in the other folder look like those of a separate client without \
            device info.
            """, effects: [Effect(.blocks, .everyone), Effect(.breaksLists, .everyone)],
        remedy: [
            "Compare {file} with its twin {subject}: what only one of them contains belongs in the one that "
                + "ClientDevices names. Then set the other aside:", setAside,
        ], sources: "ticds-remote-format(5), 1.7; ticds-protocol(7), 4.7-6, 4.7-7")

    package static let nameNotUTF8 = FindingKind(
        "TICDS-0108", .warning, .names, "A name is not UTF-8",
        explanation: """
            The framework runs on systems whose file names are Unicode, so it never made this name. It comes from an \
            old archive, from a network drive with another encoding, or from a copy that cut a name in the middle of a \
            letter. Macs and cloud services do not show such a file, or show it under another name.

            A change set with such a name reaches no other client, and neither do the sets in a folder with such a \
            name.
            """, effects: [Effect(.silentlyLost, .everyoneElse)],
        remedy: [
            "If you know the right name, restore it with: mv -n {file} RIGHT-NAME. Otherwise set the entry aside:",
            setAside,
        ], sources: "ticds-protocol(7), 4.7-6")

    package static let shortIdentifier = FindingKind(
        "TICDS-0109", .warning, .names, "An identifier has fewer than five characters",
        explanation: """
            The framework leaves names of fewer than five characters out of its lists: such a client is missing from \
            the lists of clients, and such a document is missing from the list of documents. The File Manager and \
            iCloud variants synchronise them nevertheless; the Dropbox variant does not even fetch the change sets of \
            such a client, nor a change set whose own identifier is so short.
            """, effects: [Effect(.breaksLists, .everyone), Effect(.silentlyLost, .everyoneElse)],
        remedy: [
            "The app chooses identifiers; they cannot be changed in the remote. If the clients use only the File "
                + "Manager or iCloud variant, nothing needs to be done; the entry is only missing from lists."
        ], sources: "ticds-remote-format(5), 1.5; ticds-protocol(7), D-2")

    package static let noDocument = FindingKind(
        "TICDS-0110", .note, .names, "The remote holds no document",
        explanation: """
            Clients are registered, but there is no document: none was created yet, or the last one was deleted. A \
            cloud folder also looks like this if only a part of it is synchronised to this machine: then the \
            documents exist, and clients on this machine would create them a second time.
            """, effects: [Effect(.harmless, .nobody)],
        remedy: [
            "Make sure that the whole cloud folder is on this machine before you start any client here."
        ], sources: "ticds-protocol(7), 4.7-4")

    package static let vanishedWhileListed = FindingKind(
        "TICDS-0111", .note, .names, "A file or folder vanished while the remote was listed",
        explanation: """
            The listing of the folder named this entry, and a moment later the entry was gone. Clients rename and \
            remove files while they synchronise, so this is usual in a remote that is in use; a client that lists at \
            such a moment fails once and succeeds at its next synchronisation.
            """, effects: [Effect(.harmless, .nobody)], remedy: ["ticds-verify {remote}"],
        sources: "ticds-protocol(7), 1.9, 4.3-3")

    package static let unusedFolderMissing = FindingKind(
        "TICDS-0113", .note, .names, "An unused folder is missing",
        explanation: """
            The framework makes Encryption in every remote, even if nothing is encrypted, and \
            Information/DeletedClients, which nothing ever reads or writes. Programs that leave out empty folders lose \
            them when they copy a remote. Clients do not need them.

            If this remote was encrypted, the loss of Encryption is a disaster: without the salt every client takes \
            the remote for a plain one.
            """, effects: [Effect(.harmless, .nobody)], repair: .folder, remedy: [makeFolder],
        sources: "ticds-remote-format(5), 1.3; ticds-protocol(7), 1.1")
}
