import Base
import CArchive
import Dispatch
import Synchronization
import SystemCalls
import TICDSCore

/// Decompresses a file on a separate thread while the reader works on earlier bytes.
final class DecompressedStream: Sendable {
    private let input: ArchiveInput
    private let state = Mutex(State())
    /// Starts at 0, since a semaphore traps if it is freed below its initial value.
    private let free = DispatchSemaphore(value: 0)
    private let filled = DispatchSemaphore(value: 0)
    private let ended = DispatchSemaphore(value: 0)

    private struct State {
        var waiting: [SharedBytes] = []
        var end: Result<Void, FileProblem>?
        var isCancelled = false
    }

    private static let pieceSize = 512 << 10
    private static let pieces = 4

    /// - Parameter head: the first bytes of the input.
    init(_ input: ArchiveInput, head: [UInt8]) {
        self.input = input
        let isGzip = GzipDecoder.isGzip(head)
        for _ in 0..<Self.pieces { free.signal() }
        let thread = SystemThread {
            self.finish(
                Result { () throws(FileProblem) in
                    try isGzip ? self.gunzip(input) : self.decompress(input)
                })
        }
        if let thread { thread.detach() } else { finish(.failure(.noThread(path: input.path))) }
    }

    /// Ends the thread; reading is then impossible.
    func close() {
        state.withLock { $0.isCancelled = true }
        free.signal()
        ended.wait()
    }

    /// The next piece, never empty; nil at the end.
    func next() throws(FileProblem) -> SharedBytes? {
        filled.wait()
        let (piece, end) = state.withLock { state -> (SharedBytes?, Result<Void, FileProblem>?) in
            if !state.waiting.isEmpty { return (state.waiting.removeFirst(), nil) }
            return (nil, state.end)
        }
        if let piece {
            free.signal()
            return piece
        }
        // The next call gives the same result.
        filled.signal()
        try end?.get()
        return nil
    }

    private func finish(_ end: Result<Void, FileProblem>) {
        state.withLock { $0.end = end }
        filled.signal()
        ended.signal()
    }

    private func decompress(_ input: ArchiveInput) throws(FileProblem) {
        guard let archive = ArchiveLocale.run({ archive_read_new() }) else {
            throw .noMemory(path: input.path)
        }
        defer { _ = ArchiveLocale.run { archive_read_free(archive) } }
        let answer = ArchiveLocale.run { () -> CInt in
            archive_read_support_filter_gzip(archive)
            archive_read_support_filter_bzip2(archive)
            archive_read_support_filter_xz(archive)
            archive_read_support_filter_zstd(archive)
            archive_read_support_format_raw(archive)
            archive_read_support_format_empty(archive)
            return input.attach(to: archive, seeking: false)
        }
        guard answer == ARCHIVE_OK else { throw .damagedArchive(archive, input) }
        var entry: OpaquePointer?
        let header = ArchiveLocale.run { archive_read_next_header(archive, &entry) }
        if header == ARCHIVE_EOF, input.problem == nil { return }
        guard header == ARCHIVE_OK else { throw .damagedArchive(archive, input) }
        try pump(archive, input)
    }

    private func gunzip(_ input: ArchiveInput) throws(FileProblem) {
        var filling = Filling()
        // Also the bytes before damage, which may be intact.
        defer { hand(&filling) }
        try GzipDecoder(input).decompress { (bytes) throws(FileProblem) in try add(bytes, to: &filling) }
    }

    private func pump(_ archive: OpaquePointer, _ input: ArchiveInput) throws(FileProblem) {
        var filling = Filling()
        // As above.
        defer { hand(&filling) }
        // ends: with the input
        while true {
            var bytes: UnsafeRawPointer?
            var size = 0
            var offset: Int64 = 0
            let answer = ArchiveLocale.run { archive_read_data_block(archive, &bytes, &size, &offset) }
            if answer == ARCHIVE_EOF, input.problem == nil { return }
            guard answer == ARCHIVE_OK, input.problem == nil else { throw .damagedArchive(archive, input) }
            let block = UnsafeRawBufferPointer(start: bytes, count: size)
            guard try add(block, to: &filling) else { return }
        }
    }

    /// Memory that is being filled, and the number of bytes in it.
    private struct Filling: ~Copyable {
        /// Nil before the first byte.
        var room: PrivateBytes?
        var memory = UnsafeMutableRawBufferPointer(start: nil, count: 0)
        var count = 0
    }

    /// Adds bytes, and hands each full piece to the reader. False if the reader wants no more.
    private func add(_ bytes: UnsafeRawBufferPointer, to filling: inout Filling) throws(FileProblem) -> Bool {
        var rest = bytes
        while !rest.isEmpty {
            if filling.memory.isEmpty {
                free.wait()
                if state.withLock({ $0.isCancelled }) { return false }
                let room = try PrivateBytes(count: Self.pieceSize, path: input.path)
                let memory = room.memory
                filling = Filling(room: room, memory: memory)
            }
            let part = UnsafeRawBufferPointer(rebasing: rest.prefix(Self.pieceSize - filling.count))
            UnsafeMutableRawBufferPointer(rebasing: filling.memory[filling.count...]).copyMemory(from: part)
            filling.count += part.count
            rest = UnsafeRawBufferPointer(rebasing: rest.dropFirst(part.count))
            if filling.count == Self.pieceSize { hand(&filling) }
        }
        return true
    }

    private func hand(_ filling: inout Filling) {
        guard let room = filling.room.take() else { return }
        hand(room.shared(0..<filling.count))
        filling = Filling()
    }

    private func hand(_ piece: SharedBytes) {
        state.withLock { $0.waiting.append(piece) }
        filled.signal()
    }
}
