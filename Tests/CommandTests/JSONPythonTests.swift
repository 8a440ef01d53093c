import Base
import Foundation
import KeyedArchive
import SystemPackage
import TICDSCommandLine
import TestSupport
import Testing

/// Python reads the writer's output with the same values.
@Suite struct JSONPythonTests {
    @Test func pythonReadsRandomValues() throws {
        var generator = RandomNumbers()
        let folder = FileManager.default.temporaryDirectory.appending(path: "ticds-json-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let file = folder.appending(path: "lines")
        try Data().write(to: file)
        let descriptor = try FileDescriptor.open(FilePath(file.path), .writeOnly)
        var writer = JSONWriter(descriptor)
        for _ in 0..<3_000 { write(&writer, &generator) }
        try writer.flush()
        try descriptor.close()
        let script = """
            import base64, json, struct, sys
            count = 0
            for line in open(sys.argv[1], encoding='utf-8', newline='\\n'):
                text, code_points, real, bits, number, decimal, data, hexadecimal = json.loads(line)
                assert text == ''.join(map(chr, code_points)), line
                assert struct.pack('>d', real).hex() == bits, line
                number = int(number['$int']) if isinstance(number, dict) else number
                assert number == int(decimal), line
                assert base64.b64decode(data['$data'], validate=True).hex() == hexadecimal, line
                count += 1
            print(count)
            """
        let result = try Program.launch(
            "/usr/bin/env", ["python3", "-c", script, file.path],
            environment: ["PATH": ProcessInfo.processInfo.environment["PATH"] ?? "/usr/bin:/bin"], seconds: 60
        )
        #expect(result.output == "3000\n", "\(result.errors)")
    }

    /// One line: text and its code points, a real and its bits, an integer and its digits, data and its digits.
    private func write(_ writer: inout JSONWriter, _ generator: inout RandomNumbers) {
        let scalars = (0..<Int.random(in: 0...40, using: &generator)).compactMap { _ in
            Unicode.Scalar(
                UInt32.random(in: 0...(Bool.random(using: &generator) ? 0x2FF : 0x10FFFF), using: &generator))
        }
        let real = finite(UInt64.random(in: .min ... .max, using: &generator))
        let integer =
            Int128(Int64.random(in: .min ... .max, using: &generator))
            << Int128(Int.random(in: -62...40, using: &generator))
        let data = (0..<Int.random(in: 0...100, using: &generator)).map { _ in
            UInt8.random(in: .min ... .max, using: &generator)
        }
        let codePoints = scalars.map { ArchivedValue.integer(Int128($0.value)) }
        let digits = data.map { String(format: "%02x", $0) }.joined()
        let line: [ArchivedValue] = [
            .string(String(String.UnicodeScalarView(scalars))), .array(codePoints), .real(real),
            .string(hexadecimal(real.bitPattern)), .integer(integer), .string(String(integer)), .data(data),
            .string(digits),
        ]
        writer.value(.array(line))
        writer.endLine()
    }

    private func finite(_ bits: UInt64) -> Double {
        let real = Double(bitPattern: bits)
        return real.isFinite ? real : 0.1
    }

    private func hexadecimal(_ bits: UInt64) -> String { String(format: "%016lx", bits) }
}
