package import ArgumentParser
import TICDSStorages

/// The number of files that commands fetch or upload at the same time.
package struct TransferOptions: ParsableArguments, Sendable {
    @Option(
        help: .value(
            "number",
            "Fetch or upload up to this many files of a storage at the same time: 1 to 64. Default: "
                + "RCLONE_TRANSFERS, otherwise 8."))
    package var transfers: Int?

    package init() {}

    package func validate() throws {
        if let transfers, !(1...64).contains(transfers) {
            throw ValidationError("--transfers takes a number from 1 to 64.")
        }
    }

    /// Applies the option to this process.
    package func apply() {
        if let transfers { StorageSchemes.choose(transfers: transfers) }
    }
}
