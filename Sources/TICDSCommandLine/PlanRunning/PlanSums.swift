import Base
import SystemCalls
import TICDSCore
import TICDSOperations

/// The totals of a plan.
struct PlanSums {
    /// The largest number of parts; more would be another list to read.
    private static let mostParts = 20

    /// `5 actions: write 1 (312 B), to the trash 4 (88 files, 1.2 MB).`
    let total: String
    /// The totals by kind and client: `to the trash: 6 change sets of Anna’s iPhone, 17 kB`. Empty if they add nothing.
    let parts: [String]

    init(_ rows: [PlanRow], _ names: ClientNames, _ style: TextStyle) {
        let verbs = Self.sums(rows) { Key(verb: $0.verb) }
        let words = verbs.map { sum in
            let files =
                sum.files == 0
                ? "" : " (\(Quantities.count(sum.files, "file")), \(style.size(sum.bytes)))"
            return "\(sum.key.verb) \(Quantities.count(sum.actions))\(files)"
        }
        total = "\(Quantities.count(rows.count, "action")): \(words.joined(separator: ", "))."
        let sums = Self.sums(rows) { Key(verb: $0.verb, kind: $0.kind, client: $0.client) }
        guard rows.count > 3, sums.count < rows.count else {
            parts = []
            return
        }
        let lines = sums.prefix(Self.mostParts).map { Self.text($0, names, style) }
        let rest = sums.count - lines.count
        parts = lines + (rest > 0 ? ["… and \(Quantities.count(rest)) more kinds"] : [])
    }

    private struct Key: Hashable {
        var verb: String
        var kind = ""
        var client: RemoteName?
    }

    private struct Sum {
        let key: Key
        var actions = 0
        var files = 0
        var bytes: Int64 = 0
    }

    /// Sums of the rows with the same key, in the order of the first row with each.
    private static func sums(_ rows: [PlanRow], _ key: (PlanRow) -> Key) -> [Sum] {
        var places: [Key: Int] = [:]
        var sums: [Sum] = []
        for row in rows {
            let key = key(row)
            let place = places[key] ?? sums.count
            if place == sums.count {
                sums.append(Sum(key: key))
                places[key] = place
            }
            sums[place].actions += 1
            sums[place].files +|= row.fileCount
            sums[place].bytes +|= row.bytes ?? 0
        }
        return sums
    }

    private static func text(_ sum: Sum, _ names: ClientNames, _ style: TextStyle) -> String {
        let owner = sum.key.client.map { " of \(names.description(of: $0) ?? short($0))" } ?? ""
        let size = sum.files == 0 ? "" : ", \(style.size(sum.bytes))"
        let parts = sum.key.kind.split(separator: " ", maxSplits: 1)
        let plural = sum.key.kind.contains(" of ") ? "\(parts[0])s \(parts[1])" : "\(sum.key.kind)s"
        return "\(sum.key.verb): \(Quantities.count(sum.actions, sum.key.kind, plural))\(owner)\(size)"
    }

    /// A part of an identifier that is enough to find it.
    private static func short(_ client: RemoteName) -> String {
        let text = client.description
        return text.count > 12 ? text.prefix(8) + "…" : text
    }
}
