function __ticds-document_should_offer_completions_for_flags_or_options -a expected_commands
    set -l non_repeating_flags_or_options $argv[2..]
    set -l non_repeating_flags_or_options_absent 0
    set -l positional_index 0
    set -l commands
    __ticds-document_parse_tokens
    test "$commands" = "$expected_commands"; and return $non_repeating_flags_or_options_absent
end

function __ticds-document_should_offer_completions_for_positional -a expected_commands positional_index_comparison expected_positional_index
    set -l non_repeating_flags_or_options
    set -l non_repeating_flags_or_options_absent 0
    set -l positional_index 0
    set -l commands
    __ticds-document_parse_tokens
    test "$commands" = "$expected_commands" -a \( "$positional_index" "$positional_index_comparison" "$expected_positional_index" \)
end

function __ticds-document_parse_tokens -S
    set -l unparsed_tokens (__ticds-document_tokens -pc)
    switch $unparsed_tokens[1]
    case 'ticds-document'
        __ticds-document_parse_subcommand 0 'version' 'h/help'
        switch $unparsed_tokens[1]
        case 'create'
            __ticds-document_parse_subcommand -r 1 'description=' 'client=' 'password-file=' 'password-command=' 'old-hmac' 'n/dry-run' 'y/yes' 'save-plan=' 'max-delete=' 'allow-missing=+' 'no-trash' 'lock-wait=' 'json' 'q/quiet' 'v/verbose' 'color=' 'utc' 'iso' 'bytes' 'no-pager' 'progress=' 'no-progress' 'log-file=' 'log-format=' 'version' 'h/help'
        case 'delete'
            __ticds-document_parse_subcommand -r 1 'without-document-info' 'password-file=' 'password-command=' 'old-hmac' 'n/dry-run' 'y/yes' 'save-plan=' 'max-delete=' 'allow-missing=+' 'no-trash' 'lock-wait=' 'json' 'q/quiet' 'v/verbose' 'color=' 'utc' 'iso' 'bytes' 'no-pager' 'progress=' 'no-progress' 'log-file=' 'log-format=' 'version' 'h/help'
        case 'restore'
            __ticds-document_parse_subcommand -r 1 'password-file=' 'password-command=' 'old-hmac' 'n/dry-run' 'y/yes' 'save-plan=' 'max-delete=' 'allow-missing=+' 'no-trash' 'lock-wait=' 'json' 'q/quiet' 'v/verbose' 'color=' 'utc' 'iso' 'bytes' 'no-pager' 'progress=' 'no-progress' 'log-file=' 'log-format=' 'version' 'h/help'
        case 'help'
            __ticds-document_parse_subcommand -r 1 'version'
        end
    end
end

function __ticds-document_tokens
    if test (string split -m 1 -f 1 -- . "$FISH_VERSION") -gt 3
        commandline --tokens-raw $argv
    else
        commandline -o $argv
    end
end

function __ticds-document_parse_subcommand -S -a positional_count
    argparse -s r -- $argv
    set -l option_specs $argv[2..]
    set -l is_repeating_positional $_flag_r
    set -el _flag_r
    set -a commands $unparsed_tokens[1]
    set positional_index 0
    while true
        set -e unparsed_tokens[1]
        argparse -sn "$commands" $option_specs -- $unparsed_tokens 2> /dev/null
        set unparsed_tokens $argv
        set positional_index (math $positional_index + 1)
        for non_repeating_flag_or_option in $non_repeating_flags_or_options
            if set -ql "_flag_$(string replace -a - _ -- $non_repeating_flag_or_option)"
                set non_repeating_flags_or_options_absent 1
                break
            end
        end
        test (count $unparsed_tokens) -eq 0 -o \( -z "$is_repeating_positional" -a "$positional_index" -gt "$positional_count" \) && break
    end
end

function __ticds-document_complete_directories
    set -l token (commandline -t)
    string match -- '*/' $token
    set -l subdirs $token*/
    printf %s\n $subdirs
end

