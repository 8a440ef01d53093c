public import SystemCalls

extension Moment {
    /// The time of a file.
    public init(_ time: FileTime) {
        self.init(secondsSince1970: time.seconds, nanoseconds: Int(time.nanoseconds))
    }
}
