public import ArgumentParser

/// A length of time on the command line: a whole number and a unit, as in `90s`, `10m`, `2h`, `30d` or `4w`.
public struct DurationArgument: ExpressibleByArgument, Sendable, Hashable {
    public let seconds: Int64

    public init?(argument: String) {
        guard let unit = argument.last, let scale = Self.units[unit], let number = Int64(argument.dropLast()),
            number >= 0
        else { return nil }
        let (seconds, overflow) = number.multipliedReportingOverflow(by: scale)
        guard !overflow else { return nil }
        self.seconds = seconds
    }

    private static let units: [Character: Int64] = [
        "s": 1, "m": 60, "h": 3_600, "d": 86_400, "w": 604_800,
    ]

    public static var allValueStrings: [String] { [] }
}
