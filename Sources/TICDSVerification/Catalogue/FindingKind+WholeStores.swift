extension FindingArea {
    static let wholeStores = FindingArea(
        digits: "07", title: "Whole stores, registers and property lists",
        kinds: [
            .notAWholeStore, .wholeStoreDamaged, .logMissing, .zipDamaged, .zipEntryName, .zipEntries,
            .externalDataMissing, .sharedBlobsOrphaned, .noRegister, .registerDamaged, .registerModel,
            .storeIsFolder, .storesDisagree, .propertyListDamaged, .otherIdentifier, .unreadListDamaged,
            .cannotBeRead, .changedMeanwhile, .tooLarge, .leftoverDamaged, .oddHeader, .changedSilently,
            .pendingFileDamaged, .storeAltered, .xmlStore, .keyMissing,
        ])
}

extension FindingKind {
    private static let uploadAgain = "Let client {client} upload its whole store again."

    package static let notAWholeStore = FindingKind(
        "TICDS-0701", .error, .headers, "A whole store is not a store of a known kind",
        explanation: """
            The file is neither an SQLite, binary or XML store of Core Data nor a zip that contains one. It was \
            damaged at its beginning, or somebody saved something else under this name. A new client, or a client that \
            downloads the store after a reset, installs the file unchecked and cannot open it. Other clients are not \
            affected.
            """, effects: [Effect(.cannotDownload, .newClients)], repair: .wholeStore,
        remedy: [
            uploadAgain,
            "If that client is gone, set the file aside, so that new clients use another client's store:",
            setAside,
        ], sources: "ticds-remote-format(5), 1.6; ticds-protocol(7), 1.7")

    package static let wholeStoreDamaged = FindingKind(
        "TICDS-0702", .error, .contents, "A whole store is damaged",
        explanation: """
            The store of the application begins correctly, but its structure is damaged: SQLite's own check fails \
            (an index that lacks rows hides them from the application, for example), the file is shorter or longer than its header says, or the objects of a binary store cannot be read. An upload \
            copies the file of a store that is in use, so that the copy may be inconsistent; an interrupted transfer \
            is another cause. Clients that download the store install it unchecked, and crash or lack data.
            """, effects: [Effect(.cannotDownload, .newClients), Effect(.wrongData, .newClients)],
        repair: .wholeStore,
        remedy: [uploadAgain, "To salvage the parts that are left:", "ticds-store recover {file}"],
        sources: "ticds-protocol(7), 1.7, 4.6-3; core-data-sqlite-store(5), 5")

    package static let logMissing = FindingKind(
        "TICDS-0703", .warning, .contents, "A store was uploaded without its write-ahead log",
        explanation: """
            The header of the SQLite store says that it keeps a write-ahead log, as Core Data does since iOS 7 and OS \
            X 10.9, but the framework uploads the main file only. The latest changes may still have been in the log, \
            and are then missing from this copy. If the application closed its store, or wrote the log back before the \
            upload, nothing is missing. The file itself is intact.
            """, effects: [Effect(.wrongData, .newClients)],
        remedy: [
            "The remote does not show whether changes are missing. Let the application close and reopen its store, and client {client} upload it again."
        ], sources: "ticds-protocol(7), 4.6-3; ticds-field-notes(7), 2-5")

    package static let zipDamaged = FindingKind(
        "TICDS-0704", .error, .contents, "The zip of a whole store is damaged",
        explanation: """
            The Dropbox variant zips whole stores. The checksum, a size or the directory of this zip does not fit its \
            contents: it was truncated or changed on the way. Clients fail to extract it and then use the raw \
            file as the store, which they cannot open.
            """, effects: [Effect(.cannotDownload, .newClients)], repair: .wholeStore, remedy: [uploadAgain],
        sources: "ticds-remote-format(5), 1.6; ticds-protocol(7), 1.7")

