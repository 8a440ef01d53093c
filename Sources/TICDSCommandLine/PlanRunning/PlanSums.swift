import Base
import SystemCalls
import TICDSCore
import TICDSOperations

/// The totals of a plan.
struct PlanSums {
    /// The largest number of parts; more would be another list to read.
    private static let mostParts = 20

    private var verbs = Sums()
    private var kinds = Sums()
    private var count = 0

    mutating func add(_ row: PlanRow) {
        count += 1
        verbs.add(row, to: Key(verb: row.verb))
        kinds.add(row, to: Key(verb: row.verb, kind: row.kind, client: row.client))
    }

    /// `5 actions: write 1 (312 B), to the trash 4 (88 files, 1.2 MB).`
    func total(_ style: TextStyle) -> String {
        let words = verbs.all.map { sum in
            let files =
                sum.files == 0
                ? "" : " (\(Quantities.count(sum.files, "file")), \(style.size(sum.bytes)))"
            return "\(sum.key.verb) \(Quantities.count(sum.actions))\(files)"
        }
        return "\(Quantities.count(count, "action")): \(words.joined(separator: ", "))."
    }

    /// The totals by kind and client: `to the trash: 6 change sets of Anna’s iPhone, 17 kB`. Empty if they add nothing.
    func parts(_ names: ClientNames, _ style: TextStyle) -> [String] {
        guard count > 3, kinds.all.count < count else { return [] }
        let lines = kinds.all.prefix(Self.mostParts).map { Self.text($0, names, style) }
        let rest = kinds.all.count - lines.count
        return lines + (rest > 0 ? ["… and \(Quantities.count(rest)) more kinds"] : [])
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
    private struct Sums {
        private(set) var all: [Sum] = []
        private var places: [Key: Int] = [:]

        mutating func add(_ row: PlanRow, to key: Key) {
            let place = places[key] ?? all.count
            if place == all.count {
                all.append(Sum(key: key))
                places[key] = place
            }
            all[place].actions += 1
            all[place].files +|= row.fileCount
            all[place].bytes +|= row.bytes ?? 0
        }
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
