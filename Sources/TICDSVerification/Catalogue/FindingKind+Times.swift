extension FindingArea {
    static let times = FindingArea(
        digits: "04", title: "Times",
        kinds: [
            .changeSetInFuture, .changeSetTimeOff, .clockOff, .timesLost, .fileInFuture, .vacuumTakesUnseen,
            .changeSetsInFuture,
        ])
}

extension FindingKind {
    package static let changeSetInFuture = FindingKind(
        "TICDS-0401", .warning, .names, "A change set is dated in the future",
        explanation: """
            Its modification time is more than an hour later than now. Among the sets that a client has not applied \
            yet, the File Manager and iCloud variants apply this one last, so that its edits replace newer ones, and \
            the vacuum does not remove it before that time has come. The clock of the machine that wrote the set, or \
            of a machine that copied it, was ahead. (In the Dropbox variant the server's clock counts, which nobody \
            can set.)

            The remedy gives the set the time in its name or, if that lies in the future, too, the present time.
            """, effects: [Effect(.misorders, .everyoneElse)], repair: .time,
        remedy: ["Look at the clock of client {client}. Then:", "touch -d {subject} {file}"],
        sources: "ticds-remote-format(5), 1.2, 3.5; ticds-protocol(7), 1.9, 4.5-2")

    package static let changeSetTimeOff = FindingKind(
        "TICDS-0402", .warning, .names, "The time of a change set does not fit the time in its name",
        explanation: """
            The number at the beginning of the name is the time when the author made the set for upload. The file's \
            own time decides the order of the sets, and shows the vacuum their age. The two times need not be equal: \
            in a plain remote, the File Manager and iCloud variants keep the time of the last edit in the set, which \
            may be hours or weeks earlier if the edits were made offline; with encryption, and with Dropbox, it is the \
            time of the upload. No variant writes a time that is more than a day after the time in the name, more than \
            a day before it in an encrypted remote, more than half a year before it in a plain one, or before 2010. If \
            a set has such a time, a copy, a restore or a program lost the right one.

            A set that looks younger than it is gets applied after sets that are newer, so that its old edits replace \
            theirs. A vacuum may remove a set that looks older than it is before every client has it. Clients that \
            have already applied the set are no longer affected.
            """, effects: [Effect(.misorders, .everyoneElse)], repair: .time,
        remedy: ["touch -d {subject} {file}"],
        sources: "ticds-remote-format(5), 1.2, 3.5; ticds-protocol(7), 1.8.3, 4.5-3, 4.5-6")

    package static let clockOff = FindingKind(
        "TICDS-0403", .warning, .names,
        "The clock of a client does not agree with the times of its change sets",
        explanation: """
            The times in the names, which come from the client's clock, and the times of the files, which come from \
            the server or the disk, differ by the same amount in all sets of this client. Either the client's clock is \
            wrong (with Dropbox, where the server dates the files), or the disk or network drive keeps local time (as \
            FAT and exFAT do) and was read with another time zone, or at another time of the year: then the difference \
            is a number of whole hours.

            The sets of this client are in the right order among themselves. But clients apply them too early or too \
            late among the sets of others, and the client's recent sync and whole store, which are dated in the same \
            way, shift the limit of the vacuum. Do not change any times before you know which of the two clocks is \
            right.
            """, effects: [Effect(.misorders, .everyoneElse), Effect(.vacuumsTooMuch, .everyone)],
        remedy: [
            "Correct the clock of client {client}, or mount the disk with the right time zone; then verify again."
        ], sources: "ticds-protocol(7), 4.5-1, 4.5-2")

    package static let timesLost = FindingKind(
        "TICDS-0404", .error, .names, "The change sets of a client or document have lost their times",
        explanation: """
            Many sets have times that do not fit their names, or all sets were written within a short time although \
            their names cover weeks. This happens after a restore or a copy that did not keep modification times (cp \
            without -p, git, most downloads). The times are data: clients apply sets in the order of their times, so \
            that a client which has not applied them yet, above all a new one, ends with other data than the others; \
            and the vacuum removes too much or nothing. Recent syncs and whole stores have probably lost their times \
            in the same way: if recent syncs look too young, a vacuum may remove sets that a client still needs.

            One finding stands for a client, or for the whole document if all of its clients are concerned. The remedy \
            dates each set by its name. That is the time of the upload, which is a little later than the original time \
            if the edits were made offline; therefore restore the remote again with its times if the back-up has them \
            (tar, rsync -t, cp -p).
            """, effects: [Effect(.misorders, .everyoneElse)], repair: .timesFromNames,
        remedy: [
            "Let no client synchronise. If the back-up has the times, restore it again with its times (rsync -rt). If not:",
            timesFromNames,
        ], sources: "ticds-remote-format(5), 1.2, 3.5; ticds-protocol(7), 4.5-6; ticds-field-notes(7), 2-1")

    package static let fileInFuture = FindingKind(
        "TICDS-0405", .warning, .names, "A recent sync or a whole store is dated in the future",
        explanation: """
            Its modification time is more than an hour later than now, because a clock was ahead. The oldest recent \
            sync and the oldest whole store limit what a vacuum may remove. A file from the future limits nothing, so \
            that a vacuum may remove sets which this client, or a client that starts from this store, still needs. New \
            clients also choose a whole store from the future, however many newer ones other clients upload.

            The remedy gives the file the time of the client's last change set or, if there is none, that of the \
            client's registration: a time that is too old is safe, and one that is too young is not.
            """, effects: [Effect(.vacuumsTooMuch, .thisClient)], repair: .time,
        remedy: ["Look at the clock of client {client}. Then:", "touch -d {subject} {file}"],
        sources: "ticds-protocol(7), 1.7-1, 1.9, 4.5-2")

    package static let vacuumTakesUnseen = FindingKind(
        "TICDS-0406", .warning, .names, "A vacuum would remove a change set that a client has not fetched",
        explanation: """
            In a plain remote, the File Manager and iCloud variants date a set by its last edit, not by its upload. \
            The last edit of this set was made before, and its upload came after, the last synchronisation of another \
            client, and the set is older than the oldest whole store and the oldest recent sync. The author's next \
            vacuum therefore takes it for a set that every client has, and its edits never reach the clients that are \
            named here.

            If you date the set by its name, the vacuum keeps it; clients then apply it as if its edits had been made \
            at the time of its upload.
            """, effects: [Effect(.silentlyLost, .everyoneElse)], repair: .timesFromNames,
        remedy: [
            "Let the clients that are named here synchronise before {client} vacuums. If they cannot:",
            "touch -d {subject} {file}",
        ], sources: "ticds-protocol(7), 1.8.3, 1.9, 4.5-3")

    package static let changeSetsInFuture = FindingKind(
        "TICDS-0407", .warning, .names, "Many change sets of a client are dated in the future",
        explanation: """
            More than three sets of the client are dated more than an hour later than now: its clock is ahead, or the \
            sets were copied by a machine whose clock was. The File Manager and iCloud variants apply these sets after \
            all others that are new to a client, so that their edits replace newer ones, and the vacuum does not \
            remove them before that time has come.
            """, effects: [Effect(.misorders, .everyoneElse)], repair: .timesFromNames,
        remedy: [
            "Look at the clock of client {client}. If the times in the names are right, date the sets by them:",
            timesFromNames,
        ], sources: "ticds-remote-format(5), 1.2, 3.5; ticds-protocol(7), 1.9, 4.5-2")
}
