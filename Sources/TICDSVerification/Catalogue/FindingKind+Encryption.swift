extension FindingArea {
    static let encryption = FindingArea(
        digits: "05", title: "Encryption",
        kinds: [
            .saltWithoutTest, .testWithoutSalt, .saltLength, .plainInEncrypted, .encryptedInPlain, .badHMAC,
            .encryptedSize, .oldHMAC, .notOpened, .encryptedButReadPlain, .encryptionGone,
        ])
}

extension FindingKind {
    package static let saltWithoutTest = FindingKind(
        "TICDS-0501", .error, .headers, "The remote has a salt, but no file to test a password with",
        explanation: """
            Encryption/salt.ticdsync says that the remote is encrypted, but Encryption/test.ticdsync, which every \
            client decrypts to try a password, is missing. This happens if the first client ended between the two \
            writes, or if a cloud service lost one of the files. Each time a client starts, its registration with the \
            application fails, even with the right password; the data themselves are not harmed.
            """, effects: [Effect(.cannotRegister, .everyone), Effect(.cannotRegister, .newClients)],
        repair: .encryptionTest,
        remedy: [
            "Restore Encryption/test.ticdsync from a back-up of the same remote; it must belong to the same password and salt."
        ], sources: "ticds-protocol(7), 1.1, 3.4, 4.2-1")

    package static let testWithoutSalt = FindingKind(
        "TICDS-0502", .error, .headers, "The file to test a password with has lost its salt",
        explanation: """
            Encryption/test.ticdsync is there, but Encryption/salt.ticdsync is not. Only the salt shows clients that a \
            remote is encrypted: without it they take the remote for a plain one, fail on every encrypted file, and \
            upload plain files beside the encrypted ones. Without the salt no password opens the encrypted files, so \
            it has to come from a back-up.
            """,
        effects: [
            Effect(.blocks, .everyone), Effect(.exposes, .everyone), Effect(.cannotRegister, .newClients),
        ],
        remedy: [
            "Stop all clients, and restore Encryption/salt.ticdsync (16 bytes) from a back-up of the same remote."
        ], sources: "ticds-protocol(7), 1.1, 3.1, 3.5, 4.2-1")

    package static let saltLength = FindingKind(
        "TICDS-0503", .warning, .headers, "The salt does not have 16 bytes",
        explanation: """
            The framework writes a salt of 16 random bytes. Clients do not check the length and use whatever the file \
            contains. A salt that was truncated, or that another program wrote, therefore gives another key, and the \
            password opens nothing. If the password does open the other files, the odd length is harmless.
            """, effects: [Effect(.cannotRegister, .everyone), Effect(.cannotRegister, .newClients)],
        remedy: [
            "Check that the password opens the remote:", "ticds-inspect tree {remote}",
            "If it does not, restore the salt from a back-up.",
        ], sources: "ticds-protocol(7), 3.1")

    package static let plainInEncrypted = FindingKind(
        "TICDS-0504", .error, .headers, "A plain file in an encrypted remote",
        explanation: """
            The remote is encrypted, but this file is not. It comes from a client that registered before the salt was \
            written, from a restored plain back-up, from another tool, or from somebody who may write into the folder \
            and does not know the password. Clients try to decrypt every file of this sort, and fail: a plain change \
            set blocks all clients except its author, a plain whole store cannot be downloaded, and plain property \
            lists break the lists of documents and clients. Besides, everyone who may read the folder can read the \
            file.

            Like the clients, the commands of the suite take nothing from such a file. They never encrypt it, because \
            that would make a forged file look like the file of a client.
            """, effects: [Effect(.blocks, .everyoneElse), Effect(.exposes, .everyone)], repair: .quarantine,
        remedy: ["Let the client that wrote the file send it again; until then, set it aside:", setAside],
        sources: "ticds-protocol(7), 3.5, 4.3-2")

    package static let encryptedInPlain = FindingKind(
        "TICDS-0505", .error, .headers, "A file looks encrypted in a remote that is not",
        explanation: """
            The remote has no salt, so clients decrypt nothing, but this file looks like an encrypted one. Either the \
            salt of the remote was lost, or the file was put here from another, encrypted remote. A client that works \
            without encryption takes an encrypted change set for a damaged store, and crashes on it at every \
            synchronisation. Property lists and whole stores like this cannot be read.
            """, effects: [Effect(.crashes, .everyoneElse)], repair: .quarantine,
        remedy: [
            "If the whole remote looks like this, restore Encryption/salt.ticdsync from a back-up. If only this file does:",
            setAside,
        ], sources: "ticds-protocol(7), 3.5, 4.3-1")

