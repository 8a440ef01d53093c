import SystemCalls
import SystemPackage

/// The bytes of a file of an import, in pieces, without a byte order mark at the beginning.
final class ImportBytes {
    private let file: OwnedDescriptor
    private var buffer: [UInt8]
    private var place = 0
    private var filled = 0
    /// The offset of the end of the buffer.
    private var end = 0

    init(_ path: FilePath, bufferSize: Int = 1 << 18) throws(FileProblem) {
        file = try OwnedDescriptor.file(path)
        buffer = Array(repeating: 0, count: max(bufferSize, 64))
        try fill()
        if start.starts(with: [0xEF, 0xBB, 0xBF]) { place = 3 }
    }

    var path: FilePath { file.path }

    /// The offset of the next byte.
    var offset: Int { end - filled + place }

    /// The bytes that follow, as far as they were read.
    var start: ArraySlice<UInt8> { buffer[place..<filled] }

    /// The next byte; nil at the end of the file.
    func peek() throws(FileProblem) -> UInt8? {
        if place == filled {
            if filled == 0 { return nil }
            try fill()
            if filled == 0 { return nil }
        }
        return buffer[place]
    }

    /// Moves past the next byte.
    func skip() { if place < filled { place += 1 } }

    /// - Throws: `.changedWhileReading` if another program wrote the file since it was opened.
    func checkUnchanged() throws(FileProblem) {
        guard try file.status() == file.statusAtOpening else { throw .changing(file.path) }
    }

    private func fill() throws(FileProblem) {
        place = 0
        var problem: FileProblem?
        filled = buffer.withUnsafeMutableBytes { room in
            do throws(FileProblem) {
                return try file.read(into: room, at: end)
            } catch {
                problem = error
                return 0
            }
        }
        if let problem { throw problem }
        end += filled
    }
}
