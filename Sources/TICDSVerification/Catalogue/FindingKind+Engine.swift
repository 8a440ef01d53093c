extension FindingKind {
    static let notOpened = FindingKind(
        "TICDS-0509", .note, .contents, "Encrypted files were not opened, because no password was given",
        explanation: """
            The remote is encrypted. Without the password the program could check names, sizes, times, registers and \
            recent syncs, but not whether the other files are intact: it does not notice a file that is damaged \
            inside. It then ends with 4, unless --without-password is given.
            """,
        effects: [Effect(.notChecked, .everyone)],
        repair: .byHand, remedy: ["ticds-verify {remote} --password-file FILE"],
        sources: "ticds-remote-format(5), 1.4; ticds-protocol(7), 6")

    static let changedSilently = FindingKind(
        "TICDS-0722", .error, .contents, "The bytes of a file have changed, but not its size and time",
        explanation: """
            An earlier verification with --state saw other bytes in this file, while its size, its modification time \
            and its inode were the same. No client changes a file in this way: the disk, the network drive or a \
            program that resets times has changed it. The other checks may find nothing wrong with the new bytes.
            """,
        effects: [Effect(.wrongData, .everyoneElse)],
        repair: .byHand,
        remedy: [
            "Compare the file with the same file of a back-up, and check the disk:",
            "ticds-verify file {file}",
        ], sources: "ticds-field-notes(7), 3-1")
}
