import SystemPackage
public import TICDSCommandLine
public import TICDSVerification
import TICDSCore

extension Simulation {
    static let schema = JSONSchema<(simulation: Simulation, remote: FilePath)>(
        "ticds.simulation/1",
        """
        Printed by ticds-verify(1) with `--as-client` or `--as-new-client`: a line for each document, or two if a running \
        client behaves differently from one that starts anew.
        """
    ) {
        $0("remote", "", { $0.remote })
        $0("document", "", { $0.simulation.document })
        $0("client", "Null for a new client.", { $0.simulation.client })
        $0("variant", "", { $0.simulation.variant })
        $0(
            "standing",
            """
            The relation of the client to the document; the folder of an `orphaned` one is gone without a \
            tombstone.
            """,
            { $0.simulation.standing })
        $0("start", "Whether the client's application is running, or starts anew.", { $0.simulation.start })
        $0("outcome", "Of the whole.", { $0.simulation.outcome })
        $0("steps", "The steps of the synchronisation.", { $0.simulation.steps })
        $0(
            "nextStart",
            """
            The steps of the next start of a running application; empty if a separate line shows that \
            start.
            """,
            { $0.simulation.nextStart })
        $0(
            "known", "What the client is assumed to have applied.", { $0.simulation.known },
            JSONFields {
                $0("source", "", \.source)
                $0("asOf", "", \.asOf)
                $0("count", "", \.count)
            })
        $0(
            "changeSets", "The sets that it fetches, in the order of application.",
            { $0.simulation.changeSets })
        $0("wholeStore", "The whole store that a new client downloads.", { $0.simulation.wholeStore })
        $0(
            "vacuumLimit", "The client's next vacuum removes its own sets that are older.",
            { $0.simulation.vacuumLimit })
        $0("vacuumed", "The sets that this vacuum removes.", { $0.simulation.vacuumed })
    }
}

extension SimulationStep: JSONObject {
    public static let fields = JSONFields<SimulationStep>(home: "ticds.simulation/1") {
        $0("stage", "", \.stage)
        $0("name", "What the framework does.", \.name)
        $0("outcome", "Of the step.", \.outcome)
        $0("errorCode", "The framework's own error.", as: .orNull(.integer), \.error?.code)
        $0("errorName", "Its name.", \.error?.name)
        $0("section", "The page and section that describe it.", \.section)
        $0(
            "paths", "The files that decided the outcome, at most 20.", as: .array(.text, most: 20),
            { $0.paths.map(\.description) })
        $0("sentence", "The result and its reason.", \.sentence)
    }
}

extension SimulatedChangeSet: JSONObject {
    public static let fields = JSONFields<SimulatedChangeSet>(home: "ticds.simulation/1") {
        $0("author", "Who wrote the set.", \.author)
        $0("identifier", "Its name without extension.", \.identifier)
        $0("path", "", \.path)
        $0("modified", "The time that decides its place in the order.", \.modified)
        $0("size", "Bytes.", \.size)
        $0(
            "certain", "False if the client has most likely applied the set since it uploaded its register.",
            \.isCertain)
        $0(
            "fate",
            """
            `crashes`: it cannot be opened; `mayCrash`: no sync ID; `raises`: a change that the application's model does \
            not know, or that lacks a name: the application crashes; `notCompared`: no model is at hand.
            """, \.fate)
        $0("reason", "The change that causes this, and why.", \.reason)
    }
}
