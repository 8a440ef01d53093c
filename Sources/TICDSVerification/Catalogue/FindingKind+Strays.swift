extension FindingArea {
    static let strays = FindingArea(
        digits: "02", title: "Strays and cloud services",
        kinds: [
            .strayChangeSet, .hiddenAmongChangeSets, .strayAmongClients, .strayIntegrityKey, .strayRecentSync,
            .strayAmongDevices, .strayAmongDocuments, .strayAmongWholeStores, .strayElsewhere,
            .copiedChangeSet, .copiedClientFolder, .copiedRecentSync, .copiedIntegrityKey, .copiedFile,
            .copiedWholeStore, .cloudPlaceholder, .partialDownload, .emptyChangeSet, .emptyFile,
            .contentNotHere,
        ])
}

extension FindingKind {
    package static let strayChangeSet = FindingKind(
        "TICDS-0201", .error, .names, "A stray lies among the change sets of a client",
        explanation: """
            Clients take everything in the folder of another client for a change set, whatever its name: they cut off \
            the last extension, add .syncchg, and request that file. The file does not exist, so the download fails, \
            and with it the whole synchronisation: every client except the owner of the folder is blocked until the \
            stray is gone. Desktop systems (desktop.ini, Icon), editors and sync programs leave such files; a folder \
            does the same harm.

            Two cases differ. If the stray's own name ends in .syncchg, clients fetch it and apply it as a change set: \
            in a plain remote they take it for an empty set or crash, and in an encrypted remote it blocks them. If \
            the stray has the name of a set of the folder up to its extension, clients fetch that set twice: in a \
            plain remote this does no harm, but in an encrypted remote the second copy stops the File Manager and \
            Dropbox variants.
            """, effects: [Effect(.blocks, .everyoneElse)], repair: .trash, remedy: [setAside],
        sources: "ticds-remote-format(5), 1.5; ticds-protocol(7), 1.8.1, 4.1-1, 4.3-1")

    package static let hiddenAmongChangeSets = FindingKind(
        "TICDS-0202", .warning, .names, "A hidden file lies among the change sets of a client",
        explanation: """
            The File Manager and iCloud variants skip names that begin with a dot, so that their clients do not notice \
            the file. The Dropbox variant does not skip such names: it requests a change set of that name, does not \
            find it, and is blocked as by any other stray. Typical examples are .DS_Store and the ._ files that Macs \
            leave on foreign volumes.

            In 2017 Dropbox switched off the interface that this variant uses, so that no such client works any more.
            """, effects: [Effect(.blocks, .everyoneElse, only: .dropbox)], repair: .trash,
        remedy: [setAside], sources: "ticds-remote-format(5), 1.5, 1.7; ticds-protocol(7), 4.1-1")

    package static let strayAmongClients = FindingKind(
        "TICDS-0203", .warning, .names, "A stray lies among the clients' folders in SyncChanges",
        explanation: """
            Everything in SyncChanges counts as a client, even a plain file. Synchronisation still works: all variants \
            take the stray for a client without change sets. But the list of the document's clients looks for the \
            device info of that client and fails as a whole; names that begin with a dot are no exception. The Dropbox \
            variant lists folders only.
            """, effects: [Effect(.breaksLists, .everyone)], repair: .trash, remedy: [setAside],
        sources: "ticds-remote-format(5), 1.5; ticds-protocol(7), 1.5, 1.8.1-3, 4.1-3")

    package static let strayIntegrityKey = FindingKind(
        "TICDS-0204", .error, .names, "A stray lies beside the integrity key",
        explanation: """
            The name of the file in IntegrityKey is the key of the document, and clients take the first name of five \
            or more characters that the system lists. Which name comes first is a matter of chance: it may be the \
            stray, hidden or not. A client that finds another key than the one it remembers believes that the document \
            was replaced: it throws away its helper files, including all edits that it has not sent yet, and cannot \
            synchronise until the app registers the document again. A client that registers meanwhile remembers the \
            stray as the key, and the same happens to it when the stray is gone. All variants behave in this way.
            """, effects: [Effect(.wipesUnsentEdits, .everyone), Effect(.blocks, .everyone)], repair: .trash,
        remedy: [
            "First make sure that nobody starts the app, since the outcome of each synchronisation is a matter of chance. Then:",
            setAside,
        ], sources: "ticds-remote-format(5), 1.5; ticds-protocol(7), 1.2, 1.8.1-1, 4.1-2")

