public import ArgumentParser
public import TICDSCore

/// How a plan is carried out; every command that changes a remote has these options.
public struct ChangeOptions: ParsableArguments, Sendable {
    @Flag(name: .customLong("dry-run"), help: "Show what would be done, and change nothing.")
    public var isDryRun = false

    @Flag(name: [.customLong("yes"), .customShort("y")], help: "Carry out the plan without asking.")
    public var saysYes = false

    @Option(
        name: .customLong("save-plan"),
        help: ArgumentHelp(
            "Write the plan to a new file, and change nothing. ticds-journal apply carries it out.",
            valueName: "file"), completion: .file())
    public var savedPlan: String?

    @Option(
        name: .customLong("max-delete"),
        help: ArgumentHelp(
            "Refuse to remove more change sets of a document than this number or percentage: N or N%. Default: 50%.",
            valueName: "limit"))
    public var maxDelete: DeletionLimit.Amount?

    @Option(
        name: .customLong("allow-missing"),
        help: ArgumentHelp(
            "Go on without a file that is missing or whose content is not on this machine: its name, or its path inside the remote. May be given several times.",
            valueName: "name"))
    public var allowed: [String] = []

    @Flag(
        name: .customLong("no-trash"),
        help: "Delete permanently instead of moving to the trash. This cannot be undone.")
    public var hasNoTrash = false

    @OptionGroup public var waiting: LockWaitOptions

    public init() {}

    public func validate() throws {
        if saysYes, savedPlan != nil {
            throw ValidationError("--save-plan changes nothing, so --yes has no meaning with it.")
        }
    }

    /// Names, or paths inside the remote, of files without which to go on.
    public var allowedMissing: Set<String> { Set(allowed) }

    /// How many change sets a plan may take away.
    public var limit: DeletionLimit { maxDelete.map { DeletionLimit($0) } ?? .standard }
}

/// `N` or `N%`.
extension DeletionLimit.Amount: ExpressibleByArgument {
    public init?(argument: String) {
        let isPercentage = argument.hasSuffix("%")
        guard let number = Int(isPercentage ? argument.dropLast() : argument[...]), number >= 0 else {
            return nil
        }
        if isPercentage, number > 100 { return nil }
        self = isPercentage ? .percent(number) : .count(number)
    }

    public static var allValueStrings: [String] { [] }
}
