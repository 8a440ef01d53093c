/// The part of area 07 about the small files, and about files of every kind.
extension FindingKind {
    package static let registerDamaged = FindingKind(
        "TICDS-0710", .error, .headers, "The register beside a whole store is damaged",
        explanation: """
            AppliedSyncChangeSets.ticdsync lists the change sets that the whole store beside it contains. It is not an \
            SQLite store, or it is a broken one. A client that downloads the store also takes the register and cannot \
            read it. It then either replaces the register by an empty one and applies all change sets again, with old \
            values over newer ones, or fails to synchronise.
            """, effects: [Effect(.appliedTwice, .newClients)],
        remedy: ["Let client {client} upload its whole store again, which writes the register again."],
        sources: "ticds-remote-format(5), 3.4; ticds-protocol(7), 1.7, 4.3-5")

    package static let registerModel = FindingKind(
        "TICDS-0711", .warning, .contents, "A register was written for another model",
        explanation: """
            The register has no version hash of TICDSSyncChangeSet, or another one than that of the framework's model. \
            If an application merges its own models with that of the framework, the register may contain other \
            entities, but the hash of this one stays the same. Core Data refuses the register or migrates it. If it \
            refuses, the framework replaces the register by an empty one, and the client applies all change sets \
            again.
            """, effects: [Effect(.appliedTwice, .newClients)],
        remedy: [
            "Let client {client} upload its whole store again with the current version of the application."
        ], sources: "ticds-remote-format(5), 3.4; ticds-protocol(7), 4.3-5")

    package static let propertyListDamaged = FindingKind(
        "TICDS-0714", .error, .headers, "A property list is damaged",
        explanation: """
            A deviceInfo.plist or documentInfo.plist cannot be read as a property list with a dictionary. The \
            framework writes these files in place, so that a crash or a cloud service can leave an incomplete file. A \
            single damaged documentInfo.plist makes the list of documents fail for every client; a damaged \
            deviceInfo.plist makes the lists of clients fail in all documents of its client. Synchronisation itself \
            does not read them.
            """, effects: [Effect(.breaksLists, .everyone)], repair: .quarantine,
        remedy: ["Restore it from a back-up. Clients never write it again by themselves."],
        sources: "ticds-protocol(7), 1.3, 1.5, 4.1-6, 4.6-2")

    package static let otherIdentifier = FindingKind(
        "TICDS-0715", .note, .contents, "A property list names another identifier than its folder",
        explanation: """
            The identifier inside the file should be the name of the folder that contains it, or of the file itself. \
            Here the two differ: somebody renamed or copied a folder, or a cloud service confused two files. The \
            framework relies on the name of the folder and only displays the identifier in the file, so that a wrong \
            description may appear.
            """, effects: [Effect(.harmless, .nobody)],
        remedy: [
            "Make sure that the folder was not copied from another client or document; identifiers must be unique."
        ], sources: "ticds-remote-format(5), 1.4; ticds-protocol(7), 1.3")

    package static let unreadListDamaged = FindingKind(
        "TICDS-0716", .note, .contents, "A file that no client reads is damaged",
        explanation: """
            Clients use only the modification time of recent syncs, and only the existence of tombstones. This file \
            is empty or cannot be read as a property list, or a recent sync lacks its date, which harms no client. But \
            whatever damaged it may have damaged other files, too.
            """, effects: [Effect(.harmless, .nobody)], remedy: ["Nothing needs to be done."],
        sources: "ticds-remote-format(5), 1.4; ticds-protocol(7), 1.2, 1.9")

    package static let cannotBeRead = FindingKind(
        "TICDS-0717", .error, .headers, "A file cannot be read",
        explanation: """
            The system refuses to open or to read the file: it belongs to somebody else, its mode forbids it, or the \
            disk or the network fails. Clients that run under the same account on this machine cannot read it either. \
            Nothing is known about its contents. The program also reports files that no client reads, such as \
            ReadMe.txt, leftovers of uploads and files that do not belong in a remote; those findings say that they \
            are harmless.
            """, effects: [Effect(.blocks, .everyoneElse)],
        remedy: ["Check the owner and the mode, and the health of the disk:", "ls -l {file}"],
        sources: "ticds-protocol(7), 1.8.1")

    package static let changedMeanwhile = FindingKind(
        "TICDS-0718", .note, .headers, "A file changed or vanished while it was verified",
        explanation: """
            A client or a cloud service wrote or removed the file at the same time, or is still writing it. This is \
            normal in a remote that is in use, and no damage. A file that vanished is harmless. The program did not check the \
            contents of a file that changed: the finding says so, and a verification that finds nothing else ends with 5.
            """, effects: [Effect(.harmless, .nobody)],
        remedy: ["Verify the remote again:", "ticds-verify {remote}"], sources: "ticds-protocol(7), 4.6")

    package static let tooLarge = FindingKind(
        "TICDS-0719", .warning, .contents, "A file is too large to be checked",
        explanation: """
            The program opens change sets, binary stores and property lists in memory. This file is larger than its \
            limit, so that the program did not check the structure of the file; if the file is encrypted, it did check \
            the checksum. Change sets of this size are legal, but rare, and slow for every client; the framework \
            never writes a property list of this size.

            The program does not check a store, either, if a zip unpacks to an excessive size: such a zip was made to \
            fill disks, and contains no store. Too little memory or space in TMPDIR is no finding: the verification \
            says so, and ends with 2.
            """, effects: [Effect(.notChecked, .everyone)],
        remedy: [
            "Look at the size of the file. If it can be right, open this file alone, which may take much memory:",
            "ticds-changes dump {file} > /dev/null", "If it cannot be right, set the file aside:", setAside,
        ], sources: "ticds-remote-format(5), 1.4")

    package static let leftoverDamaged = FindingKind(
        "TICDS-0720", .note, .contents, "A leftover of an upload is damaged",
        explanation: """
            Uploads leave a copy of the whole store and its register in TemporaryFiles. No client reads this copy \
            again, so that its damage is harmless. But whatever damaged it may have damaged other files, too.
            """, effects: [Effect(.harmless, .nobody)], remedy: ["Nothing needs to be done."],
        sources: "ticds-remote-format(5), 1.3; ticds-protocol(7), 1.6")

    package static let keyMissing = FindingKind(
        "TICDS-0726", .warning, .contents, "A property list lacks a key that clients show",
        explanation: """
            A deviceInfo.plist or documentInfo.plist can be read, but lacks the text under the key of the identifier \
            or of the description. The framework writes both, unless the application gives no description. Lists of \
            documents and of clients contain the entry without that text: an application that relies on it shows no \
            name, or crashes. Synchronisation itself does not read these files.
            """, effects: [Effect(.breaksLists, .everyone)],
        remedy: [
            "Restore the file from a back-up. Clients never write it again by themselves, and only its application knows whether it can do without the key."
        ], sources: "ticds-remote-format(5), 1.4; ticds-protocol(7), 1.3, 1.5")
}
