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
