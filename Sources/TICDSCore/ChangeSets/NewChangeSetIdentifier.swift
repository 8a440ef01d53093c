public import KeyedArchive
public import SystemCalls

extension ChangeSetIdentifier {
    /// An identifier for a set that is written at `time`: the seconds since 2001 with ten digits and six decimals, and a
    /// UUID (ticds-remote-format(5), 1.2).
    public static func make(at time: FileTime, uuid: ArchivedUUID = .random()) -> String {
        func padded(_ number: Int64, _ width: Int) -> String {
            let digits = String(max(0, number))
            return String(repeating: "0", count: max(0, width - digits.utf8.count)) + digits
        }
        let seconds = padded(time.seconds -| FileTime.secondsFrom1970To2001, 10)
        return "\(seconds).\(padded(Int64(time.nanoseconds) / 1000, 6))-\(uuid)"
    }
}
