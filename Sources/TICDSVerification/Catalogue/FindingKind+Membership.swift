extension FindingArea {
    static let membership = FindingArea(
        digits: "03", title: "Documents, clients and integrity keys",
        kinds: [
            .documentInfoMissing, .integrityKeyMissing, .severalIntegrityKeys, .shortIntegrityKey,
            .deviceMissing, .deviceInfoMissing, .tombstoneOfMember, .changeSetFolderGone,
            .commandFolderMissing, .removalInterrupted, .recentSyncMissing, .recentSyncOfNobody,
            .wholeStoreFolderEmpty, .noWholeStore, .tombstoneOfDocument, .deviceTwice,
            .wholeStoreOfNobody, .syncCommands,
        ])
}

extension FindingKind {
    package static let documentInfoMissing = FindingKind(
        "TICDS-0301", .error, .names, "A document has no documentInfo.plist",
        explanation: """
            The list of documents reads this file of every document, and fails as a whole if it cannot read a single \
            one, in all variants: no client can show which documents there are, so that new devices cannot open any. \
            No client can delete this document, either. Clients that have their document open synchronise as before.

            Readers take the identifier from the folder's name, so that a file that contains only a description is \
            enough. In an encrypted remote the file must be encrypted, which a shell cannot do: there only a back-up \
            helps.
            """, effects: [Effect(.breaksLists, .everyone), Effect(.cannotRemove, .everyone)],
        repair: .information,
        remedy: [
            "Restore it from a back-up (cp -p). If there is no back-up and the remote is not encrypted:",
            "printf '<?xml version=\"1.0\" encoding=\"UTF-8\"?><plist version=\"1.0\"><dict>"
                + "<key>kTICDSDocumentDescription</key><string>Recovered</string></dict></plist>' "
                + "> ~/ticds-recovered.plist && mv -n ~/ticds-recovered.plist {file}",
        ], sources: "ticds-remote-format(5), 1.4; ticds-protocol(7), 1.3, 1.11, 4.1-6")

    package static let integrityKeyMissing = FindingKind(
        "TICDS-0302", .error, .names, "A document has no integrity key",
        explanation: """
            The name of the one file in IntegrityKey is the document's key. Without a key no client can register with \
            the document, and every synchronisation fails with code 21 before it begins. When the framework looks for \
            the text of that error, it reads past the end of a table and may crash. Documents from before 2011-07-31 \
            never had a key.

            No client reads the content of the file, so that an empty file is enough. But its name must be the key \
            that the clients remember (user defaults, TICDSync.integrityKey.DOCUMENT): a client that remembers another \
            key throws away its helper files, including the edits that it has not sent yet. If none of the clients \
            will synchronise again, any name of five or more characters will do.
            """, effects: [Effect(.blocks, .everyone), Effect(.cannotRegister, .newClients)],
        remedy: [
            "Restore the old file from a back-up, or make a file whose name is the key that a client remembers in its "
                + "user defaults under TICDSync.integrityKey.{document}:",
            "ticds-integrity reset {remote} --document={document} --key KEY", "Or by hand:",
            "mkdir -p {file} && touch {file}/KEY",
        ], sources: "ticds-remote-format(5), 1.4, 2; ticds-protocol(7), 1.2, 1.8.1-1, 4.2-6, 4.9-1")

    package static let severalIntegrityKeys = FindingKind(
        "TICDS-0303", .error, .names, "A document has more than one integrity key",
        explanation: """
            Two clients created the document at the same moment, or a back-up was copied over it. Clients take the \
            first name that the system lists, which is a matter of chance. A client that finds another key than the \
            one that it remembers believes that the document was replaced: it throws away its helper files, including \
            the edits that it has not sent yet, and cannot synchronise until the app registers the document again. All \
            variants behave in this way.

            The finding names the newest key. The right key is the one that most clients remember, usually the oldest.
            """, effects: [Effect(.wipesUnsentEdits, .everyone), Effect(.blocks, .everyone)],
        repair: .integrityKey,
        remedy: [
            "Do not let anybody start the app. Find out which key the clients remember (user defaults, "
                + "TICDSync.integrityKey.{document}), and keep that one:",
            "ticds-integrity reset {remote} --document={document} --key KEY",
            "Or set the others aside by hand, such as this one:", setAside,
        ], sources: "ticds-remote-format(5), 1.5; ticds-protocol(7), 1.2, 1.8.1-1, 4.6-5")

