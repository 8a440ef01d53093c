/// A size in bytes with a decimal unit, as people read it: `0 B`, `999 B`, `1.4 MB`, `23 MB`.
public func sized(_ bytes: some BinaryInteger) -> String {
    guard bytes.magnitude >= 1000 else { return "\(bytes) B" }
    var amount = Double(bytes.magnitude)
    var unit = 0
    let units = ["B", "kB", "MB", "GB", "TB", "PB", "EB"]
    while amount >= 999.5, unit < units.count - 1 {
        amount /= 1000
        unit += 1
    }
    // bounded: at most 999, or 9 EB
    let tenths = Int((amount * 10).rounded())
    // bounded: the same
    let text = amount < 9.95 ? "\(tenths / 10).\(tenths % 10)" : "\(Int(amount.rounded()))"
    return (bytes < 0 ? "-" : "") + text + " " + units[unit]
}
