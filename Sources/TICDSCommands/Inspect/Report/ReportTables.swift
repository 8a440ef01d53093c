import Base
import SystemCalls
import TICDSCommandLine
import TICDSCore
import TICDSVerification

/// The tables of the page, each from one value of the report.
extension ReportPage {
    var status: String {
        let lines = StatusNotes.lines(inspection, style)
        let notes = lines.map { "<li><bdi>\(MarkupText.escaped($0))</bdi></li>" }.joined()
        let list = notes.isEmpty ? "" : "<ul class=\"notes\">\(notes)</ul>\n"
        return documents.markup(empty: EmptyList.sentence("document", besides: inspection.unlistedDocuments))
            + clients.markup(empty: EmptyList.sentence("client", besides: inspection.unlistedClients)) + list
    }

    private var documents: MarkupTable {
        var table = MarkupTable(
            "Documents", ["Document", "Last sync", "Clients", "Change sets", "Size", "Newest change set"],
            style)
        for document in inspection.documents {
            table.add([
                .name(document.description, identifier: document.identifier.text), .time(document.lastSync),
                document.members.known.map { .count($0.count) } ?? .unknown("unknown"),
                document.changeSets.known.map { .count($0.count) } ?? .unknown("unknown"),
                document.changeSets.known.map { .size($0.bytes) } ?? .unknown("unknown"),
                .seen(
                    document.changeSets.map { _ in document.changeSetTimes?.upperBound }, none: "unknown"),
            ])
        }
        return table
    }

    /// The clients, those that synchronised last first.
    private var latestFirst: [DeviceReport] {
        inspection.clients.enumerated().sorted { one, other in
            switch (one.element.lastSync.part, other.element.lastSync.part) {
            case (let time?, let later?) where time != later: time > later
            case (_?, nil): true
            case (nil, _?): false
            default: one.offset < other.offset
            }
        }.map(\.element)
    }

    private var clients: MarkupTable {
        var table = MarkupTable(
            "Clients", ["Client", "Documents", "Last sync", "Whole store", "Not applied", "State"], style)
        for device in latestFirst {
            let lags = inspection.documents.flatMap { document in
                document.clients.filter { $0.identifier == device.identifier }.compactMap(\.lag)
            }
            let notApplied = Seen(
                lags.reduce(0) { $0 + $1.notApplied.part }, inspection.unreadLag(of: device.identifier))
            var states: [String] = []
            if device.isRegistered == false { states.append("not registered") }
            if !device.deletedFrom.part.isEmpty { states.append("removed from a document") }
            if states.isEmpty { states.append(device.isRegistered == true ? "registered" : "unknown") }
            table.add([
                .name(device.description, identifier: device.identifier.text),
                .seen(device.documents.map(\.count)), .seen(device.lastSync, none: "unknown"),
                .seen(device.wholeStoreUploaded, none: "none"),
                lags.isEmpty ? .unknown("unknown") : .seen(notApplied),
                .text(states.joined(separator: ", ")),
            ])
        }
        return table
    }

    var sizes: String {
        let entities = changes.byEntity.largestFirst
        let locked = "Encrypted, and no password given: what the changes are about could not be read."
        let empty = EmptyList.sentence("change", besides: unreadChanges)
        return sizesByClient.markup(empty: EmptyList.sentence("client", besides: inspection.unlistedClients))
            + (changes.isLocked
                ? "<p>\(locked)</p>\n" : byEntity(entities).markup(empty: empty))
    }

    private var sizesByClient: MarkupTable {
        let sizes = latestFirst.map { device in
            let stores = inspection.documents.flatMap(\.wholeStores.part).filter {
                $0.client == device.identifier
            }
            let places = inspection.documents.flatMap(\.clients).filter {
                $0.identifier == device.identifier
            }
            let sets = places.reduce(into: FileTotals()) { totals, place in
                totals.add(place.changeSets.part)
            }
            let leftovers = places.reduce(0) { $0 +| $1.temporaryFiles.part.bytes }
            return (
                device,
                Seen(sets, device.changeSets.problem ?? places.lazy.compactMap(\.changeSets.problem).first),
                Seen(
                    stores.reduce(0) { $0 +| $1.size.part },
                    device.wholeStoreUploaded.problem ?? stores.lazy.compactMap(\.size.problem).first),
                Seen(leftovers, inspection.unlistedLeftovers(of: device.identifier))
            )
        }
        let total = sizes.reduce(0) { $0 +| $1.1.part.bytes +| $1.2.part +| $1.3.part }
        var table = MarkupTable(
            "By client",
            ["Client", "Change sets", "Their size", "Whole stores", "Leftovers", "Share of all"], style)
        let isWhole = sizes.allSatisfy { $0.1.isWhole && $0.2.isWhole && $0.3.isWhole }
        for (device, sets, stores, leftovers) in sizes {
            table.add([
                .name(device.description, identifier: device.identifier.text), .seen(sets.map(\.count)),
                .seen(sets.map(\.bytes)), .seen(stores), .seen(leftovers),
                isWhole
                    ? .share(
                        Double(sets.part.bytes +| stores.part +| leftovers.part) / Double(max(total, 1)))
                    : .unknown("unknown"),
            ])
        }
        return table
    }

