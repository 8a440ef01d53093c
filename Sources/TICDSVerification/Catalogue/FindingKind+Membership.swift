extension FindingArea {
    static let membership = FindingArea(
        "03", "Documents, clients and integrity keys",
        [
            .documentInfoMissing, .integrityKeyMissing, .severalIntegrityKeys, .shortIntegrityKey,
            .deviceMissing, .deviceInfoMissing, .tombstoneOfMember, .changeSetFolderGone,
            .commandFolderMissing, .removalInterrupted, .recentSyncMissing, .recentSyncOfNobody,
            .wholeStoreFolderEmpty, .noWholeStore, .tombstoneOfDocument, .deviceTwice,
            .wholeStoreOfNobody, .syncCommands,
        ])
}

extension FindingKind {
    static let documentInfoMissing = FindingKind(
        "TICDS-0301", .error, .names, "A document has no documentInfo.plist",
        explanation: """
            The list of documents reads this file of every document, and fails as a whole if it cannot read a single \
            one, in all variants: no client can show which documents there are, so that new devices cannot open any. \
            No client can delete this document, either. Clients that have their document open synchronise as before.

            Readers take the identifier from the folder's name, so that a file that contains only a description is \
            enough. In an encrypted remote the file must be encrypted, which a shell cannot do: there only a back-up \
            helps.
            """,
        effects: [Effect(.breaksLists, .everyone), Effect(.cannotRemove, .everyone)],
        repair: .information,
        remedy: [
            "Restore it from a back-up (cp -p). If there is no back-up and the remote is not encrypted:",
            "printf '<?xml version=\"1.0\" encoding=\"UTF-8\"?><plist version=\"1.0\"><dict>"
                + "<key>kTICDSDocumentDescription</key><string>Recovered</string></dict></plist>' "
                + "> ~/ticds-recovered.plist && mv -n ~/ticds-recovered.plist {file}",
        ],
        sources: "ticds-remote-format(5), 1.4; ticds-protocol(7), 4.3, 4.11, 7.1-6")

    static let integrityKeyMissing = FindingKind(
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
            """,
        effects: [Effect(.blocks, .everyone), Effect(.cannotRegister, .newClients)],
        remedy: [
            "Restore the old file from a back-up, or make a file whose name is the key that a client remembers in its "
                + "user defaults under TICDSync.integrityKey.{document}:",
            "ticds-integrity reset {remote} --document={document} --key KEY", "Or by hand:",
            "mkdir -p {file} && touch {file}/KEY",
        ],
        sources: "ticds-remote-format(5), 1.4, 2; ticds-protocol(7), 4.2, 4.8.1-1, 7.2-6, 7.9-1")

    static let severalIntegrityKeys = FindingKind(
        "TICDS-0303", .error, .names, "A document has more than one integrity key",
        explanation: """
            Two clients created the document at the same moment, or a back-up was copied over it. Clients take the \
            first name that the system lists, which is a matter of chance. A client that finds another key than the \
            one that it remembers believes that the document was replaced: it throws away its helper files, including \
            the edits that it has not sent yet, and cannot synchronise until the app registers the document again. All \
            variants behave in this way.

            The finding names the newest key. The right key is the one that most clients remember, usually the oldest.
            """,
        effects: [Effect(.wipesUnsentEdits, .everyone), Effect(.blocks, .everyone)],
        repair: .integrityKey,
        remedy: [
            "Do not let anybody start the app. Find out which key the clients remember (user defaults, "
                + "TICDSync.integrityKey.{document}), and keep that one:",
            "ticds-integrity reset {remote} --document={document} --key KEY",
            "Or set the others aside by hand, such as this one:", NamesRemedy.setAside,
        ],
        sources: "ticds-remote-format(5), 1.5; ticds-protocol(7), 4.2, 4.8.1-1, 7.6-5")

    static let shortIntegrityKey = FindingKind(
        "TICDS-0304", .error, .names, "The only integrity key has fewer than five characters",
        explanation: """
            All variants skip names of fewer than five characters when they look for the key, so that the document \
            counts as one without a key: no client can register with it, and every synchronisation fails with code 21. \
            No version of the framework makes such a key; the name was cut off or changed.
            """,
        effects: [Effect(.blocks, .everyone), Effect(.cannotRegister, .newClients)],
        remedy: [
            "Give the document the key that the clients remember in their user defaults under "
                + "TICDSync.integrityKey.{document}:",
            "ticds-integrity reset {remote} --document={document} --key KEY",
            "Or rename the file by hand: mv -n {file} KEY",
        ],
        sources: "ticds-remote-format(5), 1.5; ticds-protocol(7), 4.2, 7.2-6, D-2")

    static let deviceMissing = FindingKind(
        "TICDS-0305", .warning, .names, "A client of a document is not registered with the application",
        explanation: """
            SyncChanges of a document has a folder of this client, but ClientDevices has none, so that no client knows \
            its device. The list of the document's clients reads the device info of each client, and fails as a whole \
            in all variants; with encryption the File Manager variant may even wait for ever. The client cannot be \
            removed from the document, because its tombstone would be a copy of its device info. Synchronisation \
            works.

            The client writes its device info anew when it next registers with the application.
            """,
        effects: [Effect(.breaksLists, .everyone), Effect(.cannotRemove, .thisClient)],
        repair: .information, remedy: NamesRemedy.deviceInfo(in: "{file}"),
        sources: "ticds-protocol(7), 4.1-B, 4.5, 4.10-3, 7.1-5")

    static let deviceInfoMissing = FindingKind(
        "TICDS-0306", .warning, .names, "A client has no deviceInfo.plist",
        explanation: """
            The client's folder in ClientDevices exists, but its device info is missing, and will stay missing: a \
            client that finds its folder does not look into it. No client can create a deleted document again, since \
            that copies the device info of every client. If the client belongs to a document, the list of that \
            document's clients fails, and the client cannot be removed from the document. The list of the \
            application's clients merely leaves the client out. Synchronisation works. All variants behave in this \
            way. If the client belongs to no document, the missing device info only prevents clients from creating a \
            deleted document again.
            """,
        effects: [Effect(.breaksLists, .everyone), Effect(.cannotRemove, .thisClient)],
        repair: .information, remedy: NamesRemedy.deviceInfo(in: "{remote}/ClientDevices/{client}"),
        sources: "ticds-protocol(7), 4.1-B, 4.2-A5, 4.4, 4.5, 4.10-3, 7.1-5")
}
