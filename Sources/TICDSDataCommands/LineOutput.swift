import Base
import SystemCalls
import TICDSCommandLine

/// The output of commands that print results one by one: JSON Lines, or text.
struct LineOutput: ~Copyable {
    let isJSON: Bool
    let colour: Colour
    var json: JSONWriter
    var text: OutputBuffer

    init(_ output: OutputOptions) {
        isJSON = output.json
        colour = output.colour()
        json = output.lines()
        text = output.longText()
    }

    mutating func finish() throws(FileProblem) {
        if isJSON { try json.flush() } else { try text.flush() }
    }
}
