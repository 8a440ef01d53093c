import Synchronization
public import TICDSArchive

/// The progress line of an export, fed by several threads.
public final class ArchiveProgress: Sendable {
    private let bar: Mutex<Progress?>
    private let isShown: Bool

    public init(_ label: String, _ output: OutputOptions) {
        bar = Mutex(Progress(label, output))
        isShown = output.showsProgress
    }

    public func show(_ step: ArchiveExporter.Step) {
        guard isShown else { return }
        switch step {
        case .reading(let files, let total): show(ProgressState(Int64(files), of: Int64(total), .files))
        case .writing(let bytes, let total): show(bytes, total)
        }
    }

    public func show(_ bytes: Int64, _ total: Int64?) {
        guard isShown else { return }
        show(ProgressState(bytes, of: total, .bytes))
    }

    /// Takes the line away.
    public func end() { bar.withLock { $0 = nil } }

    private func show(_ state: ProgressState) { bar.withLock { $0?.update(state) } }
}