    package static let zipEntryName = FindingKind(
        "TICDS-0705", .warning, .contents, "The entry of a zip does not have the name of the document",
        explanation: """
            After extracting a whole store, the Dropbox variant looks for a file whose name is the identifier of the \
            document. But when it makes the zip, it gives the entry the name of the application's store file. If the \
            two names differ, which is usual, its clients cannot download the store. Clients of the other variants do \
            not extract zips at all. The store in the zip is sound, and these tools can extract it.
            """, effects: [Effect(.cannotDownload, .newClients)],
        remedy: [
            "The application must give its store file the name of the document, or its clients must not compress. To read the store:",
            "ticds-store dump {file}",
        ], sources: "ticds-remote-format(5), 1.6; ticds-protocol(7), 1.7, D-1")

    package static let zipEntries = FindingKind(
        "TICDS-0706", .error, .contents, "A zip holds no store, several files, or names that lead elsewhere",
        explanation: """
            The zip of a whole store has exactly one entry. A client that cannot open its store writes a zip without \
            entries, which still counts as a success. Several entries, or names with a slash or two dots, do not come \
            from the framework: its clients extract them without a check, and may write files outside the intended \
            folder.
            """, effects: [Effect(.cannotDownload, .newClients)], repair: .wholeStore,
        remedy: [uploadAgain, "If the zip comes from elsewhere, set it aside:", setAside],
        sources: "ticds-remote-format(5), 1.6; ticds-protocol(7), 4.7-5")

    package static let externalDataMissing = FindingKind(
        "TICDS-0707", .warning, .contents, "Large values of a whole store are in files that are missing",
        explanation: """
            Core Data may keep large binary values in separate files in a hidden folder beside the store, and only the \
            names of these files in the store. The framework uploads only the main file, so that clients which \
            download the store lack these values: pictures, sounds and the like. The client that uploaded the store \
            still has them.
            """, effects: [Effect(.silentlyLost, .newClients)],
        remedy: [
            "Do not delete the application's data on client {client}: it has the only copies. Save its store together with the hidden folder that ends in _SUPPORT."
        ], sources: "ticds-protocol(7), 1.6-3; core-data-sqlite-store(5), 2.4")

    package static let sharedBlobsOrphaned = FindingKind(
        "TICDS-0708", .note, .contents, "Shared external data that no whole store names",
        explanation: """
            One fork of the framework keeps large values of all whole stores of a document as files in \
            WholeStore/SharedExternalData. A manifest inside each whole store names the files that this store needs. \
            Files that no manifest names were left by stores that have been replaced since. No client reads such \
            files, and nothing removes them. If a manifest cannot be read, this finding is not reported.
            """, effects: [Effect(.wastesSpace, .nobody)],
        remedy: [
            "Make sure that no upload is running: a client writes the shared files first, then the manifest. "
                + "Then move the files that ticds-verify names, one by one:",
            "mkdir -p ~/ticds-set-aside && mv -n {file}/{subject} ~/ticds-set-aside/",
        ], sources: "ticds-field-notes(7), 1")

    package static let noRegister = FindingKind(
        "TICDS-0709", .warning, .headers, "A whole store has no register of applied change sets beside it",
        explanation: """
            Together with its store a client uploads the register of the change sets that the store contains. Here the \
            register is missing, although change sets older than the store exist. A client that downloads this store \
            cannot know which sets it contains, and applies all of them again: old values replace newer ones until the \
            later sets have been applied, too.
            """, effects: [Effect(.appliedTwice, .newClients)], remedy: [uploadAgain],
        sources: "ticds-remote-format(5), 1.4; ticds-protocol(7), 1.6, 1.7")

    package static let storeIsFolder = FindingKind(
        "TICDS-0712", .warning, .headers, "A whole store is a folder",
        explanation: """
            One fork and the iCloud branch upload a store as a folder with the store and its external data in it. \
            Their clients read it. Clients of the main line expect a file: they cannot download this store, although \
            they take it into account when they vacuum.
            """, effects: [Effect(.cannotDownload, .newClients)],
        remedy: [
            "If all clients of the remote are of that fork, nothing needs to be done. Otherwise let another client upload its store."
        ], sources: "ticds-remote-format(5), 1.7; ticds-field-notes(7), 1")

    package static let storesDisagree = FindingKind(
        "TICDS-0713", .warning, .contents, "The whole stores of a document were saved with different models",
        explanation: """
            The version hashes in this store differ from those in the latest store of the document, so the two clients run \
            versions of the application with different models. Change sets carry no version: a client with the older \
            model crashes on an entity or attribute that it does not know. A new client may download either store.
            """, effects: [Effect(.crashes, .everyone)],
        remedy: [
            "Bring the application to the same version on all clients, and let client {client} upload its whole store again."
        ], sources: "ticds-protocol(7), 4.3-7")

