package import Base
package import SystemCalls
import SystemPackage
package import TICDSOperations

/// The result of a plan.
struct PlanResult {
    enum State: String, CaseIterable {
        /// The plan has no actions.
        case nothing
        /// The plan was only shown or saved.
        case planned
        case done
    }

    var plan: Plan
    var state: State
    /// The number of the operation in the journal.
    var operation: Int64?
    /// The file to which the plan was written.
    var savedPlan: FilePath?
}

extension PlanResult {
    /// `ticds.operation/1`.
    static let schema = JSONSchema<(result: PlanResult, isDryRun: Bool, plan: JSONText)>(
        "ticds.operation/1", "Printed by every command that changes a remote, at its end."
    ) {
        $0("remote", "", { $0.result.plan.root })
        $0("dryRun", "True if the plan was only shown or saved.", { $0.isDryRun })
        $0("state", "`nothing` if the plan has no actions.", { $0.result.state })
        $0(
            "operation", "Number of the operation in the journal, once it is done.",
            as: .orNull(.number(from: 1)), { $0.result.operation })
        $0("savedPlan", "The file to which the plan was written.", { $0.result.savedPlan })
        $0("plan", "", as: .document("ticds.plan/1"), { $0.plan })
    }
}

extension SchemaFile {
    /// The fields that the command line itself prints.
    package static let shared = [
        PlanResult.schema.file, progressSchema.file, LogFile.schema.file, ErrorReport.schema.file,
        Messages.schema.file,
    ]
}

/// Plans saved as files.
enum SavedPlan {
    /// Writes a plan to a new file outside of the remote; returns its full path.
    /// - Throws: `.refused` if the file exists or would be in the remote, and for a plan that encrypts or decrypts.
    static func write(_ plan: Plan, named name: String) throws(FileProblem) -> FilePath {
        let path = try place(Environment.file(argument: name), outside: plan.root)
        guard !plan.needsRecoder else {
            throw FileProblem(
                .refused, path: path, "a plan that encrypts or decrypts cannot be saved",
                found: "keys that must not be in a file", advice: "Carry it out at once")
        }
        if try FileStatus.ifPresent(path) != nil {
            throw FileProblem(
                .refused, path: path, "the file already exists", advice: "Remove it, or choose another name")
        }
        try AtomicFile.write(try PlanFile.bytes(of: plan), to: path)
        return path
    }

    private static func place(_ path: FilePath, outside remote: FilePath) throws(FileProblem) -> FilePath {
        guard let place = try path.resolvedInFolder() else {
            throw .noFolder(path.parent)
        }
        if place.parent.starts(with: remote) {
            throw FileProblem(
                .refused, path: path, "the plan would lie in the remote",
                advice: "Save it elsewhere: foreign files harm the clients")
        }
        return place
    }
}

extension Plan {
    /// Whether the plan needs keys, which no plan contains.
    var needsRecoder: Bool {
        actions.contains { action in
            switch action.kind {
            case .writeFile(_, .recoded, _), .replaceFile(_, .recoded, _, _): true
            case .writeTree(_, let entries):
                entries.contains { if case .recoded? = $0.content { true } else { false } }
            default: false
            }
        }
    }
}

extension JSONText {
    /// A plan in the form of a saved plan (`ticds.plan/1`).
    /// - Throws: `FileProblem` of kind `writeFailed`.
    package init(_ plan: Plan) throws(FileProblem) {
        self.init(Self.harmless(String(decoding: try PlanFile.bytes(of: plan).dropLast(), as: UTF8.self)))
    }

    /// `json` with characters escaped that could harm terminals; they occur only inside strings.
    private static func harmless(_ json: String) -> String {
        guard json.unicodeScalars.contains(where: isHarmful) else { return json }
        var result = String.UnicodeScalarView()
        for scalar in json.unicodeScalars {
            if isHarmful(scalar) {
                let unit = [8, 0].map { UInt8(truncatingIfNeeded: scalar.value >> $0) }
                result.append(contentsOf: "\\u\(hexadecimalDigits(of: unit))".unicodeScalars)
            } else {
                result.append(scalar)
            }
        }
        return String(result)
    }

    /// Whether ``JSONWriter`` escapes a character, except controls below the space, which `PlanFile` has already
    /// escaped.
    private static func isHarmful(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0x7F...0x9F, 0x61C, 0x200E...0x200F, 0x2028...0x202E, 0x2066...0x2069: true
        default: false
        }
    }
}