    package static let shortIntegrityKey = FindingKind(
        "TICDS-0304", .error, .names, "The only integrity key has fewer than five characters",
        explanation: """
            All variants skip names of fewer than five characters when they look for the key, so that the document \
            counts as one without a key: no client can register with it, and every synchronisation fails with code 21. \
            No version of the framework makes such a key; the name was truncated or changed.
            """, effects: [Effect(.blocks, .everyone), Effect(.cannotRegister, .newClients)],
        remedy: [
            "Give the document the key that the clients remember in their user defaults under "
                + "TICDSync.integrityKey.{document}:",
            "ticds-integrity reset {remote} --document={document} --key KEY",
            "Or rename the file by hand: mv -n {file} KEY",
        ], sources: "ticds-remote-format(5), 1.5; ticds-protocol(7), 1.2, 4.2-6, D-2")

    package static let deviceMissing = FindingKind(
        "TICDS-0305", .warning, .names, "A client of a document is not registered with the application",
        explanation: """
            SyncChanges of a document has a folder of this client, but ClientDevices has none, so that no client knows \
            its device. The list of the document's clients reads the device info of each client, and fails as a whole \
            in all variants; with encryption the File Manager variant may even wait permanently. The client cannot be \
            removed from the document, because its tombstone would be a copy of its device info. Synchronisation \
            works.

            The client writes its device info again when it next registers with the application.
            """, effects: [Effect(.breaksLists, .everyone), Effect(.cannotRemove, .thisClient)],
        repair: .information, remedy: writeDeviceInfo(in: "{file}"),
        sources: "ticds-protocol(7), 1.1-B, 1.5, 1.10-3, 4.1-5")

    package static let deviceInfoMissing = FindingKind(
        "TICDS-0306", .warning, .names, "A client has no deviceInfo.plist",
        explanation: """
            The client's folder in ClientDevices exists, but its device info is missing, and will stay missing: a \
            client that finds its folder does not look into it. No client can create a deleted document again, since \
            that copies the device info of every client. If the client belongs to a document, the list of that \
            document's clients fails, and the client cannot be removed from the document. The list of the \
            application's clients merely leaves the client out. Synchronisation works. All variants behave in this \
            way. If the client belongs to no document, the missing device info only prevents clients from creating a \
            deleted document again.
            """, effects: [Effect(.breaksLists, .everyone), Effect(.cannotRemove, .thisClient)],
        repair: .information, remedy: writeDeviceInfo(in: "{remote}/ClientDevices/{client}"),
        sources: "ticds-protocol(7), 1.1-B, 1.2-A5, 1.4, 1.5, 1.10-3, 4.1-5")

    package static let tombstoneOfMember = FindingKind(
        "TICDS-0307", .warning, .names, "A tombstone of a client that is still there",
        explanation: """
            DeletedClients says that this client was removed from the document, and yet SyncChanges has its folder. \
            Either a removal was interrupted before it removed anything, or the client was removed while it was \
            running: the Dropbox and iCloud variants create their folder again and continue. If the folder of such a \
            client is missing for a moment while the client registers, the client assumes that it was removed, and \
            throws away its helper files, including the edits that it has not sent yet.
            """, effects: [Effect(.wipesUnsentEdits, .thisClient)], repair: .trash,
        remedy: [
            "If the client is in use, set its tombstone aside:", setAside,
            "If it is not in use, remove it again:",
            "ticds-client delete --document={document} -- {remote} {client}",
        ], sources: "ticds-protocol(7), 1.2-B2, 1.10, 4.2-5")

    package static let changeSetFolderGone = FindingKind(
        "TICDS-0308", .error, .names,
        "A client's folder of change sets is gone, and the client does not notice",
        explanation: """
            The client left traces in the document (a recent sync, a whole store or its folder in SyncCommands), but \
            it has no folder in SyncChanges, and no tombstone says that it was removed. Somebody deleted the folder, \
            or a copy left it out because it was empty. The client registers without complaint, since it remembers the \
            key. The File Manager variant then fails at the end of every synchronisation, when it uploads its own \
            edits: it receives but never sends. The Dropbox and iCloud variants make the folder again.

            Change sets that were in the folder and that others had not fetched are lost. Meanwhile, a recent sync of \
            the client holds back the vacuum of all clients.
            """, effects: [Effect(.blocks, .thisClient), Effect(.stopsVacuum, .everyone)], repair: .folder,
        remedy: [
            "mkdir -p {remote}/Documents/{document}/SyncChanges/{client} "
                + "{remote}/Documents/{document}/SyncCommands/{client}"
        ], sources: "ticds-protocol(7), 1.2-B3, 4.2-3, 4.2-4, D-4")

