import Base
import Cryptography
import SystemCalls
import SystemPackage
import TestSupport
import Testing
import TICDSCore

@testable import TICDSArchive

/// A manifest that comes in pieces is read as one that comes whole.
@Suite struct ManifestPiecesTests {
    private static let entries = (0..<40).map { number in
        """
        {"path":"Documents/note/\(number).syncchg","kind":"changeSet","modified":"2013-05-01T10:00:00Z",\
        "size":\(number),"sha256":"\(String(repeating: "a7", count: 32))","base":\(number % 2)}
        """
    }

    private static let head = """
        {"schema":"ticds.archive/2","program":"p \\u00fc \\"entries\\":[","application":"app","more":{"entries":[1,{}]},\
        "leftOut":[{"path":"Documents/x","problem":"it changed"}]
        """

    private static let bases = """
        "bases":[{"name":"one","sha256":"\(String(repeating: "01", count: 32))"},\
        {"name":"two","sha256":"\(String(repeating: "02", count: 32))"}]
        """

    /// Manifests in every order of fields, of other programs, and damaged in each way.
    private static let texts: [String] = [
        "\(head),\(bases),\"entries\":[\(entries.joined(separator: ",\n"))],",
        "\(head), \"entries\" : [ \(entries.joined(separator: " ,\n\t")) ] ,\(bases),",
        "\(head),\"entries\":[],\(bases),\"entries\":[\(entries.joined(separator: ","))],",
        "\(head),\"entries\":[\(entries[0])],\(bases),\"entries\":[\(entries[1])],",
        "\(head),\"entries\":[\(entries.joined(separator: ","))],",
        "\(head),\(bases),",
        "\(head),\(bases),\"entries\":[\(entries.joined(separator: ","))",
        "\(head),\(bases),\"entries\":[\(entries.joined(separator: ",")),],",
        "\(head),\(bases),\"entries\":[\(entries.joined(separator: ""))],",
        "\(head),\(bases),\"entries\":{},",
        "\(head),\(bases),\"entries\":[\(entries[0]),{\"path\":\"../x\"}],",
        "\(head),\(bases),\"entries\":[\(entries[0]),\(String(repeating: "[", count: 40))],",
        "\(head),\(bases),\"entries\":[\(entries[0]),{\"x\":\(String(repeating: "[", count: 29))1",
        "\(head),\(bases),\"entries\":[\(entries[0])] \"x\":1,",
        "\(head),\(bases),\"entries\":[\(entries[0])]}{",
        "\(head) x",
        "[",
        "",
    ]

    private static func sealed(_ text: String) -> [UInt8] {
        let lines = Array(text.utf8)
        return lines + ManifestSeal.bytes(SHA256.hash(lines))
    }

    private static func read(
        _ text: [UInt8], step: Int, _ size: () -> Int
    ) throws -> Result<ArchiveManifest, FileProblem> {
        var reader = ManifestReader(step: step)
        var digest = try ManifestDigest(path: "a")
        var start = 0
        while start < text.count {
            let piece = text[start..<min(text.count, start + size())]
            piece.withUnsafeBytes {
                digest.add($0)
                reader.add($0)
            }
            start = piece.endIndex
        }
        let value = digest.value
        #expect(value == nil || value == SHA256.hash(text))
        do throws(FileProblem) {
            return .success(try reader.finish(value, path: "a").manifest)
        } catch { return .failure(error) }
    }

    @Test(arguments: texts.indices) func piecesGiveTheManifestOfTheWholeText(number: Int) throws {
        let text = Self.sealed(Self.texts[number])
        var random = RandomNumbers(UInt64(number))
        let whole = try Self.read(text, step: 1 << 20) { text.count }
        if number < 4 { #expect((try whole.get().entries.count) == [40, 40, 40, 2][number]) }
        for step in [1, 7, 64, 500] {
            for most in [1, 3, 50, 1_000] {
                #expect(try Self.read(text, step: step) { Int.random(in: 1...most, using: &random) } == whole)
            }
        }
    }

    @Test func everyTextWithoutItsSealIsDamage() throws {
        let text = Self.sealed(Self.texts[0])
        for end in [0, 1, ManifestSeal.count, text.count - ManifestSeal.count, text.count - 1] {
            let result = try Self.read(Array(text[..<end]), step: 1) { 13 }
            #expect(throws: FileProblem.self) { try result.get() }
        }
    }
}
