import ArgumentParser
import TICDSArchive

/// Which dated archives stay.
struct KeepOptions: ParsableArguments {
    @Option(
        name: .customLong("keep-daily"),
        help: ArgumentHelp(
            "Keep the newest snapshot of each of the last COUNT days that have any.", valueName: "count"))
    var daily: Int?

    @Option(
        name: .customLong("keep-weekly"),
        help: ArgumentHelp(
            "Keep the newest snapshot of each of the last COUNT weeks that have any.", valueName: "count"))
    var weekly: Int?

    @Option(
        name: .customLong("keep-monthly"),
        help: ArgumentHelp(
            "Keep the newest snapshot of each of the last COUNT months that have any.", valueName: "count"))
    var monthly: Int?

    @Option(
        help: ArgumentHelp(
            "Count an older archive in the folder, and all others with the same identifier, among the snapshots of this remote from now on. May be given several times.",
            valueName: "archive"), completion: .file())
    var adopt: [String] = []

    @Flag(
        name: .customLong("no-trash"),
        help: "Delete old snapshots permanently instead of moving them to the trash.")
    var hasNoTrash = false

    func validate() throws {
        for count in [daily, weekly, monthly] {
            if let count, count < 1 {
                throw ValidationError("--keep-daily, --keep-weekly and --keep-monthly take numbers from 1.")
            }
        }
    }

    var retention: RetentionPolicy {
        RetentionPolicy(daily: daily, weekly: weekly, monthly: monthly)
    }
}
