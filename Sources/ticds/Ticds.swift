import ArgumentParser

@main
struct Ticds: ParsableCommand {
    static let configuration = CommandConfiguration(commandName: "ticds", version: "0.1.0")
}
