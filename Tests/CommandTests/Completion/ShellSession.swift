import Foundation
import SystemPackage
import TestSupport
import Testing

/// A real shell on a pseudo-terminal, with the completion files of the source tree.
struct ShellSession {
    enum Shell: String, CaseIterable, CustomStringConvertible {
        case bash, zsh, fish

        var description: String { rawValue }

        /// The installed shells; bash exists wherever tests run.
        static let installed = allCases.filter {
            $0 == .bash || FileManager.default.isExecutableFile(atPath: "/usr/bin/\($0)")
        }
        /// The shells in which tests type: all installed ones if long tests are wanted.
        static let tried = LongTests.areWanted ? installed : [.bash]
    }

    /// The result of one line.
    struct Answer: Decodable {
        /// The line after the keys.
        var line: String
        /// The arguments that a program would get for the line.
        var words: [String]
        /// All output on the terminal.
        var screen: String
    }

    let shell: Shell
    let scratch: Scratch
    var environment: [String: String] = [:]

    /// Types each text, in which `\t` is the TAB key, into an empty line, and returns the result.
    /// - Parameter shown: the text that must be on the screen before the line is read: a shell with further keys to
    ///   read may omit output.
    func type(_ texts: [String], shown: String = "") throws -> [Answer] {
        let script = try scratch.write("session.py", Array(Self.script.utf8))
        let completions = ManualPage.package.appending(path: "completions").path
        var variables = environment
        variables["PATH"] = "\(Program.folder.path):/usr/bin:/bin"
        variables["HOME"] = scratch.path.string
        variables["XDG_STATE_HOME"] = scratch.path.appending("state").string
        variables["LC_ALL"] = "C.UTF-8"
        variables["TERM"] = "xterm"
        let input = try scratch.write("input.json", Array(JSONEncoder().encode(texts)))
        let result = try Program.launch(
            "/usr/bin/env",
            ["python3", script, shell.rawValue, completions, scratch.path.string, input, shown],
            environment: variables, seconds: 60)
        try #require(result.status == 0, "\(result.errors)\(result.output)")
        return try JSONDecoder().decode([Answer].self, from: Data(result.bytes))
    }

    /// Tries each of `keys`; the last resulting argument is the expected word.
    func expect(_ expected: [(keys: String, word: String)], at location: SourceLocation = #_sourceLocation)
        throws
    {
        let answers = try type(expected.map(\.keys))
        for (answer, (keys, word)) in zip(answers, expected) {
            #expect(
                answer.words.last.map { Array($0.utf8) } == Array(word.utf8),
                "\(shell): \(keys) became \(answer.line): \(answer.screen)", sourceLocation: location)
        }
    }

    /// A separate key writes the line to a file, so that nothing must be read from the screen.
    private static let script = #"""
        import json, os, pty, select, signal, subprocess, sys, time
        shell, completions, folder, texts = sys.argv[1], sys.argv[2], sys.argv[3], json.load(open(sys.argv[4]))
        shown = sys.argv[5].encode()
        line = folder + '/line'
        setup = {
            'bash': f'''
                set +o history; PS1='ready> '
                bind 'set page-completions off' 2>/dev/null; bind 'set completion-query-items 0'
                bind 'set enable-bracketed-paste off'; bind 'set bell-style none'
                written() {{ printf %s "$READLINE_LINE" >'{line}.new'; mv '{line}.new' '{line}'; READLINE_LINE=; READLINE_POINT=0; }}
                bind -x '"\\C-x\\C-w": written'
                . '{completions}/bash/ticds'
                ''',
            'zsh': f'''
                PS1='ready> '; LISTMAX=0; unsetopt zle_bracketed_paste beep prompt_cr prompt_sp
                fpath=('{completions}/zsh' $fpath); autoload -Uz compinit; compinit -u -d '{folder}/zcompdump'
                written() {{ print -rn -- "$BUFFER" >'{line}.new'; mv '{line}.new' '{line}'; BUFFER=; }}
                zle -N written; bindkey '^X^W' written
                ''',
            'fish': f'''
                set -g fish_greeting; function fish_prompt; printf 'ready> '; end
                source '{completions}/fish/ticds.fish'; set -g fish_autosuggestion_enabled 0
                function written; commandline -b >'{line}.new'; mv '{line}.new' '{line}'; commandline ""; end
                bind \\cx\\cw written
                ''',
        }[shell]
        open(folder + '/setup', 'w').write(setup)
        started = {
            'bash': ['bash', '--rcfile', folder + '/setup', '--noprofile', '-i'],
            'zsh': ['zsh', '-f', '-i'],
            'fish': ['fish', '-i', '-C', 'source ' + folder + '/setup'],
        }[shell]
        child, terminal = pty.fork()
        if child == 0:
            signal.pthread_sigmask(signal.SIG_SETMASK, [])
            os.chdir(folder)
            os.execvp(started[0], started)
        screen = b''
        def read(seconds):
            global screen
            if select.select([terminal], [], [], seconds)[0]:
                try: screen += os.read(terminal, 65536)
                except OSError: raise SystemExit('the shell ended: ' + repr(screen))
        def wait(condition, what):
            end = time.time() + 12
            while not condition():
                if time.time() > end: raise SystemExit(f'{shell}: no {what}: {screen!r}')
                read(0.01)
        if shell == 'zsh':
            wait(lambda: b'% ' in screen or b'# ' in screen, 'prompt')
            os.write(terminal, b'source ' + folder.encode() + b'/setup\n')
        wait(lambda: b'ready> ' in screen.replace(b"PS1='ready> '", b''), 'prompt')
        answers = []
        for text in texts:
            screen = b''
            if os.path.exists(line): os.remove(line)
            os.write(terminal, text.encode())
            wait(lambda: shown in screen, 'list for ' + text)
            os.write(terminal, b'\x18\x17')
            wait(lambda: os.path.exists(line), 'answer to ' + text)
            written = open(line, 'rb').read().decode().rstrip('\n')
            answers.append({'line': written, 'screen': screen.decode(errors='replace'), 'words': []})
        # A shell of its own tells the words that a program would get, line after line.
        lines = ''.join(f"printf '%s\\0' {answer['line']}\nprintf '\\1'\n" for answer in answers)
        printed = subprocess.run([shell, '-c', 'cd ' + folder + '\n' + lines], capture_output=True, timeout=10)
        for answer, words in zip(answers, printed.stdout.decode(errors='replace').split('\1')):
            answer['words'] = words.split('\0')[:-1]
        os.kill(child, signal.SIGKILL)
        os.close(terminal)
        os.waitpid(child, 0)
        print(json.dumps(answers))
        """#
}
