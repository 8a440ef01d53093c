import SystemCalls

/// How the notes of plans say things.
enum PlanWords {
    /// A client counts as active for so long after its last sign of life: 30 days, in seconds.
    static let lately: Int64 = 30 * 86_400

    /// `description (identifier)`, or the identifier alone.
    static func name(_ identifier: RemoteName, _ description: String?) -> String {
        guard let description, !description.isEmpty else { return identifier.description }
        return "\(description) (\(identifier))"
    }

    /// `2013-05-01 14:03 UTC`
    static func time(_ time: FileTime) -> String {
        FileTime.text { $0.append(secondsSince1970: time.seconds, separator: 0x20) }.prefix(16) + " UTC"
    }

    /// `one, two and three`
    static func list(_ words: [String]) -> String {
        guard let last = words.last, words.count > 1 else { return words.first ?? "" }
        return words.dropLast().joined(separator: ", ") + " and " + last
    }
}
