import Base
import SystemCalls
public import SystemPackage
public import TICDSCore

/// One fault of a remote, or one noteworthy fact: its kind, its place, the clients that it affects, and the remedy.
public struct Finding: Sendable, Hashable {
    /// The kind of the fault, with its remedy.
    public var kind: FindingKind
    /// The file or folder with the fault, inside the remote.
    public var path: RemotePath
    /// The document of the finding; nil for findings about the app.
    public var document: RemoteName?
    /// The client of the finding: the author of a set, the owner of a whole store.
    public var client: RemoteName?
    /// Another name that the remedy needs, such as a sync ID.
    public var subject: String?
    /// Offset in bytes inside the file.
    public var offset: Int?
    /// The content of an intact remote at this place.
    public var expected: String?
    /// The content of this remote at this place.
    public var found: String?
    /// Bytes that are wasted or lost; nil if it is unknown.
    public var bytes: Int64?
    /// The consequences for the clients of this remote.
    public var affected: [Affected]
    /// Whether `ticds-changes recover` finds nothing to write into a new change set, so that the remedy has no commands for
    /// that.
    public var isLost = false

    /// Whether the fault is one of a change set.
    public var isOfSet: Bool { FileRole(of: path, kind: .file) == .changeSet }

    /// The commands and sentences of the remedy, with the names and paths of the finding.
    /// - Parameters:
    ///   - isLoose: whether `root` is not a remote, but the folder of a single file. Commands that need a remote are left
    ///     out.
    public func remedy(under root: FilePath, isLoose: Bool = false) -> [String] {
        let lines = isLoose ? kind.looseRemedy(isLost: isLost) : kind.wholeRemedy(isLost: isLost)
        if StorageRemedy.concerns(root) {
            return StorageRemedy.lines(lines).map { RemedyText.fill($0, for: self, under: root) }
        }
        guard let archive = ArchiveRemedy.archive(of: root) else {
            return lines.map { RemedyText.fill($0, for: self, under: root) }
        }
        return ArchiveRemedy.lines(
            archive, of: kind, lines.map { RemedyText.fill($0, for: self, under: ArchiveRemedy.remote) })
    }
}

/// The consequence of findings of one kind for clients, and the clients that are affected.
public struct Effect: Sendable, Hashable {
    /// The consequence for the clients.
    public enum Consequence: String, Sendable, Hashable, CaseIterable {
        /// Synchronisation fails every time until the cause is gone (ticds-protocol(7), 4).
        case blocks
        /// Edits are dropped without an error.
        case silentlyLost
        /// Old edits are applied again and replace newer ones.
        case appliedTwice
        /// The client deletes its helper files, including unsent edits.
        case wipesUnsentEdits
        /// The app may crash, and crash again at every synchronisation.
        case crashes
        /// New clients cannot register.
        case cannotRegister
        /// No whole store can be downloaded, or the downloaded store is not usable.
        case cannotDownload
        /// No whole store can be uploaded.
        case cannotUpload
        /// A list of documents or of clients fails, or is incomplete.
        case breaksLists
        /// Change sets are applied in the wrong order.
        case misorders
        /// Objects or relationships get wrong values.
        case wrongData
        /// The vacuum no longer removes change sets.
        case stopsVacuum
        /// The vacuum may remove change sets before every client has fetched them.
        case vacuumsTooMuch
        /// The client or the document cannot be removed.
        case cannotRemove
        /// Data that should be encrypted is readable for everyone with access.
        case exposes
        /// Files that no client needs take up space.
        case wastesSpace
        /// Unknown, because the file was not checked.
        case notChecked = "notJudged"
        /// Nothing.
        case harmless

        /// The beginning of a sentence that `Reach.text` completes: "blocks the synchronisation of".
        public var text: String {
            switch self {
            case .blocks: "blocks the synchronisation of"
            case .silentlyLost: "silently loses edits for"
            case .appliedTwice: "applies old edits again for"
            case .wipesUnsentEdits: "throws away the unsent edits of"
            case .crashes: "may crash"
            case .cannotRegister: "makes registration fail for"
            case .cannotUpload: "makes the upload of whole stores fail for"
            case .cannotDownload: "offers no usable whole store to"
            case .breaksLists: "breaks the lists of documents or clients for"
            case .misorders: "puts edits into the wrong order for"
            case .wrongData: "gives wrong data to"
            case .stopsVacuum: "stops the vacuum of"
            case .vacuumsTooMuch: "lets a vacuum remove sets that are still needed by"
            case .cannotRemove: "prevents the removal of"
            case .exposes: "exposes the data of"
            case .wastesSpace: "wastes the space of"
            case .notChecked: "was not checked, and may harm"
            case .harmless: "harmless to"
            }
        }
    }

