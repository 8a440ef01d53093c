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
            ["ID", "APPLICATION", "LOCATION", "PASSWORD", "TAGS"], [.text, .text, .path, .text, .text],
            leavesOut: ["PASSWORD", "TAGS", "APPLICATION"])
        for remote in remotes {
            let password =
                switch remote.password {
                case .file?: "file"
                case .command?: "command"
                case nil: ""
                }
            table.add([
                remote.identifier, remote.application, remote.location.escaped, password,
                remote.tags.joined(separator: " "),
            ])
        }
        if !table.isEmpty { table.show(to: &text, colour: context.colour()) }
        text.line(note ?? Quantities.count(remotes.count, "remote"))
        try text.flush()
    }
}
