/// A check of the remote as a whole.
protocol RemoteCheck: SendableMetatype {
    /// What is wrong with the remote. A check that is listed with the level `names` opens no file: it goes by the names,
    /// kinds, sizes and times of `context.snapshot`.
    static func findings(_ context: VerificationContext) -> [Finding]
}
