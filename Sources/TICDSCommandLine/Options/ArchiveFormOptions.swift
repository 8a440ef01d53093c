public import ArgumentParser
import Base
import Glibc
import SystemCalls
package import SystemPackage
package import TICDSArchive
import TICDSCore

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

    @Flag(
        help:
            "Read every file of the remote, even one whose size, times and inode show that it has not changed since an earlier archive."
    )
    package var readAll = false

    package init() {}

    package func validate() throws {
        if let threads, !(1...256).contains(threads) {
            throw ValidationError("--threads takes a number from 1 to 256.")
        }
        if let level, let format { try check(level, format) }
    }

    /// The settings of an export, beside its scope.
    package func settings(
        _ form: ArchiveForm, remote: String? = nil, earlier: EarlierArchive?
    ) -> ArchiveExporter.Settings {
        var settings = ArchiveExporter.Settings(
            form: form, level: level, threads: threads, program: "ticds \(SuiteVersion.current)",
            remote: remote,
            earlier: earlier)
        // try?: without a folder for the cache all files are read
        settings.cache = try? CacheFolder.place("archives")
        settings.readsAll = readAll
        return settings
    }

    /// The form of the archive that goes to a file, or to standard output.
    /// - Throws: also `FileProblem` of kind `refused` if the name of the file promises a different form.
    package func form(forFile file: FilePath?) throws -> ArchiveForm {
        let name = file?.lastComponent?.string
        let form = format ?? name.map { ArchiveForm(ofName: $0) } ?? .zstd
        if let level { try check(level, form) }
        if let file, let name, let wrong = form.wrongEnding(ofName: name) {
            var stem = String(name.dropLast(wrong.count))
            if stem.lowercased().hasSuffix(".tar") { stem = String(stem.dropLast(4)) }
            let right = ShellWord.quoted(file.removingLastComponent().appending(stem + form.ending))
            throw FileProblem(
                .refused, path: file,
                "the ending \(wrong) promises an archive that is not in the format \(form.rawValue)",
                advice: "Name the file \(right), or choose the format by a different ending or --format")
        }
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
