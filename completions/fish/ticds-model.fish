function __ticds-model_should_offer_completions_for_flags_or_options -a expected_commands
    set -l non_repeating_flags_or_options $argv[2..]
    set -l non_repeating_flags_or_options_absent 0
    set -l positional_index 0
    set -l commands
    __ticds-model_parse_tokens
    test "$commands" = "$expected_commands"; and return $non_repeating_flags_or_options_absent
end

function __ticds-model_should_offer_completions_for_positional -a expected_commands positional_index_comparison expected_positional_index
    set -l non_repeating_flags_or_options
    set -l non_repeating_flags_or_options_absent 0
    set -l positional_index 0
    set -l commands
    __ticds-model_parse_tokens
    test "$commands" = "$expected_commands" -a \( "$positional_index" "$positional_index_comparison" "$expected_positional_index" \)
end

function __ticds-model_parse_tokens -S
    set -l unparsed_tokens (__ticds-model_tokens -pc)
    switch $unparsed_tokens[1]
    case 'ticds-model'
        __ticds-model_parse_subcommand 0 'version' 'h/help'
        switch $unparsed_tokens[1]
        case 'show'
            __ticds-model_parse_subcommand 1 'model-version=' 'password-file=' 'password-command=' 'old-hmac' 'json' 'q/quiet' 'v/verbose' 'color=' 'utc' 'iso' 'bytes' 'no-pager' 'progress=' 'no-progress' 'log-file=' 'log-format=' 'version' 'h/help'
        case 'extract'
            __ticds-model_parse_subcommand 1 'to=' 'force' 'password-file=' 'password-command=' 'old-hmac' 'json' 'q/quiet' 'v/verbose' 'color=' 'utc' 'iso' 'bytes' 'no-pager' 'progress=' 'no-progress' 'log-file=' 'log-format=' 'version' 'h/help'
        case 'decompile'
            __ticds-model_parse_subcommand 1 'to=' 'force' 'model-version=' 'password-file=' 'password-command=' 'old-hmac' 'json' 'q/quiet' 'v/verbose' 'color=' 'utc' 'iso' 'bytes' 'no-pager' 'progress=' 'no-progress' 'log-file=' 'log-format=' 'version' 'h/help'
        case 'diff'
            __ticds-model_parse_subcommand 2 'password-file=' 'password-command=' 'old-hmac' 'json' 'q/quiet' 'v/verbose' 'color=' 'utc' 'iso' 'bytes' 'no-pager' 'progress=' 'no-progress' 'log-file=' 'log-format=' 'version' 'h/help'
        case 'find'
            __ticds-model_parse_subcommand -r 2 'all' 'password-file=' 'password-command=' 'old-hmac' 'json' 'q/quiet' 'v/verbose' 'color=' 'utc' 'iso' 'bytes' 'no-pager' 'progress=' 'no-progress' 'log-file=' 'log-format=' 'version' 'h/help'
        case 'diagram'
            __ticds-model_parse_subcommand 1 'format=' 'to=' 'entity=+' 'model-version=' 'password-file=' 'password-command=' 'old-hmac' 'json' 'q/quiet' 'v/verbose' 'color=' 'utc' 'iso' 'bytes' 'no-pager' 'progress=' 'no-progress' 'log-file=' 'log-format=' 'version' 'h/help'
        case 'help'
            __ticds-model_parse_subcommand -r 1 'version'
        end
    end
end

function __ticds-model_tokens
    if test (string split -m 1 -f 1 -- . "$FISH_VERSION") -gt 3
        commandline --tokens-raw $argv
    else
        commandline -o $argv
    end
end

function __ticds-model_parse_subcommand -S -a positional_count
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

function __ticds-model_complete_directories
    set -l token (commandline -t)
    string match -- '*/' $token
    set -l subdirs $token*/
    printf %s\n $subdirs
end

