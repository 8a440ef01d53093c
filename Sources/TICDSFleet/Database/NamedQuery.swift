/// Frequent queries to the database of a fleet. Each is a statement that any tool can run.
package enum NamedQuery: String, Sendable, CaseIterable {
    case states, failures, worst, findings, lag, stale, growth, sizes, applications, models, versions, costs

    /// The meaning of the result, in one line.
    package var title: String {
        switch self {
        case .states: "Each run: its remotes by state, and those with findings"
        case .failures: "Remotes without a result in their latest run, by reason"
        case .worst: "Remotes with errors or warnings, the most errors first"
        case .findings: "Findings by code: how many, and on how many remotes"
        case .lag: "Clients that had not applied the most change sets"
        case .stale: "Remotes whose last synchronisation is oldest"
        case .growth: "Remotes that grew the most between their first and last result"
        case .sizes: "The largest remotes"
        case .applications: "Each application: remotes, sizes, findings"
        case .models: "Versions of models in the whole stores, by application"
        case .versions: "Versions of the framework that wrote whole stores"
        case .costs: "Remotes that took the most time, with their memory"
        }
    }

    /// The command whose results the query needs, and the kind of these results in the table `sources`; nil if any
    /// result will do.
    package var source: (command: String, kind: String)? {
        switch self {
        case .worst, .findings: ("verify", "findings")
        case .lag, .stale: ("status", "status")
        case .models, .versions: ("store list", "stores")
        case .states, .failures, .growth, .sizes, .applications, .costs: nil
        }
    }

    /// The statement; it has no limit.
    package var sql: String {
        switch self {
        case .states:
            """
            SELECT runs.run, runs.command, count(history.id) AS remotes, sum(state = 'done') AS done, \
            sum(state = 'retry') AS retry, sum(state = 'never') AS never, \
            sum(state = 'done' AND exit_status = 1) AS with_findings, min(started) AS first, max(started) AS last \
            FROM runs LEFT JOIN history ON history.run = runs.run GROUP BY runs.run ORDER BY runs.begun, runs.run
            """
        case .failures:
            """
            SELECT history.run, coalesce(reason, 'failed') AS reason, count(*) AS remotes, min(history.id) AS example, \
            coalesce(remotes.location, '') AS location, problem FROM history \
            LEFT JOIN remotes ON remotes.id = history.id WHERE state <> 'done' \
            GROUP BY history.run, coalesce(reason, 'failed') ORDER BY remotes DESC, history.run, reason
            """
        case .worst:
            """
            SELECT remotes.id, application, location, sum(count * (severity = 'error')) AS errors, \
            sum(count * (severity = 'warning')) AS warnings, sum(count * (severity = 'note')) AS notes, \
            count(*) AS codes FROM findings JOIN remotes ON remotes.id = findings.id GROUP BY remotes.id \
            HAVING sum(severity <> 'note') > 0 ORDER BY errors DESC, warnings DESC, notes DESC, remotes.id
            """
        case .findings:
            """
            SELECT findings.code, codes.severity, sum(count) AS findings, count(*) AS remotes, min(findings.id) AS example, \
            title FROM findings LEFT JOIN codes ON codes.code = findings.code GROUP BY findings.code \
            ORDER BY CASE codes.severity WHEN 'error' THEN 0 WHEN 'warning' THEN 1 ELSE 2 END, remotes DESC, findings.code
            """
        case .lag:
            """
            SELECT clients.id, application, location, client, description, not_applied, lag_as_of FROM clients \
            JOIN remotes ON remotes.id = clients.id WHERE not_applied > 0 ORDER BY not_applied DESC, clients.id, client
            """
        case .stale:
            """
            SELECT remotes.id, application, location, max(last_sync) AS last_sync, count(*) AS documents FROM documents \
            JOIN remotes ON remotes.id = documents.id GROUP BY remotes.id ORDER BY max(last_sync) IS NOT NULL, \
            max(last_sync), remotes.id
            """
        case .growth:
            """
            SELECT id, first_bytes, last_bytes, last_bytes - first_bytes AS growth, \
            CAST((last_bytes - first_bytes) / max(1, julianday(last_seen) - julianday(first_seen)) AS INTEGER) AS per_day, \
            first_seen, last_seen FROM (SELECT DISTINCT id, \
            first_value(bytes) OVER w AS first_bytes, last_value(bytes) OVER w AS last_bytes, \
            first_value(seen) OVER w AS first_seen, last_value(seen) OVER w AS last_seen FROM sizes \
            WINDOW w AS (PARTITION BY id ORDER BY seen, run ROWS BETWEEN UNBOUNDED PRECEDING AND UNBOUNDED FOLLOWING)) \
            WHERE first_seen < last_seen ORDER BY growth DESC, id
            """
        case .sizes: "SELECT id, application, location, files, bytes FROM remotes ORDER BY bytes DESC, id"
        case .applications:
            """
            SELECT application, count(*) AS remotes, sum(files) AS files, sum(bytes) AS bytes, sum(encrypted) AS encrypted, \
            sum(EXISTS (SELECT 1 FROM findings WHERE findings.id = remotes.id AND severity <> 'note')) AS with_findings, \
            sum(bytes IS NULL) AS unlisted FROM remotes GROUP BY application ORDER BY remotes DESC, application
            """
        case .models:
            """
            SELECT application, model, max(entities) AS entities, count(*) AS stores, count(DISTINCT stores.id) AS remotes, \
            max(modified) AS newest FROM stores JOIN remotes ON remotes.id = stores.id \
            GROUP BY application, model ORDER BY application, remotes DESC, model
            """
        case .versions:
            """
            SELECT framework, kind, count(*) AS stores, count(DISTINCT id) AS remotes FROM stores \
            GROUP BY framework, kind ORDER BY remotes DESC, framework
            """
        case .costs:
            """
            SELECT history.id, history.run, location, history.seconds, peak_memory, attempts, state FROM history \
            LEFT JOIN remotes ON remotes.id = history.id ORDER BY history.seconds DESC, history.id, history.run
            """
        }
    }
}
