import CSystemCalls

/// What happens to memory that is no longer needed.
public enum FreedMemory {
    /// Keeps freed memory for the next use instead of giving it back to the system, which would fill it with zeros
    /// anew each time: for programs that read one large file after the other. `limit` counts bytes.
    public static func keep(upTo limit: Int) { ticds_keep_freed_memory(CInt(clamping: limit)) }
}
