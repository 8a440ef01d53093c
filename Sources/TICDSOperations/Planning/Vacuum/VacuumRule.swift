import SystemCalls
import TICDSCore

/// Decides for each set which holder keeps it.
protocol VacuumRule {
    var holders: [VacuumHolder] { get }
    /// Whether the holder at `index` may still need a set; `number` counts through all sets of the document.
    func role(of index: Int, _ entry: VacuumEntry, number: Int, author: RemoteName) -> NeededBy
    /// True for a set that stays even if every client has it.
    func isYoung(_ entry: VacuumEntry) -> Bool
    /// What the holder at `index` needs, as far as a time says it; `role` says the same.
    func need(of index: Int) -> VacuumNeed
}

/// The sets that a holder needs.
enum VacuumNeed {
    /// Every set of other clients which is later than this time, or every one without a time; for itself.
    case everythingAfter(FileTime?)
    /// What `role` says of each set.
    case asRoles
}

/// A possible holder of sets: a client, or an entry that the framework takes for one.
struct VacuumHolder {
    var client: RemoteName
    /// Whether the holder keeps nothing: the vacuum only counts the sets that it misses.
    var isIgnored: Bool
}

/// The results of a rule, counted over all sets of a document.
struct VacuumCounts {
    private(set) var young = FileTotals()
    private(set) var oldestKept: FileTime?
    /// The held sets, by the rule's holders.
    private(set) var holds: [HeldSets]
    /// The counts, by folder.
    private(set) var folders: [Folder] = []

    struct Folder {
        var removable = FileTotals()
        var kept = FileTotals()
        /// The positions of the removable entries in the listing.
        var positions: [UInt32] = []
    }

    init(_ rule: some VacuumRule, _ folders: [VacuumFolder], _ settings: VacuumSettings) {
        holds = Array(repeating: HeldSets(), count: rule.holders.count)
        let active = rule.holders.indices.filter { !rule.holders[$0].isIgnored }
        let ignored = rule.holders.indices.filter { rule.holders[$0].isIgnored }
        var (timed, others) = TimedHolders.choose(active, of: rule)
        for folder in folders {
            let isSelected = settings.isSelected(folder.client)
            self.folders.append(
                isSelected ? tally(folder, rule, &timed, others: others, ignored: ignored) : Folder())
        }
        timed.finish(&holds)
    }

    private mutating func tally(
        _ folder: VacuumFolder, _ rule: some VacuumRule, _ timed: inout TimedHolders, others: [Int],
        ignored: [Int]
    ) -> Folder {
        var outcome = Folder()
        let author = timed.place(of: folder.client)
        for (offset, entry) in folder.entries.enumerated() {
            let number = folder.start + offset
            let isYoung = rule.isYoung(entry)
            if isYoung { young.add(entry.size) }
            let (keepers, last) = hold(entry, number, of: folder.client, rule, among: others)
            let (timedKeepers, first) = timed.add(entry, author: author)
            if keepers + timedKeepers == 1, !isYoung, let only = last ?? first {
                holds[only].alone.add(entry.size)
            }
            if keepers + timedKeepers == 0, !isYoung {
                outcome.removable.add(entry.size)
                outcome.positions.append(entry.position)
                let (missing, last) = hold(entry, number, of: folder.client, rule, among: ignored)
                if missing == 1, let last { holds[last].alone.add(entry.size) }
            } else {
                outcome.kept.add(entry.size)
                if oldestKept.map({ entry.latest < $0 }) ?? true { oldestKept = entry.latest }
            }
        }
        return outcome
    }

    /// Counts the holders of a set, and returns their number and the last of them.
    private mutating func hold(
        _ entry: VacuumEntry, _ number: Int, of author: RemoteName, _ rule: some VacuumRule,
        among holders: [Int]
    ) -> (count: Int, last: Int?) {
        var count = 0
        var last: Int?
        for index in holders {
            let role = rule.role(of: index, entry, number: number, author: author)
            if role.isEmpty { continue }
            holds[index].add(entry, role)
            count += 1
            last = index
        }
        return (count, last)
    }
}

/// One entry of `SyncChanges/<client>`.
struct VacuumEntry {
    /// Its position in the listing of the folder.
    var position: UInt32
    /// The size in bytes; 0 for a folder.
    var size: Int64
    var modified: FileTime
    /// The later of the modification time and the time in the name. A file keeps the time of the last edit when it is
    /// uploaded, whereas its name is made at the upload (ticds-protocol(7), 1.8.3 and 4.5).
    var latest: FileTime
}

/// The entries of one author. The entries of a document are numbered consecutively, so that each has its own bit.
struct VacuumFolder {
    var client: RemoteName
    /// The number of the first entry.
    var start: Int
    var entries: [VacuumEntry]
}

extension VacuumFolder {
    /// The change sets of a client.
    init(_ client: ClientChangeSets, start: Int) {
        self.client = client.identifier
        self.start = start
        let sets = client.changeSets
        entries = []
        entries.reserveCapacity(sets.count)
        for position in sets.indices {
            let modified = sets.modified(at: position)
            let nominal = sets.withIdentifier(at: position) { ChangeSetIdentifier.nominalTime($0) }
            entries.append(
                VacuumEntry(
                    position: UInt32(clamping: sets.listingPosition(at: position)),
                    size: sets.size(at: position),
                    modified: modified, latest: max(modified, nominal ?? modified)))
        }
    }

    /// Everything in the folder of a client, as the framework's own vacuum takes it.
    init(everythingOf client: ClientChangeSets, in listing: FolderListing, start: Int) {
        self.client = client.identifier
        self.start = start
        entries = listing.indices.map { position in
            let modified = listing.modified(at: position)
            let nominal = listing.withName(at: position) { ChangeSetIdentifier.nominalTime($0) }
            let isFolder = listing.kind(at: position) == .folder
            return VacuumEntry(
                position: UInt32(clamping: position), size: isFolder ? 0 : listing.size(at: position),
                modified: modified, latest: max(modified, nominal ?? modified))
        }
    }
}

/// The reason why a set is held back.
struct NeededBy: OptionSet {
    let rawValue: UInt8
    /// The client itself may need the set.
    static let client = NeededBy(rawValue: 1)
    /// A client that starts from the client's whole store may need the set.
    static let store = NeededBy(rawValue: 2)
}