function __ticds-document_custom_completion
    set -x SAP_SHELL fish
    set -x SAP_SHELL_VERSION $FISH_VERSION
    set -l tokens (__ticds-document_tokens -p)
    if test -z "$(__ticds-document_tokens -t)"
        set -l index (count (__ticds-document_tokens -pc))
        set tokens $tokens[..$index] \'\' $tokens[(math $index + 1)..]
    end
    command $tokens[1] $argv $tokens
end

complete -c 'ticds-document' -f
complete -c 'ticds-document' -n '__ticds-document_should_offer_completions_for_flags_or_options "ticds-document" version' -l 'version' -d 'Show the version.'
complete -c 'ticds-document' -n '__ticds-document_should_offer_completions_for_flags_or_options "ticds-document" h help' -s 'h' -l 'help' -d 'Show help information.'
complete -c 'ticds-document' -n '__ticds-document_should_offer_completions_for_positional "ticds-document" -eq 1' -fa 'create' -d 'Creates a document, complete but empty.'
complete -c 'ticds-document' -n '__ticds-document_should_offer_completions_for_positional "ticds-document" -eq 1' -fa 'delete' -d 'Deletes a document with everything in it.'
complete -c 'ticds-document' -n '__ticds-document_should_offer_completions_for_positional "ticds-document" -eq 1' -fa 'restore' -d 'Restores a deleted document from the trash.'
complete -c 'ticds-document' -n '__ticds-document_should_offer_completions_for_positional "ticds-document" -eq 1' -fa 'help' -d 'Show subcommand help information.'
complete -c 'ticds-document' -n '__ticds-document_should_offer_completions_for_positional "ticds-document create" -ge 1' -fka '(__ticds-document_custom_completion ---completion create -- positional@0 (count (__ticds-document_tokens -pc)) (__ticds-document_tokens -tC))'
complete -c 'ticds-document' -n '__ticds-document_should_offer_completions_for_flags_or_options "ticds-document create" description' -l 'description' -d 'The name that the app shows.' -rfka ''
complete -c 'ticds-document' -n '__ticds-document_should_offer_completions_for_flags_or_options "ticds-document create" client' -l 'client' -d 'The client that counts as the creator: its identifier, the beginning of it, or its description; may be left out if there is only one.' -rfka '(__ticds-document_custom_completion ---completion create -- --client (count (__ticds-document_tokens -pc)) (__ticds-document_tokens -tC))'
complete -c 'ticds-document' -n '__ticds-document_should_offer_completions_for_flags_or_options "ticds-document create" password-file' -l 'password-file' -d 'Read the password from a file.' -rF
complete -c 'ticds-document' -n '__ticds-document_should_offer_completions_for_flags_or_options "ticds-document create" password-command' -l 'password-command' -d 'Run a command line with /bin/sh and take the password from its output.' -rfka '(__fish_complete_command)'
complete -c 'ticds-document' -n '__ticds-document_should_offer_completions_for_flags_or_options "ticds-document create" old-hmac' -l 'old-hmac' -d 'Treat the remote as one from the first weeks of 2011, whose HMAC leaves out 16 bytes of each file.'
complete -c 'ticds-document' -n '__ticds-document_should_offer_completions_for_flags_or_options "ticds-document create" dry-run n' -l 'dry-run' -s 'n' -d 'Show what would be done, and change nothing.'
complete -c 'ticds-document' -n '__ticds-document_should_offer_completions_for_flags_or_options "ticds-document create" y yes' -l 'yes' -s 'y' -d 'Carry out the plan without asking.'
complete -c 'ticds-document' -n '__ticds-document_should_offer_completions_for_flags_or_options "ticds-document create" save-plan' -l 'save-plan' -d 'Write the plan to a new file, and change nothing. ticds-journal apply carries it out.' -rF
complete -c 'ticds-document' -n '__ticds-document_should_offer_completions_for_flags_or_options "ticds-document create" max-delete' -l 'max-delete' -d 'Refuse to remove more change sets of a document than this number or percentage: N or N%. Default: 50%.' -rfka ''
complete -c 'ticds-document' -n '__ticds-document_should_offer_completions_for_flags_or_options "ticds-document create"' -l 'allow-missing' -d 'Go on without a file that is missing or whose content is not on this machine: its name, or its path inside the remote. May be given several times.' -rfka ''
complete -c 'ticds-document' -n '__ticds-document_should_offer_completions_for_flags_or_options "ticds-document create" no-trash' -l 'no-trash' -d 'Delete permanently instead of moving to the trash. This cannot be undone.'
complete -c 'ticds-document' -n '__ticds-document_should_offer_completions_for_flags_or_options "ticds-document create" lock-wait' -l 'lock-wait' -d 'Wait this long, such as 30s, for another program of the suite that is changing the remote.' -rfka ''
complete -c 'ticds-document' -n '__ticds-document_should_offer_completions_for_flags_or_options "ticds-document create" json' -l 'json' -d 'Print JSON on standard output (see ticds-json(5)), and errors as JSON on standard error.'
complete -c 'ticds-document' -n '__ticds-document_should_offer_completions_for_flags_or_options "ticds-document create" q quiet' -l 'quiet' -s 'q' -d 'Print no progress, and no messages and warnings if all is well: for cron(8).'
complete -c 'ticds-document' -n '__ticds-document_should_offer_completions_for_flags_or_options "ticds-document create" v verbose' -l 'verbose' -s 'v' -d 'Print each step.'
complete -c 'ticds-document' -n '__ticds-document_should_offer_completions_for_flags_or_options "ticds-document create" color' -l 'color' -d 'When to colour text.' -rfka 'auto always never'
complete -c 'ticds-document' -n '__ticds-document_should_offer_completions_for_flags_or_options "ticds-document create" utc' -l 'utc' -d 'Print times in UTC instead of the local time zone.'
complete -c 'ticds-document' -n '__ticds-document_should_offer_completions_for_flags_or_options "ticds-document create" iso' -l 'iso' -d 'Print times as ISO 8601, without their age.'
complete -c 'ticds-document' -n '__ticds-document_should_offer_completions_for_flags_or_options "ticds-document create" bytes' -l 'bytes' -d 'Print exact sizes in bytes.'
complete -c 'ticds-document' -n '__ticds-document_should_offer_completions_for_flags_or_options "ticds-document create" no-pager' -l 'no-pager' -d 'Print long text directly instead of through $PAGER.'
complete -c 'ticds-document' -n '__ticds-document_should_offer_completions_for_flags_or_options "ticds-document create" progress' -l 'progress' -d 'How progress is shown: a line on a terminal, a line of text every ten seconds, JSON at most once a second, or not at all.' -rfka 'auto plain json none'
complete -c 'ticds-document' -n '__ticds-document_should_offer_completions_for_flags_or_options "ticds-document create" no-progress' -l 'no-progress' -d 'Print no progress, not even on a terminal.'
complete -c 'ticds-document' -n '__ticds-document_should_offer_completions_for_flags_or_options "ticds-document create" log-file' -l 'log-file' -d 'Append a record of actions, warnings and errors to a file.' -rF
complete -c 'ticds-document' -n '__ticds-document_should_offer_completions_for_flags_or_options "ticds-document create" log-format' -l 'log-format' -d 'The format of the lines in the log file.' -rfka 'text json'
complete -c 'ticds-document' -n '__ticds-document_should_offer_completions_for_flags_or_options "ticds-document create" version' -l 'version' -d 'Show the version.'
complete -c 'ticds-document' -n '__ticds-document_should_offer_completions_for_flags_or_options "ticds-document create" h help' -s 'h' -l 'help' -d 'Show help information.'
complete -c 'ticds-document' -n '__ticds-document_should_offer_completions_for_positional "ticds-document delete" -ge 1' -fka '(__ticds-document_custom_completion ---completion delete -- positional@0 (count (__ticds-document_tokens -pc)) (__ticds-document_tokens -tC))'
complete -c 'ticds-document' -n '__ticds-document_should_offer_completions_for_flags_or_options "ticds-document delete" without-document-info' -l 'without-document-info' -d 'If documentInfo.plist is missing, write a tombstone that contains only the identifier.'
complete -c 'ticds-document' -n '__ticds-document_should_offer_completions_for_flags_or_options "ticds-document delete" password-file' -l 'password-file' -d 'Read the password from a file.' -rF
complete -c 'ticds-document' -n '__ticds-document_should_offer_completions_for_flags_or_options "ticds-document delete" password-command' -l 'password-command' -d 'Run a command line with /bin/sh and take the password from its output.' -rfka '(__fish_complete_command)'
complete -c 'ticds-document' -n '__ticds-document_should_offer_completions_for_flags_or_options "ticds-document delete" old-hmac' -l 'old-hmac' -d 'Treat the remote as one from the first weeks of 2011, whose HMAC leaves out 16 bytes of each file.'
complete -c 'ticds-document' -n '__ticds-document_should_offer_completions_for_flags_or_options "ticds-document delete" dry-run n' -l 'dry-run' -s 'n' -d 'Show what would be done, and change nothing.'
complete -c 'ticds-document' -n '__ticds-document_should_offer_completions_for_flags_or_options "ticds-document delete" y yes' -l 'yes' -s 'y' -d 'Carry out the plan without asking.'
complete -c 'ticds-document' -n '__ticds-document_should_offer_completions_for_flags_or_options "ticds-document delete" save-plan' -l 'save-plan' -d 'Write the plan to a new file, and change nothing. ticds-journal apply carries it out.' -rF
complete -c 'ticds-document' -n '__ticds-document_should_offer_completions_for_flags_or_options "ticds-document delete" max-delete' -l 'max-delete' -d 'Refuse to remove more change sets of a document than this number or percentage: N or N%. Default: 50%.' -rfka ''
complete -c 'ticds-document' -n '__ticds-document_should_offer_completions_for_flags_or_options "ticds-document delete"' -l 'allow-missing' -d 'Go on without a file that is missing or whose content is not on this machine: its name, or its path inside the remote. May be given several times.' -rfka ''
complete -c 'ticds-document' -n '__ticds-document_should_offer_completions_for_flags_or_options "ticds-document delete" no-trash' -l 'no-trash' -d 'Delete permanently instead of moving to the trash. This cannot be undone.'
complete -c 'ticds-document' -n '__ticds-document_should_offer_completions_for_flags_or_options "ticds-document delete" lock-wait' -l 'lock-wait' -d 'Wait this long, such as 30s, for another program of the suite that is changing the remote.' -rfka ''
complete -c 'ticds-document' -n '__ticds-document_should_offer_completions_for_flags_or_options "ticds-document delete" json' -l 'json' -d 'Print JSON on standard output (see ticds-json(5)), and errors as JSON on standard error.'
complete -c 'ticds-document' -n '__ticds-document_should_offer_completions_for_flags_or_options "ticds-document delete" q quiet' -l 'quiet' -s 'q' -d 'Print no progress, and no messages and warnings if all is well: for cron(8).'
complete -c 'ticds-document' -n '__ticds-document_should_offer_completions_for_flags_or_options "ticds-document delete" v verbose' -l 'verbose' -s 'v' -d 'Print each step.'
complete -c 'ticds-document' -n '__ticds-document_should_offer_completions_for_flags_or_options "ticds-document delete" color' -l 'color' -d 'When to colour text.' -rfka 'auto always never'
complete -c 'ticds-document' -n '__ticds-document_should_offer_completions_for_flags_or_options "ticds-document delete" utc' -l 'utc' -d 'Print times in UTC instead of the local time zone.'
complete -c 'ticds-document' -n '__ticds-document_should_offer_completions_for_flags_or_options "ticds-document delete" iso' -l 'iso' -d 'Print times as ISO 8601, without their age.'
complete -c 'ticds-document' -n '__ticds-document_should_offer_completions_for_flags_or_options "ticds-document delete" bytes' -l 'bytes' -d 'Print exact sizes in bytes.'
complete -c 'ticds-document' -n '__ticds-document_should_offer_completions_for_flags_or_options "ticds-document delete" no-pager' -l 'no-pager' -d 'Print long text directly instead of through $PAGER.'
complete -c 'ticds-document' -n '__ticds-document_should_offer_completions_for_flags_or_options "ticds-document delete" progress' -l 'progress' -d 'How progress is shown: a line on a terminal, a line of text every ten seconds, JSON at most once a second, or not at all.' -rfka 'auto plain json none'
complete -c 'ticds-document' -n '__ticds-document_should_offer_completions_for_flags_or_options "ticds-document delete" no-progress' -l 'no-progress' -d 'Print no progress, not even on a terminal.'
complete -c 'ticds-document' -n '__ticds-document_should_offer_completions_for_flags_or_options "ticds-document delete" log-file' -l 'log-file' -d 'Append a record of actions, warnings and errors to a file.' -rF
complete -c 'ticds-document' -n '__ticds-document_should_offer_completions_for_flags_or_options "ticds-document delete" log-format' -l 'log-format' -d 'The format of the lines in the log file.' -rfka 'text json'
complete -c 'ticds-document' -n '__ticds-document_should_offer_completions_for_flags_or_options "ticds-document delete" version' -l 'version' -d 'Show the version.'
complete -c 'ticds-document' -n '__ticds-document_should_offer_completions_for_flags_or_options "ticds-document delete" h help' -s 'h' -l 'help' -d 'Show help information.'
complete -c 'ticds-document' -n '__ticds-document_should_offer_completions_for_positional "ticds-document restore" -ge 1' -fka '(__ticds-document_custom_completion ---completion restore -- positional@0 (count (__ticds-document_tokens -pc)) (__ticds-document_tokens -tC))'
complete -c 'ticds-document' -n '__ticds-document_should_offer_completions_for_flags_or_options "ticds-document restore" password-file' -l 'password-file' -d 'Read the password from a file.' -rF
complete -c 'ticds-document' -n '__ticds-document_should_offer_completions_for_flags_or_options "ticds-document restore" password-command' -l 'password-command' -d 'Run a command line with /bin/sh and take the password from its output.' -rfka '(__fish_complete_command)'
complete -c 'ticds-document' -n '__ticds-document_should_offer_completions_for_flags_or_options "ticds-document restore" old-hmac' -l 'old-hmac' -d 'Treat the remote as one from the first weeks of 2011, whose HMAC leaves out 16 bytes of each file.'
complete -c 'ticds-document' -n '__ticds-document_should_offer_completions_for_flags_or_options "ticds-document restore" dry-run n' -l 'dry-run' -s 'n' -d 'Show what would be done, and change nothing.'
complete -c 'ticds-document' -n '__ticds-document_should_offer_completions_for_flags_or_options "ticds-document restore" y yes' -l 'yes' -s 'y' -d 'Carry out the plan without asking.'
complete -c 'ticds-document' -n '__ticds-document_should_offer_completions_for_flags_or_options "ticds-document restore" save-plan' -l 'save-plan' -d 'Write the plan to a new file, and change nothing. ticds-journal apply carries it out.' -rF
complete -c 'ticds-document' -n '__ticds-document_should_offer_completions_for_flags_or_options "ticds-document restore" max-delete' -l 'max-delete' -d 'Refuse to remove more change sets of a document than this number or percentage: N or N%. Default: 50%.' -rfka ''
complete -c 'ticds-document' -n '__ticds-document_should_offer_completions_for_flags_or_options "ticds-document restore"' -l 'allow-missing' -d 'Go on without a file that is missing or whose content is not on this machine: its name, or its path inside the remote. May be given several times.' -rfka ''
complete -c 'ticds-document' -n '__ticds-document_should_offer_completions_for_flags_or_options "ticds-document restore" no-trash' -l 'no-trash' -d 'Delete permanently instead of moving to the trash. This cannot be undone.'
complete -c 'ticds-document' -n '__ticds-document_should_offer_completions_for_flags_or_options "ticds-document restore" lock-wait' -l 'lock-wait' -d 'Wait this long, such as 30s, for another program of the suite that is changing the remote.' -rfka ''
complete -c 'ticds-document' -n '__ticds-document_should_offer_completions_for_flags_or_options "ticds-document restore" json' -l 'json' -d 'Print JSON on standard output (see ticds-json(5)), and errors as JSON on standard error.'
complete -c 'ticds-document' -n '__ticds-document_should_offer_completions_for_flags_or_options "ticds-document restore" q quiet' -l 'quiet' -s 'q' -d 'Print no progress, and no messages and warnings if all is well: for cron(8).'
complete -c 'ticds-document' -n '__ticds-document_should_offer_completions_for_flags_or_options "ticds-document restore" v verbose' -l 'verbose' -s 'v' -d 'Print each step.'
complete -c 'ticds-document' -n '__ticds-document_should_offer_completions_for_flags_or_options "ticds-document restore" color' -l 'color' -d 'When to colour text.' -rfka 'auto always never'
complete -c 'ticds-document' -n '__ticds-document_should_offer_completions_for_flags_or_options "ticds-document restore" utc' -l 'utc' -d 'Print times in UTC instead of the local time zone.'
complete -c 'ticds-document' -n '__ticds-document_should_offer_completions_for_flags_or_options "ticds-document restore" iso' -l 'iso' -d 'Print times as ISO 8601, without their age.'
complete -c 'ticds-document' -n '__ticds-document_should_offer_completions_for_flags_or_options "ticds-document restore" bytes' -l 'bytes' -d 'Print exact sizes in bytes.'
complete -c 'ticds-document' -n '__ticds-document_should_offer_completions_for_flags_or_options "ticds-document restore" no-pager' -l 'no-pager' -d 'Print long text directly instead of through $PAGER.'
complete -c 'ticds-document' -n '__ticds-document_should_offer_completions_for_flags_or_options "ticds-document restore" progress' -l 'progress' -d 'How progress is shown: a line on a terminal, a line of text every ten seconds, JSON at most once a second, or not at all.' -rfka 'auto plain json none'
complete -c 'ticds-document' -n '__ticds-document_should_offer_completions_for_flags_or_options "ticds-document restore" no-progress' -l 'no-progress' -d 'Print no progress, not even on a terminal.'
complete -c 'ticds-document' -n '__ticds-document_should_offer_completions_for_flags_or_options "ticds-document restore" log-file' -l 'log-file' -d 'Append a record of actions, warnings and errors to a file.' -rF
complete -c 'ticds-document' -n '__ticds-document_should_offer_completions_for_flags_or_options "ticds-document restore" log-format' -l 'log-format' -d 'The format of the lines in the log file.' -rfka 'text json'
complete -c 'ticds-document' -n '__ticds-document_should_offer_completions_for_flags_or_options "ticds-document restore" version' -l 'version' -d 'Show the version.'
complete -c 'ticds-document' -n '__ticds-document_should_offer_completions_for_flags_or_options "ticds-document restore" h help' -s 'h' -l 'help' -d 'Show help information.'
complete -c 'ticds-document' -n '__ticds-document_should_offer_completions_for_flags_or_options "ticds-document help" version' -l 'version' -d 'Show the version.'

