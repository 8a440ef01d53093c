import ArgumentParser
import TICDSArchive
import TICDSCommandLine

/// A tag as an argument.
struct TagArgument: ExpressibleByArgument {
    let tag: ArchiveTag

    init?(argument: String) {
        guard let tag = ArchiveTag(argument) else { return nil }
        self.tag = tag
    }

    static var allValueStrings: [String] { [] }
}

/// The rules for keeping snapshots.
struct KeepOptions: ParsableArguments {
    @Option(help: .value("count", "Keep the last COUNT snapshots."))
    var keepLast: Int?

    @Option(help: .value("count", "Keep the newest snapshot of each of the last COUNT hours that have any."))
    var keepHourly: Int?

    @Option(help: .value("count", "Keep the newest snapshot of each of the last COUNT days that have any."))
    var keepDaily: Int?

    @Option(help: .value("count", "Keep the newest snapshot of each of the last COUNT weeks that have any."))
    var keepWeekly: Int?

    @Option(help: .value("count", "Keep the newest snapshot of each of the last COUNT months that have any."))
    var keepMonthly: Int?

    @Option(help: .value("count", "Keep the newest snapshot of each of the last COUNT years that have any."))
    var keepYearly: Int?

    @Option(
        help: .value(
            "duration", "Keep all snapshots that are at most this much older than the newest, such as 14d."))
    var keepWithin: DurationArgument?

    @Option(help: .value("tag", "Keep all snapshots with this tag. May be given several times."))
    var keepTag: [TagArgument] = []

    @Flag(help: "Write the snapshot, but only show which old ones would be removed.")
    var pruneDryRun = false

    @Option(
        help: .value(
            "archive",
            "Count an older archive in the folder, and all others with the same identifier, among the "
                + "snapshots of this remote from now on. May be given several times."),
        completion: .file())
    var adopt: [String] = []

    @Flag(help: "Delete old snapshots permanently instead of moving them to the trash.")
    var noTrash = false

    func validate() throws {
        for count in [keepLast, keepHourly, keepDaily, keepWeekly, keepMonthly, keepYearly] {
            if let count, count < 1 {
                throw ValidationError("The --keep options that take a COUNT take numbers from 1.")
            }
        }
    }

    var retention: RetentionPolicy {
        var policy = RetentionPolicy()
        policy.last = keepLast
        policy.hourly = keepHourly
        policy.daily = keepDaily
        policy.weekly = keepWeekly
        policy.monthly = keepMonthly
        policy.yearly = keepYearly
        policy.within = keepWithin?.seconds
        policy.tags = Set(keepTag.map(\.tag))
        return policy
    }
}