    package static let oddHeader = FindingKind(
        "TICDS-0721", .note, .contents, "The header of an SQLite database is not as Core Data writes it",
        explanation: """
            A field of the first 100 bytes has a value that SQLite ignores, but that neither SQLite nor Core Data \
            writes: a user version, an application number, reserved bytes, or two counts of changes that differ. \
            Another program has changed the file, or a byte was changed on the way. The data can be read.
            """, effects: [Effect(.harmless, .nobody)],
        remedy: [
            "If nobody changed the file on purpose, compare it with a back-up: if one byte was changed, others may have been changed as well."
        ], sources: "core-data-sqlite-store(5), 1")

    package static let changedSilently = FindingKind(
        "TICDS-0722", .error, .contents, "The bytes of a file have changed, but not its size and time",
        explanation: """
            An earlier verification with --state saw other bytes in this file, while its size, its modification time \
            and its inode were the same. No client changes a file in this way: the disk, the network drive or a \
            program that resets times has changed it. The other checks may find nothing wrong with the new bytes.
            """, effects: [Effect(.wrongData, .everyoneElse)],
        remedy: [
            "Compare the file with the same file of a back-up, and check the disk:",
            "ticds-verify file {file}",
        ], sources: "ticds-field-notes(7), 3-1")

    package static let pendingFileDamaged = FindingKind(
        "TICDS-0723", .error, .contents, "The journal or write-ahead log beside a store is damaged",
        explanation: """
            While a program writes to an SQLite store, a second file beside it contains pages of the store: the \
            rollback journal contains pages from before the transaction, the write-ahead log contains pages that are \
            newer than the store. Such a file is here, and it is damaged, or does not fit its store.

            If it is not a journal or a log at all, has pages of another size, requests a store that is larger than both \
            files together, or belongs to another store, no command of the suite lets SQLite see it, and the store was \
            not checked: SQLite would mix two stores, or write files of up to 17 TB. If only pages in it are damaged, \
            SQLite ignores them and all that follow: commands show what it shows, name the place, and end with 5; \
            ticds-store recover shows the rows in those pages.

            Clients download the store without the file beside it: they may get a store that was copied in the middle \
            of a transaction.
            """, effects: [Effect(.notChecked, .everyone), Effect(.wrongData, .newClients)],
        remedy: [
            "If a cloud service is still fetching files, wait for it, and verify again. Otherwise set the file beside the store aside, verify again, and let client {client} upload its whole store again."
        ], sources: "core-data-sqlite-store(5), 5")

    package static let storeAltered = FindingKind(
        "TICDS-0724", .warning, .contents, "A binary whole store was altered after it was written",
        explanation: """
            These tools can read the binary store, but its archive is not as any version of Core Data writes it: an \
            object that nothing uses, a gap between two objects, a class or a field with a wrong name. Objects or \
            values may be missing from what can be read. A byte was changed on the way, or another program wrote the \
            store. Core Data may read the store, may refuse it, or may read other values than these tools do.
            """, effects: [Effect(.cannotDownload, .newClients), Effect(.wrongData, .newClients)],
        remedy: [uploadAgain, "To save the parts that can be read:", "ticds-store dump {file}"],
        sources: "core-data-binary-store(5), 2")

    package static let xmlStore = FindingKind(
        "TICDS-0725", .warning, .contents, "A whole store is an XML store, and was not read",
        explanation: """
            The file begins like a store of Core Data's XML type, which only applications for the Mac can choose. \
            Clients on Macs can open such a store. These tools read one in UTF-8 that fits into memory. They do not \
            read this one, but can extract it: it may be intact, damaged or truncated. The program also reports such a store among \
            the leftovers of uploads in TemporaryFiles; there it is harmless, since no client reads it.
            """, effects: [Effect(.notChecked, .newClients)],
        remedy: [
            "Copy the store out, then open the copy on a Mac, or with another program that reads XML:",
            "ticds-store extract {file} COPY",
        ], sources: "core-data-xml-store(5), 1, 11")
}