# The functions that follow take the place of generated ones.

function __ticds-document_tokens
    if contains -- -tC $argv
        echo 0
        return
    end
    set -l tokens
    if test (string split -m 1 -f 1 -- . "$FISH_VERSION") -gt 3
        set tokens (commandline --tokens-expanded $argv)
    else
        set tokens (commandline -o $argv)
    end
    test (count $tokens) -gt 0; and printf '%s\n' $tokens
end

function __ticds-document_complete_directories
    __fish_complete_directories (commandline -ct) ''
end

function __ticds-document_complete_files
    set -l endings (string escape --style=regex -- $argv | string join '|')
    complete -C "__fish_command_without_completions "(commandline -ct) | string match -r -- "^.*(?:$endings|/)\$"
end

# Asks the program. It gets the words up to the cursor, and prints lines of value, tab and explanation.
function __ticds-document_custom_completion
    set -x SAP_SHELL fish
    set -x SAP_SHELL_VERSION $FISH_VERSION
    set -l words (__ticds-document_tokens -pc)
    set -l program $__ticds_program
    if test (count $program) -eq 0
        set program (string replace -r '^~/' "$HOME/" -- $words[1])
    end
    set -l end (math (contains -i -- -- $argv) + 1)
    for line in (command $program $argv[..$end] 0 0 $words (commandline -ct) 2>/dev/null </dev/null)
        switch $line
            case /directories
                __fish_complete_directories (commandline -ct) ''
            case /files
                __fish_complete_path (commandline -ct)
            case '*'
                printf '%s\n' $line
        end
    end
end

