/// Opens a file and reads it to its end.
enum ContentsJudge {
    static func findings(of file: ExaminedFile, _ context: VerificationContext) -> [Finding] {
        []
    }
}