    package static let commandFolderMissing = FindingKind(
        "TICDS-0309", .warning, .names, "A client of a document has no folder in SyncCommands",
        explanation: """
            The folder is always empty, so that programs which leave out empty folders lose it when they copy a \
            remote. Synchronisation does not need the folder. But if a client of the File Manager variant removes this \
            client from the document, it fails after it has deleted the change sets and before it deletes the recent \
            sync and the whole store. The Dropbox variant has no problem.
            """, effects: [Effect(.cannotRemove, .thisClient)], repair: .folder,
        remedy: [makeFolder], sources: "ticds-protocol(7), 1.10-5, 4.2-4")

    package static let removalInterrupted = FindingKind(
        "TICDS-0310", .warning, .names, "A removed client left files behind, or is still running",
        explanation: """
            There is a tombstone, and the client's change sets are gone, but its folder in SyncCommands, its recent \
            sync or its whole store remains. Either the removal was interrupted, or the client was running: while it \
            has nothing to send, it synchronises without an error and writes its recent-sync file again each time. In \
            that case quit its app, or start it again, first. Removing the client again with the framework has no \
            effect: the framework sees no folder in SyncChanges and reports success. A recent sync that no client \
            renews holds back the vacuum of all clients permanently; new clients may still choose the whole store; and \
            because of the folder in SyncCommands, the next registration of the client fails once.
            """, effects: [Effect(.stopsVacuum, .everyone), Effect(.cannotRegister, .thisClient)],
        repair: .removal,
        remedy: [
            "After you have quit the client's app:",
            "ticds-client delete --document={document} -- {remote} {client}", "Or step by step:",
            "mkdir -p ~/ticds-set-aside/{document}/RecentSyncs ~/ticds-set-aside/{document}/SyncCommands "
                + "~/ticds-set-aside/{document}/WholeStore", "Move away those of the three that exist:",
            "mv -n {remote}/Documents/{document}/SyncCommands/{client} ~/ticds-set-aside/{document}/SyncCommands/",
            "mv -n {remote}/Documents/{document}/RecentSyncs/{client}.recentsync ~/ticds-set-aside/{document}/RecentSyncs/",
            "mv -n {remote}/Documents/{document}/WholeStore/{client} ~/ticds-set-aside/{document}/WholeStore/",
        ], sources: "ticds-protocol(7), 1.10, 4.2-4")

    package static let recentSyncMissing = FindingKind(
        "TICDS-0311", .warning, .names, "A client of a document has no recent-sync file",
        explanation: """
            Each client writes its recent-sync file at the end of every synchronisation; its date keeps the other \
            clients from removing change sets that this one has not fetched. Without this file the client is not \
            protected: a vacuum may remove sets that it still needs. Either the client registered and never finished a \
            synchronisation, or the file was lost. The program reports this only if other clients have change sets \
            that could be removed.
            """, effects: [Effect(.vacuumsTooMuch, .thisClient)],
        remedy: [
            "If the client is in use, let it synchronise. Until then, no client should vacuum. To protect it at once, "
                + "put an old file there; clients look at its time only:",
            "touch -d 2001-01-01T00:00:00Z {file}",
        ], sources: "ticds-protocol(7), 1.8.3-5, 1.9, 4.5-7")

    package static let recentSyncOfNobody = FindingKind(
        "TICDS-0312", .warning, .names, "A recent sync of an unknown client",
        explanation: """
            Neither the document nor the application has a client of this name. No client will ever renew the date of \
            the file, but the vacuum counts it: from now on no variant removes a change set that is younger than the \
            file. Most likely somebody deleted the folders of a client by hand and left this file behind.
            """, effects: [Effect(.stopsVacuum, .everyone)], repair: .trash, remedy: [setAside],
        sources: "ticds-protocol(7), 1.9, 4.1-4")
}
