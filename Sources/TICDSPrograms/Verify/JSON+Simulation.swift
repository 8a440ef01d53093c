import SystemPackage
import TICDSCommandLine
import TICDSCore
import TICDSVerification

extension JSONWriter {
    /// One line of the schema `ticds.simulation/1`.
    mutating func line(_ simulation: Simulation, of remote: FilePath) {
        beginObject()
        field("schema", "ticds.simulation/1")
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
        beginArray("changeSets")
        for set in simulation.changeSets { value(set) }
        endArray()
        if let store = simulation.wholeStore {
            field("wholeStore", store)
        } else {
            field("wholeStore", String?.none)
        }
        field("vacuumLimit", simulation.vacuumLimit)
        field("vacuumed", simulation.vacuumed)
        endObject()
        endLine()
    }

    private mutating func steps(_ name: String, _ steps: [SimulationStep]) {
        beginArray(name)
        for step in steps {
            beginObject()
            field("stage", step.stage.rawValue)
            field("name", step.name)
            field("outcome", step.outcome.rawValue)
            field("errorCode", step.error?.code)
            field("errorName", step.error?.name)
            field("section", step.section)
            field("paths", step.paths.map(\.description))
            field("sentence", step.sentence)
            endObject()
        }
        endArray()
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
