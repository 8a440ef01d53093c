import SystemCalls
import TICDSCommandLine
import TICDSCore

/// The analysis as a JSON document (schema `ticds.vacuum/1`).
struct VacuumJSON {
    let names: VacuumNames
    let settings: VacuumSettings

    func write(_ vacuums: [VacuumDecision], _ remote: OpenRemote, _ output: OutputOptions) throws {
        let isFramework = settings.rule == .framework
        var json = output.document("ticds.vacuum/1")
        json.field("remote", remote.path)
        json.field("application", remote.snapshot.applicationIdentifier)
        json.field("encrypted", remote.snapshot.isEncrypted)
        json.field("rule", isFramework ? "framework" : "applied")
        json.field("keepWithin", isFramework ? nil : settings.keepWithin)
        json.field("newestStoreOnly", settings.countsNewestStoreOnly)
        json.array("documents", vacuums) { json, vacuum in write(vacuum, &json) }
        try json.finish()
    }

    private func write(_ vacuum: VacuumDecision, _ json: inout JSONWriter) {
        json.beginObject()
        json.field("document", vacuum.document)
        json.field("description", names.documentDescription(vacuum.document))
        json.field("horizon", vacuum.horizon)
        json.field("removable", vacuum.removable)
        json.field("kept", vacuum.kept)
        json.field("young", vacuum.young)
        json.field("unseen", vacuum.unseen)
        json.array("clients", vacuum.clients) { json, client in write(client, &json) }
        json.array("leftovers", vacuum.leftovers) { json, leftover in write(leftover, &json) }
        json.beginArray("obstacles")
        for obstacle in vacuum.obstacles { write(obstacle, isAllowed: false, &json) }
        for obstacle in vacuum.allowed { write(obstacle, isAllowed: true, &json) }
        json.endArray()
        json.endObject()
    }

    private func write(_ client: VacuumClient, _ json: inout JSONWriter) {
        json.beginObject()
        json.field("client", client.identifier)
        json.field("description", names.description(of: client.identifier))
        json.field("member", client.isMember)
        json.field("ignored", client.isIgnored)
        json.field("lastSync", client.lastSync)
        json.field("wholeStore", client.store)
        json.field("register", client.register)
        json.field("storeCounts", client.storeCounts)
        json.field("removable", client.removable)
        json.field("kept", client.kept)
        write(client.hold, "holdsBack", &json)
        write(client.missed, "misses", &json)
        json.endObject()
    }

    private func write(_ hold: VacuumHold, _ key: String, _ json: inout JSONWriter) {
        json.beginObject(key)
        json.field("sets", hold.sets)
        json.field("alone", hold.alone)
        json.field("notSynchronised", hold.notSynchronised)
        json.field("notInStore", hold.notInStore)
        json.field("oldest", hold.oldest)
        json.endObject()
    }

    private func write(_ leftover: VacuumLeftover, _ json: inout JSONWriter) {
        json.beginObject()
        json.field("path", leftover.path)
        json.field("files", leftover.files)
        json.field("modified", leftover.modified)
        json.field("keptBecause", leftover.reason)
        json.endObject()
    }

    private func write(_ obstacle: VacuumObstacle, isAllowed: Bool, _ json: inout JSONWriter) {
        json.beginObject()
        json.field("kind", obstacle.kind.rawValue)
        json.field("path", obstacle.path)
        json.field("client", orNull: obstacle.client)
        json.field("problem", obstacle.problem)
        json.field("allowed", isAllowed)
        json.endObject()
    }
}
