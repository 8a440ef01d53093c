import KeyedArchive
import SystemPackage
import TICDSCore

/// Every check, by what it is given. They run in the order of these lists; a new check is one more line.
enum Checks {
    /// Of the remote as a whole, each with the first level that it runs at.
    static let ofRemotes: [(level: VerificationLevel, check: any RemoteCheck.Type)] = [
        (.names, FolderCheck.self),
        (.names, NameCheck.self),
        (.names, StrayCheck.self),
        (.names, MembershipCheck.self),
        (.names, DocumentClientsCheck.self),
        (.names, TimesCheck.self),
        (.names, LeftoversCheck.self),
        (.contents, DevicesCheck.self),
    ]

    /// Of what is in a file that is read into memory, by what the file is for.
    static let ofFilesInMemory: [FileRole: [any FileCheck<SharedBytes>.Type]] = [
        .changeSet: [ChangeSetCheck.self],
        .deviceInfo: [PropertyListCheck.self],
        .documentInfo: [PropertyListCheck.self],
        .tombstone: [PropertyListCheck.self],
        .recentSync: [PropertyListCheck.self],
    ]

    /// Of what is in a file of any size, by what the file is for.
    static let ofFilesOnDisk: [FileRole: [any FileCheck<FilePath>.Type]] = [
        .register: [RegisterCheck.self],
        .wholeStore: [StoreContentsCheck.self, ExternalDataCheck.self],
    ]

    /// Of one document, each with the first level that it runs at.
    static let ofDocuments: [(level: VerificationLevel, check: any DocumentCheck.Type)] = [
        (.contents, DocumentStoresCheck.self),
        (.contents, SharedBlobsCheck.self),
        (.deep, Registers.self),
        (.deep, DeepCheck.self),
    ]

    /// Runs the checks of one file. One that finds an error, or that leaves the file unread, is the last.
    static func run<Content>(
        _ checks: [any FileCheck<Content>.Type]?, _ checked: CheckedFile, _ content: Content
    ) -> [Finding] {
        var findings: [Finding] = []
        for check in checks ?? [] {
            let found = check.findings(checked, content)
            findings += found
            if found.contains(where: { $0.kind.severity == .error || $0.kind.isUnread }) { break }
        }
        return findings
    }
}

extension FindingKind {
    /// Whether such a finding says nothing of what is in a file: nobody knows whether that is damaged.
    var isUnread: Bool { Self.unread.contains(self) }

    private static let unread: Set<FindingKind> = [.cannotBeRead, .changedMeanwhile, .tooLarge, .xmlStore]
}
