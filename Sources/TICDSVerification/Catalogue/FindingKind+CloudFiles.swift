extension FindingKind {
    static let cloudPlaceholder = FindingKind(
        "TICDS-0220", .warning, .names, "A placeholder of a cloud service: the file is not on this machine",
        explanation: """
            The cloud service keeps the file elsewhere and shows another one instead: iCloud a hidden .NAME.icloud, \
            Nextcloud a NAME.nextcloud of one byte, ownCloud a NAME.owncloud or, under the name of a firm, a \
            NAME.FIRM_virtual. To this program and to clients on this machine the file is missing: change sets are not \
            seen, vacuum with missing recent syncs or whole stores removes too much, a missing salt turns the remote \
            into a plain one. A placeholder in IntegrityKey can be taken for the key itself, which makes clients throw \
            away unsent edits. One that is not hidden is a stray besides: among change sets it blocks the other clients \
            of this machine. Other machines may be sound.

            The contents of such files were not checked. The commands of the suite that change something refuse while \
            placeholders are there.
            """,
        effects: [Effect(.harmless, .nobody)],
        repair: .byHand,
        remedy: ["Let the cloud service download the whole folder to this machine, and verify again."],
        sources: "ticds-protocol(7), 7.1-2, 7.7-4; ticds-field-notes(7), 2-8")

    static let partialDownload = FindingKind(
        "TICDS-0221", .warning, .names, "A download that is not finished",
        explanation: """
            A sync program or a browser writes the file under a temporary name until it is complete. Clients do not \
            recognise such names: where folders are listed it counts as a stray like any other, so that among change \
            sets it blocks the other clients until it is gone, beside the integrity key it can be taken for the key, \
            and in RecentSyncs it holds back vacuum. If its program still runs it goes away by itself.
            """,
        effects: [Effect(.harmless, .nobody)],
        repair: .trash,
        remedy: [
            "Wait until the sync program has finished, and verify again; what stays is set aside:",
            NamesRemedy.setAside,
        ],
        sources: "ticds-protocol(7), 7.1, 7.7-3; ticds-field-notes(7), 2-8")

    static let emptyChangeSet = FindingKind(
        "TICDS-0222", .error, .names, "A change set without a single byte",
        explanation: """
            It was cut off by a full disk or by a copy, or the cloud service keeps its content elsewhere (online-only). \
            In a plain remote clients download it without complaint. What happens then depends on Core Data: either \
            the set is replaced by an empty one and counts as applied, so that its edits are lost to that client in \
            silence and for ever, or the client crashes, and does so again at every synchronisation. In an encrypted \
            remote it cannot be decrypted and blocks every client but its author.
            """,
        effects: [Effect(.silentlyLost, .everyoneElse), Effect(.crashes, .everyoneElse)],
        repair: .quarantine,
        remedy: [
            "Let the cloud service download it, or copy the set back from a back-up with its time (cp -p). If nobody "
                + "has it any more, set it aside before a client swallows it:",
            NamesRemedy.setAside,
        ],
        sources: "ticds-protocol(7), 7.3-1, 7.3-2; ticds-field-notes(7), 2-2")

    static let emptyFile = FindingKind(
        "TICDS-0223", .error, .names, "A file without a single byte that clients read",
        explanation: """
            It was cut off by a full disk or by a copy, or the cloud service keeps its content elsewhere (online-only). \
            An empty deviceInfo.plist makes the list of clients fail, an empty documentInfo.plist that of all documents. \
            With an empty salt every client derives a wrong key, without a test file none can check its password. An \
            empty whole store is installed by a new client as if it were one; an empty register beside it makes the new \
            client apply all change sets once more that the store already holds.

            Integrity keys, recent syncs and tombstones count by their names and times alone; empty ones do no harm and \
            are not reported.
            """,
        effects: [Effect(.breaksLists, .everyone)], repair: .quarantine, remedy: [NamesRemedy.fromBackup],
        sources: "ticds-remote-format(5), 1.4; ticds-protocol(7), 4.1, 4.3, 4.5, 4.7, 7.6-2")

    static let contentNotHere = FindingKind(
        "TICDS-0224", .error, .names, "A file whose content is not on this machine",
        explanation: """
            The file has its name and perhaps its size, but one byte in it, or nothing but zeros. Cloud services that \
            keep files elsewhere (online-only) leave such files: iCloud since 2023, OneDrive, Dropbox, Google Drive. A \
            copy of a folder with such files holds them too, and there they stay for good. A power failure can fill a \
            file with zeros as well; the file does not show which of these it was.

            Clients on this machine read what is there and find a damaged file. Other machines may be sound. The \
            contents of the file were not checked, and the commands of the suite that change something refuse while \
            it is in this state.

            The size, and whether the file system counts any block for the file, are looked at on every level. A file of \
            zeros that has blocks is found where files are opened, from the level headers on. Integrity keys, recent \
            syncs and tombstones count by their names and times alone; without content they do no harm and are not \
            reported.
            """,
        effects: [Effect(.breaksLists, .everyone)],
        repair: .byHand,
        remedy: [
            "Let the cloud service download the whole folder to this machine, and verify again. Where the service has "
                + "no more of it than that:",
            NamesRemedy.fromBackup,
        ],
        sources: "ticds-protocol(7), 7.3-1, 7.7-4; ticds-field-notes(7), 2-8")
}