    /// The clients that are affected.
    public enum Reach: String, Sendable, Hashable, CaseIterable {
        /// Every client of the document, or of the app if the finding is not about a document.
        case everyone
        /// Every client that is registered.
        case members
        /// All clients except the client of the finding.
        case everyoneElse
        /// The client of the finding.
        case thisClient
        /// Clients that register from now on.
        case newClients
        /// No client.
        case nobody

        /// The clients, for people: "every client".
        public var text: String {
            switch self {
            case .everyone: "every client"
            case .members: "every client that is registered"
            case .everyoneElse: "every client but this one"
            case .thisClient: "this client"
            case .newClients: "clients that register from now on"
            case .nobody: "nobody"
            }
        }
    }

    /// The consequence for the clients.
    public var consequence: Consequence
    /// The clients that are affected.
    public var reach: Reach

    /// The only variant of the framework that is affected; nil for all variants.
    public var variant: Variant?

    /// A consequence, and the clients that it affects.
    public init(_ consequence: Consequence, _ reach: Reach, only variant: Variant? = nil) {
        self.consequence = consequence
        self.reach = reach
        self.variant = variant
    }

    /// "blocks the synchronisation of every client but this one"
    public var text: String {
        guard reach != .nobody else {
            return switch consequence {
            case .harmless: "harmless"
            case .wastesSpace: "wastes space"
            default: "\(consequence.text) nobody"
            }
        }
        return "\(consequence.text) \(reach.text)" + (variant?.restriction ?? "")
    }
}

/// The consequence of a finding for the clients of this remote, by name.
public struct Affected: Sendable, Hashable {
    /// The consequence for these clients.
    public let consequence: Effect.Consequence
    /// Whether clients that register from now on are also affected.
    public let newClients: Bool
    /// The only variant of the framework that is affected; nil for all variants.
    public let variant: Variant?
    /// A sorted list that many findings share, to save memory and time; `exception` is left out of `clients`.
    let members: [RemoteName]
    private let exception: RemoteName?

    /// - Parameters:
    ///   - clients: registered clients, sorted.
    ///   - exception: a client that is not affected, even if it is in `clients`.
    public init(
        _ consequence: Effect.Consequence, clients: [RemoteName], but exception: RemoteName? = nil,
        newClients: Bool = false, only variant: Variant? = nil
    ) {
        self.variant = variant
        self.consequence = consequence
        self.newClients = newClients
        members = clients
        self.exception = exception
    }

    public static func == (one: Affected, other: Affected) -> Bool {
        one.consequence == other.consequence && one.newClients == other.newClients
            && one.variant == other.variant
            && (one.hasMembers(of: other) && one.exception == other.exception || one.clients == other.clients)
    }

    public func hash(into hasher: inout Hasher) {
        hasher.combine(consequence)
        hasher.combine(count)
    }

    /// Whether both have the same list, which takes no time if they share it.
    private func hasMembers(of other: Affected) -> Bool { members == other.members }

    private var isExceptionMember: Bool {
        guard let exception else { return false }
        let place = members.endOfPrefix { $0 < exception }
        return place < members.count && members[place] == exception
    }

    /// The number of registered clients that are affected, without a look at each of them.
    public var count: Int { members.count - (isExceptionMember ? 1 : 0) }

    /// The first of the registered clients that are affected.
    public func first(_ limit: Int) -> [RemoteName] {
        Array(members.lazy.filter { [exception] in $0 != exception }.prefix(limit))
    }

    /// The clients of both, with the consequence of the first.
    public func joined(with other: Affected) -> Affected {
        let isShared = hasMembers(of: other)
        if isShared, exception == other.exception { return self }
        return Affected(
            consequence, clients: isShared ? members : Set(clients).union(other.clients).sorted(),
            newClients: newClients, only: variant)
    }

    /// The registered clients that are affected, sorted.
    public var clients: [RemoteName] { exception == nil ? members : members.filter { $0 != exception } }
}
