public import TICDSCore

/// Plays the next synchronisation of a client, in the framework's order and with its faults.
public enum SyncSimulator {
    /// - Parameters:
    ///   - client: a client with or without traces in the remote; nil for one that nobody has seen yet.
    ///   - variant: which sort of client it is.
    public static func run(
        client: RemoteName?, document: RemoteName, variant: Variant, _ context: VerificationContext
    ) -> Simulation {
        var run = SimulatedRun(client: client, document: document, variant: variant, context)
        run.play()
        return run.simulation
    }
}

/// A simulated run in progress. The parts of the run are extensions, one an operation of the framework; each says
/// whether the run goes on.
struct SimulatedRun {
    let context: VerificationContext
    let variant: Variant
    let listing: VariantListing
    var simulation: Simulation
    /// Identifiers of the sets that count as applied.
    var applied: Set<String> = []
    /// Whether `SyncChanges/<client>` is there by the time it is needed.
    var hasOwnFolder = false

    init(client: RemoteName?, document: RemoteName, variant: Variant, _ context: VerificationContext) {
        self.context = context
        self.variant = variant
        let listing = VariantListing(
            tree: context.snapshot.tree, variant: variant, document: RemoteLayout.document(document))
        let standing = client.map { Self.standing(of: $0, in: listing) } ?? .newcomer
        self.listing = listing
        simulation = Simulation(variant: variant, document: document, client: client, standing: standing)
        hasOwnFolder = standing == .member
    }

    mutating func play() {
        switch simulation.standing {
        case .member:
            let before = simulation.steps
            if registerApplication() { _ = registerDocument() }
            simulation.nextStart = simulation.steps
            simulation.steps = before
            learnFromOwnRegister()
        case .orphaned:
            guard registerApplication(), registerDocument() else { return }
            learnFromOwnRegister()
        case .removed, .newcomer:
            guard registerApplication(), registerDocument(), download() else { return }
        }
        let hasSynchronised = preSync() && sync() && postSync()
        vacuum(hasSynchronised: hasSynchronised)
    }

    /// Adds a step and says whether the run goes on.
    mutating func add(_ step: SimulationStep) -> Bool {
        simulation.steps.append(step)
        return !step.isEnd
    }

    private static func standing(of client: RemoteName, in listing: VariantListing) -> Simulation.Standing {
        let tree = listing.tree
        func isThere(_ folder: RemoteName, _ name: RemoteName) -> Bool {
            tree[listing.folder(folder).appending(name)] != nil
        }
        if isThere(RemoteLayout.syncChanges, client) { return .member }
        let tombstone = client.appending(suffix: RemoteLayout.propertyListSuffix)
        if isThere(RemoteLayout.deletedClients, tombstone) { return .removed }
        let recentSync = client.appending(suffix: RemoteLayout.recentSyncSuffix)
        let hasTraces =
            isThere(RemoteLayout.recentSyncs, recentSync) || isThere(RemoteLayout.wholeStore, client)
        return hasTraces ? .orphaned : .newcomer
    }
}

/// "1 file", "3 files"
func counted(_ count: Int, _ noun: String) -> String { "\(count) \(noun)\(count == 1 ? "" : "s")" }
