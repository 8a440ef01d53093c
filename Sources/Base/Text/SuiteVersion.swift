/// The version of ticds.
package enum SuiteVersion {
    /// Major, minor and patch number; the same for every program.
    package static let current = "0.1.0"
}
