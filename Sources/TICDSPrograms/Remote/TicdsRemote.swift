import ArgumentParser
import TICDSCommandLine

struct TicdsRemote: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "ticds-remote",
        abstract: "Creates, copies, backs up and removes whole remotes, and changes their encryption.",
        usage:
            "ticds-remote create|remove|check-password|encrypt|decrypt|change-password|snapshot|copy REMOTE [OPTIONS]",
        discussion: """
            Examples:
              ticds-remote create ~/Dropbox/com.example.app --encrypted
              ticds-remote check-password ~/Dropbox/com.example.app --all
              ticds-remote change-password ~/Dropbox/com.example.app --dry-run
              ticds-remote decrypt ~/Dropbox/com.example.app --password-file secret.txt
              ticds-remote snapshot ~/Dropbox/com.example.app /srv/backup --keep-daily 7 --quiet
            """,
        version: SuiteVersion.current,
        subcommands: [
            CreateRemote.self, RemoveRemote.self, CheckPassword.self, EncryptRemote.self, DecryptRemote.self,
            ChangePassword.self, RotateArchives.self, CopyRemote.self,
        ])
}
