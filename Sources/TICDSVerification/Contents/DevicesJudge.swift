import TICDSCore

/// Compares the descriptions of the clients of the application.
enum DevicesJudge {
    static func findings(_ context: VerificationContext) -> [Finding] {
        let storage = context.storage
        let sources = ReportSources(storage, vault: context.vault, appliedChangeSets: nil)
        return RemoteReport(context.snapshot, sources: sources).duplicates.compactMap { duplicate in
            guard duplicate.reason == .sameDescription, let first = duplicate.clients.first else {
                return nil
            }
            let others = duplicate.clients.dropFirst().map(\.description).joined(separator: ", ")
            return context.finding(
                .deviceTwice, at: [RemoteLayout.clientDevices, first], client: first,
                expected: "one client for each device", found: "the same description in \(others)")
        }
    }
}