    package static let strayRecentSync = FindingKind(
        "TICDS-0205", .warning, .names, "A stray lies in RecentSyncs",
        explanation: """
            The vacuum keeps every change set that is younger than the oldest entry of RecentSyncs. The File Manager \
            and iCloud variants count every entry, including hidden files, and no client ever renews the date of a \
            stray: from now on the vacuum will never remove a set that is younger than the stray. The Dropbox variant \
            looks only at names that end in .recentsync.
            """, effects: [Effect(.stopsVacuum, .everyone)], repair: .trash, remedy: [setAside],
        sources: "ticds-remote-format(5), 1.5; ticds-protocol(7), 1.9, 4.1-4")

    package static let strayAmongDevices = FindingKind(
        "TICDS-0206", .warning, .names, "A stray lies among the clients' folders in ClientDevices",
        explanation: """
            A client that creates a deleted document again copies the device info of every entry in ClientDevices into \
            the new document, and a single failure ends the operation: while the stray is there, no client can create \
            a deleted document again. The File Manager and iCloud variants count hidden files, too; the Dropbox \
            variant counts those with five or more characters. The list of clients and all other operations still \
            work.
            """, effects: [Effect(.cannotRegister, .everyone)], repair: .trash, remedy: [setAside],
        sources: "ticds-remote-format(5), 1.5; ticds-protocol(7), 1.2-A5, 1.4, 4.1-5")

    package static let strayAmongDocuments = FindingKind(
        "TICDS-0207", .error, .names, "A stray file lies among the documents",
        explanation: """
            The File Manager and iCloud variants take every name in Documents that does not begin with a dot for a \
            document, and read its documentInfo.plist. If they cannot read a single one, the whole list fails: no \
            client can show which documents there are, so that new devices cannot open any. Clients that have their \
            document open continue. The Dropbox variant lists folders only.
            """, effects: [Effect(.breaksLists, .everyone)], repair: .trash, remedy: [setAside],
        sources: "ticds-remote-format(5), 1.5; ticds-protocol(7), 1.3, 4.1-6")

    package static let strayAmongWholeStores = FindingKind(
        "TICDS-0208", .note, .names, "A stray file lies among the whole stores",
        explanation: """
            A whole store is a folder that contains WholeStore.ticdsync. The File Manager and iCloud variants look \
            into every entry of WholeStore that is not hidden, and skip an entry that they cannot look into; the \
            Dropbox variant lists folders only. The stray makes a difference only while there is no whole store at \
            all: the vacuum and the download then fail with another error.
            """, effects: [Effect(.harmless, .nobody)], repair: .trash, remedy: [setAside],
        sources: "ticds-remote-format(5), 1.5; ticds-protocol(7), 1.7, 1.9")

    package static let strayElsewhere = FindingKind(
        "TICDS-0209", .note, .names, "A stray lies where no client looks",
        explanation: """
            The framework did not make this entry, but in this folder clients look only for files with fixed names, or \
            they skip a name like this one. The entry does no harm as long as it stays here.
            """, effects: [Effect(.harmless, .nobody)], repair: .trash, remedy: [setAside],
        sources: "ticds-remote-format(5), 1.3, 1.5")

    package static let cloudPlaceholder = FindingKind(
        "TICDS-0220", .warning, .names, "A placeholder of a cloud service: the file is not on this machine",
        explanation: """
            The cloud service keeps the file elsewhere and leaves another file in its place: iCloud a hidden \
            .NAME.icloud, Nextcloud a NAME.nextcloud of one byte, ownCloud a NAME.owncloud or, under the name of a \
            firm, a NAME.FIRM_virtual. For this program and for clients on this machine the file is missing: clients \
            do not see change sets, the vacuum removes too much if recent syncs or whole stores are missing, and \
            without its salt the remote looks like a plain one. Clients can take a placeholder in IntegrityKey for the \
            key itself, and then throw away unsent edits. A placeholder that is not hidden is also a stray: among \
            change sets it blocks the other clients of this machine. On other machines all may be well.

            The contents of such files were not checked. The commands of the suite that change something refuse while \
            there are placeholders.
            """, effects: [Effect(.harmless, .nobody)],
        remedy: ["Let the cloud service download the whole folder to this machine, and verify again."],
        sources: "ticds-protocol(7), 4.1-2, 4.7-4; ticds-field-notes(7), 2-8")

