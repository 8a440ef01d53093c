extension FindingArea {
    static let meaning = FindingArea(
        "08", "Meaning across files",
        [
            .changeToNoObject, .targetIsNoObject, .insertedTwice, .changeAfterDeletion, .targetOfWrongEntity,
            .objectsWithoutSyncID, .sharedSyncID, .registeredSetIsGone, .appliedButUnreadable,
            .unknownToStores, .equalChangeSets, .deletedAndInserted, .unseenBeforeVacuum,
            .changeBeforeInsert, .syncIDRewritten,
        ])
}

/// Commands that several kinds of this area have in common.
enum MeaningRemedy {
    static let log = "ticds-changes log --document={document} -- {remote} {subject}"
    static let newUpload = """
        Let the application of client {client} save, synchronise, and upload its whole store again.
        """
}

extension FindingKind {
    static let changeToNoObject = FindingKind(
        "TICDS-0801", .warning, .deep, "A change to an object that nobody inserted",
        explanation: """
            A change set says something about an object, and no change set inserts that object, nor is it \
            in a whole store. Clients look the object up by its sync ID, do not find it, drop the change, \
            and hand their application a warning that few show to anybody. The author has the object and \
            its edits; all others lack both.

            It happens when the set with the insert was lost or removed by hand, when an object was made \
            by a part of the application whose edits are not recorded, and after an upload of a whole \
            store gave objects a sync ID that the uploaded file does not contain yet. Reported once for each object, \
            at the first set that names it. Sets from before the oldest whole store and the oldest \
            recent sync are left out, because what they are about may have been inserted and deleted by \
            sets that a vacuum took.
            """,
        effects: [Effect(.silentlyLost, .everyoneElse)],
        repair: .byHand,
        remedy: [
            MeaningRemedy.log,
            "Where {client} has the object, let its application upload its whole store, and let the others download that.",
        ],
        sources: "ticds-protocol(7), 4.6-4, 5.2, 5.5, 7.4-7")

    static let targetIsNoObject = FindingKind(
        "TICDS-0802", .warning, .deep, "A relationship to an object that nobody inserted",
        explanation: """
            A change set leads a relationship to an object that no change set inserts and no whole store \
            contains. Clients that apply it set a to-one relationship to nil, without a warning and without ever \
            repairing it; an addition to a to-many relationship is dropped with a warning. Only \
            the author keeps the connection.

            The causes are those of a change to an object that nobody inserted (TICDS-0801): a lost set, \
            an object whose insert was never recorded, a sync ID that was given after the upload of a \
            whole store.
            """,
        effects: [Effect(.wrongData, .everyoneElse)],
        repair: .byHand,
        remedy: [
            MeaningRemedy.log,
            "Where {client} has the object, let its application upload its whole store, and let the others download that.",
        ],
        sources: "ticds-protocol(7), 5.2, 7.4-3")

    static let insertedTwice = FindingKind(
        "TICDS-0803", .warning, .deep, "An object is inserted twice",
        explanation: """
            Two changes insert an object of the same sync ID, and nobody deleted it in between. A client \
            that has the object already does not make a second one: it sets all attributes of the insert \
            on the one it has, so that edits made in the meantime are overwritten with older values, and \
            no conflict is reported.

            This happens when a client crashed or was restored while it sent its edits and sent part of \
            them again, or when it recorded as its own what it had received from another. Where a whole \
            set was sent twice, TICDS-0811 says so instead. Harmless where nothing was edited between the \
            two.
            """,
        effects: [Effect(.appliedTwice, .everyoneElse)],
        repair: .byHand, remedy: [MeaningRemedy.log], sources: "ticds-protocol(7), 5.2, 5.6, 5.7, D-6")

    static let changeAfterDeletion = FindingKind(
        "TICDS-0804", .note, .deep, "A change to an object that was deleted before",
        explanation: """
            A change set edits an object that an earlier set deleted. Two people worked on it at the same time, and \
            one of them deleted it; in the framework the deletion wins. Clients drop the change \
            with a warning to their application. Nothing needs to be done unless the edit mattered more \
            than the deletion: then the set still holds it.
            """,
        effects: [Effect(.harmless, .nobody)], repair: .byHand, remedy: [MeaningRemedy.log],
        sources: "ticds-protocol(7), 5.3, 5.5, D-12")

    static let targetOfWrongEntity = FindingKind(
        "TICDS-0805", .warning, .deep, "A relationship leads to an object of another entity",
        explanation: """
            A change names the entity that a relationship leads to, and the object with the sync ID that \
            it gives is of an entity that is neither this one nor a part of it. Clients look for the \
            object among those of the named entity, do not find it, and set a to-one relationship to nil \
            or drop the addition to a to-many.

            Two versions of the application whose models differ can cause this, or a program that wrote \
            the set by itself. It is only looked for where the whole stores tell which entity is a part of \
            which.
            """,
        effects: [Effect(.wrongData, .everyoneElse)],
        repair: .byHand,
        remedy: ["Update the application on all devices to one version.", MeaningRemedy.log],
        sources: "ticds-remote-format(5), 3.3; ticds-protocol(7), 5.2")

    static let changeBeforeInsert = FindingKind(
        "TICDS-0814", .warning, .deep, "A change comes before the insert of its object",
        explanation: """
            Sets are applied in the order of their modification times, and here a set that edits an \
            object, or leads a relationship to it, comes before the set that inserts it. A client that \
            receives both in one run drops the edit with a warning, or sets the relationship to nil, and \
            only then makes the object.

            The modification times are wrong: a clock was off, or a restore or a copy of the remote lost \
            them. The number in front of a set's name is the real time of its upload.
            """,
        effects: [Effect(.misorders, .everyoneElse), Effect(.wrongData, .newClients)],
        repair: .byHand,
        remedy: [
            MeaningRemedy.log, "Compare the times of the sets with the numbers in their names:",
            "ticds-changes list {remote} --document={document}",
        ],
        sources: "ticds-remote-format(5), 3.5; ticds-protocol(7), 5.2, 7.4-3, 7.5")
}