function __ticds-model_custom_completion
    set -x SAP_SHELL fish
    set -x SAP_SHELL_VERSION $FISH_VERSION
    set -l tokens (__ticds-model_tokens -p)
    if test -z "$(__ticds-model_tokens -t)"
        set -l index (count (__ticds-model_tokens -pc))
        set tokens $tokens[..$index] \'\' $tokens[(math $index + 1)..]
    end
    command $tokens[1] $argv $tokens
end

complete -c 'ticds-model' -f
complete -c 'ticds-model' -n '__ticds-model_should_offer_completions_for_flags_or_options "ticds-model" version' -l 'version' -d 'Show the version.'
complete -c 'ticds-model' -n '__ticds-model_should_offer_completions_for_flags_or_options "ticds-model" h help' -s 'h' -l 'help' -d 'Show help information.'
complete -c 'ticds-model' -n '__ticds-model_should_offer_completions_for_positional "ticds-model" -eq 1' -fa 'show' -d 'Shows the entities, properties and version hashes of models.'
complete -c 'ticds-model' -n '__ticds-model_should_offer_completions_for_positional "ticds-model" -eq 1' -fa 'extract' -d 'Writes the model that a store contains as a source of Xcode.'
complete -c 'ticds-model' -n '__ticds-model_should_offer_completions_for_positional "ticds-model" -eq 1' -fa 'decompile' -d 'Writes a compiled model as a source of Xcode.'
complete -c 'ticds-model' -n '__ticds-model_should_offer_completions_for_positional "ticds-model" -eq 1' -fa 'diff' -d 'Shows what changes between two versions of a model, and whether Core Data can migrate it.'
complete -c 'ticds-model' -n '__ticds-model_should_offer_completions_for_positional "ticds-model" -eq 1' -fa 'find' -d 'Looks for the model that a store was saved with.'
complete -c 'ticds-model' -n '__ticds-model_should_offer_completions_for_positional "ticds-model" -eq 1' -fa 'diagram' -d 'Draws the entities and relationships of a model.'
complete -c 'ticds-model' -n '__ticds-model_should_offer_completions_for_positional "ticds-model" -eq 1' -fa 'help' -d 'Show subcommand help information.'
complete -c 'ticds-model' -n '__ticds-model_should_offer_completions_for_positional "ticds-model show" -eq 1' -F
complete -c 'ticds-model' -n '__ticds-model_should_offer_completions_for_flags_or_options "ticds-model show" model-version' -l 'model-version' -d 'The version of the model; by default the current one.' -rfka ''
complete -c 'ticds-model' -n '__ticds-model_should_offer_completions_for_flags_or_options "ticds-model show" password-file' -l 'password-file' -d 'Read the password from a file.' -rF
complete -c 'ticds-model' -n '__ticds-model_should_offer_completions_for_flags_or_options "ticds-model show" password-command' -l 'password-command' -d 'Run a command line with /bin/sh and take the password from its output.' -rfka '(__fish_complete_command)'
complete -c 'ticds-model' -n '__ticds-model_should_offer_completions_for_flags_or_options "ticds-model show" old-hmac' -l 'old-hmac' -d 'Treat the remote as one from the first weeks of 2011, whose HMAC leaves out 16 bytes of each file.'
complete -c 'ticds-model' -n '__ticds-model_should_offer_completions_for_flags_or_options "ticds-model show" json' -l 'json' -d 'Print JSON on standard output (see ticds-json(5)), and errors as JSON on standard error.'
complete -c 'ticds-model' -n '__ticds-model_should_offer_completions_for_flags_or_options "ticds-model show" q quiet' -l 'quiet' -s 'q' -d 'Print no progress, and no messages and warnings if all is well: for cron(8).'
complete -c 'ticds-model' -n '__ticds-model_should_offer_completions_for_flags_or_options "ticds-model show" v verbose' -l 'verbose' -s 'v' -d 'Print each step.'
complete -c 'ticds-model' -n '__ticds-model_should_offer_completions_for_flags_or_options "ticds-model show" color' -l 'color' -d 'When to colour text.' -rfka 'auto always never'
complete -c 'ticds-model' -n '__ticds-model_should_offer_completions_for_flags_or_options "ticds-model show" utc' -l 'utc' -d 'Print times in UTC instead of the local time zone.'
complete -c 'ticds-model' -n '__ticds-model_should_offer_completions_for_flags_or_options "ticds-model show" iso' -l 'iso' -d 'Print times as ISO 8601, without their age.'
complete -c 'ticds-model' -n '__ticds-model_should_offer_completions_for_flags_or_options "ticds-model show" bytes' -l 'bytes' -d 'Print exact sizes in bytes.'
complete -c 'ticds-model' -n '__ticds-model_should_offer_completions_for_flags_or_options "ticds-model show" no-pager' -l 'no-pager' -d 'Print long text directly instead of through $PAGER.'
complete -c 'ticds-model' -n '__ticds-model_should_offer_completions_for_flags_or_options "ticds-model show" progress' -l 'progress' -d 'How progress is shown: a line on a terminal, a line of text every ten seconds, JSON at most once a second, or not at all.' -rfka 'auto plain json none'
complete -c 'ticds-model' -n '__ticds-model_should_offer_completions_for_flags_or_options "ticds-model show" no-progress' -l 'no-progress' -d 'Print no progress, not even on a terminal.'
complete -c 'ticds-model' -n '__ticds-model_should_offer_completions_for_flags_or_options "ticds-model show" log-file' -l 'log-file' -d 'Append a record of actions, warnings and errors to a file.' -rF
complete -c 'ticds-model' -n '__ticds-model_should_offer_completions_for_flags_or_options "ticds-model show" log-format' -l 'log-format' -d 'The format of the lines in the log file.' -rfka 'text json'
complete -c 'ticds-model' -n '__ticds-model_should_offer_completions_for_flags_or_options "ticds-model show" version' -l 'version' -d 'Show the version.'
complete -c 'ticds-model' -n '__ticds-model_should_offer_completions_for_flags_or_options "ticds-model show" h help' -s 'h' -l 'help' -d 'Show help information.'
complete -c 'ticds-model' -n '__ticds-model_should_offer_completions_for_positional "ticds-model extract" -eq 1' -F
complete -c 'ticds-model' -n '__ticds-model_should_offer_completions_for_flags_or_options "ticds-model extract" to' -l 'to' -d 'The .xcdatamodel or .xcdatamodeld to write.' -rfa '(__ticds-model_complete_directories)'
complete -c 'ticds-model' -n '__ticds-model_should_offer_completions_for_flags_or_options "ticds-model extract" force' -l 'force' -d 'Replace an existing file or folder of that name.'
complete -c 'ticds-model' -n '__ticds-model_should_offer_completions_for_flags_or_options "ticds-model extract" password-file' -l 'password-file' -d 'Read the password from a file.' -rF
complete -c 'ticds-model' -n '__ticds-model_should_offer_completions_for_flags_or_options "ticds-model extract" password-command' -l 'password-command' -d 'Run a command line with /bin/sh and take the password from its output.' -rfka '(__fish_complete_command)'
complete -c 'ticds-model' -n '__ticds-model_should_offer_completions_for_flags_or_options "ticds-model extract" old-hmac' -l 'old-hmac' -d 'Treat the remote as one from the first weeks of 2011, whose HMAC leaves out 16 bytes of each file.'
complete -c 'ticds-model' -n '__ticds-model_should_offer_completions_for_flags_or_options "ticds-model extract" json' -l 'json' -d 'Print JSON on standard output (see ticds-json(5)), and errors as JSON on standard error.'
complete -c 'ticds-model' -n '__ticds-model_should_offer_completions_for_flags_or_options "ticds-model extract" q quiet' -l 'quiet' -s 'q' -d 'Print no progress, and no messages and warnings if all is well: for cron(8).'
complete -c 'ticds-model' -n '__ticds-model_should_offer_completions_for_flags_or_options "ticds-model extract" v verbose' -l 'verbose' -s 'v' -d 'Print each step.'
complete -c 'ticds-model' -n '__ticds-model_should_offer_completions_for_flags_or_options "ticds-model extract" color' -l 'color' -d 'When to colour text.' -rfka 'auto always never'
complete -c 'ticds-model' -n '__ticds-model_should_offer_completions_for_flags_or_options "ticds-model extract" utc' -l 'utc' -d 'Print times in UTC instead of the local time zone.'
complete -c 'ticds-model' -n '__ticds-model_should_offer_completions_for_flags_or_options "ticds-model extract" iso' -l 'iso' -d 'Print times as ISO 8601, without their age.'
complete -c 'ticds-model' -n '__ticds-model_should_offer_completions_for_flags_or_options "ticds-model extract" bytes' -l 'bytes' -d 'Print exact sizes in bytes.'
complete -c 'ticds-model' -n '__ticds-model_should_offer_completions_for_flags_or_options "ticds-model extract" no-pager' -l 'no-pager' -d 'Print long text directly instead of through $PAGER.'
complete -c 'ticds-model' -n '__ticds-model_should_offer_completions_for_flags_or_options "ticds-model extract" progress' -l 'progress' -d 'How progress is shown: a line on a terminal, a line of text every ten seconds, JSON at most once a second, or not at all.' -rfka 'auto plain json none'
complete -c 'ticds-model' -n '__ticds-model_should_offer_completions_for_flags_or_options "ticds-model extract" no-progress' -l 'no-progress' -d 'Print no progress, not even on a terminal.'
complete -c 'ticds-model' -n '__ticds-model_should_offer_completions_for_flags_or_options "ticds-model extract" log-file' -l 'log-file' -d 'Append a record of actions, warnings and errors to a file.' -rF
complete -c 'ticds-model' -n '__ticds-model_should_offer_completions_for_flags_or_options "ticds-model extract" log-format' -l 'log-format' -d 'The format of the lines in the log file.' -rfka 'text json'
complete -c 'ticds-model' -n '__ticds-model_should_offer_completions_for_flags_or_options "ticds-model extract" version' -l 'version' -d 'Show the version.'
complete -c 'ticds-model' -n '__ticds-model_should_offer_completions_for_flags_or_options "ticds-model extract" h help' -s 'h' -l 'help' -d 'Show help information.'
complete -c 'ticds-model' -n '__ticds-model_should_offer_completions_for_positional "ticds-model decompile" -eq 1' -F
complete -c 'ticds-model' -n '__ticds-model_should_offer_completions_for_flags_or_options "ticds-model decompile" to' -l 'to' -d 'The .xcdatamodel or .xcdatamodeld to write.' -rfa '(__ticds-model_complete_directories)'
complete -c 'ticds-model' -n '__ticds-model_should_offer_completions_for_flags_or_options "ticds-model decompile" force' -l 'force' -d 'Replace an existing file or folder of that name.'
complete -c 'ticds-model' -n '__ticds-model_should_offer_completions_for_flags_or_options "ticds-model decompile" model-version' -l 'model-version' -d 'The version of the model; by default the current one.' -rfka ''
complete -c 'ticds-model' -n '__ticds-model_should_offer_completions_for_flags_or_options "ticds-model decompile" password-file' -l 'password-file' -d 'Read the password from a file.' -rF
complete -c 'ticds-model' -n '__ticds-model_should_offer_completions_for_flags_or_options "ticds-model decompile" password-command' -l 'password-command' -d 'Run a command line with /bin/sh and take the password from its output.' -rfka '(__fish_complete_command)'
complete -c 'ticds-model' -n '__ticds-model_should_offer_completions_for_flags_or_options "ticds-model decompile" old-hmac' -l 'old-hmac' -d 'Treat the remote as one from the first weeks of 2011, whose HMAC leaves out 16 bytes of each file.'
complete -c 'ticds-model' -n '__ticds-model_should_offer_completions_for_flags_or_options "ticds-model decompile" json' -l 'json' -d 'Print JSON on standard output (see ticds-json(5)), and errors as JSON on standard error.'
complete -c 'ticds-model' -n '__ticds-model_should_offer_completions_for_flags_or_options "ticds-model decompile" q quiet' -l 'quiet' -s 'q' -d 'Print no progress, and no messages and warnings if all is well: for cron(8).'
complete -c 'ticds-model' -n '__ticds-model_should_offer_completions_for_flags_or_options "ticds-model decompile" v verbose' -l 'verbose' -s 'v' -d 'Print each step.'
complete -c 'ticds-model' -n '__ticds-model_should_offer_completions_for_flags_or_options "ticds-model decompile" color' -l 'color' -d 'When to colour text.' -rfka 'auto always never'
complete -c 'ticds-model' -n '__ticds-model_should_offer_completions_for_flags_or_options "ticds-model decompile" utc' -l 'utc' -d 'Print times in UTC instead of the local time zone.'
complete -c 'ticds-model' -n '__ticds-model_should_offer_completions_for_flags_or_options "ticds-model decompile" iso' -l 'iso' -d 'Print times as ISO 8601, without their age.'
complete -c 'ticds-model' -n '__ticds-model_should_offer_completions_for_flags_or_options "ticds-model decompile" bytes' -l 'bytes' -d 'Print exact sizes in bytes.'
complete -c 'ticds-model' -n '__ticds-model_should_offer_completions_for_flags_or_options "ticds-model decompile" no-pager' -l 'no-pager' -d 'Print long text directly instead of through $PAGER.'
complete -c 'ticds-model' -n '__ticds-model_should_offer_completions_for_flags_or_options "ticds-model decompile" progress' -l 'progress' -d 'How progress is shown: a line on a terminal, a line of text every ten seconds, JSON at most once a second, or not at all.' -rfka 'auto plain json none'
complete -c 'ticds-model' -n '__ticds-model_should_offer_completions_for_flags_or_options "ticds-model decompile" no-progress' -l 'no-progress' -d 'Print no progress, not even on a terminal.'
complete -c 'ticds-model' -n '__ticds-model_should_offer_completions_for_flags_or_options "ticds-model decompile" log-file' -l 'log-file' -d 'Append a record of actions, warnings and errors to a file.' -rF
complete -c 'ticds-model' -n '__ticds-model_should_offer_completions_for_flags_or_options "ticds-model decompile" log-format' -l 'log-format' -d 'The format of the lines in the log file.' -rfka 'text json'
complete -c 'ticds-model' -n '__ticds-model_should_offer_completions_for_flags_or_options "ticds-model decompile" version' -l 'version' -d 'Show the version.'
complete -c 'ticds-model' -n '__ticds-model_should_offer_completions_for_flags_or_options "ticds-model decompile" h help' -s 'h' -l 'help' -d 'Show help information.'
complete -c 'ticds-model' -n '__ticds-model_should_offer_completions_for_positional "ticds-model diff" -eq 1' -F
complete -c 'ticds-model' -n '__ticds-model_should_offer_completions_for_positional "ticds-model diff" -eq 2' -F
complete -c 'ticds-model' -n '__ticds-model_should_offer_completions_for_flags_or_options "ticds-model diff" password-file' -l 'password-file' -d 'Read the password from a file.' -rF
complete -c 'ticds-model' -n '__ticds-model_should_offer_completions_for_flags_or_options "ticds-model diff" password-command' -l 'password-command' -d 'Run a command line with /bin/sh and take the password from its output.' -rfka '(__fish_complete_command)'
complete -c 'ticds-model' -n '__ticds-model_should_offer_completions_for_flags_or_options "ticds-model diff" old-hmac' -l 'old-hmac' -d 'Treat the remote as one from the first weeks of 2011, whose HMAC leaves out 16 bytes of each file.'
complete -c 'ticds-model' -n '__ticds-model_should_offer_completions_for_flags_or_options "ticds-model diff" json' -l 'json' -d 'Print JSON on standard output (see ticds-json(5)), and errors as JSON on standard error.'
complete -c 'ticds-model' -n '__ticds-model_should_offer_completions_for_flags_or_options "ticds-model diff" q quiet' -l 'quiet' -s 'q' -d 'Print no progress, and no messages and warnings if all is well: for cron(8).'
complete -c 'ticds-model' -n '__ticds-model_should_offer_completions_for_flags_or_options "ticds-model diff" v verbose' -l 'verbose' -s 'v' -d 'Print each step.'
complete -c 'ticds-model' -n '__ticds-model_should_offer_completions_for_flags_or_options "ticds-model diff" color' -l 'color' -d 'When to colour text.' -rfka 'auto always never'
complete -c 'ticds-model' -n '__ticds-model_should_offer_completions_for_flags_or_options "ticds-model diff" utc' -l 'utc' -d 'Print times in UTC instead of the local time zone.'
complete -c 'ticds-model' -n '__ticds-model_should_offer_completions_for_flags_or_options "ticds-model diff" iso' -l 'iso' -d 'Print times as ISO 8601, without their age.'
complete -c 'ticds-model' -n '__ticds-model_should_offer_completions_for_flags_or_options "ticds-model diff" bytes' -l 'bytes' -d 'Print exact sizes in bytes.'
complete -c 'ticds-model' -n '__ticds-model_should_offer_completions_for_flags_or_options "ticds-model diff" no-pager' -l 'no-pager' -d 'Print long text directly instead of through $PAGER.'
complete -c 'ticds-model' -n '__ticds-model_should_offer_completions_for_flags_or_options "ticds-model diff" progress' -l 'progress' -d 'How progress is shown: a line on a terminal, a line of text every ten seconds, JSON at most once a second, or not at all.' -rfka 'auto plain json none'
complete -c 'ticds-model' -n '__ticds-model_should_offer_completions_for_flags_or_options "ticds-model diff" no-progress' -l 'no-progress' -d 'Print no progress, not even on a terminal.'
complete -c 'ticds-model' -n '__ticds-model_should_offer_completions_for_flags_or_options "ticds-model diff" log-file' -l 'log-file' -d 'Append a record of actions, warnings and errors to a file.' -rF
complete -c 'ticds-model' -n '__ticds-model_should_offer_completions_for_flags_or_options "ticds-model diff" log-format' -l 'log-format' -d 'The format of the lines in the log file.' -rfka 'text json'
complete -c 'ticds-model' -n '__ticds-model_should_offer_completions_for_flags_or_options "ticds-model diff" version' -l 'version' -d 'Show the version.'
complete -c 'ticds-model' -n '__ticds-model_should_offer_completions_for_flags_or_options "ticds-model diff" h help' -s 'h' -l 'help' -d 'Show help information.'
complete -c 'ticds-model' -n '__ticds-model_should_offer_completions_for_positional "ticds-model find" -eq 1' -F
complete -c 'ticds-model' -n '__ticds-model_should_offer_completions_for_positional "ticds-model find" -ge 2' -F
complete -c 'ticds-model' -n '__ticds-model_should_offer_completions_for_flags_or_options "ticds-model find" all' -l 'all' -d 'List all models, not only those that fit or the five nearest.'
complete -c 'ticds-model' -n '__ticds-model_should_offer_completions_for_flags_or_options "ticds-model find" password-file' -l 'password-file' -d 'Read the password from a file.' -rF
complete -c 'ticds-model' -n '__ticds-model_should_offer_completions_for_flags_or_options "ticds-model find" password-command' -l 'password-command' -d 'Run a command line with /bin/sh and take the password from its output.' -rfka '(__fish_complete_command)'
complete -c 'ticds-model' -n '__ticds-model_should_offer_completions_for_flags_or_options "ticds-model find" old-hmac' -l 'old-hmac' -d 'Treat the remote as one from the first weeks of 2011, whose HMAC leaves out 16 bytes of each file.'
complete -c 'ticds-model' -n '__ticds-model_should_offer_completions_for_flags_or_options "ticds-model find" json' -l 'json' -d 'Print JSON on standard output (see ticds-json(5)), and errors as JSON on standard error.'
complete -c 'ticds-model' -n '__ticds-model_should_offer_completions_for_flags_or_options "ticds-model find" q quiet' -l 'quiet' -s 'q' -d 'Print no progress, and no messages and warnings if all is well: for cron(8).'
complete -c 'ticds-model' -n '__ticds-model_should_offer_completions_for_flags_or_options "ticds-model find" v verbose' -l 'verbose' -s 'v' -d 'Print each step.'
complete -c 'ticds-model' -n '__ticds-model_should_offer_completions_for_flags_or_options "ticds-model find" color' -l 'color' -d 'When to colour text.' -rfka 'auto always never'
complete -c 'ticds-model' -n '__ticds-model_should_offer_completions_for_flags_or_options "ticds-model find" utc' -l 'utc' -d 'Print times in UTC instead of the local time zone.'
complete -c 'ticds-model' -n '__ticds-model_should_offer_completions_for_flags_or_options "ticds-model find" iso' -l 'iso' -d 'Print times as ISO 8601, without their age.'
complete -c 'ticds-model' -n '__ticds-model_should_offer_completions_for_flags_or_options "ticds-model find" bytes' -l 'bytes' -d 'Print exact sizes in bytes.'
complete -c 'ticds-model' -n '__ticds-model_should_offer_completions_for_flags_or_options "ticds-model find" no-pager' -l 'no-pager' -d 'Print long text directly instead of through $PAGER.'
complete -c 'ticds-model' -n '__ticds-model_should_offer_completions_for_flags_or_options "ticds-model find" progress' -l 'progress' -d 'How progress is shown: a line on a terminal, a line of text every ten seconds, JSON at most once a second, or not at all.' -rfka 'auto plain json none'
complete -c 'ticds-model' -n '__ticds-model_should_offer_completions_for_flags_or_options "ticds-model find" no-progress' -l 'no-progress' -d 'Print no progress, not even on a terminal.'
complete -c 'ticds-model' -n '__ticds-model_should_offer_completions_for_flags_or_options "ticds-model find" log-file' -l 'log-file' -d 'Append a record of actions, warnings and errors to a file.' -rF
complete -c 'ticds-model' -n '__ticds-model_should_offer_completions_for_flags_or_options "ticds-model find" log-format' -l 'log-format' -d 'The format of the lines in the log file.' -rfka 'text json'
complete -c 'ticds-model' -n '__ticds-model_should_offer_completions_for_flags_or_options "ticds-model find" version' -l 'version' -d 'Show the version.'
complete -c 'ticds-model' -n '__ticds-model_should_offer_completions_for_flags_or_options "ticds-model find" h help' -s 'h' -l 'help' -d 'Show help information.'
complete -c 'ticds-model' -n '__ticds-model_should_offer_completions_for_positional "ticds-model diagram" -eq 1' -F
complete -c 'ticds-model' -n '__ticds-model_should_offer_completions_for_flags_or_options "ticds-model diagram" format' -l 'format' -d 'The form of the diagram.' -rfka 'svg dot'
complete -c 'ticds-model' -n '__ticds-model_should_offer_completions_for_flags_or_options "ticds-model diagram" to' -l 'to' -d 'The file to write instead of standard output.' -rfka '(__ticds-model_complete_files .svg .dot .gv)'
complete -c 'ticds-model' -n '__ticds-model_should_offer_completions_for_flags_or_options "ticds-model diagram"' -l 'entity' -d 'Only this entity and those it is related to; may be repeated.' -rfka ''
complete -c 'ticds-model' -n '__ticds-model_should_offer_completions_for_flags_or_options "ticds-model diagram" model-version' -l 'model-version' -d 'The version of the model; by default the current one.' -rfka ''
complete -c 'ticds-model' -n '__ticds-model_should_offer_completions_for_flags_or_options "ticds-model diagram" password-file' -l 'password-file' -d 'Read the password from a file.' -rF
complete -c 'ticds-model' -n '__ticds-model_should_offer_completions_for_flags_or_options "ticds-model diagram" password-command' -l 'password-command' -d 'Run a command line with /bin/sh and take the password from its output.' -rfka '(__fish_complete_command)'
complete -c 'ticds-model' -n '__ticds-model_should_offer_completions_for_flags_or_options "ticds-model diagram" old-hmac' -l 'old-hmac' -d 'Treat the remote as one from the first weeks of 2011, whose HMAC leaves out 16 bytes of each file.'
complete -c 'ticds-model' -n '__ticds-model_should_offer_completions_for_flags_or_options "ticds-model diagram" json' -l 'json' -d 'Print JSON on standard output (see ticds-json(5)), and errors as JSON on standard error.'
complete -c 'ticds-model' -n '__ticds-model_should_offer_completions_for_flags_or_options "ticds-model diagram" q quiet' -l 'quiet' -s 'q' -d 'Print no progress, and no messages and warnings if all is well: for cron(8).'
complete -c 'ticds-model' -n '__ticds-model_should_offer_completions_for_flags_or_options "ticds-model diagram" v verbose' -l 'verbose' -s 'v' -d 'Print each step.'
complete -c 'ticds-model' -n '__ticds-model_should_offer_completions_for_flags_or_options "ticds-model diagram" color' -l 'color' -d 'When to colour text.' -rfka 'auto always never'
complete -c 'ticds-model' -n '__ticds-model_should_offer_completions_for_flags_or_options "ticds-model diagram" utc' -l 'utc' -d 'Print times in UTC instead of the local time zone.'
complete -c 'ticds-model' -n '__ticds-model_should_offer_completions_for_flags_or_options "ticds-model diagram" iso' -l 'iso' -d 'Print times as ISO 8601, without their age.'
complete -c 'ticds-model' -n '__ticds-model_should_offer_completions_for_flags_or_options "ticds-model diagram" bytes' -l 'bytes' -d 'Print exact sizes in bytes.'
complete -c 'ticds-model' -n '__ticds-model_should_offer_completions_for_flags_or_options "ticds-model diagram" no-pager' -l 'no-pager' -d 'Print long text directly instead of through $PAGER.'
complete -c 'ticds-model' -n '__ticds-model_should_offer_completions_for_flags_or_options "ticds-model diagram" progress' -l 'progress' -d 'How progress is shown: a line on a terminal, a line of text every ten seconds, JSON at most once a second, or not at all.' -rfka 'auto plain json none'
complete -c 'ticds-model' -n '__ticds-model_should_offer_completions_for_flags_or_options "ticds-model diagram" no-progress' -l 'no-progress' -d 'Print no progress, not even on a terminal.'
complete -c 'ticds-model' -n '__ticds-model_should_offer_completions_for_flags_or_options "ticds-model diagram" log-file' -l 'log-file' -d 'Append a record of actions, warnings and errors to a file.' -rF
complete -c 'ticds-model' -n '__ticds-model_should_offer_completions_for_flags_or_options "ticds-model diagram" log-format' -l 'log-format' -d 'The format of the lines in the log file.' -rfka 'text json'
complete -c 'ticds-model' -n '__ticds-model_should_offer_completions_for_flags_or_options "ticds-model diagram" version' -l 'version' -d 'Show the version.'
complete -c 'ticds-model' -n '__ticds-model_should_offer_completions_for_flags_or_options "ticds-model diagram" h help' -s 'h' -l 'help' -d 'Show help information.'
complete -c 'ticds-model' -n '__ticds-model_should_offer_completions_for_flags_or_options "ticds-model help" version' -l 'version' -d 'Show the version.'

# The functions that follow take the place of generated ones.

function __ticds-model_tokens
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

function __ticds-model_complete_directories
    __fish_complete_directories (commandline -ct) ''
end

function __ticds-model_complete_files
    set -l endings (string escape --style=regex -- $argv | string join '|')
    complete -C "__fish_command_without_completions "(commandline -ct) | string match -r -- "^.*(?:$endings|/)\$"
end

# Asks the program. It gets the words up to the cursor, and prints lines of value, tab and explanation.
function __ticds-model_custom_completion
    set -x SAP_SHELL fish
    set -x SAP_SHELL_VERSION $FISH_VERSION
    set -l words (__ticds-model_tokens -pc)
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

