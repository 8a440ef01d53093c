import Synchronization
public import TICDSCore

/// A listing of a remote for one export, which takes it: it does not stay in memory while files are read.
public final class ExportListing: Sendable {
    private let listing: Mutex<RemoteSnapshot?>

    /// The listing of the remote that will be exported.
    public init(_ listing: RemoteSnapshot) { self.listing = Mutex(listing) }

    /// The listing; nil if it was taken before.
    func take() -> RemoteSnapshot? { listing.withLock { $0.take() } }
}
