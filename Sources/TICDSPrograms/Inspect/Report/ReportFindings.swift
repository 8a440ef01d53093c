import TICDSCommandLine
import TICDSVerification
import TICDSCore

/// What verification found, one kind after the other.
extension ReportPage {
    /// Places that are shown of each kind.
    private static let shownPlaces = 8

    var findings: String {
        guard let verification else {
            return "<p>The remote was not verified (<code>--level none</code>).</p>\n"
        }
        let level = verification.level.rawValue
        let complete = verification.isComplete ? "" : " Something was left out."
        let head = "<p>Level <code>\(level)</code>: \(Self.words(verification)).\(complete)</p>\n"
        // The worst first.
        let kinds = Dictionary(grouping: verification.findings, by: \.kind).sorted {
            ($1.key.severity, $0.key.code) < ($0.key.severity, $1.key.code)
        }
        return head + kinds.map { markup($0.key, $0.value) }.joined()
    }

    private func markup(_ kind: FindingKind, _ findings: [Finding]) -> String {
        let items = findings.prefix(Self.shownPlaces).map { finding in
            let path = MarkupText.escaped(finding.path.description)
            let found = finding.found.map { ": <bdi>\(MarkupText.escaped($0))</bdi>" } ?? ""
            return "<li><bdi class=\"path\">\(path)</bdi>\(found)</li>"
        }
        let rest = findings.count - items.count
        let more = rest > 0 ? "<li>and \(Quantities.count(rest)) more</li>" : ""
        let severity = kind.severity.rawValue
        let times = findings.count == 1 ? "once" : Quantities.count(findings.count, "time")
        let remedy = findings.first?.remedy(under: inspection.remote.path) ?? []
        return """
            <article class="finding \(severity)">
            <h3><span class="severity \(severity)">\(severity)</span> \(MarkupText.escaped(kind.title))</h3>
            <p class="code"><code>\(kind.code)</code>, found \(times)</p>
            <ul class="places">\(items.joined())\(more)</ul>
            <p>To do, for the first of them:</p>
            <pre tabindex="0">\(remedy.map(MarkupText.escaped).joined(separator: "\n"))</pre>
            </article>

            """
    }
}