    package static let badHMAC = FindingKind(
        "TICDS-0506", .error, .contents, "An encrypted file is damaged or has another password",
        explanation: """
            The checksum (HMAC) at the end of the file does not fit the file and the key of this remote. Either bytes \
            of the file were changed on the way, or the file was encrypted with another password or salt; it does not \
            show which. Clients refuse it: a change set like this blocks every client except its author at each \
            synchronisation; a whole store cannot be downloaded (Dropbox clients even install an empty store); because \
            of a damaged test file every client asks for the password again and again.
            """, effects: [Effect(.blocks, .everyoneElse)], repair: .quarantine,
        remedy: [
            "Restore the file from a back-up, with its modification time. Until then, set it aside; if it is a change set, the others lack its edits, but can synchronise again:",
            setAside,
        ], sources: "ticds-protocol(7), 1.7, 3.3, 4.3-2")

    package static let encryptedSize = FindingKind(
        "TICDS-0507", .error, .headers, "An encrypted file has an impossible size",
        explanation: """
            The size of an encrypted file is 96 bytes plus a multiple of 16, and at least 112. This file has another \
            size: it was truncated, a cloud service is still transferring it, or it is something else altogether. \
            Clients fail to decrypt it, as they fail with any damaged file; if it has 32 bytes or fewer, they do not \
            even take this for a wrong password.
            """, effects: [Effect(.blocks, .everyoneElse)], repair: .quarantine,
        remedy: [
            "Wait until the cloud service has finished, and verify again. If the file stays as it is, restore it from a back-up, or set it aside:",
            setAside,
        ], sources: "ticds-protocol(7), 3.2, 3.3, 4.3-2")

    package static let oldHMAC = FindingKind(
        "TICDS-0508", .error, .contents, "A file was encrypted by the framework's first version",
        explanation: """
            In its first weeks, before 11 June 2011, the framework left the first 16 bytes of an encrypted file out of \
            its checksum. This file is intact in that old form. Later versions of the framework refuse the file as if \
            it were damaged. Only tools that know the old form can decrypt and read it.
            """, effects: [Effect(.blocks, .everyoneElse)], repair: .encrypt,
        remedy: ["Its contents are not lost. If clients no longer need the file, set it aside:", setAside],
        sources: "ticds-protocol(7), 3.2")

    package static let notOpened = FindingKind(
        "TICDS-0509", .note, .contents, "Encrypted files were not opened, because no password was given",
        explanation: """
            The remote is encrypted. Without the password the program could check names, sizes, times, registers and \
            recent syncs, but not whether the other files are intact: it does not notice a file that is damaged \
            inside. It then ends with 4, unless --without-password is given.
            """, effects: [Effect(.notChecked, .everyone)],
        remedy: ["ticds-verify {remote} --password-file FILE"],
        sources: "ticds-remote-format(5), 1.4; ticds-protocol(7), 3")

    package static let encryptedButReadPlain = FindingKind(
        "TICDS-0510", .warning, .headers, "A file that clients read unencrypted is encrypted",
        explanation: """
            Registers of applied change sets, recent syncs and integrity keys are never encrypted, even in an \
            encrypted remote, but this file is. Some tool has encrypted too much. A client that downloads a whole \
            store with an encrypted register replaces the register by an empty one and applies all change sets again. \
            No client reads the contents of recent syncs and integrity keys, so that these do no harm.
            """, effects: [Effect(.appliedTwice, .newClients)], repair: .decrypt,
        remedy: ["Let client {client} upload its whole store again, which writes the register again."],
        sources: "ticds-remote-format(5), 1.4; ticds-protocol(7), 3.5, 4.3-5")

    package static let encryptionGone = FindingKind(
        "TICDS-0511", .error, .names, "The remote was encrypted, but nothing in it shows that any more",
        explanation: """
            When the suite last changed this remote on this machine, the remote had a salt. Now it has neither a salt \
            nor a file to test a password with. Either somebody has decrypted it on another machine, or somebody has \
            removed the signs of its encryption so that clients and tools upload plain text. No command reads contents \
            or writes until you have found out what happened.
            """, effects: [Effect(.exposes, .everyone)],
        remedy: [
            "If nobody decrypted the remote on purpose, restore the folder Encryption from a back-up of the same remote.",
            "If somebody did, remove the file \"encrypted\" beside the journal of the remote; every command that refuses names that file.",
        ], sources: "ticds-protocol(7), 3.5")
}
