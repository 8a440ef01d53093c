import ArgumentParser
import TICDSCommandLine

/// Whether what is found is repaired, and how.
struct RepairOptions: ParsableArguments {
    @Flag(
        help: ArgumentHelp(
            "Repair what can be repaired without a person or a client; shows the plan first.",
            discussion: "With --only: only these findings. With --ignore: all others."))
    var repair = false

    @OptionGroup var change: ChangeOptions

    func validate() throws {
        let changes =
            change.isDryRun || change.saysYes || change.savedPlan != nil || change.maxDelete != nil
            || change.hasNoTrash || change.waiting.lockWait != nil || !change.allowed.isEmpty
        if changes, !repair {
            throw ValidationError(
                "--dry-run, --yes, --save-plan, --max-delete, --allow-missing, --no-trash and --lock-wait need --repair."
            )
        }
    }

    /// True where the plan is only shown or saved.
    var isOnlyPlanned: Bool { change.isDryRun || change.savedPlan != nil }
}
