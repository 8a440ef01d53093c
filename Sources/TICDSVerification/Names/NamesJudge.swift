/// Judges names, kinds, sizes and times; opens nothing.
enum NamesJudge {
    static func findings(_ context: VerificationContext) -> [Finding] {
        []
    }
}
