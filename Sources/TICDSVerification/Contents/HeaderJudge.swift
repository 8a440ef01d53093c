/// Judges the first bytes of a file.
enum HeaderJudge {
    static func findings(of file: ExaminedFile, _ context: VerificationContext) -> [Finding] {
        []
    }
}