    /// The reason why there may be more changes than were read.
    private var unreadChanges: FileProblem? { changes.problems.first ?? inspection.unlistedSets }

    private func byEntity(_ entities: [(entity: String, counts: EntityChanges.Counts)]) -> MarkupTable {
        let isLess = unreadChanges != nil
        let kinds = [
            ("insert", "Inserted"), ("attribute", "Attributes set"), ("toOne", "To-one set"),
            ("addToMany", "Added to-many"), ("removeFromMany", "Removed to-many"), ("delete", "Deleted"),
            ("unknown", "Unknown kind"),
        ].filter { kind in entities.contains { $0.counts.byType[kind.0] != nil } }
        let total = entities.reduce(0) { $0 + $1.counts.changes }
        var table = MarkupTable(
            "By entity: changes by kind, and the bytes of the values in them",
            ["Entity", "Changes"] + kinds.map(\.1) + ["Values", "Share of all changes"], style)
        for (entity, counts) in entities {
            table.add(
                [.text(entity), .count(counts.changes, isLess: isLess)]
                    + kinds.map { .count(counts.byType[$0.0] ?? 0, isLess: isLess) } + [
                        .size(Int64(counts.bytes), isLess: isLess),
                        isLess
                            ? .unknown("unknown") : .share(Double(counts.changes) / Double(max(total, 1))),
                    ])
        }
        return table
    }

    var stores: String {
        var table = MarkupTable(
            "The stores from which new clients start",
            ["Client", "Document", "Modified", "Size", "Kind", "Register"], style)
        for document in inspection.documents {
            for store in document.wholeStores.part where inspection.isWanted(store.client) {
                let client = document.clients.first { $0.identifier == store.client }
                table.add([
                    .name(client?.description, identifier: store.client.text),
                    .text(document.description ?? document.identifier.text), .time(store.modified),
                    .seen(store.size),
                    store.kind.map { .text($0.rawValue) } ?? .unknown(Tables.kind(store)),
                    .seen(store.register.map { $0?.modified }, none: "none"),
                ])
            }
        }
        return table.markup(
            empty: inspection.unlistedStores?.doubt
                ?? "There is no whole store: a new client cannot register.")
    }
}

/// The findings of the verification, one kind after the other.
extension ReportPage {
    /// The largest number of paths that are shown of each kind.
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

    /// Sentences as paragraphs, and commands, which can be copied, in separate blocks.
    private static func markup(_ remedy: [String]) -> String {
        var parts: [String] = []
        var commands: [String] = []
        func flush() {
            if commands.isEmpty { return }
            parts.append("<pre tabindex=\"0\">\(commands.joined(separator: "\n"))</pre>")
            commands = []
        }
        for line in remedy {
            if FindingKind.isCommand(line) {
                commands.append(MarkupText.escaped(line))
            } else {
                flush()
                parts.append("<p>\(MarkupText.escaped(line))</p>")
            }
        }
        flush()
        return parts.joined(separator: "\n")
    }

    /// Effects of the findings of a kind on clients: a sentence for each consequence.
    private func affected(_ findings: [Finding]) -> [String] {
        var sums: [Affected] = []
        for affected in findings.flatMap(\.affected) {
            let same = sums.firstIndex {
                $0.consequence == affected.consequence && $0.variant == affected.variant
                    && $0.newClients == affected.newClients
            }
            if let same { sums[same] = sums[same].joined(with: affected) } else { sums.append(affected) }
        }
        let areSets = findings.allSatisfy(\.isOfSet)
        return sums.map { names.sentence($0, ofSet: areSets) }
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
        let remedies = findings.prefix(Self.shownPlaces).map { $0.remedy(under: inspection.remote.path) }
            .reduce(into: [[String]]()) { if !$0.contains($1) { $0.append($1) } }
        let others = remedies.dropFirst().map(Self.markup).joined(separator: "\n")
        let whom = affected(findings).map { "<li><bdi>\(MarkupText.escaped($0))</bdi></li>" }.joined()
        return """
            <article class="finding \(severity)">
            <h3><span class="severity \(severity)">\(severity)</span> \(MarkupText.escaped(kind.title))</h3>
            <p class="code"><code>\(kind.code)</code>, found \(times)</p>
            <ul class="places">\(items.joined())\(more)</ul>
            \(whom.isEmpty ? "" : "<p>Effects:</p>\n<ul class=\"effects\">\(whom)</ul>")
            <p>To do\(remedies.count > 1 ? ", for the first of them" : ""):</p>
            \(Self.markup(remedies.first ?? []))
            \(others.isEmpty ? "" : "<details><summary>For the others</summary>\n\(others)\n</details>")
            </article>

            """
    }
}
