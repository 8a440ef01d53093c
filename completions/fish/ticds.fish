# Completion of ticds and of the programs ticds-* in fish. The program itself says what fits at the cursor: see
# CompletionAnswer.swift for the lines that it prints.

# The files that fish itself finds, if their paths end like the expression.
function __ticds_files -a typed ending
    complete -C "__fish_command_without_completions $typed" | string match -er -- "$ending"
end

function __ticds_complete
    set -l words
    if test (string split -m 1 -f 1 -- . "$FISH_VERSION") -gt 3
        set words (commandline --tokens-expanded -pc)
    else
        set words (commandline -opc)
    end
    set -l typed (commandline -ct)
    set -l program (string replace -r '^~/' "$HOME/" -- $words[1])
    for line in (command $program ---complete fish $words[2..] "$typed" 2>/dev/null </dev/null)
        switch $line
            case /commands
                __fish_complete_command
            case /directories
                __ticds_files "$typed" '/$'
            case /files
                __ticds_files "$typed" ''
            case '/files *'
                set -l endings (string replace '/files ' '' -- $line | string replace -a ' ' '|')
                __ticds_files "$typed" "(/|\\.($endings))\$"
            case '*'
                printf '%s\n' $line
        end
    end
end

for name in ticds ticds-{archive,changes,client,document,fleet,inspect,integrity,journal,model,remote,store,sync,vacuum,verify}
    # Each name loads this file.
    complete -c $name -e
    complete -c $name -fka '(__ticds_complete)'
end
