import ArgumentParser
import Base
import SystemCalls
import SystemPackage
import TICDSCommandLine
import TICDSFleet

struct FleetReport: SuiteCommand {
    static let configuration = CommandConfiguration(
        commandName: "report",
        abstract: "Writes a page for a browser about the whole fleet.",
        discussion: """
            The page shows findings by code with counts and examples, the worst remotes, those without a result, the runs, \
            the distribution of sizes and ages, growth, lag and models. It is a single file that needs nothing else, no \
            network and no script. It replaces an earlier page of that name.

            Examples:
              ticds-fleet report --database fleet.sqlite --html fleet.html
              ticds-fleet run inspect report {} --html /srv/pages/{id}.html
              ticds-fleet report --database fleet.sqlite --html /srv/pages/index.html --link {id}.html
            """)

    @OptionGroup var database: DatabaseOptions
    @Option(
        help: .value("file", "The file to write; - for standard output."),
        completion: .file(extensions: ["html"]))
    var html: String
    @Option(
        help: .value(
            "address", "Where the page of a remote is, relative to this one; {id} stands for its identifier.")
    )
    var link: String?
    @Option(help: .value("text", "The title of the page. Default: the name of the database."))
    var title: String?
    @Option(help: .value("count", "Show at most this many remotes in each list."))
    var limit = 100
    @OptionGroup var output: OutputOptions

    func validate() throws {
        guard (1...1_000).contains(limit) else {
            throw ValidationError("--limit takes a number from 1 to 1,000.")
        }
        if let link, !link.contains("{id}") { throw ValidationError("--link needs {id} in it.") }
        if let link, link.contains(":") || link.hasPrefix("//") {
            throw ValidationError("--link takes an address relative to the page.")
        }
    }

    func execute(_ context: CommandContext) throws -> ExitStatus {
        let target = try OutputTarget.page(html, asJSON: context.json)
        let path = Environment.path(argument: database.database)
        let opened = try database.open()
        let page = try FleetPage(
            opened, name: title ?? path.lastComponent?.string ?? "fleet", link: link, shown: limit,
            made: .now,
            style: context.style)
        try OutputTarget.write(page: page.html, to: target)
        guard let target else { return .success }
        try context.print(target, Self.schema) { text in
            if !context.quiet { text.line("\(target)") }
        }
        return .success
    }

    static let schema = JSONSchema<FilePath>("ticds.fleetReport/1", "Printed by ticds-fleet(1) `report`.") {
        $0("html", "The page that was written.", { $0 })
    }
}
