import CoreDataStore
import SystemCalls
import SystemPackage
import TICDSCommandLine
import TICDSCore
import TICDSSync

/// What a clone made, or would make.
struct CloneReport {
    /// The synchronisation with which a replica begins.
    struct FirstRun {
        let result: SyncResult
        let report: RunReport
        let status: ExitStatus
    }

    let configuration: ReplicaConfiguration
    let place: FilePath
    let contents: NewReplica.Contents
    let isDryRun: Bool
    /// How the client registers; nil where that is left to the first run.
    let plan: Plan?
    /// What people call the clients, by identifier.
    let clientNames: [String: String]
    /// The registration, in the journal.
    var operation: Int64?
    var run: FirstRun?

    /// What people should know of the store.
    private var notes: [(code: String, text: String)] {
        var notes: [(String, String)] = contents.start.notes
            .filter { $0.code != "namesGuessed" && $0.code != "noModel" }.map { ($0.code, $0.text) }
        if contents.start.whole != nil, contents.start.registered == nil {
            notes.append(
                (
                    "registerMissing",
                    "there is no readable register beside the whole store: sets that are in it are applied a second time, which may bring back older values"
                ))
        }
        if contents.objectsWithoutSyncID > 0 {
            let objects = Quantities.count(contents.objectsWithoutSyncID, "object")
            notes.append(
                (
                    "withoutSyncID",
                    "\(objects) of the whole store \(contents.objectsWithoutSyncID == 1 ? "has" : "have") no sync ID: no client can refer to them, and changes to them here are not sent"
                ))
        }
        if contents.externalDataMissing > 0 {
            let files = Quantities.count(contents.externalDataMissing, "file")
            notes.append(
                ("externalDataMissing", "\(files) of external data that the store refers to cannot be found"))
        }
        if !contents.externalDataUnread.isEmpty {
            let files = Quantities.count(contents.externalDataUnread.count, "file")
            notes.append(
                (
                    "externalDataUnreadable",
                    "\(files) of external data that the store refers to cannot be read"
                ))
        }
        return notes
    }

    func print(_ output: OutputOptions) throws(FileProblem) {
        if output.json { try printJSON(output) } else { try printText(output) }
    }

    private func printText(_ output: OutputOptions) throws(FileProblem) {
        var text = output.text()
        if isDryRun, let plan {
            PlanView(plan, output).show(to: &text)
            text.line()
        }
        text.line(output.colour().paint("\(place)", .bold))
        text.line("    document: \(configuration.document)")
        text.line(
            "    client: \(configuration.client) "
                + "(\(configuration.description))")
        text.line("    start: \(startText)")
        for refusal in contents.start.refusals {
            text.line("    not used: \(name(of: refusal.client)): \(refusal.reason)")
        }
        text.line("    objects: \(Quantities.count(contents.objects))")
        text.line("    registered: \(registeredText)")
        for note in notes { text.line("    note: \(note.text)") }
        if let run {
            for problem in run.report.problems { output.report(problem) }
            run.result.add(run.report, to: &text, output)
        }
        if isDryRun { text.line("Nothing was changed.") }
        try text.flush()
    }

    private var registeredText: String {
        if plan == nil { return "at the first run" }
        return isDryRun ? "would be now" : "yes"
    }

    private var startText: String {
        guard let whole = contents.start.whole, let store = whole.store else { return "an empty store" }
        let layers = contents.start.layers.map(\.rawValue).joined(separator: ", ")
        let sets = Quantities.count(contents.registeredChangeSets, "change set")
        return "whole store of \(name(of: whole.client)), \(store.modified.localSeconds) (\(layers); \(sets))"
    }

    private func name(of client: RemoteName) -> String {
        clientNames[client.text] ?? client.description
    }

    private func printJSON(_ output: OutputOptions) throws(FileProblem) {
        var json = output.document("ticds.clone/1")
        json.field("remote", configuration.remote)
        json.field("replica", place)
        json.field("document", configuration.document)
        json.field("client", configuration.client)
        json.field("description", configuration.description)
        json.field("dryRun", isDryRun)
        json.start(
            contents.start, in: FilePath(configuration.remote), registered: contents.registeredChangeSets)
        json.field("objects", contents.objects)
        json.field("objectsWithoutSyncID", contents.objectsWithoutSyncID)
        json.field("externalDataMissing", contents.externalDataMissing)
        json.field("registered", plan != nil && !isDryRun)
        json.field("operation", operation)
        if let plan { try json.field("plan", plan) } else { json.field("plan", String?.none) }
        json.objects("notes", notes) { json, note in
            json.field("code", note.code)
            json.field("text", note.text)
        }
        json.key("run")
        if let run { run.result.add(run.report, to: &json) } else { json.null() }
        try json.finish()
    }
}
