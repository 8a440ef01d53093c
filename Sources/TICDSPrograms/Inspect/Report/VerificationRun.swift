import ArgumentParser
import SystemCalls
import SystemPackage
import TICDSCommandLine
import TICDSCore

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// How closely a report has the remote verified.
enum ReportLevel: String, ExpressibleByArgument, CaseIterable {
    case none, names, headers, contents, deep
}

/// What `ticds-verify` found. It runs beside this program, which would start slower with verification in itself.
struct VerificationRun {
    /// One finding, as `ticds.finding/1` has it.
    struct Finding: Decodable {
        var code: String
        var severity: String
        var title: String
        var path: String
        var client: String?
        var found: String?
        var expected: String?
        var remedy: [String]
    }

    /// What `ticds.verify/1` has.
    struct Summary: Decodable {
        struct Count: Decodable {
            var code: String
            var count: Int
        }

        var level: String
        var errors: Int
        var warnings: Int
        var notes: Int
        var counts: [Count]
        var complete: Bool
        /// Encrypted files that were not opened for want of the password.
        var notOpened: Files

        struct Files: Decodable {
            var count: Int
            var bytes: Int64
        }
    }

    /// The first findings; all are counted.
    var findings: [Finding] = []
    /// Nil where the verification was not wanted or not possible.
    var summary: Summary?
    /// Why it was not possible.
    var failure: String?
    /// How the program ended.
    var status = ExitStatus.success

    private static let shownFindings = 500
    private static let outputLimit = 64 << 20

    private struct Line: Decodable {
        var schema: String
    }

    /// Verifies the remote at `path`, or one document of it.
    /// - Parameter isLocked: whether there is no password: nobody is asked for it.
    static func run(
        of path: FilePath, document: RemoteName?, level: ReportLevel, isLocked: Bool,
        password: PasswordOptions
    ) -> VerificationRun {
        guard level != .none else { return VerificationRun() }
        guard let program = Programs.find("ticds-verify") else {
            return failed("ticds-verify was not found beside this program or in PATH.")
        }
        var words = ["remote", "--level", level.rawValue, "--json", "--quiet"].map { Array($0.utf8) }
        words.append(Array("--max-findings=\(shownFindings)".utf8))
        if let document { words.append(Array("--document=".utf8) + document.bytes) }
        if isLocked { words.append(Array("--without-password".utf8)) }
        if let file = password.file, !isLocked {
            words.append(Array("--password-file=".utf8) + Environment.path(argument: file).bytes)
        }
        if let command = password.command, !isLocked {
            words.append(Array("--password-command=\(command)".utf8))
        }
        if password.hasOldHMAC { words.append(Array("--old-hmac".utf8)) }
        words += [Array("--".utf8), path.bytes]
        switch ProgramOutput.of(program, words, limit: outputLimit) {
        case .failure(let error): return failed("ticds-verify could not be run: \(error).")
        case .success(let output): return VerificationRun(output)
        }
    }

    private static func failed(_ failure: String) -> VerificationRun {
        var run = VerificationRun()
        run.failure = failure
        run.status = .partial
        return run
    }

    private init() {}

    /// What the lines of a finished run say.
    init(_ output: ProgramOutput) {
        let decoder = JSONDecoder()
        var isWhole = true
        for line in output.bytes.split(separator: 0x0A) {
            let data = Data(line)
            switch (try? decoder.decode(Line.self, from: data))?.schema {  // try?: no result, below
            case "ticds.finding/1":
                // try?: no result, below
                guard let finding = try? decoder.decode(Finding.self, from: data) else {
                    isWhole = false
                    continue
                }
                findings.append(finding)
            case "ticds.verify/1":
                summary = try? decoder.decode(Summary.self, from: data)  // try?: no result, below
            default: isWhole = false
            }
        }
        status = ExitStatus(rawValue: output.status) ?? .failed
        if !isWhole { summary = nil }
        if let summary, summary.notOpened.count > 0 { status = .password }
        if summary == nil {
            failure = "ticds-verify ended with exit status \(output.status) and without a result."
            if status == .success || status == .findings { status = .partial }
        }
    }
}
