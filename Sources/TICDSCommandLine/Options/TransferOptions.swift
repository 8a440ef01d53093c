package import ArgumentParser
import Rclone

/// How many files commands fetch or upload at the same time.
package struct TransferOptions: ParsableArguments, Sendable {
    @Option(
        help: .value(
            "number",
            "Fetch or upload up to this many files of a storage at the same time: 1 to 64. Default: "
                + "RCLONE_TRANSFERS, otherwise 8."))
    package var transfers: Int?

    package init() {}

    package func validate() throws {
        if let transfers, !(1...RcloneEngine.mostTransfers).contains(transfers) {
            throw ValidationError("--transfers takes a number from 1 to \(RcloneEngine.mostTransfers).")
        }
    }

    /// From now on the process heeds the option.
    package func apply() {
        if let transfers { RcloneEngine.chooseTransfers(transfers) }
    }
}
