import Base
import CoreDataStore
import KeyedArchive
package import SystemCalls
package import SystemPackage
import TICDSCore

/// Three clients, two documents, months of synchronisation; equal for equal settings, except for encryption.
package struct DemonstrationRemote: Sendable {
    /// Options of the remote.
    package struct Settings: Sendable {
        /// The number of change sets of the larger document.
        package var changeSets: Int
        /// The password for encrypting the remote as the framework does; nil for an unencrypted remote.
        package var password: String?
        /// Whether to truncate one change set, so that a verification finds something.
        package var isDamaged: Bool
        /// Whether the data model has two versions, of which the later one is the current one.
        package var hasModelVersions: Bool

        package init(
            changeSets: Int = 240, password: String? = nil, isDamaged: Bool = false,
            hasModelVersions: Bool = false
        ) {
            self.changeSets = changeSets
            self.password = password
            self.isDamaged = isDamaged
            self.hasModelVersions = hasModelVersions
        }
    }

    /// The name of the remote's folder.
    package static let applicationIdentifier = "com.example.cookbook"
    /// The folder name of the data model beside the remote.
    package static let modelName = "Cookbook.xcdatamodel"
    /// The folder name of the data model with two versions.
    package static let versionedModelName = "Cookbook.xcdatamodeld"
    private let settings: Settings
    private var random = SeededGenerator(seed: 2013)
    private var clients: [DemonstrationClient] = []

    /// Writes the remote to `folder`, which must not exist or be empty, as `folder/com.example.cookbook`, and the data
    /// model of its app as `folder/Cookbook.xcdatamodel` or `folder/Cookbook.xcdatamodeld`. Builds both beside `folder`, so that it appears complete; makes
    /// the folders above it.
    /// - Throws: `.refused` if the folder is not empty.
    package static func write(
        to folder: FilePath, _ settings: Settings = Settings(),
        progress: (_ done: Int, _ total: Int) -> Void = { _, _ in }
    ) throws(FileProblem) {
        let target = folder.lexicallyNormalized()
        try refuseUnlessFree(target)
        try makeFolders(target.parent)
        let building = try TemporaryFolder(in: target.parent, prefix: ".ticds-demo")
        let built = building.path.appending("demo")
        building.represent(target, as: "demo")
        try NewFile.makeFolder(built)
        var remote = DemonstrationRemote(settings: settings)
        try remote.build(in: built.appending(applicationIdentifier), progress)
        try settings.hasModelVersions ? writeModelVersions(to: built) : writeModel(to: built)
        try NewFile.rename(built, to: target)
    }

    /// Creates a folder and the missing folders above it.
    private static func makeFolders(_ path: FilePath) throws(FileProblem) {
        guard try FileStatus.ifPresent(path) == nil else { return }
        // ends: with the root or the current folder, which exist
        try makeFolders(path.parent)
        try NewFile.makeFolder(path)
    }

    /// Writes the data model of the app beside the remote. A remote never contains a model.
    private static func writeModel(to folder: FilePath) throws(FileProblem) {
        try write(DemonstrationModel.model, modelName, to: folder)
    }

    /// Writes both versions of the data model of the app.
    private static func writeModelVersions(to folder: FilePath) throws(FileProblem) {
        let versions = folder.appending(versionedModelName)
        try NewFile.makeFolder(versions)
        try write(DemonstrationModel.model, modelName, to: versions)
        try write(DemonstrationModel.laterModel, "Cookbook 2.xcdatamodel", to: versions)
        let mark = versions.appending(".xccurrentversion")
        try NewFile.write(ModelFile.currentVersionMark("Cookbook 2", path: mark), to: mark)
    }

    private static func write(
        _ model: ManagedObjectModel, _ name: String, to folder: FilePath
    ) throws(FileProblem) {
        let folder = folder.appending(name)
        try NewFile.makeFolder(folder)
        try NewFile.write(Array(DemonstrationModel.contents(model).utf8), to: folder.appending("contents"))
    }

    private init(settings: Settings) { self.settings = settings }

    /// Refuses early; the rename at the end protects the folder in any case.
    private static func refuseUnlessFree(_ target: FilePath) throws(FileProblem) {
        let contents = try LocalStorage(root: target).entriesIfPresent(of: .root)
        guard contents.isEmpty else {
            throw FileProblem(
                .refused, path: target, "the folder is not empty", expected: "a new or an empty folder",
                found: "\(contents.count) entries", advice: "Name another folder")
        }
    }

    private mutating func build(in root: FilePath, _ progress: (Int, Int) -> Void) throws(FileProblem) {
        try NewFile.makeFolder(root)
        let salt = randomBytes(16)
        let key = settings.password.map { SyncKey(password: $0, salt: salt) }
        var tree = DemonstrationTree(folder: root, key: key)
        let start = DemonstrationCalendar.start
        for folder in [
            "ClientDevices", "Documents", "Encryption", "Information/DeletedDocuments",
            "Information/DeletedClients",
        ] { try tree.makeFolder(folder, start) }
        try tree.write(Array(Self.readMe.utf8), "ReadMe.txt", start, isProtected: false)
        let unique = random.identifier().text
        if key != nil {
            try tree.write(salt, "Encryption/salt.ticdsync", start, isProtected: false)
            let test = try SmallFiles.encryptionTest(
                application: Self.applicationIdentifier, unique: unique, path: root)
            try tree.write(test, "Encryption/test.ticdsync", start)
        }
        try makeClients(&tree)
        try writeDocuments(&tree, progress)
        try tree.finish()
        if let time = FileTime(secondsSince2001: start) { try NewFile.setTime(time, ofFolder: root) }
    }

    private mutating func makeClients(_ tree: inout DemonstrationTree) throws(FileProblem) {
        for (number, description) in ["Anna’s MacBook Pro", "Anna’s iPhone", "Børge’s iPad"].enumerated() {
            let client = DemonstrationClient(
                identifier: random.identifier().text, description: description,
                joined: DemonstrationCalendar.start + Double(number) * 86_400)
            clients.append(client)
            let folder = "ClientDevices/\(client.identifier)"
            try tree.makeFolder(folder, client.joined)
            let info = DeviceInfo(description: description, identifier: client.identifier)
            try tree.write(
                try info.bytes(path: tree.folder.pushing(FilePath(folder))), "\(folder)/deviceInfo.plist",
                client.joined)
        }
    }

    private mutating func writeDocuments(
        _ tree: inout DemonstrationTree, _ progress: (Int, Int) -> Void
    ) throws(FileProblem) {
        let documents = [
            ("cookbook", "Family cookbook", settings.changeSets, DemonstrationStore.Kind.sqlite),
            ("pantry", "Pantry", min(settings.changeSets, 12), DemonstrationStore.Kind.binary),
        ]
        let total = documents.reduce(0) { $0 + $1.2 }
        var done = 0
        for (identifier, description, count, kind) in documents {
            var history = DemonstrationHistory(
                identifier: identifier, description: description, clients: clients, changeSets: count,
                kind: kind, isDamaged: settings.isDamaged && identifier == "cookbook", seed: random.next())
            try history.write(to: &tree) {
                done += 1
                progress(done, total)
            }
        }
    }

    private static let readMe =
        "This folder belongs to an app that synchronises its documents here. Do not change it.\n"
}

