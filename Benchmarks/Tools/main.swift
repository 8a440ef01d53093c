let tools = [
    "archive-read": ArchiveRead.run, "fleet-loop": FleetLoop.run, "make-changes": MakeChanges.run,
    "make-replay": MakeReplay.run,
    "make-sealed": MakeSealed.run, "make-small": MakeSmall.run,
]
let arguments = Array(CommandLine.arguments.dropFirst())
if let tool = arguments.first.flatMap({ tools[$0] }) {
    try tool(arguments)
} else {
    print("usage: benchmark-tools \(tools.keys.sorted().joined(separator: "|")) ARGUMENT...")
}
