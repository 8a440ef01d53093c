import ArgumentParser
import TICDSCommandLine

/// The programs of the suite. They are one program with many names, and do what the name says.
public enum Suite {
    /// What each program is called, and what it understands.
    static let programs: [(name: String, root: any ParsableCommand.Type)] = [
        ("ticds", TicdsCommand.self),
        ("ticds-archive", TicdsArchive.self),
        ("ticds-changes", TicdsChanges.self),
        ("ticds-client", TicdsClient.self),
        ("ticds-document", TicdsDocument.self),
        ("ticds-inspect", TicdsInspect.self),
        ("ticds-integrity", TicdsIntegrity.self),
        ("ticds-journal", TicdsJournal.self),
        ("ticds-remote", TicdsRemote.self),
        ("ticds-store", TicdsStore.self),
        ("ticds-sync", TicdsSync.self),
        ("ticds-vacuum", TicdsVacuum.self),
        ("ticds-verify", TicdsVerify.self),
    ]

    /// Runs the program whose name this process was started by, and ends the process.
    public static func main() -> Never {
        let name = Programs.calledName { name in programs.contains { $0.name == name } }
        guard let program = programs.first(where: { $0.name == name }), program.name != Ticds.name else {
            Ticds.main()
        }
        CommandRunner.main(program.root)
    }
}
