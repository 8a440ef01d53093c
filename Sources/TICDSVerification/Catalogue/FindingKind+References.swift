extension FindingArea {
    static let acrossFiles = FindingArea(
        digits: "08", title: "Meaning across files",
        kinds: [
            .changeToNoObject, .targetIsNoObject, .insertedTwice, .changeAfterDeletion, .targetOfWrongEntity,
            .objectsWithoutSyncID, .sharedSyncID, .registeredSetIsGone, .appliedButUnreadable,
            .unknownToStores, .equalChangeSets, .deletedAndInserted, .unseenBeforeVacuum,
            .changeBeforeInsert, .syncIDRewritten,
        ])
}

extension FindingKind {
    package static let changeToNoObject = FindingKind(
        "TICDS-0801", .warning, .deep, "A change to an object that nobody inserted",
        explanation: """
            A change set changes an object that no change set inserts and no whole store contains. Clients look the \
            object up by its sync ID, do not find it, drop the change, and give their application a warning that few \
            applications show. The author has the object and its edits; all other clients lack both.

            This happens if the set with the insert was lost or removed by hand, if a part of the application made the \
            object without recording its edits, or if an upload of a whole store gave objects a sync ID that the \
            uploaded file does not contain yet. The program reports each object once, at the first set that names it. \
            It leaves out sets from before the oldest whole store and the oldest recent sync, because a vacuum may \
            have removed the sets that inserted and deleted their objects.
            """, effects: [Effect(.silentlyLost, .everyoneElse)],
        remedy: [
            changesLog,
            "If {client} has the object, let its application upload its whole store, and let the others download that store.",
        ], sources: "ticds-protocol(7), 1.6-4, 2.2, 2.5, 4.4-7")

    package static let targetIsNoObject = FindingKind(
        "TICDS-0802", .warning, .deep, "A relationship to an object that nobody inserted",
        explanation: """
            A change set makes a relationship lead to an object that no change set inserts and no whole store \
            contains. Clients that apply it set a to-one relationship to nil, without a warning and without ever \
            repairing it; they drop an addition to a to-many relationship with a warning. Only the author keeps the \
            connection.

            The causes are those of a change to an object that nobody inserted (TICDS-0801): a lost set, an object \
            whose insert was never recorded, a sync ID that was given after the upload of a whole store.
            """, effects: [Effect(.wrongData, .everyoneElse)],
        remedy: [
            changesLog,
            "If {client} has the object, let its application upload its whole store, and let the others download that store.",
        ], sources: "ticds-protocol(7), 2.2, 4.4-3")

    package static let insertedTwice = FindingKind(
        "TICDS-0803", .warning, .deep, "An object is inserted twice",
        explanation: """
            Two changes insert an object with the same sync ID, and no client deleted the object in between. A client \
            that already has the object does not make a second one: it sets all attributes of the insert on the object \
            that it has. This overwrites edits made in the meantime with older values, and no conflict is reported.

            This happens if a client crashed or was restored while it sent its edits and then sent a part of them \
            again, or if it recorded as its own edits what it had received from another client. If a whole set was \
            sent twice, the program reports TICDS-0811 instead. The finding is harmless if nothing was edited between \
            the two changes.
            """, effects: [Effect(.appliedTwice, .everyoneElse)], remedy: [changesLog],
        sources: "ticds-protocol(7), 2.2, 2.6, 2.7, D-6")

    package static let changeAfterDeletion = FindingKind(
        "TICDS-0804", .note, .deep, "A change to an object that was deleted before",
        explanation: """
            A change set edits an object that an earlier set deleted. Two people worked on the object at the same \
            time, and one of them deleted it; in the framework the deletion takes precedence. Clients drop the change \
            with a warning to their application. Nothing needs to be done unless the edit mattered more than the \
            deletion: the set still contains it.
            """, effects: [Effect(.harmless, .nobody)], remedy: [changesLog],
        sources: "ticds-protocol(7), 2.3, 2.5, D-12")

    package static let targetOfWrongEntity = FindingKind(
        "TICDS-0805", .warning, .deep, "A relationship leads to an object of another entity",
        explanation: """
            A change names the entity that a relationship leads to, but the object with the given sync ID is of an \
            entity that is neither this one nor a subentity of it. Clients look for the object among those of the \
            named entity, do not find it, and set a to-one relationship to nil or drop the addition to a to-many \
            relationship.

            Two versions of the application whose models differ can cause this, or another program that wrote the set. \
            The program looks for this only if the whole stores show which entity is a subentity of which.
            """, effects: [Effect(.wrongData, .everyoneElse)],
        remedy: ["Update the application to one version on all devices.", changesLog],
        sources: "ticds-remote-format(5), 3.3; ticds-protocol(7), 2.2")

    package static let changeBeforeInsert = FindingKind(
        "TICDS-0814", .warning, .deep, "A change comes before the insert of its object",
        explanation: """
            Clients apply sets in the order of their modification times, and here a set that edits an object, or makes \
            a relationship lead to it, comes before the set that inserts the object. A client that receives both in \
            one run drops the edit with a warning, or sets the relationship to nil, and only then makes the object.

            The modification times are wrong: a clock was wrong, or a restore or a copy of the remote lost them. The \
            number at the beginning of a set's name is the real time of its upload.
            """, effects: [Effect(.misorders, .everyoneElse), Effect(.wrongData, .newClients)],
        remedy: [
            changesLog, "Compare the times of the sets with the numbers in their names:",
            "ticds-changes list {remote} --document={document}",
        ], sources: "ticds-remote-format(5), 3.5; ticds-protocol(7), 2.2, 4.4-3, 4.5")
}
