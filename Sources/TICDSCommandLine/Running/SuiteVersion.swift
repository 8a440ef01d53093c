/// The version of the suite.
public enum SuiteVersion {
    /// Major, minor and patch number; the same for every program.
    public static let current = "0.1.0"
}
