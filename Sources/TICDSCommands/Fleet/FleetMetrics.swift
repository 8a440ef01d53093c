import ArgumentParser
import SystemCalls
import SystemPackage
import TICDSCommandLine
import TICDSFleet

struct FleetMetrics: SuiteCommand {
    static let configuration = CommandConfiguration(
        commandName: "metrics",
        abstract: "Prints numbers about the fleet for Prometheus.",
        discussion: """
            The numbers are those of the database: sums by application, run and kind of finding. With --each it adds \
            numbers of each remote, which makes many time series.

            Examples:
              ticds-fleet metrics --database fleet.sqlite
              ticds-fleet metrics --database fleet.sqlite --to /var/lib/node_exporter/fleet.prom
            """)

    @OptionGroup var database: DatabaseOptions
    @OptionGroup var target: MetricsOptions
    @Flag(help: "Also print metrics for each remote.")
    var each = false
    @OptionGroup var output: OutputOptions

    func execute(_ context: CommandContext) throws -> ExitStatus {
        let database = try database.open()
        try target.write(try metrics(database), context)
        return .success
    }

    /// Each family with a statement: the labels, then the number. A time as text becomes seconds since 1970.
    private static let sums: [(name: String, help: String, labels: [String], sql: String)] = [
        (
            "ticds_fleet_remotes", "Remotes by application.", ["application"],
            "SELECT application, count(*) FROM remotes GROUP BY application"
        ),
        (
            "ticds_fleet_bytes", "Size of the remotes that could be listed whole, by application.",
            ["application"],
            "SELECT application, sum(bytes) FROM remotes WHERE bytes IS NOT NULL GROUP BY application"
        ),
        (
            "ticds_fleet_files", "Files of the remotes that could be listed whole, by application.",
            ["application"],
            "SELECT application, sum(files) FROM remotes WHERE files IS NOT NULL GROUP BY application"
        ),
        (
            "ticds_fleet_remotes_unlisted", "Remotes that could not be listed whole, by application.",
            ["application"],
            "SELECT application, sum(bytes IS NULL) FROM remotes GROUP BY application"
        ),
        (
            "ticds_fleet_results", "Results of a run by state.", ["run", "state"],
            "SELECT run, state, count(*) FROM history GROUP BY run, state"
        ),
        (
            "ticds_fleet_failures", "Remotes without a result in a run, by reason.", ["run", "reason"],
            "SELECT run, coalesce(reason, 'failed'), count(*) FROM history WHERE state <> 'done' GROUP BY 1, 2"
        ),
        (
            "ticds_fleet_newest_result_timestamp_seconds", "When the newest result of a run began.", ["run"],
            "SELECT run, max(started) FROM history GROUP BY run"
        ),
        (
            "ticds_fleet_findings", "Findings by code.", ["code", "severity"],
            "SELECT code, severity, sum(count) FROM findings GROUP BY code, severity"
        ),
        (
            "ticds_fleet_remotes_with_findings", "Remotes that have findings of a severity.", ["severity"],
            "SELECT severity, count(DISTINCT id) FROM findings GROUP BY severity"
        ),
        (
            "ticds_fleet_clients_behind",
            "Clients that are known not to have applied change sets of others, by application.",
            ["application"],
            "SELECT application, count(*) FROM clients JOIN remotes ON remotes.id = clients.id WHERE not_applied > 0 "
                + "GROUP BY application"
        ),
    ]

    private static let ofEach: [(name: String, help: String, labels: [String], sql: String)] = [
        (
            "ticds_fleet_remote_bytes", "Size of a remote.", ["id", "application"],
            "SELECT id, application, bytes FROM remotes WHERE bytes IS NOT NULL ORDER BY id"
        ),
        (
            "ticds_fleet_remote_findings", "Findings of a remote by severity.", ["id", "severity"],
            "SELECT id, severity, sum(count) FROM findings GROUP BY id, severity"
        ),
        (
            "ticds_fleet_remote_last_sync_timestamp_seconds",
            "When a document of the remote was last synchronised.",
            ["id"], "SELECT id, max(last_sync) FROM documents WHERE last_sync IS NOT NULL GROUP BY id"
        ),
    ]

    private func metrics(_ database: borrowing FleetDatabase) throws(FileProblem) -> Metrics {
        var metrics = Metrics()
        for family in Self.sums + (each ? Self.ofEach : []) {
            metrics.family(family.name, family.help)
            for row in try database.rows(family.sql, limit: 10_000_000).rows {
                guard let last = row.last, row.count == family.labels.count + 1 else { continue }
                let value = last.time?.seconds ?? last.number
                switch family.labels.count {
                case 1: metrics.add(value, (name: family.labels[0], value: row[0].words))
                default:
                    metrics.add(
                        value, (name: family.labels[0], value: row[0].words),
                        (name: family.labels[1], value: row[1].words))
                }
            }
        }
        return metrics
    }
}
