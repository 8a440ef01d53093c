public import TICDSCore

/// What a finding does to clients, and to which ones, as its kind in the catalogue tells it.
public struct Effect: Sendable, Hashable {
    /// What comes of it.
    public enum Consequence: String, Sendable, Hashable, CaseIterable {
        /// Synchronisation fails every time until the cause is gone (ticds-protocol(7), 7).
        case blocks
        /// Edits are dropped, and nobody is told.
        case silentlyLost
        /// Old edits come once more, over newer ones.
        case appliedTwice
        /// Helper files are thrown away, and with them edits that were not yet sent.
        case wipesUnsentEdits
        /// The application may crash, at every synchronisation anew.
        case crashes
        /// New clients cannot register.
        case cannotRegister
        /// No whole store can be downloaded, or one that cannot be used.
        case cannotDownload
        /// No whole store can be uploaded.
        case cannotUpload
        /// A list of documents or of clients fails, or lacks something.
        case breaksLists
        /// Sets are applied in an order that nobody meant.
        case misorders
        /// Objects or relationships come out wrong.
        case wrongData
        /// Change sets are never removed any more.
        case stopsVacuum
        /// Change sets may be removed before everyone has them.
        case vacuumsTooMuch
        /// Removing the client or the document fails.
        case cannotRemove
        /// Contents lie open that were meant to be encrypted.
        case exposes
        /// Room is taken for nothing.
        case wastesSpace
        /// Nobody knows, since it was not checked.
        case notChecked = "notJudged"
        /// Nothing follows that was not so already.
        case harmless
    }

    /// Who is concerned.
    public enum Reach: String, Sendable, Hashable, CaseIterable {
        /// Every client of the document, or of the application where no document is concerned.
        case everyone
        /// Every client that is registered.
        case members
        /// All but the client that the finding is about.
        case everyoneElse
        /// The client that the finding is about.
        case thisClient
        /// Clients that register from now on.
        case newClients
        /// No client.
        case nobody
    }

    /// What comes of it.
    public var consequence: Consequence
    /// Who is concerned.
    public var reach: Reach

    /// The one variant of the framework that is concerned; nil for all that the finding speaks of.
    public var variant: Variant?

    /// A consequence for those within reach.
    public init(_ consequence: Consequence, _ reach: Reach, only variant: Variant? = nil) {
        self.consequence = consequence
        self.reach = reach
        self.variant = variant
    }
}

/// What a finding does to clients of this very remote.
public struct Affected: Sendable, Hashable {
    /// What comes of it for them.
    public let consequence: Effect.Consequence
    /// Whether clients that register from now on are affected, too.
    public let newClients: Bool
    /// The one variant of the framework that is concerned; nil for all that the finding speaks of.
    public let variant: Variant?
    /// Many findings share this list.
    let members: [RemoteName]
    private let exception: RemoteName?

    /// `clients` are registered clients, sorted; `exception` is not affected even where it is among them.
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
            && one.variant == other.variant && one.clients == other.clients
    }

    public func hash(into hasher: inout Hasher) {
        hasher.combine(consequence)
        hasher.combine(clients)
    }

    /// Registered clients, sorted.
    public var clients: [RemoteName] { exception == nil ? members : members.filter { $0 != exception } }
}
