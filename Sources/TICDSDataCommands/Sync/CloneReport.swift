import Base
import CoreDataStore
import SystemCalls
import SystemPackage
import TICDSCommandLine
import TICDSCore
import TICDSOperations
import TICDSSync

/// The result of a clone, or of its dry run.
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
    /// The registration of the client; nil if the first run will do it.
    let plan: Plan?
    /// The descriptions of the clients, by identifier.
    let clientNames: ClientNames
    /// The number of the registration in the journal.
    var operation: Int64?
    var run: FirstRun?

    /// The notes about the store for the user.
    private var notes: [StoreNote] {
        var notes = contents.start.notes.filter { $0.code != "namesGuessed" && $0.code != "noModel" }
        if contents.start.whole != nil, contents.start.registered == nil {
            notes.append(
                StoreNote(
                    code: "registerMissing",
                    text:
                        "there is no readable register beside the whole store: sets that are in it are applied "
                        + "a second time, which may bring back older values"))
        }
        if contents.objectsWithoutSyncID > 0 {
            let objects = Quantities.count(contents.objectsWithoutSyncID, "object")
            let have = contents.objectsWithoutSyncID == 1 ? "has" : "have"
            notes.append(
                StoreNote(
                    code: "withoutSyncID",
                    text:
                        "\(objects) of the whole store \(have) no sync ID: no client can refer to them, and "
                        + "changes to them here are not sent"))
        }
        return notes
            + StoreNote.externalData(
                missing: contents.externalDataMissing, unread: contents.externalDataUnread.count)
    }

    func print(_ context: CommandContext) throws(FileProblem) {
        if context.json {
            try context.print((self, try plan.map(JSONText.init)), Self.schema)
        } else {
            try printText(context)
        }
    }

    private func printText(_ context: CommandContext) throws(FileProblem) {
        var text = context.text()
        if isDryRun, let plan {
            PlanView(plan, context).show(to: &text)
            text.line()
        }
        text.line(context.colour().paint("\(place)", .bold))
        text.line("    document: \(configuration.document)")
        text.line("    client: \(configuration.client) (\(configuration.description))")
        text.line("    start: \(startText(context.style))")
        for refusal in contents.start.refusals {
            text.line("    not used: \(name(of: refusal.client)): \(refusal.reason)")
        }
        text.line("    objects: \(Quantities.count(contents.objects))")
        text.line("    registered: \(registeredText)")
        for note in notes { text.line("    note: \(note.text)") }
        if let run {
            for problem in run.report.problems { context.report(problem) }
            run.result.add(run.report, to: &text, context)
        }
        if isDryRun { text.line("Nothing was changed.") }
        try text.flush()
    }

    private var registeredText: String {
        if plan == nil { return "at the first run" }
        return isDryRun ? "would be now" : "yes"
    }

    private func startText(_ style: TextStyle) -> String {
        guard let whole = contents.start.whole, let store = whole.store else { return "an empty store" }
        let layers = contents.start.layers.map(\.rawValue).joined(separator: ", ")
        let sets = Quantities.count(contents.registeredChangeSets, "change set")
        return
            "whole store of \(name(of: whole.client)), \(style.second(store.modified)) (\(layers); \(sets))"
    }

    private func name(of client: RemoteName) -> String {
        clientNames.description(of: client) ?? client.description
    }

    static let schema = JSONSchema<(clone: CloneReport, plan: JSONText?)>(
        "ticds.clone/1", "Printed by ticds-sync(1) `clone`."
    ) {
        $0("remote", "", { $0.clone.configuration.remote })
        $0("replica", "", { $0.clone.place })
        $0("document", "", { $0.clone.configuration.document })
        $0("client", "", { $0.clone.configuration.client })
        $0("description", "", { $0.clone.configuration.description })
        $0("dryRun", "", { $0.clone.isDryRun })
        $0(
            "start",
            """
            The whole store that the replica began with; `registeredChangeSets` counts the sets that are \
            in it.
            """,
            {
                (
                    $0.clone.contents.start, FilePath($0.clone.configuration.remote),
                    $0.clone.contents.registeredChangeSets
                )
            }, StartingStore.fields)
        $0("objects", "The objects in that store.", { $0.clone.contents.objects })
        $0(
            "objectsWithoutSyncID", "The objects without a sync ID, which no client can refer to.",
            { $0.clone.contents.objectsWithoutSyncID })
        $0(
            "externalDataMissing", "The files of external data that cannot be found.",
            { $0.clone.contents.externalDataMissing })
        $0("registered", "Whether the client was registered.", { $0.clone.plan != nil && !$0.clone.isDryRun })
        $0(
            "operation", "The registration in the journal.", as: .orNull(.number(from: 1)),
            { $0.clone.operation })
        $0("plan", "The registration.", as: .orNull(.document("ticds.plan/1")), { $0.plan })
        $0(
            "notes", "", { $0.clone.notes },
            JSONFields {
                $0("code", "", \.code)
                $0("text", "", \.text)
            })
        $0("run", "The first run.", as: .orNull(.document("ticds.syncRun/1"))) { one, json in
            json.key("run")
            guard let run = one.clone.run else { return json.null() }
            json.value((run.result, run.report), SyncResult.schema)
        }
    }
}
