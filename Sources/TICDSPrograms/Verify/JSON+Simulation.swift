import SystemPackage
import TICDSCommandLine
import TICDSVerification
import TICDSCore

extension JSONWriter {
    /// One line of the schema `ticds.simulation/1`.
    mutating func line(_ simulation: Simulation, of remote: FilePath) {
        begin("ticds.simulation/1")
        field("remote", remote)
        field("document", simulation.document)
        field("client", orNull: simulation.client)
        field("variant", simulation.variant.rawValue)
        field("standing", simulation.standing.rawValue)
        field("start", simulation.start.rawValue)
        field("outcome", simulation.outcome.rawValue)
        steps("steps", simulation.steps)
        steps("nextStart", simulation.nextStart)
        beginObject("known")
        field("source", simulation.known.source.rawValue)
        field("asOf", simulation.known.asOf)
        field("count", simulation.known.count)
        endObject()
        array("changeSets", simulation.changeSets) { $0.value($1) }
        if let store = simulation.wholeStore {
            field("wholeStore", store)
        } else {
            field("wholeStore", String?.none)
        }
        field("vacuumLimit", simulation.vacuumLimit)
        field("vacuumed", simulation.vacuumed)
        end()
    }

    private mutating func steps(_ name: String, _ steps: [SimulationStep]) {
        objects(name, steps) { json, step in
            json.field("stage", step.stage.rawValue)
            json.field("name", step.name)
            json.field("outcome", step.outcome.rawValue)
            json.field("errorCode", step.error?.code)
            json.field("errorName", step.error?.name)
            json.field("section", step.section)
            json.field("paths", step.paths.map(\.description))
            json.field("sentence", step.sentence)
        }
    }

    private mutating func value(_ set: SimulatedChangeSet) {
        beginObject()
        field("author", set.author)
        field("identifier", set.identifier)
        field("path", set.path)
        field("modified", set.modified)
        field("size", set.size)
        field("certain", set.isCertain)
        field("fate", set.fate.rawValue)
        field("reason", set.reason)
        endObject()
    }
}
