import SystemCalls
import SystemPackage
import TestSupport
import Testing

@testable import TICDSCore

@Suite(.enabled(if: Python.available)) struct FrameworkZipTests {
    /// Python finds the entry complete, under its name, after a header with the sizes, and with the bytes that zlib
    /// makes of it in one step.
    private static let check = """
        import sys, zipfile, zlib
        made, source = sys.argv[1:]
        data, zip = open(source, 'rb').read(), zipfile.ZipFile(made)
        entry = zip.infolist()[0]
        deflater = zlib.compressobj(-1, zlib.DEFLATED, -15)
        packed = deflater.compress(data) + deflater.flush()
        raw = open(made, 'rb').read()
        print(zip.testzip() is None, zip.read(entry) == data, entry.filename, len(zip.infolist()),
              raw[14:26] == zlib.crc32(data).to_bytes(4, 'little') + len(packed).to_bytes(4, 'little')
              + len(data).to_bytes(4, 'little'), raw[33:33 + len(packed)] == packed)
        """

    @Test(arguments: [0, 1, 1000, 1 << 20, (3 << 20) + 7], [false, true])
    func isWhatZlibMakes(_ count: Int, isNoise: Bool) throws {
        let folder = try TemporaryFolder()
        var random = RandomNumbers(7)
        let source = folder.path.appending("Source")
        try write(
            (0..<count).map { isNoise ? UInt8.random(in: 0...255, using: &random) : UInt8($0 / 7 & 63) },
            to: source)
        let target = folder.path.appending("Zip")
        try FrameworkZip.write(source, named: Array("doc".utf8), to: target)
        let said = try #require(Python.run(Self.check, [target.string, source.string]))
        #expect(String(decoding: said, as: UTF8.self) == "True True doc 1 True True\n")
    }
}
