import CArchive
package import SystemCalls
package import SystemPackage

extension FileProblem {
    /// What libarchive says of an archive that it cannot read on.
    package static func damagedArchive(_ archive: OpaquePointer, _ input: ArchiveInput) -> FileProblem {
        if let problem = input.problem { return problem }
        let text = ArchiveLocale.run { archive_error_string(archive).map { String(cString: $0) } }
        guard input.isWholeStore else {
            return .damagedArchive(input.path, found: text ?? "bytes that cannot be read")
        }
        return FileProblem(
            .damaged, path: input.path, "the zip is damaged", found: text ?? "an entry that cannot be read",
            advice: "It may be cut short or still in transfer; fetch it again from the client that wrote it")
    }

    package static func damagedArchive(_ path: FilePath, expected: String? = nil, found: String?)
        -> FileProblem
    {
        FileProblem(
            .damaged, path: path, "the archive is damaged or cut short", expected: expected, found: found,
            advice: "ticds-archive verify shows which files are intact; or get another copy")
    }

    /// An archive that nobody makes who means well.
    package static func hostile(_ path: FilePath, _ name: [UInt8], _ problem: String) -> FileProblem {
        FileProblem(
            .refused, path: path, "\(problem): \(escapedName(name))",
            advice: "Nothing was taken from the archive; find out where it comes from")
    }
}
