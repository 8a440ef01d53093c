import KeyedArchive
public import SystemCalls
public import TICDSCore

extension JSONText {
    /// A plan just as a file holds it (`ticds.plan/1`).
    /// - Throws: `FileProblem` of kind `writeFailed`.
    public init(_ plan: Plan) throws(FileProblem) {
        self.init(Self.harmless(String(decoding: try PlanFile.bytes(of: plan).dropLast(), as: UTF8.self)))
    }

    /// JSON in which the characters that harm terminals are escaped, as everywhere. Outside of strings there are none.
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

    /// As ``JSONWriter`` itself has it; controls below the space are escaped already.
    private static func isHarmful(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0x7F...0x9F, 0x61C, 0x200E...0x200F, 0x2028...0x202E, 0x2066...0x2069: true
        default: false
        }
    }
}
