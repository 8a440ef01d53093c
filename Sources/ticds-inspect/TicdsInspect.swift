import ArgumentParser

@main
struct TicdsInspect: ParsableCommand {
    static let configuration = CommandConfiguration(commandName: "ticds-inspect", version: "0.1.0")
}
