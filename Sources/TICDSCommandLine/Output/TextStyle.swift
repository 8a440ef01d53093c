import Synchronization

/// How times and sizes are written in text. The options of the process decide it once, before a command begins.
public struct TextStyle: Sendable, Hashable {
    /// Times in UTC instead of the local time zone.
    public var isUTC: Bool
    /// Times as ISO 8601, without ages.
    public var isISO: Bool
    /// Sizes to the byte instead of with a unit.
    public var hasExactSizes: Bool

    public init(isUTC: Bool = false, isISO: Bool = false, hasExactSizes: Bool = false) {
        self.isUTC = isUTC
        self.isISO = isISO
        self.hasExactSizes = hasExactSizes
    }

    /// The style of this process.
    public static var current: TextStyle { shared.withLock { $0 } }

    /// Writes everything in this style from now on.
    static func use(_ style: TextStyle) { shared.withLock { $0 = style } }

    private static let shared = Mutex(TextStyle())
}
