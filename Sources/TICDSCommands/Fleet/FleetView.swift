import ArgumentParser
import Base
import SystemCalls
import SystemPackage
import TICDSCommandLine
import TICDSCore
import TICDSFleet

/// The list of remotes for people.
enum FleetView {
    /// - Parameter note: the line below a list that `--limit` shortens.
    static func show(
        _ remotes: [FleetRemote], _ context: CommandContext, note: String? = nil
    ) throws(FileProblem) {
        if context.json {
            var json = context.lines()
            for remote in remotes { json.document(remote, FleetRemote.schema) }
            return try json.flush()
        }
        var text = context.longText()
        var table = TextTable(
            ["ID", "APPLICATION", "PASSWORD", "TAGS", "LOCATION"], [.text, .text, .text, .text, .copied],
            leavesOut: ["PASSWORD", "TAGS", "APPLICATION"])
        for remote in remotes {
            let password =
                switch remote.password {
                case .file?: "file"
                case .command?: "command"
                case nil: ""
                }
            table.add([
                remote.identifier, remote.application, password, remote.tags.joined(separator: " "),
                remote.location.escaped,
            ])
        }
        if !table.isEmpty { table.show(to: &text, colour: context.colour()) }
        text.line(note ?? Quantities.count(remotes.count, "remote"))
        try text.flush()
    }
}
