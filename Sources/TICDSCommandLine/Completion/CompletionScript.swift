import ArgumentParser

/// The scripts in `completions/`, by which a shell requests completions of a line from a program. Each serves all
/// programs.
enum CompletionScript {
    /// The requested script; nil if the arguments are a different request, or name a different shell.
    static func requested(_ arguments: [String]) -> String? {
        guard arguments.first == "--generate-completion-script", arguments.count <= 2 else { return nil }
        let shell = arguments.count == 2 ? CompletionShell(rawValue: arguments[1]) : .autodetected()
        return shell.map { String(decoding: bytes(for: $0), as: UTF8.self) }
    }

    private static func bytes(for shell: CompletionShell) -> [UInt8] {
        switch shell {
        case .bash: PackageResources.ticds
        case .zsh: PackageResources._ticds
        default: PackageResources.ticds_fish
        }
    }
}
