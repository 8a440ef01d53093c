import Base
import CoreDataStore
import KeyedArchive
import SystemCalls
import SystemPackage
import TICDSCore

/// Writes a document with its sets. The third client stops after three fifths of the time, like an abandoned one.
struct DemonstrationHistory {
    let identifier: String
    let description: String
    let clients: [DemonstrationClient]
    let changeSets: Int
    let kind: DemonstrationStore.Kind
    let isDamaged: Bool
    private var random: SeededGenerator
    private var document = DemonstrationDocument()
    /// The sets written so far.
    private var applied: [WrittenSet] = []
    private var folder: String { "Documents/\(identifier)" }

    init(
        identifier: String, description: String, clients: [DemonstrationClient], changeSets: Int,
        kind: DemonstrationStore.Kind, isDamaged: Bool, seed: UInt64
    ) {
        self.identifier = identifier
        self.description = description
        self.clients = clients
        self.changeSets = changeSets
        self.kind = kind
        self.isDamaged = isDamaged
        random = SeededGenerator(seed: seed)
    }

    /// - Parameter onSet: called after each change set.
    mutating func write(to tree: inout DemonstrationTree, onSet: () -> Void) throws(FileProblem) {
        try makeSkeleton(&tree)
        let step = (DemonstrationCalendar.end - DemonstrationCalendar.start) / Double(changeSets + 1)
        for number in 0..<changeSets {
            let share = Double(number) / Double(changeSets)
            let time =
                DemonstrationCalendar.start + step * (Double(number) + .random(in: 0.2..<0.8, using: &random))
            try writeChangeSet(number, by: author(at: share), at: time, &tree)
            if isMoment(number, 0.9) { try upload(clients[0], at: time + 60, &tree) }
            if isMoment(number, 0.3) { try upload(clients[2], at: time + 90, &tree) }
            onSet()
        }
        for (client, share) in zip(clients, [1, 0.98, 0.6]) {
            let time =
                DemonstrationCalendar.start + share
                * (DemonstrationCalendar.end - DemonstrationCalendar.start)
            let path = "\(folder)/RecentSyncs/\(client.identifier).recentsync"
            let bytes = try SmallFiles.recentSync(date: time, path: tree.folder.pushing(FilePath(path)))
            try tree.write(bytes, path, time, isProtected: false)
            tree.touch("\(folder)/RecentSyncs", time)
        }
    }

    private func isMoment(_ number: Int, _ share: Double) -> Bool {
        number == Int(share * Double(changeSets))
    }

    private mutating func author(at share: Double) -> Int {
        let choices = share < 0.6 ? [0, 0, 0, 1, 1, 2] : [0, 0, 1]
        return choices.randomElement(using: &random) ?? 0
    }

    private mutating func makeSkeleton(_ tree: inout DemonstrationTree) throws(FileProblem) {
        let start = clients[0].joined
        for name in [
            "WholeStore", "SyncChanges", "SyncCommands", "RecentSyncs", "DeletedClients", "IntegrityKey",
            "TemporaryFiles/WholeStore",
        ] { try tree.makeFolder("\(folder)/\(name)", start) }
        for client in clients {
            for name in ["SyncChanges", "SyncCommands"] {
                try tree.makeFolder("\(folder)/\(name)/\(client.identifier)", client.joined)
                tree.touch("\(folder)/\(name)", client.joined)
            }
        }
        let place = tree.folder.pushing(FilePath(folder))
        let info = DocumentInfo(
            identifier: identifier, description: description, originalDeviceIdentifier: clients[0].identifier,
            originalDeviceDescription: clients[0].description)
        try tree.write(try info.bytes(path: place), "\(folder)/documentInfo.plist", start)
        let key = try SmallFiles.integrityKey(originalDevice: clients[0].identifier, path: place)
        try tree.write(key, "\(folder)/IntegrityKey/\(random.identifier().text)", start, isProtected: false)
    }

    private mutating func writeChangeSet(
        _ number: Int, by author: Int, at time: Double, _ tree: inout DemonstrationTree
    ) throws(FileProblem) {
        let client = clients[author]
        let changes = document.edit(at: time, &random)
        let set = WrittenSet(identifier: random.identifier(), time: time, author: UInt8(clamping: author))
        let path = "\(folder)/SyncChanges/\(client.identifier)/\(set.name).syncchg"
        var bytes: [UInt8]
        do throws(PropertyListError) {
            bytes = try ChangeSetWriter.bytes(of: changes, uuid: random.uuid())
        } catch { throw FileProblem(error, path: tree.folder.pushing(FilePath(path))) }
        if isDamaged, number == changeSets * 3 / 4 { bytes.removeLast(bytes.count / 3) }
        try tree.write(bytes, path, time + 2)
        tree.touch("\(folder)/SyncChanges/\(client.identifier)", time + 2)
        applied.append(set)
    }

    /// Uploads the whole store like the framework, through TemporaryFiles (ticds-protocol(7), 1.6).
    private mutating func upload(
        _ client: DemonstrationClient, at time: Double, _ tree: inout DemonstrationTree
    ) throws(FileProblem) {
        let folder = try TemporaryFolder()
        defer { withExtendedLifetime(folder) {} }
        let store = folder.path.appending("WholeStore.ticdsync")
        try DemonstrationStore.write(document, kind: kind, to: store, &random)
        let register = folder.path.appending("AppliedSyncChangeSets.ticdsync")
        try ChangeSetRegisterWriter.write(
            applied.lazy.map { [clients] in $0.line(clients) }, to: register, uuid: random.uuid())
        for parent in ["TemporaryFiles/WholeStore", "WholeStore"] {
            let place = "\(self.folder)/\(parent)/\(client.identifier)"
            try tree.makeFolder(place, time)
            try tree.copy(store, to: "\(place)/WholeStore.ticdsync", time)
            try tree.copy(register, to: "\(place)/AppliedSyncChangeSets.ticdsync", time, isProtected: false)
            tree.touch("\(self.folder)/\(parent)", time)
        }
    }
}

/// A set that was written.
private struct WrittenSet {
    var identifier: DemonstrationIdentifier
    var time: Double
    /// The place of its author among the clients.
    var author: UInt8

    /// The name of the set, without suffix.
    var name: String { prefix + "-" + identifier.text }

    /// The line in the register of a client that applies each set at once.
    func line(_ clients: [DemonstrationClient]) -> RegisteredChangeSet {
        RegisteredChangeSet(
            identifier: name, fileName: name + ".syncchg",
            clientIdentifier: clients[Int(author)].identifier, creationDate: time + 2,
            localDateOfApplication: time + 30)
    }

    /// The time in a change set's identifier: ten digits, a point, six digits (ticds-remote-format(5), 1.2).
    private var prefix: String {
        let micros = Int64((time * 1e6).rounded())
        let whole = String(micros / 1_000_000)
        let fraction = String(micros % 1_000_000)
        return String(repeating: "0", count: 10 - whole.count) + whole + "."
            + String(repeating: "0", count: 6 - fraction.count) + fraction
    }
}
