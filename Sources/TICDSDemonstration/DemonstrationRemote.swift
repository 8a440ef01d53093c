public import SystemCalls
public import SystemPackage
import TICDSCore

/// A remote for demonstrations: three clients, two documents, months of synchronisation. The same settings give the same
/// remote, except for the random parts of encryption.
public struct DemonstrationRemote: Sendable {
    /// Options of the remote.
    public struct Settings: Sendable {
        /// Number of change sets of the larger document.
        public var changeSets: Int
        /// Encrypts the remote with this password as the framework does; nil for a plain remote.
        public var password: String?
        /// Whether to truncate one change set, so that a verification finds something.
        public var isDamaged: Bool

        /// By default 240 change sets, not encrypted and not damaged.
        public init(changeSets: Int = 240, password: String? = nil, isDamaged: Bool = false) {
            self.changeSets = changeSets
            self.password = password
            self.isDamaged = isDamaged
        }
    }

    /// The name of the remote's folder.
    public static let applicationIdentifier = "com.example.cookbook"
    /// The folder name of the data model beside the remote.
    public static let modelName = "Cookbook.xcdatamodel"
    private let settings: Settings
    private var random = SeededGenerator(seed: 2013)
    private var clients: [DemonstrationClient] = []

    /// Writes the remote to `folder`, which must not exist or be empty, as `folder/com.example.cookbook`, and the data
    /// model of its app as `folder/Cookbook.xcdatamodel`. Builds both beside `folder`, so that it appears complete.
    /// - Throws: `.refused` if the folder is not empty; `.missing` if its parent does not exist.
    public static func write(to folder: FilePath, _ settings: Settings = Settings()) throws(FileProblem) {
        let target = folder.lexicallyNormalized()
        try refuseUnlessFree(target)
        let building = try TemporaryFolder(in: target.parent, prefix: ".ticds-demo")
        let built = building.path.appending("demo")
        try NewFile.makeFolder(built)
        var remote = DemonstrationRemote(settings: settings)
        try remote.build(in: built.appending(applicationIdentifier))
        try writeModel(to: built)
        try NewFile.rename(built, to: target)
    }

    /// Writes the data model of the app beside the remote. A remote never contains a model.
    private static func writeModel(to folder: FilePath) throws(FileProblem) {
        let model = folder.appending(modelName)
        try NewFile.makeFolder(model)
        try NewFile.write(Array(DemonstrationModel.contents.utf8), to: model.appending("contents"))
    }

    private init(settings: Settings) { self.settings = settings }

    /// Refuses early; the rename at the end protects the folder in any case.
    private static func refuseUnlessFree(_ target: FilePath) throws(FileProblem) {
        guard try FileStatus.ifPresent(target.parent) != nil else {
            throw FileProblem(
                .missing, path: target.parent, "no such folder",
                advice: "Create it first, or name another folder")
        }
        let contents = try LocalStorage(root: target).entriesIfPresent(of: .root)
        guard contents.isEmpty else {
            throw FileProblem(
                .refused, path: target, "the folder is not empty", expected: "a new or an empty folder",
                found: "\(contents.count) entries", advice: "Name another folder")
        }
    }

    private mutating func build(in root: FilePath) throws(FileProblem) {
        try NewFile.makeFolder(root)
        let salt = (0..<16).map { _ in UInt8.random(in: 0...255) }
        let key = settings.password.map { SyncKey(password: $0, salt: salt) }
        var tree = DemonstrationTree(folder: root, key: key)
        let start = DemonstrationCalendar.start
        for folder in [
            "ClientDevices", "Documents", "Encryption", "Information/DeletedDocuments",
            "Information/DeletedClients",
        ] { try tree.makeFolder(folder, start) }
        try tree.write(Array(Self.readMe.utf8), "ReadMe.txt", start, isProtected: false)
        let unique = random.identifier()
        if key != nil {
            try tree.write(salt, "Encryption/salt.ticdsync", start, isProtected: false)
            let test = try SmallFiles.encryptionTest(
                application: Self.applicationIdentifier, unique: unique, path: root)
            try tree.write(test, "Encryption/test.ticdsync", start)
        }
        try makeClients(&tree)
        try writeDocuments(&tree)
        try tree.finish()
        if let time = FileTime(secondsSince2001: start) { try NewFile.setTime(time, ofFolder: root) }
    }

    private mutating func makeClients(_ tree: inout DemonstrationTree) throws(FileProblem) {
        for (number, description) in ["Anna’s MacBook Pro", "Anna’s iPhone", "Børge’s iPad"].enumerated() {
            let client = DemonstrationClient(
                identifier: random.identifier(), description: description,
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

    private mutating func writeDocuments(_ tree: inout DemonstrationTree) throws(FileProblem) {
        let documents = [
            ("cookbook", "Family cookbook", settings.changeSets, DemonstrationStore.Kind.sqlite),
            ("pantry", "Pantry", min(settings.changeSets, 12), DemonstrationStore.Kind.binary),
        ]
        for (identifier, description, count, kind) in documents {
            var history = DemonstrationHistory(
                identifier: identifier, description: description, clients: clients, changeSets: count,
                kind: kind,
                isDamaged: settings.isDamaged && identifier == "cookbook", seed: random.next())
            try history.write(to: &tree)
        }
    }

    private static let readMe =
        "This folder belongs to an app that synchronises its documents here. Do not change it.\n"
}

/// A client of the demonstration.
struct DemonstrationClient: Sendable {
    var identifier: String
    var description: String
    /// Seconds since 2001-01-01 00:00:00 UTC.
    var joined: Double
}

/// When things happen in the demonstration, in seconds since 2001-01-01 00:00:00 UTC.
enum DemonstrationCalendar {
    /// 2013-03-04 08:00:00 UTC
    static let start = 384_076_800.0
    /// 2013-11-05 20:00:00 UTC
    static let end = 405_374_400.0
}
