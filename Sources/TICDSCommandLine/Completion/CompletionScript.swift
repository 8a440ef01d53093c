import ArgumentParser

/// The scripts in `completions/`, by which a shell asks a program what completes a line. Each serves all programs.
enum CompletionScript {
    /// The script that the arguments ask for; nil if they ask for something else, or for another shell.
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
