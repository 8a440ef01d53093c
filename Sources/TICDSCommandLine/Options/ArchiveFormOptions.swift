public import ArgumentParser
import Glibc
import SystemCalls
package import SystemPackage
package import TICDSArchive

extension ArchiveForm: ExpressibleByArgument {}

/// Options for the packing of an archive.
package struct ArchiveFormOptions: ParsableArguments, Sendable {
    @Option(
        help: .value(
            "format",
            "zstd, xz or gzip (of a pax archive), or zip. Default: the format that the file name indicates, "
                + "or zstd."))
    package var format: ArchiveForm?

    @Option(
        help: .value(
            "number",
            "How hard to compress: 1 to 19 for zstd (default 3), 0 to 9 for xz and zip, 1 to 9 for gzip "
                + "(default 6)."))
    package var level: Int?

    @Option(
        help: .value(
            "count", "The number of threads that read and compress. Default: one for each processor."))
    package var threads: Int?

    package init() {}

    package func validate() throws {
        if let threads, !(1...256).contains(threads) {
            throw ValidationError("--threads takes a number from 1 to 256.")
        }
        if let level, let format { try check(level, format) }
    }

    /// The form of the archive that goes to a file, or to standard output.
    package func form(forFile file: FilePath?) throws -> ArchiveForm {
        let form = format ?? file?.lastComponent.map { ArchiveForm(ofName: $0.string) } ?? .zstd
        if let level { try check(level, form) }
        return form
    }

    private func check(_ level: Int, _ form: ArchiveForm) throws {
        if form.levels.contains(level) { return }
        throw ValidationError(
            "--level takes a number from \(form.levels.lowerBound) to \(form.levels.upperBound) with \(form.rawValue)."
        )
    }

    /// Prepares this process for writing: sets the time zone to UTC, since a zip contains local times and must have the
    /// same bytes everywhere, and keeps freed memory for the next piece.
    package func prepareWriting() {
        setenv("TZ", "UTC0", 1)
        tzset()
        FreedMemory.keep(upTo: 32 << 20)
    }
}
