import CSystemCalls

/// A setting of malloc(3) for memory that the program freed.
public enum FreedMemory {
    /// Keeps up to `limit` bytes of freed memory for reuse. Returned to the system, these pages would be filled with
    /// zeros again at each use. For programs that read one large file after another.
    public static func keep(upTo limit: Int) { ticds_keep_freed_memory(CInt(clamping: limit)) }
}
