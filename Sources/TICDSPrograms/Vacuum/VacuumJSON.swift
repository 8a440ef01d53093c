import SystemCalls
import TICDSCommandLine
import TICDSCore

/// The analysis as a JSON document (schema `ticds.vacuum/1`).
struct VacuumJSON {
    let names: VacuumNames
    let settings: VacuumSettings

    func write(_ vacuums: [VacuumDecision], _ remote: OpenRemote, _ output: OutputOptions) throws {
        try output.print((self, vacuums, remote), Self.schema)
    }

    static let schema = JSONSchema<(view: VacuumJSON, vacuums: [VacuumDecision], remote: OpenRemote)>(
        "ticds.vacuum/1", "Printed by ticds-vacuum(1) with `--dry-run`, even if the vacuum is refused."
    ) {
        $0("remote", "The application folder.", { $0.remote.path })
        $0(
            "application", "Its name, the identifier of the application.",
            { $0.remote.snapshot.applicationIdentifier })
        $0("encrypted", "Whether the remote has a salt.", { $0.remote.snapshot.isEncrypted })
        $0(
            "rule", "", as: .names(["applied", "framework"]),
            { $0.view.isFramework ? "framework" : "applied" })
        $0(
            "keepWithin", "The margin in seconds; null for the framework's rule.",
            { $0.view.isFramework ? nil : $0.view.settings.keepWithin })
        $0(
            "newestStoreOnly", "Whether only the whole store with the latest date counts.",
            { $0.view.settings.countsNewestStoreOnly })
        $0(
            "documents", "The documents that were examined.",
            { run in run.vacuums.map { ($0, run.view.names) } }, document)
    }

    private var isFramework: Bool { settings.rule == .framework }

    private static let document = JSONFields<(vacuum: VacuumDecision, names: VacuumNames)> {
        $0("document", "", { $0.vacuum.document })
        $0("description", "", { $0.names.documentDescription($0.vacuum.document) })
        $0(
            "horizon",
            """
            With the framework's rule, the time before which sets are removed; otherwise that of the oldest set that \
            stays, or null if none stays.
            """, { $0.vacuum.horizon })
        $0("removable", "The change sets that are removed.", { $0.vacuum.removable })
        $0("kept", "Those that stay.", { $0.vacuum.kept })
        $0("young", "Those that stay because they are younger than the margin.", { $0.vacuum.young })
        $0(
            "unseen",
            """
            Those that the framework's rule removes although the last synchronisation of a client was before their \
            upload; none with the other rule.
            """, { $0.vacuum.unseen })
        $0(
            "clients", "Members of the document, and clients that left a recent sync or a whole store there.",
            { one in one.vacuum.clients.map { ($0, one.names) } }, client)
        $0(
            "leftovers", "What uploads left behind, with `--leftovers`.", { $0.vacuum.leftovers },
            JSONFields {
                $0("path", "", \.path)
                $0("files", "", \.files)
                $0("modified", "The latest in it.", \.modified)
                $0("keptBecause", "Null if it is removed.", \.reason)
            })
        $0(
            "obstacles", "The obstacles that make the horizon unsafe.",
            { $0.vacuum.obstacles.map { ($0, false) } + $0.vacuum.allowed.map { ($0, true) } },
            JSONFields<(obstacle: VacuumObstacle, isAllowed: Bool)> {
                $0("kind", "", { $0.obstacle.kind })
                $0("path", "", { $0.obstacle.path })
                $0("client", "", { $0.obstacle.client })
                $0("problem", "", { $0.obstacle.problem })
                $0("allowed", "Whether `--allow-missing` passes over it.", { $0.isAllowed })
            })
    }

    private static let client = JSONFields<(client: VacuumClient, names: VacuumNames)> {
        $0("client", "", { $0.client.identifier })
        $0("description", "", { $0.names.description(of: $0.client.identifier) })
        $0("member", "", { $0.client.isMember })
        $0("ignored", "", { $0.client.isIgnored })
        $0("lastSync", "The time of its recent sync.", { $0.client.lastSync })
        $0("wholeStore", "The time of its whole store.", { $0.client.store })
        $0("register", "The time of the register beside it.", { $0.client.register })
        $0(
            "storeCounts", "Whether sets stay for clients that start from its whole store.",
            { $0.client.storeCounts })
        $0("removable", "Of its own sets.", { $0.client.removable })
        $0("kept", "Of its own sets.", { $0.client.kept })
        $0("holdsBack", "The sets that stay because of this client.", { $0.client.hold }, hold)
        $0(
            "misses", "For a client that is ignored, the removed sets that it may lack.",
            { $0.client.missed },
            hold)
    }

    private static let hold = JSONFields<VacuumHold> {
        $0("sets", "", \.sets)
        $0("alone", "The same for those that nothing else keeps.", \.alone)
        $0("notSynchronised", "Sets that it may not have fetched.", \.notSynchronised)
        $0("notInStore", "Sets that its register does not name.", \.notInStore)
        $0("oldest", "The later of the two times of the oldest.", \.oldest)
    }
}