/// A client of the demonstration.
struct DemonstrationClient: Sendable {
    var identifier: String
    var description: String
    /// The time of joining, in seconds since 2001-01-01 00:00:00 UTC.
    var joined: Double
}

/// The times of events in the demonstration, in seconds since 2001-01-01 00:00:00 UTC.
enum DemonstrationCalendar {
    /// 2013-03-04 08:00:00 UTC
    static let start = 384_076_800.0
    /// 2013-11-05 20:00:00 UTC
    static let end = 405_374_400.0
}

/// Writes the files of the demonstration with their times. Encrypts the files that clients encrypt, if there is a key.
struct DemonstrationTree {
    let folder: FilePath
    let key: SyncKey?
    private var times: [(path: FilePath, time: FileTime)] = []

    init(folder: FilePath, key: SyncKey?) {
        self.folder = folder
        self.key = key
    }

    mutating func makeFolder(_ path: String, _ time: Double) throws(FileProblem) {
        var place = folder
        for component in FilePath(path).components {
            place.append(component)
            if times.contains(where: { $0.path == place }) { continue }
            try NewFile.makeFolder(place)
            times.append((place, Self.moment(time)))
        }
    }

    /// Writes a file into an existing folder; encrypts it if `isProtected` and there is a key.
    func write(_ bytes: [UInt8], _ path: String, _ time: Double, isProtected: Bool = true) throws(FileProblem)
    {
        let place = folder.pushing(FilePath(path))
        guard let key, isProtected else {
            return try NewFile.write(bytes, to: place, modified: Self.moment(time))
        }
        let encrypted = try EncryptedFile.encrypt(SharedBytes(bytes), with: key, path: place)
        try NewFile.write(encrypted.array, to: place, modified: Self.moment(time))
    }

    /// Writes the bytes of a file outside of the remote, of any size, in the same way.
    func copy(_ source: FilePath, to path: String, _ time: Double, isProtected: Bool = true)
        throws(FileProblem)
    {
        let place = folder.pushing(FilePath(path))
        let name = FilePath(nameBytes: place.lastComponent?.bytes ?? [])
        var file = try FileWriter(
            name, in: OwnedDescriptor.folder(place.removingLastComponent()), mode: 0o666)
        if let key, isProtected {
            let around = LocalStorage(root: source.removingLastComponent())
            try EncryptionRecoder(old: nil, new: key).recode(
                [RemoteName(source.lastComponent?.bytes ?? [])], in: around
            ) { (piece) throws(FileProblem) in try file.append(piece) }
        } else {
            _ = try FileHasher.pump(OwnedDescriptor.file(source)) { (piece) throws(FileProblem) in
                try file.append(piece)
            }
        }
        try file.finishUnsynced(modified: Self.moment(time))
    }

    /// Records that an entry was added to a folder at `time`; the latest time counts.
    mutating func touch(_ path: String, _ time: Double) {
        let place = folder.pushing(FilePath(path))
        for index in times.indices where times[index].path == place {
            times[index].time = max(times[index].time, Self.moment(time))
        }
    }

    /// Sets the times of the folders, innermost first, since each new entry changes the time of its folder.
    func finish() throws(FileProblem) {
        for (path, time) in times.reversed() { try NewFile.setTime(time, ofFolder: path) }
    }

    private static func moment(_ time: Double) -> FileTime {
        FileTime(secondsSince2001: time) ?? FileTime(seconds: 0)
    }
}
