import TICDSCore

/// Judges names, kinds, sizes and times; opens nothing.
enum NamesJudge {
    static func findings(_ context: VerificationContext) -> [Finding] {
        let taken = TakenPlaces(context.snapshot)
        var strays = StrayJudge(context)
        var findings = FolderJudge(context, taken).findings()
        findings += NameJudge(context).findings()
        findings += strays.findings()
        findings += MembershipJudge(context, taken).findings()
        findings += context.snapshot.documents.flatMap { TimesJudge(context, $0).findings() }
        findings += LeftoversJudge(context, taken).findings()
        return findings.sorted { ($0.path, $0.kind.code) < ($1.path, $1.kind.code) }
    }
}
