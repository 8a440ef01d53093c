/// The effect of a deletion on the destination of a relationship (NSDeleteRule), with the numbers of Core Data
/// (core-data-sqlite-store(5), 4.2).
public enum DeleteRule: Int, Sendable, Hashable, CaseIterable {
    /// No effect: the destination keeps a key without an object.
    case noAction = 0
    /// The inverse relationship is cleared.
    case nullify = 1
    /// The destination objects are deleted, too.
    case cascade = 2
    /// The deletion fails if there is a destination object.
    case deny = 3
}
