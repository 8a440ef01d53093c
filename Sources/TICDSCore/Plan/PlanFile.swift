import KeyedArchive
public import SystemCalls
public import SystemPackage

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// Plans as files (schema `ticds.plan/1`): JSON that can be reviewed, and applied exactly later.
public enum PlanFile {
    /// The plan as JSON: indented, with keys in the order of the alphabet, and a line break at the end.
    public static func bytes(of plan: Plan) throws(FileProblem) -> [UInt8] {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
        do {
            return Array(try encoder.encode(plan)) + [UInt8(ascii: "\n")]
        } catch {
            throw FileProblem(.writeFailed, path: plan.root, "the plan cannot be written", found: "\(error)")
        }
    }

    /// Reads a saved plan. Names that lead out of the remote are refused.
    /// - Throws: `.damaged` where it is no plan, or has been edited into none.
    public static func read(_ path: FilePath) throws(FileProblem) -> Plan {
        let bytes = try FileBytes.read(path, limit: .plan).array
        do {
            return try JSONDecoder().decode(Plan.self, from: Data(bytes))
        } catch let error as DecodingError {
            throw FileProblem(
                .damaged, path: path, "not a saved plan", expected: Plan.schema, found: text(of: error),
                advice: "Make the plan again with --save-plan")
        } catch {
            throw FileProblem(.damaged, path: path, "not a saved plan", found: "\(error)")
        }
    }

    private static func text(of error: DecodingError) -> String {
        let context: DecodingError.Context
        switch error {
        case .typeMismatch(_, let found), .valueNotFound(_, let found), .keyNotFound(_, let found),
            .dataCorrupted(let found):
            context = found
        @unknown default: return "\(error)"
        }
        let place = context.codingPath.map { $0.intValue.map { "[\($0)]" } ?? $0.stringValue }
        return (place.isEmpty ? "" : place.joined(separator: ".") + ": ") + context.debugDescription
    }
}