    package static let partialDownload = FindingKind(
        "TICDS-0221", .warning, .names, "A download that is not finished",
        explanation: """
            A sync program or a browser writes the file under a temporary name until it is complete. Clients do not \
            recognise such names, so that the file counts as a stray: among change sets it blocks the other clients \
            until it is gone, beside the integrity key clients can take it for the key, and in RecentSyncs it holds \
            back the vacuum. If the program that writes the file is still running, the file will disappear by itself.
            """, effects: [Effect(.harmless, .nobody)], repair: .trash,
        remedy: [
            "Wait until the sync program has finished, and verify again; set aside what is left:", setAside,
        ], sources: "ticds-protocol(7), 4.1, 4.7-3; ticds-field-notes(7), 2-8")

    package static let emptyChangeSet = FindingKind(
        "TICDS-0222", .error, .names, "A change set is an empty file",
        explanation: """
            A full disk or a copy cut the file off, or the cloud service keeps its content elsewhere (online-only). In \
            a plain remote clients download the file without complaint. What happens then depends on Core Data. Either \
            the framework replaces the set by an empty one and counts it as applied, so that this client silently \
            loses the edits for good; or the client crashes, and crashes again at every synchronisation. In an \
            encrypted remote the file cannot be decrypted, and blocks every client except its author.
            """, effects: [Effect(.silentlyLost, .everyoneElse), Effect(.crashes, .everyoneElse)],
        repair: .quarantine,
        remedy: [
            "Let the cloud service download it, or copy the set back from a back-up with its time (cp -p). If nobody "
                + "has it any more, set it aside before a client takes it for empty:", setAside,
        ], sources: "ticds-protocol(7), 4.3-1, 4.3-2; ticds-field-notes(7), 2-2")

    package static let emptyFile = FindingKind(
        "TICDS-0223", .error, .names, "A file that clients read is empty",
        explanation: """
            A full disk or a copy cut the file off, or the cloud service keeps its content elsewhere (online-only). An \
            empty deviceInfo.plist makes the list of clients fail, and an empty documentInfo.plist makes the list of \
            all documents fail. With an empty salt every client derives a wrong key; with an empty test file no client \
            can check its password. A new client installs an empty whole store as if it were intact; an empty register \
            beside a whole store makes the new client apply again all change sets that the store already contains.

            Clients use only the names and times of integrity keys, recent syncs and tombstones; empty ones do no \
            harm. An empty recent sync or tombstone is TICDS-0716.
            """, effects: [Effect(.breaksLists, .everyone)], repair: .quarantine, remedy: [fromBackup],
        sources: "ticds-remote-format(5), 1.4; ticds-protocol(7), 1.1, 1.3, 1.5, 1.7, 4.6-2")

    package static let contentNotHere = FindingKind(
        "TICDS-0224", .error, .names, "A file whose content is not on this machine",
        explanation: """
            The file has its name and perhaps its size, but it contains one byte, or nothing but zeros. Cloud services \
            that keep files elsewhere (online-only) leave such files: iCloud since 2023, OneDrive, Dropbox, Google \
            Drive. If somebody copies a folder with such files, the copy contains them, too, and they stay there for \
            good. A power failure can also fill a file with zeros; the file does not show what happened.

            Clients on this machine read what is there and find a damaged file. On other machines all may be well. The \
            contents of the file were not checked, and the commands of the suite that change something refuse while \
            the file is in this state.

            Every level checks the size, and whether the file system counts any block for the file. A file of zeros \
            that has blocks is found only when files are opened, from the level headers on. Clients use only the names \
            and times of integrity keys, recent syncs and tombstones; without content these do no harm and are not \
            reported.
            """, effects: [Effect(.breaksLists, .everyone)],
        remedy: [
            "Let the cloud service download the whole folder to this machine, and verify again. If the service has "
                + "lost the content, too:", fromBackup,
        ], sources: "ticds-protocol(7), 4.3-1, 4.7-4; ticds-field-notes(7), 2-8")
}
