extension FindingArea {
    static let changeSets = FindingArea(
        digits: "06", title: "Change sets",
        kinds: [
            .notAChangeSet, .sqliteChangeSet, .changeSetDamaged, .changeDamaged, .foreignChangeSetModel,
            .changeWithoutSyncID, .noChanges, .unknownChangeType, .incompleteChange, .changeSetAltered,
            .unknownClass, .changeSetCutOff,
        ])
}

extension FindingKind {
    package static let notAChangeSet = FindingKind(
        "TICDS-0601", .error, .headers, "A file among the change sets is not a change set",
        explanation: """
            The file has the place and the name of a change set, but it is neither a binary nor an SQLite store of \
            Core Data. It was damaged at its beginning, or somebody saved something else under this name. Clients \
            download it unchecked. What happens then depends on the error that Core Data gives. Either the framework \
            replaces the file by an empty set and counts it as applied, so that the client silently loses its edits; \
            or the application crashes, and crashes again at every synchronisation.
            """, effects: [Effect(.silentlyLost, .everyoneElse), Effect(.crashes, .everyoneElse)],
        repair: .quarantine,
        remedy: ["Restore it from a back-up, or from another client's copy. Until then:", setAside],
        sources: "ticds-protocol(7), 4.3-1")

    package static let sqliteChangeSet = FindingKind(
        "TICDS-0602", .warning, .headers, "A change set is an SQLite store",
        explanation: """
            The main line of the framework writes and reads change sets as binary stores. This one is an SQLite store, \
            as the framework wrote them in the first weeks of 2011, and as one fork writes them. Clients of that fork, \
            and of the iCloud branch, read it. Clients of the main line cannot, and crash or drop its edits. If all \
            change sets of the remote are of this sort, all clients are of that fork, and nothing is wrong.
            """, effects: [Effect(.crashes, .everyoneElse)],
        remedy: ["See whether the change sets of the remote are all alike:", "ticds-changes list {remote}"],
        sources: "ticds-remote-format(5), 1.7; ticds-field-notes(7), 1")

    /// The repair moves the set to the trash, which will be emptied at some time.
    private static let salvageFirst = [
        "First write what can be salvaged into a new change set, outside of the remote:",
        "ticds-changes recover {file} --to salvaged.syncchg",
        "Read its edits; made once more in the application of any client, they reach the others:",
        "ticds-changes dump salvaged.syncchg",
        "Then set the damaged one aside; no client gets its edits until the file is restored:",
    ]

    package static let changeSetDamaged = FindingKind(
        "TICDS-0603", .error, .contents, "A change set is damaged as a whole",
        explanation: """
            The file begins like a change set, but Core Data cannot open it: it was truncated, or bytes were changed on \
            the way. ticds-changes recover salvages the changes that are left, often all of them, and writes them into \
            a new change set with --to; the finding says how many. ticds-changes dump prints them, so that \
            people can make the edits again in the application. Clients download the file unchecked. Then either Core Data reports the \
            error 259, and the framework replaces the file by an empty set and counts it as applied, so that the \
            client silently loses its edits; or the application crashes at every synchronisation.
            """, effects: [Effect(.silentlyLost, .everyoneElse), Effect(.crashes, .everyoneElse)],
        first: salvageFirst, repair: .quarantine,
        remedy: [
            "Restore the file from a back-up, or from another client's copy. Until then:", setAside,
        ],
        sources: "ticds-protocol(7), 4.3-1")

    package static let changeDamaged = FindingKind(
        "TICDS-0604", .error, .contents, "Changes inside a change set are damaged",
        explanation: """
            The change set opens, but some of its changes cannot be read: they do not contain what the framework puts \
            there. Core Data refuses a binary store because of a single object like that, so that clients lose the \
            whole set, silently or with a crash. ticds-changes recover salvages the intact changes, and the parts that \
            are left of the others; the finding says how many.
            """, effects: [Effect(.silentlyLost, .everyoneElse), Effect(.crashes, .everyoneElse)],
        first: salvageFirst, repair: .quarantine,
        remedy: ["Restore the file from a back-up. Until then:", setAside],
        sources: "ticds-protocol(7), 4.3-1; core-data-binary-store(5), 3")

    package static let foreignChangeSetModel = FindingKind(
        "TICDS-0605", .error, .contents, "A change set was written for another model",
        explanation: """
            A Core Data store contains the version hashes of the model that it was written with, and a reader refuses \
            it if its own hashes differ. This change set has no hash of TICDSSyncChange, or another one than that of \
            the framework's model. Another program wrote it, or a modified framework. Clients of the ordinary \
            framework cannot open it: they lose its edits, or the application crashes.
            """, effects: [Effect(.crashes, .everyoneElse), Effect(.silentlyLost, .everyoneElse)],
        repair: .quarantine,
        remedy: ["If the clients of this remote did not write it themselves, set it aside:", setAside],
        sources: "ticds-remote-format(5), 3.1; ticds-protocol(7), 4.3-1; core-data-binary-store(5), 4")

