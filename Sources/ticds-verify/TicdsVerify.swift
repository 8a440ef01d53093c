import ArgumentParser
import TICDSCommandLine

@main
struct TicdsVerify: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "ticds-verify",
        abstract: "Checks a remote, and says who will choke on what.",
        version: SuiteVersion.current)

    static func main() { CommandRunner.main(Self.self) }
}
