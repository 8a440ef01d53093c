import ArgumentParser

@main
struct TicdsChanges: ParsableCommand {
    static let configuration = CommandConfiguration(commandName: "ticds-changes", version: "0.1.0")
}
