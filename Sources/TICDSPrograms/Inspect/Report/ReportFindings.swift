import TICDSCommandLine

/// What verification found, one kind after the other.
extension ReportPage {
    /// Places that are shown of each kind.
    private static let shownPlaces = 8

    var findings: String {
        if let failure = verification.failure {
            return "<p><strong>Not verified.</strong> \(MarkupText.escaped(failure))</p>\n"
        }
        guard let summary = verification.summary else {
            return "<p>Verification was not asked for (<code>--level none</code>).</p>\n"
        }
        let level = MarkupText.escaped(summary.level)
        let complete = summary.complete ? "" : " Something was left out."
        let head = "<p>Level <code>\(level)</code>: \(Self.words(summary)).\(complete)</p>\n"
        let shown = kinds.map { markup($0, count: count(of: $0, summary)) }
        let hidden = summary.counts.filter { kind in !kinds.contains { $0.code == kind.code } }
        let more = hidden.map {
            "<li><code>\(MarkupText.escaped($0.code))</code>: \(Quantities.count($0.count))</li>"
        }
        return head + shown.joined() + (more.isEmpty ? "" : "<p>And:</p><ul>\(more.joined())</ul>\n")
    }

    /// The first finding of each kind, the worst first.
    private var kinds: [VerificationRun.Finding] {
        var seen: Set<String> = []
        let order = ["error": 0, "warning": 1]
        let firsts = verification.findings.filter { seen.insert($0.code).inserted }
        return firsts.sorted { (order[$0.severity] ?? 2, $0.code) < (order[$1.severity] ?? 2, $1.code) }
    }

    private func count(of kind: VerificationRun.Finding, _ summary: VerificationRun.Summary) -> Int {
        summary.counts.first { $0.code == kind.code }?.count ?? 1
    }

    private func markup(_ kind: VerificationRun.Finding, count: Int) -> String {
        let places = verification.findings.filter { $0.code == kind.code }.prefix(Self.shownPlaces)
        let items = places.map { finding in
            let found = finding.found.map { ": <bdi>\(MarkupText.escaped($0))</bdi>" } ?? ""
            return "<li><bdi class=\"path\">\(MarkupText.escaped(finding.path))</bdi>\(found)</li>"
        }
        let rest = count - places.count
        let more = rest > 0 ? "<li>and \(Quantities.count(rest)) more</li>" : ""
        let severity = MarkupText.escaped(kind.severity)
        return """
            <article class="finding \(severity)">
            <h3><span class="severity \(severity)">\(severity)</span> \(MarkupText.escaped(kind.title))</h3>
            <p class="code"><code>\(MarkupText.escaped(kind.code))</code>, found \(count == 1 ? "once" : Quantities.count(count, "time"))</p>
            <ul class="places">\(items.joined())\(more)</ul>
            <p>To do, for the first of them:</p>
            <pre tabindex="0">\(kind.remedy.map(MarkupText.escaped).joined(separator: "\n"))</pre>
            </article>

            """
    }
}
