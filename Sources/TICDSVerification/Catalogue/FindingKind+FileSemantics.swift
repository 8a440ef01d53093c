extension FindingKind {
    package static let objectsWithoutSyncID = FindingKind(
        "TICDS-0806", .warning, .deep, "Objects in a whole store have no sync ID",
        explanation: """
            Every object that is synchronised has a ticdsSyncID, by which all clients identify it. In this whole store \
            some objects have none. When a client uploads a whole store, the framework gives missing IDs to the \
            objects of the document, but not to those in the copy that it uploads, so that the first upload of a \
            document with older data always lacks them.

            A client that downloads this store gives the same objects other IDs. From then on neither client knows the \
            objects of the other: each drops the edits of the other, and objects may appear twice.
            """, effects: [Effect(.wrongData, .newClients)], remedy: [newUpload],
        sources: "ticds-protocol(7), 1.6-4, 4.4-8, D-9")

    package static let sharedSyncID = FindingKind(
        "TICDS-0807", .warning, .deep, "Objects in a whole store share one sync ID",
        explanation: """
            A sync ID stands for one object, and in this whole store several objects of one entity have the same. \
            Clients that look for the object find several, and take the last one, which need not be the same each \
            time: edits and deletions reach only one of the objects.

            This happens if the application copies an object with all its attributes, or if a client downloads a whole \
            store after edits that were sent again. Only the application can repair this, by giving the copy another \
            ID or by deleting it.
            """, effects: [Effect(.wrongData, .everyone)],
        remedy: [
            "ticds-store dump {file}",
            "Delete one of the objects in the application of client {client}, then upload the whole store again.",
        ], sources: "ticds-protocol(7), 2.2, 4.4-5")

    package static let registeredSetIsGone = FindingKind(
        "TICDS-0808", .warning, .deep, "A register names change sets that no longer exist",
        explanation: """
            A register lists the sets that a client had applied when it uploaded its whole store. Sets that a vacuum \
            removed stay in the register permanently; this finding does not concern them. The sets of this finding are \
            newer than the oldest whole store or recent sync, so that no vacuum that respects every client can have \
            removed them: they existed, and somebody or something removed them, or the folder is not complete on this \
            machine yet. A vacuum with --ignore-client may also have removed them; if it ran on this machine, the \
            journal shows it. Sets that are older than the integrity key and in every whole store do not concern this \
            finding either: after ticds-sync reseed nobody needs them.

            Clients that had not fetched these sets never get their changes; the owner of the register and the author \
            have them.
            """, effects: [Effect(.silentlyLost, .everyoneElse)],
        remedy: [
            "Wait until the cloud service has downloaded everything, and verify again.",
            "See whether a vacuum on this machine removed them:", "ticds-journal list {remote}",
            "Look for the set in the deleted files of the cloud service or in a back-up, and put it back with its time.",
        ], sources: "ticds-remote-format(5), 3.4; ticds-protocol(7), 1.9, 4.7-4")

    package static let appliedButUnreadable = FindingKind(
        "TICDS-0809", .error, .deep, "A client has registered an unreadable change set as applied",
        explanation: """
            A change set is damaged, and the register that another client uploaded lists it as applied. In a plain \
            remote, clients do not notice the damage: Core Data calls the file corrupt, the framework puts an empty \
            store in its place, and the set counts as applied. This client has then lost the changes of the set for \
            good, although it reports success.

            The set may also have been intact when the client fetched it, and may have been damaged since. In an \
            encrypted remote this is certain, because clients refuse a damaged file there. Compare the client's data \
            with those of the author.
            """, effects: [Effect(.silentlyLost, .thisClient)],
        remedy: [
            "Put an intact copy of the set in its place, with its time, for the clients that do not have it yet.",
            "Let the author of the set upload its whole store, and let client {client} download that store.",
        ], sources: "ticds-protocol(7), 2.2, 4.3-1, 4.3-2")

    package static let unknownToStores = FindingKind(
        "TICDS-0810", .warning, .deep, "A change to an entity or a property that no whole store knows",
        explanation: """
            A change set is about an entity that none of the document's whole stores has, or about a property that the \
            models in them lack. Most likely a newer version of the application wrote it than those that uploaded the \
            stores. The framework does not hold such sets back: a client with the older version of the application \
            raises an exception when it applies them, and crashes at every synchronisation from then on; the iCloud \
            variant skips the set instead. The program reports each entity and each property once.

            The finding is harmless once all devices have the newer version and one of them has uploaded its whole \
            store.
            """, effects: [Effect(.crashes, .everyoneElse)],
        remedy: [
            "Update the application to one version on all devices, and let one of them upload its whole store."
        ], sources: "ticds-protocol(7), 4.3-7, D-11")

    package static let equalChangeSets = FindingKind(
        "TICDS-0811", .warning, .deep, "Two change sets hold the same changes",
        explanation: """
            A set repeats the changes of an earlier one, including the timestamps. A client that crashed after it \
            uploaded its edits, and before it recorded that, sends them again under another name; a copy of a set \
            under a new name does the same. Other clients apply them again, so that values that were edited in between \
            go back to older ones.

            The finding is harmless if nobody edited the same properties between the two sets, and for clients that \
            have applied both.
            """, effects: [Effect(.appliedTwice, .everyoneElse)], repair: .trash,
        remedy: ["While no client synchronises:", setAside],
        sources: "ticds-protocol(7), 1.8-1, 1.8.3-4, 2.7, 4.7-1")

    package static let deletedAndInserted = FindingKind(
        "TICDS-0812", .warning, .deep, "An object is deleted and inserted again in one change set",
        explanation: """
            By the author's clock an object was deleted first and then inserted again under the same sync ID, as \
            happens when a deletion is undone. The framework applies all inserts of a set before all deletions, \
            whatever their times, so that every other client ends up without the object, while the author has it.
            """, effects: [Effect(.wrongData, .everyoneElse)],
        remedy: [
            changesLog, "Let client {client} upload its whole store, and let the others download that store.",
        ], sources: "ticds-remote-format(5), 3.5; ticds-protocol(7), 4.4-1")

    package static let syncIDRewritten = FindingKind(
        "TICDS-0815", .error, .deep, "A change gives an object another sync ID",
        explanation: """
            The set changes the attribute ticdsSyncID of an object, or inserts an object under another sync ID than \
            the change itself names. The framework never does that to an object that others know. Clients that apply \
            the set know the object by another identifier than clients that do not: later changes of the object are \
            lost, or reach another object that already has the identifier. ticds-sync applies no part of such a set; \
            ticds-store replay leaves the change out.
            """, effects: [Effect(.wrongData, .everyoneElse), Effect(.silentlyLost, .everyoneElse)],
        remedy: [
            "Look at the changes first:", changesLog,
            "If the clients of this remote did not write it themselves, set it aside:", setAside,
        ], sources: "ticds-remote-format(5), 3.3; ticds-protocol(7), 1.6-4, 2.2, 4.4-5")

    package static let unseenBeforeVacuum = FindingKind(
        "TICDS-0813", .note, .deep, "A vacuum may take a change set that nobody has registered",
        explanation: """
            The set is older than the oldest whole store and the oldest recent sync, so that its author's next vacuum \
            removes it, and no register of another client that was written after it names it. The modification time of \
            a set is that of the last edit in it and not that of its upload, so that a set can arrive after the others \
            have synchronised past its time. The name of this set does not show the time of its upload; neither do \
            names that other programs made. Clients that have not fetched the set when it is removed never get its \
            changes.

            The finding is harmless if all clients have synchronised since the upload, which only they know.
            """, effects: [Effect(.vacuumsTooMuch, .everyoneElse)],
        remedy: ["Synchronise all clients before client {client} runs a vacuum."],
        sources: "ticds-protocol(7), 1.9, 4.5-3")
}
