/// Kinds that show only where several files are seen together.
extension FindingKind {
    static let deviceTwice = FindingKind(
        "TICDS-0316", .note, .contents, "Two clients look like one device",
        explanation: """
            Two or more clients of the application have the same description and the same user info in their \
            deviceInfo.plist. Most often an application was installed anew, or its settings were lost, and the device \
            registered again; the older client will never synchronise again. Two devices to which their owner gave the \
            same name look alike, too.

            A client that will never synchronise again keeps its change sets and its whole store for ever, and its \
            recent sync holds back the vacuum of all others. If both clients are still active on one device, each \
            takes the other for another device, which does no harm.
            """,
        effects: [Effect(.stopsVacuum, .everyoneElse), Effect(.wastesSpace, .nobody)],
        repair: .byHand,
        remedy: [
            "Find out which of the two is still in use, by the last synchronisation:",
            "ticds-inspect clients {remote}", "Then remove the other one:",
            "ticds-client delete {remote} CLIENT --from-application",
        ], sources: "ticds-field-notes(7), 3-2; ticds-protocol(7), 4.9")

    static let sharedBlobsOrphaned = FindingKind(
        "TICDS-0708", .note, .contents, "Shared external data that no whole store names",
        explanation: """
            One fork of the framework keeps large values of all whole stores of a document as files in \
            WholeStore/SharedExternalData. A manifest inside each whole store names the files that this store needs. \
            Files that no manifest names were left by stores that have been replaced since. No client reads such \
            files, and nothing removes them. If a manifest cannot be read, this finding is not reported.
            """,
        effects: [Effect(.wastesSpace, .nobody)],
        repair: .byHand,
        remedy: [
            "Make sure that no upload is running: a client writes the shared files first, then the manifest. "
                + "Then move the files that ticds-verify names, one by one:",
            "mkdir -p ~/ticds-set-aside && mv -n {file}/{subject} ~/ticds-set-aside/",
        ], sources: "ticds-field-notes(7), 1")
}
