extension FindingKind {
    static let objectsWithoutSyncID = FindingKind(
        "TICDS-0806", .warning, .deep, "Objects in a whole store have no sync ID",
        explanation: """
            Every object that is synchronised has a ticdsSyncID, by which all clients identify it. In this whole \
            store some objects have none. The framework gives missing ones when a whole store is uploaded, \
            but to the document and not to the copy that it uploads, so that the first upload of a \
            document with older data always lacks them.

            A client that downloads this store gives the same objects IDs of its own. From then on the two \
            do not know each other's objects: edits of one are dropped by the other, and objects may come \
            twice.
            """,
        effects: [Effect(.wrongData, .newClients)],
        repair: .byHand, remedy: [MeaningRemedy.newUpload], sources: "ticds-protocol(7), 4.6-4, 7.4-8, D-9")

    static let sharedSyncID = FindingKind(
        "TICDS-0807", .warning, .deep, "Objects in a whole store share one sync ID",
        explanation: """
            A sync ID stands for one object, and in this whole store several objects of one entity have \
            the same. Clients that look for it find several and take the last that comes, which need not \
            be the same each time: edits and deletions meet one of the objects only.

            Copying an object with all its attributes does this, and so does a download of a whole store \
            after edits that were sent again. Only the application can repair this, by giving the copy another ID or \
            deleting it.
            """,
        effects: [Effect(.wrongData, .everyone)],
        repair: .byHand,
        remedy: [
            "ticds-store dump {file}",
            "Delete one of the objects in the application of client {client}, then upload the whole store again.",
        ],
        sources: "ticds-protocol(7), 5.2, 7.4-5")

    static let registeredSetIsGone = FindingKind(
        "TICDS-0808", .warning, .deep, "A register names change sets that are not there any more",
        explanation: """
            A register lists the sets that a client had applied when it uploaded its whole store. Sets that a vacuum \
            removed stay in it for ever; this finding does not concern these. The sets of this \
            finding are newer than the oldest whole store or recent sync, so that no vacuum that respects every \
            client can have removed them: they existed, and somebody or something removed them, or the folder is not \
            complete yet on this machine. A vacuum with --ignore-client may have removed them; on this machine, the \
            journal shows that.

            Clients that had not fetched them never get their changes; the register's owner and the author \
            have them.
            """,
        effects: [Effect(.silentlyLost, .everyoneElse)],
        repair: .byHand,
        remedy: [
            "Wait until the cloud service has downloaded everything, and verify again.",
            "See whether a vacuum of this machine took them:", "ticds-journal list {remote}",
            "Look for the set in the deleted files of the cloud service or in a back-up, and put it back with its time.",
        ],
        sources: "ticds-remote-format(5), 3.4; ticds-protocol(7), 4.9, 7.7-4")

    static let appliedButUnreadable = FindingKind(
        "TICDS-0809", .error, .deep, "A client has registered a change set as applied that cannot be read",
        explanation: """
            A change set is damaged, and the register that another client uploaded lists it as applied. \
            Where nothing is encrypted, clients do not notice: Core Data calls the file corrupt, the \
            framework puts an empty store in its place, and the set counts as applied. Its changes are \
            then lost to this client, for good, although it reports success.

            It may also be that the set was sound when the client fetched it and was damaged since. Where \
            the remote is encrypted, this is what happened, because a damaged file is refused there. \
            Compare the client's data with those of the author.
            """,
        effects: [Effect(.silentlyLost, .thisClient)],
        repair: .byHand,
        remedy: [
            "Put a sound copy of the set in its place, with its time, for the clients that do not have it yet.",
            "Let the author of the set upload its whole store, and let client {client} download that.",
        ],
        sources: "ticds-protocol(7), 5.2, 7.3-1, 7.3-2")

