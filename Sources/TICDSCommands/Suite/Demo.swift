import ArgumentParser
import Base
import SystemCalls
import SystemPackage
import TICDSCommandLine
import TICDSDemonstration
import TICDSStorages

struct Demo: SuiteCommand {
    static let configuration = CommandConfiguration(
        commandName: "demo",
        abstract: "Writes a demonstration remote to look at.",
        discussion: """
            Three clients synchronise two documents over eight months; one of them stops before the end. The \
            command writes the remote to FOLDER/\(DemonstrationRemote.applicationIdentifier), and the data \
            model of its app to FOLDER/\(DemonstrationRemote.modelName). The folder must be empty or not \
            exist yet.

            Examples:
              ticds demo /tmp/demo && ticds-inspect status /tmp/demo
              ticds demo /tmp/sealed --encrypt --password-file secret.txt
              ticds demo /tmp/broken --damage; ticds-changes dump /tmp/broken
            """)

    @Argument(help: .value("folder", "The folder to create."), completion: .directory)
    var folder: String

    @Option(help: .value("count", "The number of change sets in the large document, 1 to 1,000,000."))
    var changeSets = 240

    @Flag(
        help:
            "Encrypt the remote; without a password option the command asks for the password twice on the terminal."
    )
    var encrypt = false

    @Flag(help: "Damage one change set.")
    var damage = false

    @Flag(
        help: .init(
            "Write the data model in two versions, to practise a migration: \(DemonstrationRemote.versionedModelName)."
        ))
    var modelVersions = false

    @OptionGroup var password: FirstPasswordOptions
    @OptionGroup var output: OutputOptions

    func validate() throws {
        if !(1...1_000_000).contains(changeSets) {
            throw ValidationError("--change-sets takes a number from 1 to 1,000,000.")
        }
    }

    static let schema = JSONSchema<(options: Demo, remote: FilePath)>(
        "ticds.demo/1", "Printed by ticds(1) `demo`."
    ) {
        $0("remote", "The application folder that was written.", { $0.remote })
        $0("changeSets", "Change sets of the large document.", { $0.options.changeSets })
        $0("encrypted", "The option that was given.", { $0.options.encrypt })
        $0("damaged", "The option that was given.", { $0.options.damage })
        $0("modelVersions", "The option that was given.", { $0.options.modelVersions })
    }

    func execute(_ context: CommandContext) throws -> ExitStatus {
        let path = try OutputTarget.outside(RemoteAddress(argument: folder).folder)
        let secret = encrypt ? try password.password(for: path) : nil
        var bar = Progress("writing", context)
        try DemonstrationRemote.write(
            to: path,
            DemonstrationRemote.Settings(
                changeSets: changeSets, password: secret, isDamaged: damage, hasModelVersions: modelVersions)
        ) { bar.update(ProgressState(Int64($0), of: Int64($1), .changeSets)) }
        let remote = path.appending(DemonstrationRemote.applicationIdentifier)
        try context.print((self, remote), Self.schema) { if !context.quiet { $0.line("\(remote)") } }
        return .success
    }
}
