import ArgumentParser

@main
struct TicdsStore: ParsableCommand {
    static let configuration = CommandConfiguration(commandName: "ticds-store", version: "0.1.0")
}
