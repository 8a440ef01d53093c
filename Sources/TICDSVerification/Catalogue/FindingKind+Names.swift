extension FindingKind {
    static let nameTwin = FindingKind(
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
            """,
        effects: [Effect(.blocks, .everyone), Effect(.breaksLists, .everyone)],
        remedy: [
            "Compare {file} with its twin {subject}: what only one of them contains belongs in the one that "
                + "ClientDevices names. Then set the other aside:",
            NamesRemedy.setAside,
        ],
        sources: "ticds-remote-format(5), 1.7; ticds-protocol(7), 7.7-6, 7.7-7")

    static let nameNotUTF8 = FindingKind(
        "TICDS-0108", .warning, .names, "A name is not UTF-8",
        explanation: """
            The framework runs on systems whose file names are Unicode, so it never made this name. It comes from an \
            old archive, from a network drive with another encoding, or from a copy that cut a name in the middle of a \
            letter. Macs and cloud services do not show such a file, or show it under another name.

            A change set with such a name reaches no other client, and neither do the sets in a folder with such a \
            name.
            """,
        effects: [Effect(.silentlyLost, .everyoneElse)],
        remedy: [
            "If you know the right name, restore it with: mv -n {file} RIGHT-NAME. Otherwise set the entry aside:",
            NamesRemedy.setAside,
        ],
        sources: "ticds-protocol(7), 7.7-6")

    static let shortIdentifier = FindingKind(
        "TICDS-0109", .warning, .names, "An identifier has fewer than five characters",
        explanation: """
            The framework leaves names of fewer than five characters out of its lists: such a client is missing from \
            the lists of clients, and such a document is missing from the list of documents. The File Manager and \
            iCloud variants synchronise them nevertheless; the Dropbox variant does not even fetch the change sets of \
            such a client, nor a change set whose own identifier is so short.
            """,
        effects: [Effect(.breaksLists, .everyone), Effect(.silentlyLost, .everyoneElse)],
        remedy: [
            "The app chooses identifiers; they cannot be changed in the remote. If the clients use only the File "
                + "Manager or iCloud variant, nothing needs to be done; the entry is only missing from lists."
        ],
        sources: "ticds-remote-format(5), 1.5; ticds-protocol(7), D-2")

    static let noDocument = FindingKind(
        "TICDS-0110", .note, .names, "The remote holds no document",
        explanation: """
            Clients are registered, but there is no document: none was created yet, or the last one was deleted. A \
            cloud folder also looks like this if only a part of it is synchronised to this machine: then the \
            documents exist, and clients on this machine would create them a second time.
            """,
        effects: [Effect(.harmless, .nobody)],
        remedy: [
            "Make sure that the whole cloud folder is on this machine before you start any client here."
        ],
        sources: "ticds-protocol(7), 7.7-4")

    static let vanishedWhileListed = FindingKind(
        "TICDS-0111", .note, .names, "A file or folder vanished while the remote was listed",
        explanation: """
            The listing of the folder named this entry, and a moment later the entry was gone. Clients rename and \
            remove files while they synchronise, so this is usual in a remote that is in use; a client that lists at \
            such a moment fails once and succeeds at its next synchronisation.
            """,
        effects: [Effect(.harmless, .nobody)], remedy: ["ticds-verify {remote}"],
        sources: "ticds-protocol(7), 4.9, 7.3-3")

    static let unusedFolderMissing = FindingKind(
        "TICDS-0113", .note, .names, "An unused folder is missing",
        explanation: """
            The framework makes Encryption in every remote, even if nothing is encrypted, and \
            Information/DeletedClients, which nothing ever reads or writes. Programs that leave out empty folders lose \
            them when they copy a remote. Clients do not need them.

            If this remote was encrypted, the loss of Encryption is a disaster: without the salt every client takes \
            the remote for a plain one.
            """,
        effects: [Effect(.harmless, .nobody)], repair: .folder, remedy: [NamesRemedy.makeFolder],
        sources: "ticds-remote-format(5), 1.3; ticds-protocol(7), 4.1")
}
