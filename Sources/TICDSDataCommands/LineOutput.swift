import Base
import SystemCalls
import TICDSCommandLine
import TICDSCore

/// The output of commands that print results one by one: JSON Lines, or text.
struct LineOutput: ~Copyable {
    let isJSON: Bool
    let colour: Colour
    let style: TextStyle
    /// The number of threads for a large piece of it.
    let workers: Int
    var json: JSONWriter
    var text: OutputBuffer

    init(_ context: CommandContext) {
        isJSON = context.json
        colour = context.colour()
        style = context.style
        workers = context.workers
        json = context.lines()
        text = context.longText()
    }

    /// Output that stays in memory, without colours and of any width.
    init(collectingJSON isJSON: Bool, _ style: TextStyle) {
        self.isJSON = isJSON
        colour = .never
        self.style = style
        workers = 1
        json = JSONWriter(nil)
        text = OutputBuffer(nil)
    }

    /// The output that stays in memory.
    var collected: [UInt8] { isJSON ? json.output.collected : text.collected }

    /// - Parameter note: the line below a list that `--limit` shortens; it is not printed in JSON.
    mutating func finish(_ note: String? = nil) throws(FileProblem) {
        if isJSON { return try json.flush() }
        if let note { text.line(note) }
        try text.flush()
    }
}