    static let unknownToStores = FindingKind(
        "TICDS-0810", .warning, .deep, "A change to an entity or a property that no whole store knows",
        explanation: """
            A change set is about an entity that none of the document's whole stores has, or about a \
            property that the models in them lack. It was most likely written by a newer version of the \
            application than those that uploaded the stores. Nothing holds such sets back: a client with \
            an application of the older version raises an exception when it applies them, and crashes at \
            every synchronisation from then on; the iCloud variant skips the set instead. Reported once for each \
            entity and property.

            Harmless once all devices have the newer version and one of them has uploaded its whole store.
            """,
        effects: [Effect(.crashes, .everyoneElse)],
        repair: .byHand,
        remedy: [
            "Update the application on all devices to one version, and let it upload its whole store."
        ],
        sources: "ticds-protocol(7), 7.3-7, D-11")

    static let equalChangeSets = FindingKind(
        "TICDS-0811", .warning, .deep, "Two change sets hold the same changes",
        explanation: """
            A set repeats the changes of an earlier one, including the time stamps. A client that crashed after it \
            uploaded its edits, and before it recorded that, sends them again under another name; a \
            copy of a set under a new name does the same. Other clients apply them once more, so that \
            values that were edited in between go back to older ones.

            Harmless where nobody edited the same properties between the two, and for clients that have \
            applied both.
            """,
        effects: [Effect(.appliedTwice, .everyoneElse)],
        repair: .trash, remedy: ["While no client synchronises:", NamesRemedy.setAside],
        sources: "ticds-protocol(7), 4.8-1, 4.8.3-4, 5.7, 7.7-1")

    static let deletedAndInserted = FindingKind(
        "TICDS-0812", .warning, .deep, "An object is deleted and inserted again in one change set",
        explanation: """
            By the author's clock an object was deleted first and then inserted again under the same sync \
            ID, as undoing a deletion does. The framework applies all inserts of a set before all \
            deletions, whatever their times, so that every other client ends without the object, while the \
            author has it.
            """,
        effects: [Effect(.wrongData, .everyoneElse)],
        repair: .byHand,
        remedy: [
            MeaningRemedy.log,
            "Let client {client} upload its whole store, and let the others download that.",
        ],
        sources: "ticds-remote-format(5), 3.5; ticds-protocol(7), 7.4-1")

    static let syncIDRewritten = FindingKind(
        "TICDS-0815", .error, .deep, "A change gives an object another sync ID",
        explanation: """
            The set changes the attribute ticdsSyncID of an object, or inserts an object under another sync ID than the \
            change itself names. The framework never does that to an object that others know. Clients that apply it know \
            the object by another identifier than those that do not: later changes of it are lost, or meet another object \
            that has the identifier already. ticds-sync applies no part of such a set, ticds-store replay leaves the \
            change out.
            """,
        effects: [Effect(.wrongData, .everyoneElse), Effect(.silentlyLost, .everyoneElse)],
        repair: .byHand,
        remedy: [
            "Look at the changes first:", MeaningRemedy.log,
            "If the clients of this remote did not write it themselves, take it out:", NamesRemedy.setAside,
        ],
        sources: "ticds-remote-format(5), 3.3; ticds-protocol(7), 4.6-4, 5.2, 7.4-5")

    static let unseenBeforeVacuum = FindingKind(
        "TICDS-0813", .note, .deep, "A vacuum may take a change set that nobody has registered",
        explanation: """
            The set is older than the oldest whole store and the oldest recent sync, so that its author's \
            next vacuum removes it, and no register of another client that was written after it names it. \
            The modification time of a set is that of the last edit in it and not that of its upload, so \
            that a set can arrive after the others have synchronised past its time. Its name does not contain the \
            time of its upload; names that other programs made do not, either. Clients that have not fetched it when \
            it goes never get its changes.

            Harmless where all clients have synchronised since it was uploaded, which only they know.
            """,
        effects: [Effect(.vacuumsTooMuch, .everyoneElse)],
        repair: .byHand, remedy: ["Synchronise all clients before client {client} runs a vacuum."],
        sources: "ticds-protocol(7), 4.9, 7.5-3")
}
