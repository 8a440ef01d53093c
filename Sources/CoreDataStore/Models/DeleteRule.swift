/// What happens to the objects at the other end when an object is deleted, with Core Data's numbers
/// (core-data-sqlite-store(5), 4.2).
public enum DeleteRule: Int, Sendable, Hashable, CaseIterable {
    /// The other side keeps a key that leads nowhere.
    case noAction = 0
    /// The inverse is cleared.
    case nullify = 1
    /// The other objects are deleted too.
    case cascade = 2
    /// The deletion is refused while there are other objects.
    case deny = 3
}