    package static let changeWithoutSyncID = FindingKind(
        "TICDS-0606", .error, .contents, "Changes do not say which object they concern",
        explanation: """
            Changes in this set have no objectSyncID, because the ticdsSyncID of the object was empty when somebody \
            edited it. A client that receives such a change may crash when it looks for conflicts, because Core Data \
            raises an exception for empty values in the list of distinct identifiers; at best the client drops the \
            change.
            """, effects: [Effect(.crashes, .everyoneElse), Effect(.silentlyLost, .everyoneElse)],
        remedy: ["Look at the changes first:", "ticds-changes dump {file}", "If clients crash:", setAside],
        sources: "ticds-remote-format(5), 3.3; ticds-protocol(7), 2.3, 4.3-6")

    package static let noChanges = FindingKind(
        "TICDS-0607", .note, .contents, "A change set holds no changes",
        explanation: """
            The set is intact but empty. The framework uploads such a set when every local change lost its conflict. \
            Clients fetch it, apply nothing and count it as applied.
            """, effects: [Effect(.harmless, .nobody)], remedy: ["Nothing needs to be done."],
        sources: "ticds-protocol(7), 1.8.3, D-5")

    package static let unknownChangeType = FindingKind(
        "TICDS-0608", .warning, .contents, "Changes are of a type that the framework does not have",
        explanation: """
            The framework knows the types 1 to 5 and 10. Clients silently ignore changes of other types, so that their \
            edits are lost. A newer or changed framework wrote them, or the number was damaged.
            """, effects: [Effect(.silentlyLost, .everyoneElse)],
        remedy: ["Look at the changes:", "ticds-changes dump {file}"], sources: "ticds-remote-format(5), 3.2")

    package static let incompleteChange = FindingKind(
        "TICDS-0609", .warning, .contents, "Changes lack what their type needs",
        explanation: """
            An insert needs a dictionary of attributes; a change of an attribute or a relationship needs the name of \
            the property; adding to or removing from a to-many relationship needs the identifier of the other object \
            and its entity. Changes in this set lack such a part. Clients insert an object without values, do nothing, \
            or crash when they set a property without a name.
            """, effects: [Effect(.wrongData, .everyoneElse), Effect(.crashes, .everyoneElse)],
        remedy: ["Look at the changes:", "ticds-changes dump {file}"],
        sources: "ticds-remote-format(5), 3.3; ticds-protocol(7), 2.2")

    package static let changeSetAltered = FindingKind(
        "TICDS-0610", .warning, .contents, "A change set was altered after it was written",
        explanation: """
            These tools can read the set, but the archive is not as any version of Core Data writes it: an object that \
            nothing uses, a gap between two objects, a class or a field with a wrong name. Changes or values may be \
            missing from what can be read. A byte was changed on the way, or another program wrote the set. Core Data \
            may read the set, may refuse it as a whole, or may read other values than these tools do. Nobody can see \
            whether the values are still those that were written.
            """, effects: [Effect(.silentlyLost, .everyoneElse), Effect(.wrongData, .everyoneElse)],
        remedy: [
            "Compare the file with a back-up, or with another client's copy. To see what can be read of it:",
            "ticds-changes recover {file}",
        ], sources: "core-data-binary-store(5), 2")

    package static let unknownClass = FindingKind(
        "TICDS-0611", .note, .contents, "A change set holds objects of classes that these tools do not know",
        explanation: """
            Values of an attribute may be objects of any class that the application can archive: a colour, a class of \
            its own. These tools show the fields of such an object, and cannot check them. If the application of a \
            client does not have the class, Core Data refuses the whole set there. The name of the class may also be \
            damaged.
            """, effects: [Effect(.silentlyLost, .everyoneElse)],
        remedy: [
            "If the application has classes of these names, nothing needs to be done. Look at the values:",
            "ticds-changes dump {file}",
        ], sources: "core-data-binary-store(5), 2")

    package static let changeSetCutOff = FindingKind(
        "TICDS-0612", .error, .contents, "The end of a change set is missing, but none of its changes",
        explanation: """
            A change set contains its changes first, then its metadata, which are the same in every change set. The \
            file is shorter than its header says, and every change is there: the repair writes the file again from \
            them, with its old time. Clients that have skipped the file do not read it again. Clients that \
            download it before the repair cannot open it: either Core Data reports the error 259, and the framework replaces the file by an empty set and \
            counts it as applied, so that the client silently loses its edits; or the application crashes at every \
            synchronisation.
            """, effects: [Effect(.silentlyLost, .everyoneElse), Effect(.crashes, .everyoneElse)],
        repair: .rewrite,
        remedy: [
            "Restore the file from a back-up, or from another client's copy. Or write a new file, outside of the remote:",
            "ticds-changes recover {file} --to salvaged.syncchg",
        ],
        sources: "ticds-protocol(7), 4.3-1; core-data-binary-store(5), 2")
}
