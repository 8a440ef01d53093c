/// The part of area 07 that is about the small files, and about files of every sort.
extension FindingKind {
    static let registerDamaged = FindingKind(
        "TICDS-0710", .error, .headers, "The register beside a whole store is damaged",
        explanation: """
            AppliedSyncChangeSets.ticdsync lists the change sets that the whole store beside it contains. It is no SQLite \
            store, or a broken one. A client that downloads the store takes the register, finds it unreadable, and \
            either replaces it by an empty one and applies all change sets again, old values over newer ones, or fails \
            to synchronise.
            """,
        effects: [Effect(.appliedTwice, .newClients)],
        repair: .byHand,
        remedy: ["Let client {client} upload its whole store again, which writes the register anew."],
        sources: "ticds-remote-format(5), 3.4; ticds-protocol(7), 4.7, 7.3-5")

    static let registerModel = FindingKind(
        "TICDS-0711", .warning, .contents, "A register was written for another model",
        explanation: """
            The register has no version hash, or another one, for TICDSSyncChangeSet than the framework's model gives. Where \
            an application merges its own models with the framework's, other entities may be in it, but the hash of \
            this one stays the same. Core Data refuses the register or migrates it; refused, it is replaced by an \
            empty one, and all change sets are applied again.
            """,
        effects: [Effect(.appliedTwice, .newClients)],
        repair: .byHand,
        remedy: [
            "Let client {client} upload its whole store again with the current version of the application."
        ],
        sources: "ticds-remote-format(5), 3.4; ticds-protocol(7), 7.3-5")

    static let propertyListDamaged = FindingKind(
        "TICDS-0714", .error, .headers, "A property list is damaged",
        explanation: """
            A deviceInfo.plist or documentInfo.plist cannot be read as a property list with a dictionary. The framework \
            writes these files in place, so that a crash or a cloud service can leave a part of one. A single \
            damaged documentInfo.plist makes the list of documents fail for everybody; a damaged deviceInfo.plist of \
            a client makes the list of clients of its documents fail. Synchronisation itself does not read them.
            """,
        effects: [Effect(.breaksLists, .everyone)],
        repair: .quarantine,
        remedy: ["Bring it back from a back-up. Clients never write it again by themselves."],
        sources: "ticds-protocol(7), 4.3, 4.5, 7.1-6, 7.6-2")

    static let otherIdentifier = FindingKind(
        "TICDS-0715", .note, .contents, "A property list names another identifier than its folder",
        explanation: """
            The identifier inside the file is the name of the folder it lies in, or of the file itself. Here the two \
            differ: a folder was renamed or copied, or a cloud service mixed two files up. The framework goes by the \
            folder and uses the identifier in the list only for show, so that a wrong description may appear.
            """,
        effects: [Effect(.harmless, .nobody)],
        repair: .byHand,
        remedy: [
            "Make sure that the folder was not copied from another client or document; identifiers must be unique."
        ],
        sources: "ticds-remote-format(5), 1.4; ticds-protocol(7), 4.3")

    static let unreadListDamaged = FindingKind(
        "TICDS-0716", .note, .contents, "A file that nobody reads is damaged",
        explanation: """
            Clients use only the modification time of recent syncs, and only the existence of tombstones. This one \
            cannot be read as a property list, which harms nobody. But what damaged it may have damaged other files, \
            too.
            """,
        effects: [Effect(.harmless, .nobody)],
        repair: .byHand, remedy: ["Nothing needs to be done."],
        sources: "ticds-remote-format(5), 1.4; ticds-protocol(7), 4.2, 4.9")

    static let cannotBeRead = FindingKind(
        "TICDS-0717", .error, .headers, "A file cannot be read",
        explanation: """
            The system refuses to open or to read the file: it belongs to somebody else, its mode forbids it, or the disk \
            or the network fails. Clients that run under the same account on this machine cannot read it either. \
            Nothing is known about its contents. Files that no client reads count as well, such as ReadMe.txt, leftovers of \
            uploads and files that do not belong in a remote; their findings say that they harm nobody.
            """,
        effects: [Effect(.blocks, .everyoneElse)],
        repair: .byHand,
        remedy: ["Check the owner and the mode, and the health of the disk:", "ls -l {file}"],
        sources: "ticds-protocol(7), 4.8.1")

    static let changedMeanwhile = FindingKind(
        "TICDS-0718", .note, .headers, "A file changed or vanished while it was verified",
        explanation: """
            A client or a cloud service wrote or removed the file at the same time, or it is still being written. That is \
            the life of a remote and no damage. Nothing is said about the contents of the file.
            """,
        effects: [Effect(.harmless, .nobody)],
        repair: .byHand, remedy: ["Verify the remote again:", "ticds-verify {remote}"],
        sources: "ticds-protocol(7), 7.6")

    static let tooLarge = FindingKind(
        "TICDS-0719", .warning, .contents, "A file could not be judged, because it is too large",
        explanation: """
            Change sets, binary stores and property lists are opened in memory. This file is larger than what may be used, \
            so its structure was not judged; if it is encrypted, its check sum was. Change sets of this size are \
            legal, but rare, and slow for every client; a property list of this size is none of the framework's.

            Whole stores are decrypted and unzipped into the folder that TMPDIR names, and are not judged either where \
            that is full, or where a zip grows out of all proportion: then it is made to fill disks, and holds no \
            store.
            """,
        effects: [Effect(.notJudged, .everyone)],
        repair: .byHand,
        remedy: [
            "Look at the size of the file. If it may be right, make room in TMPDIR, or open the file by itself, which may take much memory:",
            "ticds-changes dump {file} > /dev/null",
            "If it cannot be right, take it out of the way:", NamesRemedy.setAside,
        ],
        sources: "ticds-remote-format(5), 1.4")

    static let leftoverDamaged = FindingKind(
        "TICDS-0720", .note, .contents, "A leftover of an upload is damaged",
        explanation: """
            Uploads leave a copy of the whole store and its register in TemporaryFiles. No client reads it again, so its \
            damage harms nobody. But what damaged it may have damaged other files, too.
            """,
        effects: [Effect(.harmless, .nobody)],
        repair: .byHand, remedy: ["Nothing needs to be done."],
        sources: "ticds-remote-format(5), 1.3; ticds-protocol(7), 4.6")
}
