import TICDSCore

/// Checks names, kinds, sizes and times by all checks of that level; opens nothing.
enum ListingCheck {
    static func findings(_ context: VerificationContext) -> [Finding] {
        Checks.ofRemotes.filter { $0.level == .names }.flatMap { $0.check.findings(context) }
            .sorted { ($0.path, $0.kind.code) < ($1.path, $1.kind.code) }
    }
}
