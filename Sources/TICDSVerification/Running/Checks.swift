import Base
import SystemPackage
import TICDSCore

/// The lists of all checks. Checks run in the order of these lists; add a new check as one more line.
enum Checks {
    /// Checks of the whole remote, each with the first level that runs it.
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

    static let ofFilesInMemory: [FileRole: [any FileCheck<SharedBytes>.Type]] = [
        .changeSet: [ChangeSetCheck.self],
        .deviceInfo: [PropertyListCheck.self],
        .documentInfo: [PropertyListCheck.self],
        .tombstone: [PropertyListCheck.self],
        .recentSync: [PropertyListCheck.self],
    ]

    static let ofFilesOnDisk: [FileRole: [any FileCheck<FilePath>.Type]] = [
        .register: [RegisterCheck.self],
        .wholeStore: [StoreContentsCheck.self, ExternalDataCheck.self],
    ]

    /// Checks of one document, each with the first level that runs it.
    static let ofDocuments: [(level: VerificationLevel, check: any DocumentCheck.Type)] = [
        (.contents, DocumentStoresCheck.self), (.contents, SharedBlobsCheck.self), (.deep, Registers.self),
        (.deep, DeepCheck.self),
    ]

    /// Runs the checks of one file, and stops after a check that finds an error or could not read the file.
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
    /// Whether the finding means that the contents of the file were not checked.
    package var isUnread: Bool { Self.unread.contains(self) }

    private static let unread: Set<FindingKind> = [.cannotBeRead, .changedMeanwhile, .tooLarge, .xmlStore]
}

/// Runs the checks of the level `names`, which open no file.
enum ListingCheck {
    static func findings(_ context: VerificationContext) -> [Finding] {
        Checks.ofRemotes.filter { $0.level == .names }.flatMap { $0.check.findings(context) }
            .sorted { ($0.path, $0.kind.code) < ($1.path, $1.kind.code) }
    }
}
