extension FindingArea {
    static let times = FindingArea(
        "04", "Times",
        [
            .changeSetInFuture, .changeSetTimeOff, .clockOff, .timesLost, .fileInFuture, .vacuumTakesUnseen,
            .changeSetsInFuture,
        ])
}

extension FindingKind {
    static let changeSetInFuture = FindingKind(
        "TICDS-0401", .warning, .names, "A change set is dated in the future",
        explanation: """
            Its modification time is more than an hour later than now. Among the sets that a client has not applied yet, the \
            File Manager and iCloud variants apply it last, so that its edits win over newer ones, and vacuum does not \
            remove it before that time has come. The clock of the machine that wrote it, or of the one that copied it, was \
            ahead. (In the Dropbox variant the server's clock counts, which cannot be set.)

            The remedy gives the set the time in its name; where that lies in the future, too, the present time.
            """,
        effects: [Effect(.misorders, .everyoneElse)],
        repair: .time, remedy: ["Look at the clock of client {client}. Then:", "touch -d {subject} {file}"],
        sources: "ticds-remote-format(5), 1.2, 3.5; ticds-protocol(7), 4.9, 7.5-2")

    static let changeSetTimeOff = FindingKind(
        "TICDS-0402", .warning, .names, "The time of a change set does not fit the time in its name",
        explanation: """
            The number in front of the name is the time when the author made the set for upload. The file's own time orders \
            the sets and tells vacuum their age. They need not be equal: where nothing is encrypted, the File Manager and \
            iCloud variants keep the time of the last edit in the set, which was hours or weeks before if the edits \
            were made offline; encryption, like Dropbox, gives the time of the upload. No variant writes a time more \
            than a day after that in the name, more than a day before it in an encrypted remote, more than half a \
            year before it in a plain one, or before 2010. Then a copy, a restore or a program lost the time.

            A set that looks younger than it is is applied after sets that are newer, so that its old edits win. One that \
            looks older may be removed by vacuum before everyone has it. Clients that have applied the set are not affected \
            any more.
            """,
        effects: [Effect(.misorders, .everyoneElse)],
        repair: .time, remedy: ["touch -d {subject} {file}"],
        sources: "ticds-remote-format(5), 1.2, 3.5; ticds-protocol(7), 4.8.3, 7.5-3, 7.5-6")

    static let clockOff = FindingKind(
        "TICDS-0403", .warning, .names,
        "The clock of a client does not agree with the times of its change sets",
        explanation: """
            The times in the names, which come from the client's clock, and the times of the files, which come from the \
            server or the disk, differ by the same amount in all sets of this client. Either its clock is wrong (with \
            Dropbox, where the server dates the files), or the disk or network drive keeps local time (FAT and exFAT do) \
            and is read with another time zone or in the other half of the year: then the difference is whole hours.

            Within one client the order is right. But its sets come too early or too late among those of the others, and \
            its recent sync and whole store, dated likewise, shift the limit of vacuum. No times should be changed before it \
            is clear which of the two clocks is right.
            """,
        effects: [Effect(.misorders, .everyoneElse), Effect(.vacuumsTooMuch, .everyone)],
        repair: .byHand,
        remedy: [
            "Set the clock of client {client} right, or mount the disk with the right time zone; then verify again."
        ],
        sources: "ticds-protocol(7), 7.5-1, 7.5-2")

    static let timesLost = FindingKind(
        "TICDS-0404", .error, .names, "The change sets of a client or document have lost their times",
        explanation: """
            Many sets have times that do not fit their names, or sets whose names tell of weeks were all written within a \
            fraction of that. This happens after a restore or a copy that did not keep modification times (cp without \
            -p, git, most downloads). The times are data: clients apply sets in their order, so that a client which has not \
            applied them yet, a new one above all, ends with other data than the others; and vacuum removes too much or \
            nothing. Recent syncs and whole stores have probably lost their times in the same way: recent syncs that look too \
            young let vacuum remove what a client still needs.

            One finding stands for a client, or for the whole document if all of its clients are concerned. The remedy \
            dates each set by its name. That is the time of its upload, a little later than the original time where the \
            edits were made offline; so restore again with the times if the back-up has them (tar, rsync -t, cp -p).
            """,
        effects: [Effect(.misorders, .everyoneElse)],
        repair: .timesFromNames,
        remedy: [
            "Let no client synchronise. If the back-up has the times, restore again with them (rsync -rt). If not:",
            NamesRemedy.timesFromNames,
        ],
        sources: "ticds-remote-format(5), 1.2, 3.5; ticds-protocol(7), 7.5-6; ticds-field-notes(7), 2-1")

    static let fileInFuture = FindingKind(
        "TICDS-0405", .warning, .names, "A recent sync or a whole store is dated in the future",
        explanation: """
            Its modification time is more than an hour later than now, because a clock was ahead. The oldest recent \
            sync and the oldest whole store limit what vacuum may remove; one from the future limits nothing, so that \
            vacuum may remove sets which this client, or one that starts from this store, still needs. A whole store \
            from the future is also the one that new clients choose, however many newer ones come.

            The remedy gives the file the time of the client's last change set or, where it has none, that of its \
            registration: rather too old than too young, which is safe.
            """,
        effects: [Effect(.vacuumsTooMuch, .thisClient)],
        repair: .time, remedy: ["Look at the clock of client {client}. Then:", "touch -d {subject} {file}"],
        sources: "ticds-protocol(7), 4.7-1, 4.9, 7.5-2")

    static let vacuumTakesUnseen = FindingKind(
        "TICDS-0406", .warning, .names, "Vacuum would remove a change set that a client has not fetched",
        explanation: """
            Where nothing is encrypted, the File Manager and iCloud variants date a set by its last edit, not by its upload. \
            This one was edited before and uploaded after the last synchronisation of another client, and is older than \
            the oldest whole store and the oldest recent sync. The author's next vacuum therefore takes it for a set \
            that every client has, and its edits never reach the clients that are named here.

            Dating the set by its name saves it from vacuum; it is then applied as if edited at the time of its upload.
            """,
        effects: [Effect(.silentlyLost, .everyoneElse)],
        repair: .timesFromNames,
        remedy: [
            "Let the clients that are named here synchronise before {client} vacuums. If they cannot:",
            "touch -d {subject} {file}",
        ],
        sources: "ticds-protocol(7), 4.8.3, 4.9, 7.5-3")

    static let changeSetsInFuture = FindingKind(
        "TICDS-0407", .warning, .names, "Many change sets of a client are dated in the future",
        explanation: """
            More than three sets of the client are dated more than an hour later than now: its clock is ahead, or the sets \
            were copied by a machine whose clock was. The File Manager and iCloud variants apply them after all others that \
            are new to a client, so that their edits win over newer ones, and vacuum does not remove them before that time \
            has come.
            """,
        effects: [Effect(.misorders, .everyoneElse)],
        repair: .timesFromNames,
        remedy: [
            "Look at the clock of client {client}. If the times in the names are right, date the sets by them:",
            NamesRemedy.timesFromNames,
        ],
        sources: "ticds-remote-format(5), 1.2, 3.5; ticds-protocol(7), 4.9, 7.5-2")
}
