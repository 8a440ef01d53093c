extension FindingKind {
    static let cloudPlaceholder = FindingKind(
        "TICDS-0220", .warning, .names, "A placeholder of a cloud service: the file is not on this machine",
        explanation: """
            The cloud service keeps the file elsewhere and leaves another file in its place: iCloud a hidden \
            .NAME.icloud, Nextcloud a NAME.nextcloud of one byte, ownCloud a NAME.owncloud or, under the name of a \
            firm, a NAME.FIRM_virtual. For this program and for clients on this machine the file is missing: clients \
            do not see change sets, the vacuum removes too much if recent syncs or whole stores are missing, and \
            without its salt the remote looks like a plain one. Clients can take a placeholder in IntegrityKey for the \
            key itself, and then throw away unsent edits. A placeholder that is not hidden is also a stray: among \
            change sets it blocks the other clients of this machine. On other machines all may be well.

            The contents of such files were not checked. The commands of the suite that change something refuse while \
            there are placeholders.
            """,
        effects: [Effect(.harmless, .nobody)],
        remedy: ["Let the cloud service download the whole folder to this machine, and verify again."],
        sources: "ticds-protocol(7), 7.1-2, 7.7-4; ticds-field-notes(7), 2-8")

    static let partialDownload = FindingKind(
        "TICDS-0221", .warning, .names, "A download that is not finished",
        explanation: """
            A sync program or a browser writes the file under a temporary name until it is complete. Clients do not \
            recognise such names, so that the file counts as a stray: among change sets it blocks the other clients \
            until it is gone, beside the integrity key clients can take it for the key, and in RecentSyncs it holds \
            back the vacuum. If the program that writes the file is still running, the file will disappear by itself.
            """,
        effects: [Effect(.harmless, .nobody)],
        repair: .trash,
        remedy: [
            "Wait until the sync program has finished, and verify again; set aside what is left:",
            NamesRemedy.setAside,
        ],
        sources: "ticds-protocol(7), 7.1, 7.7-3; ticds-field-notes(7), 2-8")

    static let emptyChangeSet = FindingKind(
        "TICDS-0222", .error, .names, "A change set is an empty file",
        explanation: """
            A full disk or a copy cut the file off, or the cloud service keeps its content elsewhere (online-only). In \
            a plain remote clients download the file without complaint. What happens then depends on Core Data. Either \
            the framework replaces the set by an empty one and counts it as applied, so that this client silently \
            loses the edits for good; or the client crashes, and crashes again at every synchronisation. In an \
            encrypted remote the file cannot be decrypted, and blocks every client except its author.
            """,
        effects: [Effect(.silentlyLost, .everyoneElse), Effect(.crashes, .everyoneElse)],
        repair: .quarantine,
        remedy: [
            "Let the cloud service download it, or copy the set back from a back-up with its time (cp -p). If nobody "
                + "has it any more, set it aside before a client takes it for empty:",
            NamesRemedy.setAside,
        ],
        sources: "ticds-protocol(7), 7.3-1, 7.3-2; ticds-field-notes(7), 2-2")

    static let emptyFile = FindingKind(
        "TICDS-0223", .error, .names, "A file that clients read is empty",
        explanation: """
            A full disk or a copy cut the file off, or the cloud service keeps its content elsewhere (online-only). An \
            empty deviceInfo.plist makes the list of clients fail, and an empty documentInfo.plist makes the list of \
            all documents fail. With an empty salt every client derives a wrong key; with an empty test file no client \
            can check its password. A new client installs an empty whole store as if it were sound; an empty register \
            beside a whole store makes the new client apply again all change sets that the store already contains.

            Clients use only the names and times of integrity keys, recent syncs and tombstones; empty ones do no harm \
            and are not reported.
            """,
        effects: [Effect(.breaksLists, .everyone)], repair: .quarantine, remedy: [NamesRemedy.fromBackup],
        sources: "ticds-remote-format(5), 1.4; ticds-protocol(7), 4.1, 4.3, 4.5, 4.7, 7.6-2")

    static let contentNotHere = FindingKind(
        "TICDS-0224", .error, .names, "A file whose content is not on this machine",
        explanation: """
            The file has its name and perhaps its size, but it contains one byte, or nothing but zeros. Cloud services \
            that keep files elsewhere (online-only) leave such files: iCloud since 2023, OneDrive, Dropbox, Google \
            Drive. If somebody copies a folder with such files, the copy contains them, too, and they stay there for \
            good. A power failure can also fill a file with zeros; the file does not show what happened.

            Clients on this machine read what is there and find a damaged file. On other machines all may be well. The \
            contents of the file were not checked, and the commands of the suite that change something refuse while \
            the file is in this state.

            Every level checks the size, and whether the file system counts any block for the file. A file of zeros \
            that has blocks is found only when files are opened, from the level headers on. Clients use only the names \
            and times of integrity keys, recent syncs and tombstones; without content these do no harm and are not \
            reported.
            """,
        effects: [Effect(.breaksLists, .everyone)],
        remedy: [
            "Let the cloud service download the whole folder to this machine, and verify again. If the service has "
                + "lost the content, too:",
            NamesRemedy.fromBackup,
        ],
        sources: "ticds-protocol(7), 7.3-1, 7.7-4; ticds-field-notes(7), 2-8")
}
