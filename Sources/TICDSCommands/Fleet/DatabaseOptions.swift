import ArgumentParser
package import Base
import Synchronization
import SystemCalls
import SystemPackage
import TICDSCommandLine
package import TICDSFleet

/// The database that a command reads.
struct DatabaseOptions: ParsableArguments {
    @Option(
        help: .value("file", "The database that ticds-fleet merge wrote."),
        completion: .file(extensions: ["sqlite"]))
    var database: String

    func open() throws(FileProblem) -> FleetDatabase {
        try FleetDatabase.open(Environment.path(argument: database))
    }
}

extension TicdsFleet: ArgumentAdvisor {
    /// The list of existing runs, if a run or the database of a run is missing.
    static func advice(about problem: String) -> String? {
        let isDatabase = problem.contains("--database ")
        guard isDatabase || problem.contains("<run>") else { return nil }
        // try?: then only the usage is shown
        guard let runs = try? FleetRun.standardRuns(), let newest = runs.first else {
            return "There is no run yet: ticds-fleet run makes one, and ticds-fleet merge a database of it."
        }
        let names = runs.compactMap(\.folder.lastComponent).map {
            ShellWord.quoted(FilePath(root: nil, [$0]))
        }
        let list = "Runs, the newest first: \(names.listed())"
        let name = names.first ?? newest.order.name
        return isDatabase ? "\(list). A database of the newest: ticds-fleet merge \(name) --to FILE" : list
    }
}

extension NamedQuery: ExpressibleByArgument {}

extension FleetValue: JSONWritable {
    package static var json: JSONType { .value }

    package func write(to json: inout JSONWriter) {
        switch self {
        case .null: json.null()
        case .integer(let number): json.value(number)
        case .real(let number): json.value(number)
        case .text(let text): json.value(text)
        }
    }
}
