function __ticds-changes_should_offer_completions_for_flags_or_options -a expected_commands
    set -l non_repeating_flags_or_options $argv[2..]
    set -l non_repeating_flags_or_options_absent 0
    set -l positional_index 0
    set -l commands
    __ticds-changes_parse_tokens
    test "$commands" = "$expected_commands"; and return $non_repeating_flags_or_options_absent
end

function __ticds-changes_should_offer_completions_for_positional -a expected_commands positional_index_comparison expected_positional_index
    set -l non_repeating_flags_or_options
    set -l non_repeating_flags_or_options_absent 0
    set -l positional_index 0
    set -l commands
    __ticds-changes_parse_tokens
    test "$commands" = "$expected_commands" -a \( "$positional_index" "$positional_index_comparison" "$expected_positional_index" \)
end

function __ticds-changes_parse_tokens -S
    set -l unparsed_tokens (__ticds-changes_tokens -pc)
    switch $unparsed_tokens[1]
    case 'ticds-changes'
        __ticds-changes_parse_subcommand 0 'version' 'h/help'
        switch $unparsed_tokens[1]
        case 'list'
            __ticds-changes_parse_subcommand 1 'document=' 'client=+' 'since=' 'until=' 'sort=' 'limit=' 'password-file=' 'password-command=' 'old-hmac' 'json' 'q/quiet' 'v/verbose' 'color=' 'utc' 'iso' 'bytes' 'no-pager' 'progress=' 'no-progress' 'log-file=' 'log-format=' 'counts' 'version' 'h/help'
        case 'dump'
            __ticds-changes_parse_subcommand -r 1 'timesketch' 'document=' 'client=+' 'entity=' 'object=' 'type=+' 'since=' 'until=' 'password-file=' 'password-command=' 'old-hmac' 'limit=' 'json' 'q/quiet' 'v/verbose' 'color=' 'utc' 'iso' 'bytes' 'no-pager' 'progress=' 'no-progress' 'log-file=' 'log-format=' 'version' 'h/help'
        case 'log'
            __ticds-changes_parse_subcommand -r 1 'document=' 'since=' 'until=' 'limit=' 'password-file=' 'password-command=' 'old-hmac' 'json' 'q/quiet' 'v/verbose' 'color=' 'utc' 'iso' 'bytes' 'no-pager' 'progress=' 'no-progress' 'log-file=' 'log-format=' 'version' 'h/help'
        case 'search'
            __ticds-changes_parse_subcommand -r 1 'document=' 'client=+' 'entity=' 'object=' 'type=+' 'since=' 'until=' 'password-file=' 'password-command=' 'old-hmac' 'limit=' 'json' 'q/quiet' 'v/verbose' 'color=' 'utc' 'iso' 'bytes' 'no-pager' 'progress=' 'no-progress' 'log-file=' 'log-format=' 'case-sensitive' 'version' 'h/help'
        case 'stats'
            __ticds-changes_parse_subcommand -r 1 'document=' 'client=+' 'entity=' 'object=' 'type=+' 'since=' 'until=' 'password-file=' 'password-command=' 'old-hmac' 'json' 'q/quiet' 'v/verbose' 'color=' 'utc' 'iso' 'bytes' 'no-pager' 'progress=' 'no-progress' 'log-file=' 'log-format=' 'largest=' 'version' 'h/help'
        case 'diff'
            __ticds-changes_parse_subcommand 2 'remote=' 'document=' 'password-file=' 'password-command=' 'old-hmac' 'json' 'q/quiet' 'v/verbose' 'color=' 'utc' 'iso' 'bytes' 'no-pager' 'progress=' 'no-progress' 'log-file=' 'log-format=' 'version' 'h/help'
        case 'recover'
            __ticds-changes_parse_subcommand 1 'to=' 'password-file=' 'password-command=' 'old-hmac' 'json' 'q/quiet' 'v/verbose' 'color=' 'utc' 'iso' 'bytes' 'no-pager' 'progress=' 'no-progress' 'log-file=' 'log-format=' 'version' 'h/help'
        case 'help'
            __ticds-changes_parse_subcommand -r 1 'version'
        end
    end
end

function __ticds-changes_tokens
    if test (string split -m 1 -f 1 -- . "$FISH_VERSION") -gt 3
        commandline --tokens-raw $argv
    else
        commandline -o $argv
    end
end

function __ticds-changes_parse_subcommand -S -a positional_count
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

function __ticds-changes_complete_directories
    set -l token (commandline -t)
    string match -- '*/' $token
    set -l subdirs $token*/
    printf %s\n $subdirs
end

function __ticds-changes_custom_completion
    set -x SAP_SHELL fish
    set -x SAP_SHELL_VERSION $FISH_VERSION
    set -l tokens (__ticds-changes_tokens -p)
    if test -z "$(__ticds-changes_tokens -t)"
        set -l index (count (__ticds-changes_tokens -pc))
        set tokens $tokens[..$index] \'\' $tokens[(math $index + 1)..]
    end
    command $tokens[1] $argv $tokens
end

complete -c 'ticds-changes' -f
complete -c 'ticds-changes' -n '__ticds-changes_should_offer_completions_for_flags_or_options "ticds-changes" version' -l 'version' -d 'Show the version.'
complete -c 'ticds-changes' -n '__ticds-changes_should_offer_completions_for_flags_or_options "ticds-changes" h help' -s 'h' -l 'help' -d 'Show help information.'
complete -c 'ticds-changes' -n '__ticds-changes_should_offer_completions_for_positional "ticds-changes" -eq 1' -fa 'list' -d 'Lists the change sets of a remote in order of application.'
complete -c 'ticds-changes' -n '__ticds-changes_should_offer_completions_for_positional "ticds-changes" -eq 1' -fa 'dump' -d 'Prints every change, of files or of a remote, in order of application.'
complete -c 'ticds-changes' -n '__ticds-changes_should_offer_completions_for_positional "ticds-changes" -eq 1' -fa 'log' -d 'Follows one object through all change sets, with authors.'
complete -c 'ticds-changes' -n '__ticds-changes_should_offer_completions_for_positional "ticds-changes" -eq 1' -fa 'search' -d 'Finds text in the values of changes.'
complete -c 'ticds-changes' -n '__ticds-changes_should_offer_completions_for_positional "ticds-changes" -eq 1' -fa 'stats' -d 'Counts changes by entity, type, client and day, and names the largest values.'
complete -c 'ticds-changes' -n '__ticds-changes_should_offer_completions_for_positional "ticds-changes" -eq 1' -fa 'diff' -d 'Compares the results of two change sets, or of the sets of two clients.'
complete -c 'ticds-changes' -n '__ticds-changes_should_offer_completions_for_positional "ticds-changes" -eq 1' -fa 'recover' -d 'Prints what is left of a truncated or damaged change set.'
complete -c 'ticds-changes' -n '__ticds-changes_should_offer_completions_for_positional "ticds-changes" -eq 1' -fa 'help' -d 'Show subcommand help information.'
complete -c 'ticds-changes' -n '__ticds-changes_should_offer_completions_for_positional "ticds-changes list" -eq 1' -fka '(__ticds-changes_custom_completion ---completion list -- positional@0 (count (__ticds-changes_tokens -pc)) (__ticds-changes_tokens -tC))'
complete -c 'ticds-changes' -n '__ticds-changes_should_offer_completions_for_flags_or_options "ticds-changes list" document' -l 'document' -d 'The document: its identifier or description, or a unique part of them.' -rfka '(__ticds-changes_custom_completion ---completion list -- --document (count (__ticds-changes_tokens -pc)) (__ticds-changes_tokens -tC))'
complete -c 'ticds-changes' -n '__ticds-changes_should_offer_completions_for_flags_or_options "ticds-changes list"' -l 'client' -d 'A client: its identifier or description, or a unique part of them. May be given several times.' -rfka '(__ticds-changes_custom_completion ---completion list -- --client (count (__ticds-changes_tokens -pc)) (__ticds-changes_tokens -tC))'
complete -c 'ticds-changes' -n '__ticds-changes_should_offer_completions_for_flags_or_options "ticds-changes list" since' -l 'since' -d 'Show only entries from this time or later.' -rfka ''
complete -c 'ticds-changes' -n '__ticds-changes_should_offer_completions_for_flags_or_options "ticds-changes list" until' -l 'until' -d 'Show only entries from before this time.' -rfka ''
complete -c 'ticds-changes' -n '__ticds-changes_should_offer_completions_for_flags_or_options "ticds-changes list" sort' -l 'sort' -d 'Sort by size, the largest first, or by modification time, the latest first.' -rfka 'size modified'
complete -c 'ticds-changes' -n '__ticds-changes_should_offer_completions_for_flags_or_options "ticds-changes list" limit' -l 'limit' -d 'Show at most this many entries, the first ones.' -rfka ''
complete -c 'ticds-changes' -n '__ticds-changes_should_offer_completions_for_flags_or_options "ticds-changes list" password-file' -l 'password-file' -d 'Read the password from a file.' -rF
complete -c 'ticds-changes' -n '__ticds-changes_should_offer_completions_for_flags_or_options "ticds-changes list" password-command' -l 'password-command' -d 'Run a command line with /bin/sh and take the password from its output.' -rfka '(__fish_complete_command)'
complete -c 'ticds-changes' -n '__ticds-changes_should_offer_completions_for_flags_or_options "ticds-changes list" old-hmac' -l 'old-hmac' -d 'Treat the remote as one from the first weeks of 2011, whose HMAC leaves out 16 bytes of each file.'
complete -c 'ticds-changes' -n '__ticds-changes_should_offer_completions_for_flags_or_options "ticds-changes list" json' -l 'json' -d 'Print JSON on standard output (see ticds-json(5)), and errors as JSON on standard error.'
complete -c 'ticds-changes' -n '__ticds-changes_should_offer_completions_for_flags_or_options "ticds-changes list" q quiet' -l 'quiet' -s 'q' -d 'Print no progress, and no messages and warnings if all is well: for cron(8).'
complete -c 'ticds-changes' -n '__ticds-changes_should_offer_completions_for_flags_or_options "ticds-changes list" v verbose' -l 'verbose' -s 'v' -d 'Print each step.'
complete -c 'ticds-changes' -n '__ticds-changes_should_offer_completions_for_flags_or_options "ticds-changes list" color' -l 'color' -d 'When to colour text.' -rfka 'auto always never'
complete -c 'ticds-changes' -n '__ticds-changes_should_offer_completions_for_flags_or_options "ticds-changes list" utc' -l 'utc' -d 'Print times in UTC instead of the local time zone.'
complete -c 'ticds-changes' -n '__ticds-changes_should_offer_completions_for_flags_or_options "ticds-changes list" iso' -l 'iso' -d 'Print times as ISO 8601, without their age.'
complete -c 'ticds-changes' -n '__ticds-changes_should_offer_completions_for_flags_or_options "ticds-changes list" bytes' -l 'bytes' -d 'Print exact sizes in bytes.'
complete -c 'ticds-changes' -n '__ticds-changes_should_offer_completions_for_flags_or_options "ticds-changes list" no-pager' -l 'no-pager' -d 'Print long text directly instead of through $PAGER.'
complete -c 'ticds-changes' -n '__ticds-changes_should_offer_completions_for_flags_or_options "ticds-changes list" progress' -l 'progress' -d 'How progress is shown: a line on a terminal, a line of text every ten seconds, JSON at most once a second, or not at all.' -rfka 'auto plain json none'
complete -c 'ticds-changes' -n '__ticds-changes_should_offer_completions_for_flags_or_options "ticds-changes list" no-progress' -l 'no-progress' -d 'Print no progress, not even on a terminal.'
complete -c 'ticds-changes' -n '__ticds-changes_should_offer_completions_for_flags_or_options "ticds-changes list" log-file' -l 'log-file' -d 'Append a record of actions, warnings and errors to a file.' -rF
complete -c 'ticds-changes' -n '__ticds-changes_should_offer_completions_for_flags_or_options "ticds-changes list" log-format' -l 'log-format' -d 'The format of the lines in the log file.' -rfka 'text json'
complete -c 'ticds-changes' -n '__ticds-changes_should_offer_completions_for_flags_or_options "ticds-changes list" counts' -l 'counts' -d 'Open each set and count its changes.'
complete -c 'ticds-changes' -n '__ticds-changes_should_offer_completions_for_flags_or_options "ticds-changes list" version' -l 'version' -d 'Show the version.'
complete -c 'ticds-changes' -n '__ticds-changes_should_offer_completions_for_flags_or_options "ticds-changes list" h help' -s 'h' -l 'help' -d 'Show help information.'
complete -c 'ticds-changes' -n '__ticds-changes_should_offer_completions_for_positional "ticds-changes dump" -ge 1' -F
complete -c 'ticds-changes' -n '__ticds-changes_should_offer_completions_for_flags_or_options "ticds-changes dump" timesketch' -l 'timesketch' -d 'Print each change as a line of JSON that Timesketch imports, schema "ticds.event/1"; --json is then about errors.'
complete -c 'ticds-changes' -n '__ticds-changes_should_offer_completions_for_flags_or_options "ticds-changes dump" document' -l 'document' -d 'The document: its identifier or description, or a unique part of them.' -rfka '(__ticds-changes_custom_completion ---completion dump -- --document (count (__ticds-changes_tokens -pc)) (__ticds-changes_tokens -tC))'
complete -c 'ticds-changes' -n '__ticds-changes_should_offer_completions_for_flags_or_options "ticds-changes dump"' -l 'client' -d 'A client: its identifier or description, or a unique part of them. May be given several times.' -rfka '(__ticds-changes_custom_completion ---completion dump -- --client (count (__ticds-changes_tokens -pc)) (__ticds-changes_tokens -tC))'
complete -c 'ticds-changes' -n '__ticds-changes_should_offer_completions_for_flags_or_options "ticds-changes dump" entity' -l 'entity' -d 'Only changes of objects of this entity.' -rfka ''
complete -c 'ticds-changes' -n '__ticds-changes_should_offer_completions_for_flags_or_options "ticds-changes dump" object' -l 'object' -d 'Only changes of the object with this sync ID, and changes that relate to it.' -rfka ''
complete -c 'ticds-changes' -n '__ticds-changes_should_offer_completions_for_flags_or_options "ticds-changes dump"' -l 'type' -d 'Only changes of this type, as text shows it (insert, set, relate, add, remove, delete) or as JSON does (attribute, toOne, addToMany, removeFromMany, unknown). May be given several times.' -rfka 'insert attribute toOne addToMany removeFromMany delete unknown'
complete -c 'ticds-changes' -n '__ticds-changes_should_offer_completions_for_flags_or_options "ticds-changes dump" since' -l 'since' -d 'Only changes made at this time or later, by their author\'s clock.' -rfka ''
complete -c 'ticds-changes' -n '__ticds-changes_should_offer_completions_for_flags_or_options "ticds-changes dump" until' -l 'until' -d 'Only changes made before this time, by their author\'s clock.' -rfka ''
complete -c 'ticds-changes' -n '__ticds-changes_should_offer_completions_for_flags_or_options "ticds-changes dump" password-file' -l 'password-file' -d 'Read the password from a file.' -rF
complete -c 'ticds-changes' -n '__ticds-changes_should_offer_completions_for_flags_or_options "ticds-changes dump" password-command' -l 'password-command' -d 'Run a command line with /bin/sh and take the password from its output.' -rfka '(__fish_complete_command)'
complete -c 'ticds-changes' -n '__ticds-changes_should_offer_completions_for_flags_or_options "ticds-changes dump" old-hmac' -l 'old-hmac' -d 'Treat the remote as one from the first weeks of 2011, whose HMAC leaves out 16 bytes of each file.'
complete -c 'ticds-changes' -n '__ticds-changes_should_offer_completions_for_flags_or_options "ticds-changes dump" limit' -l 'limit' -d 'Show at most this many entries, the first ones.' -rfka ''
complete -c 'ticds-changes' -n '__ticds-changes_should_offer_completions_for_flags_or_options "ticds-changes dump" json' -l 'json' -d 'Print JSON on standard output (see ticds-json(5)), and errors as JSON on standard error.'
complete -c 'ticds-changes' -n '__ticds-changes_should_offer_completions_for_flags_or_options "ticds-changes dump" q quiet' -l 'quiet' -s 'q' -d 'Print no progress, and no messages and warnings if all is well: for cron(8).'
complete -c 'ticds-changes' -n '__ticds-changes_should_offer_completions_for_flags_or_options "ticds-changes dump" v verbose' -l 'verbose' -s 'v' -d 'Print each step.'
complete -c 'ticds-changes' -n '__ticds-changes_should_offer_completions_for_flags_or_options "ticds-changes dump" color' -l 'color' -d 'When to colour text.' -rfka 'auto always never'
complete -c 'ticds-changes' -n '__ticds-changes_should_offer_completions_for_flags_or_options "ticds-changes dump" utc' -l 'utc' -d 'Print times in UTC instead of the local time zone.'
complete -c 'ticds-changes' -n '__ticds-changes_should_offer_completions_for_flags_or_options "ticds-changes dump" iso' -l 'iso' -d 'Print times as ISO 8601, without their age.'
complete -c 'ticds-changes' -n '__ticds-changes_should_offer_completions_for_flags_or_options "ticds-changes dump" bytes' -l 'bytes' -d 'Print exact sizes in bytes.'
complete -c 'ticds-changes' -n '__ticds-changes_should_offer_completions_for_flags_or_options "ticds-changes dump" no-pager' -l 'no-pager' -d 'Print long text directly instead of through $PAGER.'
complete -c 'ticds-changes' -n '__ticds-changes_should_offer_completions_for_flags_or_options "ticds-changes dump" progress' -l 'progress' -d 'How progress is shown: a line on a terminal, a line of text every ten seconds, JSON at most once a second, or not at all.' -rfka 'auto plain json none'
complete -c 'ticds-changes' -n '__ticds-changes_should_offer_completions_for_flags_or_options "ticds-changes dump" no-progress' -l 'no-progress' -d 'Print no progress, not even on a terminal.'
complete -c 'ticds-changes' -n '__ticds-changes_should_offer_completions_for_flags_or_options "ticds-changes dump" log-file' -l 'log-file' -d 'Append a record of actions, warnings and errors to a file.' -rF
complete -c 'ticds-changes' -n '__ticds-changes_should_offer_completions_for_flags_or_options "ticds-changes dump" log-format' -l 'log-format' -d 'The format of the lines in the log file.' -rfka 'text json'
complete -c 'ticds-changes' -n '__ticds-changes_should_offer_completions_for_flags_or_options "ticds-changes dump" version' -l 'version' -d 'Show the version.'
complete -c 'ticds-changes' -n '__ticds-changes_should_offer_completions_for_flags_or_options "ticds-changes dump" h help' -s 'h' -l 'help' -d 'Show help information.'
complete -c 'ticds-changes' -n '__ticds-changes_should_offer_completions_for_positional "ticds-changes log" -ge 1' -fka '(__ticds-changes_custom_completion ---completion log -- positional@0 (count (__ticds-changes_tokens -pc)) (__ticds-changes_tokens -tC))'
complete -c 'ticds-changes' -n '__ticds-changes_should_offer_completions_for_flags_or_options "ticds-changes log" document' -l 'document' -d 'The document: its identifier or description, or a unique part of them.' -rfka '(__ticds-changes_custom_completion ---completion log -- --document (count (__ticds-changes_tokens -pc)) (__ticds-changes_tokens -tC))'
complete -c 'ticds-changes' -n '__ticds-changes_should_offer_completions_for_flags_or_options "ticds-changes log" since' -l 'since' -d 'Show only entries from this time or later.' -rfka ''
complete -c 'ticds-changes' -n '__ticds-changes_should_offer_completions_for_flags_or_options "ticds-changes log" until' -l 'until' -d 'Show only entries from before this time.' -rfka ''
complete -c 'ticds-changes' -n '__ticds-changes_should_offer_completions_for_flags_or_options "ticds-changes log" limit' -l 'limit' -d 'Show at most this many entries, the first ones.' -rfka ''
complete -c 'ticds-changes' -n '__ticds-changes_should_offer_completions_for_flags_or_options "ticds-changes log" password-file' -l 'password-file' -d 'Read the password from a file.' -rF
complete -c 'ticds-changes' -n '__ticds-changes_should_offer_completions_for_flags_or_options "ticds-changes log" password-command' -l 'password-command' -d 'Run a command line with /bin/sh and take the password from its output.' -rfka '(__fish_complete_command)'
complete -c 'ticds-changes' -n '__ticds-changes_should_offer_completions_for_flags_or_options "ticds-changes log" old-hmac' -l 'old-hmac' -d 'Treat the remote as one from the first weeks of 2011, whose HMAC leaves out 16 bytes of each file.'
complete -c 'ticds-changes' -n '__ticds-changes_should_offer_completions_for_flags_or_options "ticds-changes log" json' -l 'json' -d 'Print JSON on standard output (see ticds-json(5)), and errors as JSON on standard error.'
complete -c 'ticds-changes' -n '__ticds-changes_should_offer_completions_for_flags_or_options "ticds-changes log" q quiet' -l 'quiet' -s 'q' -d 'Print no progress, and no messages and warnings if all is well: for cron(8).'
complete -c 'ticds-changes' -n '__ticds-changes_should_offer_completions_for_flags_or_options "ticds-changes log" v verbose' -l 'verbose' -s 'v' -d 'Print each step.'
complete -c 'ticds-changes' -n '__ticds-changes_should_offer_completions_for_flags_or_options "ticds-changes log" color' -l 'color' -d 'When to colour text.' -rfka 'auto always never'
complete -c 'ticds-changes' -n '__ticds-changes_should_offer_completions_for_flags_or_options "ticds-changes log" utc' -l 'utc' -d 'Print times in UTC instead of the local time zone.'
complete -c 'ticds-changes' -n '__ticds-changes_should_offer_completions_for_flags_or_options "ticds-changes log" iso' -l 'iso' -d 'Print times as ISO 8601, without their age.'
complete -c 'ticds-changes' -n '__ticds-changes_should_offer_completions_for_flags_or_options "ticds-changes log" bytes' -l 'bytes' -d 'Print exact sizes in bytes.'
complete -c 'ticds-changes' -n '__ticds-changes_should_offer_completions_for_flags_or_options "ticds-changes log" no-pager' -l 'no-pager' -d 'Print long text directly instead of through $PAGER.'
complete -c 'ticds-changes' -n '__ticds-changes_should_offer_completions_for_flags_or_options "ticds-changes log" progress' -l 'progress' -d 'How progress is shown: a line on a terminal, a line of text every ten seconds, JSON at most once a second, or not at all.' -rfka 'auto plain json none'
complete -c 'ticds-changes' -n '__ticds-changes_should_offer_completions_for_flags_or_options "ticds-changes log" no-progress' -l 'no-progress' -d 'Print no progress, not even on a terminal.'
complete -c 'ticds-changes' -n '__ticds-changes_should_offer_completions_for_flags_or_options "ticds-changes log" log-file' -l 'log-file' -d 'Append a record of actions, warnings and errors to a file.' -rF
complete -c 'ticds-changes' -n '__ticds-changes_should_offer_completions_for_flags_or_options "ticds-changes log" log-format' -l 'log-format' -d 'The format of the lines in the log file.' -rfka 'text json'
complete -c 'ticds-changes' -n '__ticds-changes_should_offer_completions_for_flags_or_options "ticds-changes log" version' -l 'version' -d 'Show the version.'
complete -c 'ticds-changes' -n '__ticds-changes_should_offer_completions_for_flags_or_options "ticds-changes log" h help' -s 'h' -l 'help' -d 'Show help information.'
complete -c 'ticds-changes' -n '__ticds-changes_should_offer_completions_for_positional "ticds-changes search" -ge 1' -fka '(__ticds-changes_custom_completion ---completion search -- positional@0 (count (__ticds-changes_tokens -pc)) (__ticds-changes_tokens -tC))'
complete -c 'ticds-changes' -n '__ticds-changes_should_offer_completions_for_flags_or_options "ticds-changes search" document' -l 'document' -d 'The document: its identifier or description, or a unique part of them.' -rfka '(__ticds-changes_custom_completion ---completion search -- --document (count (__ticds-changes_tokens -pc)) (__ticds-changes_tokens -tC))'
complete -c 'ticds-changes' -n '__ticds-changes_should_offer_completions_for_flags_or_options "ticds-changes search"' -l 'client' -d 'A client: its identifier or description, or a unique part of them. May be given several times.' -rfka '(__ticds-changes_custom_completion ---completion search -- --client (count (__ticds-changes_tokens -pc)) (__ticds-changes_tokens -tC))'
complete -c 'ticds-changes' -n '__ticds-changes_should_offer_completions_for_flags_or_options "ticds-changes search" entity' -l 'entity' -d 'Only changes of objects of this entity.' -rfka ''
complete -c 'ticds-changes' -n '__ticds-changes_should_offer_completions_for_flags_or_options "ticds-changes search" object' -l 'object' -d 'Only changes of the object with this sync ID, and changes that relate to it.' -rfka ''
complete -c 'ticds-changes' -n '__ticds-changes_should_offer_completions_for_flags_or_options "ticds-changes search"' -l 'type' -d 'Only changes of this type, as text shows it (insert, set, relate, add, remove, delete) or as JSON does (attribute, toOne, addToMany, removeFromMany, unknown). May be given several times.' -rfka 'insert attribute toOne addToMany removeFromMany delete unknown'
complete -c 'ticds-changes' -n '__ticds-changes_should_offer_completions_for_flags_or_options "ticds-changes search" since' -l 'since' -d 'Only changes made at this time or later, by their author\'s clock.' -rfka ''
complete -c 'ticds-changes' -n '__ticds-changes_should_offer_completions_for_flags_or_options "ticds-changes search" until' -l 'until' -d 'Only changes made before this time, by their author\'s clock.' -rfka ''
complete -c 'ticds-changes' -n '__ticds-changes_should_offer_completions_for_flags_or_options "ticds-changes search" password-file' -l 'password-file' -d 'Read the password from a file.' -rF
complete -c 'ticds-changes' -n '__ticds-changes_should_offer_completions_for_flags_or_options "ticds-changes search" password-command' -l 'password-command' -d 'Run a command line with /bin/sh and take the password from its output.' -rfka '(__fish_complete_command)'
complete -c 'ticds-changes' -n '__ticds-changes_should_offer_completions_for_flags_or_options "ticds-changes search" old-hmac' -l 'old-hmac' -d 'Treat the remote as one from the first weeks of 2011, whose HMAC leaves out 16 bytes of each file.'
complete -c 'ticds-changes' -n '__ticds-changes_should_offer_completions_for_flags_or_options "ticds-changes search" limit' -l 'limit' -d 'Show at most this many entries, the first ones.' -rfka ''
complete -c 'ticds-changes' -n '__ticds-changes_should_offer_completions_for_flags_or_options "ticds-changes search" json' -l 'json' -d 'Print JSON on standard output (see ticds-json(5)), and errors as JSON on standard error.'
complete -c 'ticds-changes' -n '__ticds-changes_should_offer_completions_for_flags_or_options "ticds-changes search" q quiet' -l 'quiet' -s 'q' -d 'Print no progress, and no messages and warnings if all is well: for cron(8).'
complete -c 'ticds-changes' -n '__ticds-changes_should_offer_completions_for_flags_or_options "ticds-changes search" v verbose' -l 'verbose' -s 'v' -d 'Print each step.'
complete -c 'ticds-changes' -n '__ticds-changes_should_offer_completions_for_flags_or_options "ticds-changes search" color' -l 'color' -d 'When to colour text.' -rfka 'auto always never'
complete -c 'ticds-changes' -n '__ticds-changes_should_offer_completions_for_flags_or_options "ticds-changes search" utc' -l 'utc' -d 'Print times in UTC instead of the local time zone.'
complete -c 'ticds-changes' -n '__ticds-changes_should_offer_completions_for_flags_or_options "ticds-changes search" iso' -l 'iso' -d 'Print times as ISO 8601, without their age.'
complete -c 'ticds-changes' -n '__ticds-changes_should_offer_completions_for_flags_or_options "ticds-changes search" bytes' -l 'bytes' -d 'Print exact sizes in bytes.'
complete -c 'ticds-changes' -n '__ticds-changes_should_offer_completions_for_flags_or_options "ticds-changes search" no-pager' -l 'no-pager' -d 'Print long text directly instead of through $PAGER.'
complete -c 'ticds-changes' -n '__ticds-changes_should_offer_completions_for_flags_or_options "ticds-changes search" progress' -l 'progress' -d 'How progress is shown: a line on a terminal, a line of text every ten seconds, JSON at most once a second, or not at all.' -rfka 'auto plain json none'
complete -c 'ticds-changes' -n '__ticds-changes_should_offer_completions_for_flags_or_options "ticds-changes search" no-progress' -l 'no-progress' -d 'Print no progress, not even on a terminal.'
complete -c 'ticds-changes' -n '__ticds-changes_should_offer_completions_for_flags_or_options "ticds-changes search" log-file' -l 'log-file' -d 'Append a record of actions, warnings and errors to a file.' -rF
complete -c 'ticds-changes' -n '__ticds-changes_should_offer_completions_for_flags_or_options "ticds-changes search" log-format' -l 'log-format' -d 'The format of the lines in the log file.' -rfka 'text json'
complete -c 'ticds-changes' -n '__ticds-changes_should_offer_completions_for_flags_or_options "ticds-changes search" case-sensitive' -l 'case-sensitive' -d 'Distinguish upper and lower case, and letters with and without accents.'
complete -c 'ticds-changes' -n '__ticds-changes_should_offer_completions_for_flags_or_options "ticds-changes search" version' -l 'version' -d 'Show the version.'
complete -c 'ticds-changes' -n '__ticds-changes_should_offer_completions_for_flags_or_options "ticds-changes search" h help' -s 'h' -l 'help' -d 'Show help information.'
complete -c 'ticds-changes' -n '__ticds-changes_should_offer_completions_for_positional "ticds-changes stats" -ge 1' -F
complete -c 'ticds-changes' -n '__ticds-changes_should_offer_completions_for_flags_or_options "ticds-changes stats" document' -l 'document' -d 'The document: its identifier or description, or a unique part of them.' -rfka '(__ticds-changes_custom_completion ---completion stats -- --document (count (__ticds-changes_tokens -pc)) (__ticds-changes_tokens -tC))'
complete -c 'ticds-changes' -n '__ticds-changes_should_offer_completions_for_flags_or_options "ticds-changes stats"' -l 'client' -d 'A client: its identifier or description, or a unique part of them. May be given several times.' -rfka '(__ticds-changes_custom_completion ---completion stats -- --client (count (__ticds-changes_tokens -pc)) (__ticds-changes_tokens -tC))'
complete -c 'ticds-changes' -n '__ticds-changes_should_offer_completions_for_flags_or_options "ticds-changes stats" entity' -l 'entity' -d 'Only changes of objects of this entity.' -rfka ''
complete -c 'ticds-changes' -n '__ticds-changes_should_offer_completions_for_flags_or_options "ticds-changes stats" object' -l 'object' -d 'Only changes of the object with this sync ID, and changes that relate to it.' -rfka ''
complete -c 'ticds-changes' -n '__ticds-changes_should_offer_completions_for_flags_or_options "ticds-changes stats"' -l 'type' -d 'Only changes of this type, as text shows it (insert, set, relate, add, remove, delete) or as JSON does (attribute, toOne, addToMany, removeFromMany, unknown). May be given several times.' -rfka 'insert attribute toOne addToMany removeFromMany delete unknown'
complete -c 'ticds-changes' -n '__ticds-changes_should_offer_completions_for_flags_or_options "ticds-changes stats" since' -l 'since' -d 'Only changes made at this time or later, by their author\'s clock.' -rfka ''
complete -c 'ticds-changes' -n '__ticds-changes_should_offer_completions_for_flags_or_options "ticds-changes stats" until' -l 'until' -d 'Only changes made before this time, by their author\'s clock.' -rfka ''
complete -c 'ticds-changes' -n '__ticds-changes_should_offer_completions_for_flags_or_options "ticds-changes stats" password-file' -l 'password-file' -d 'Read the password from a file.' -rF
complete -c 'ticds-changes' -n '__ticds-changes_should_offer_completions_for_flags_or_options "ticds-changes stats" password-command' -l 'password-command' -d 'Run a command line with /bin/sh and take the password from its output.' -rfka '(__fish_complete_command)'
complete -c 'ticds-changes' -n '__ticds-changes_should_offer_completions_for_flags_or_options "ticds-changes stats" old-hmac' -l 'old-hmac' -d 'Treat the remote as one from the first weeks of 2011, whose HMAC leaves out 16 bytes of each file.'
complete -c 'ticds-changes' -n '__ticds-changes_should_offer_completions_for_flags_or_options "ticds-changes stats" json' -l 'json' -d 'Print JSON on standard output (see ticds-json(5)), and errors as JSON on standard error.'
complete -c 'ticds-changes' -n '__ticds-changes_should_offer_completions_for_flags_or_options "ticds-changes stats" q quiet' -l 'quiet' -s 'q' -d 'Print no progress, and no messages and warnings if all is well: for cron(8).'
complete -c 'ticds-changes' -n '__ticds-changes_should_offer_completions_for_flags_or_options "ticds-changes stats" v verbose' -l 'verbose' -s 'v' -d 'Print each step.'
complete -c 'ticds-changes' -n '__ticds-changes_should_offer_completions_for_flags_or_options "ticds-changes stats" color' -l 'color' -d 'When to colour text.' -rfka 'auto always never'
complete -c 'ticds-changes' -n '__ticds-changes_should_offer_completions_for_flags_or_options "ticds-changes stats" utc' -l 'utc' -d 'Print times in UTC instead of the local time zone.'
complete -c 'ticds-changes' -n '__ticds-changes_should_offer_completions_for_flags_or_options "ticds-changes stats" iso' -l 'iso' -d 'Print times as ISO 8601, without their age.'
complete -c 'ticds-changes' -n '__ticds-changes_should_offer_completions_for_flags_or_options "ticds-changes stats" bytes' -l 'bytes' -d 'Print exact sizes in bytes.'
complete -c 'ticds-changes' -n '__ticds-changes_should_offer_completions_for_flags_or_options "ticds-changes stats" no-pager' -l 'no-pager' -d 'Print long text directly instead of through $PAGER.'
complete -c 'ticds-changes' -n '__ticds-changes_should_offer_completions_for_flags_or_options "ticds-changes stats" progress' -l 'progress' -d 'How progress is shown: a line on a terminal, a line of text every ten seconds, JSON at most once a second, or not at all.' -rfka 'auto plain json none'
complete -c 'ticds-changes' -n '__ticds-changes_should_offer_completions_for_flags_or_options "ticds-changes stats" no-progress' -l 'no-progress' -d 'Print no progress, not even on a terminal.'
complete -c 'ticds-changes' -n '__ticds-changes_should_offer_completions_for_flags_or_options "ticds-changes stats" log-file' -l 'log-file' -d 'Append a record of actions, warnings and errors to a file.' -rF
complete -c 'ticds-changes' -n '__ticds-changes_should_offer_completions_for_flags_or_options "ticds-changes stats" log-format' -l 'log-format' -d 'The format of the lines in the log file.' -rfka 'text json'
complete -c 'ticds-changes' -n '__ticds-changes_should_offer_completions_for_flags_or_options "ticds-changes stats" largest' -l 'largest' -d 'The number of largest values to print.' -rfka ''
complete -c 'ticds-changes' -n '__ticds-changes_should_offer_completions_for_flags_or_options "ticds-changes stats" version' -l 'version' -d 'Show the version.'
complete -c 'ticds-changes' -n '__ticds-changes_should_offer_completions_for_flags_or_options "ticds-changes stats" h help' -s 'h' -l 'help' -d 'Show help information.'
complete -c 'ticds-changes' -n '__ticds-changes_should_offer_completions_for_positional "ticds-changes diff" -eq 1' -fka '(__ticds-changes_custom_completion ---completion diff -- positional@0 (count (__ticds-changes_tokens -pc)) (__ticds-changes_tokens -tC))'
complete -c 'ticds-changes' -n '__ticds-changes_should_offer_completions_for_positional "ticds-changes diff" -eq 2' -fka '(__ticds-changes_custom_completion ---completion diff -- positional@1 (count (__ticds-changes_tokens -pc)) (__ticds-changes_tokens -tC))'
complete -c 'ticds-changes' -n '__ticds-changes_should_offer_completions_for_flags_or_options "ticds-changes diff" remote' -l 'remote' -d 'Compare clients or change sets of this remote.' -rfa '(__ticds-changes_complete_directories)'
complete -c 'ticds-changes' -n '__ticds-changes_should_offer_completions_for_flags_or_options "ticds-changes diff" document' -l 'document' -d 'The document: its identifier or description, or a unique part of them.' -rfka '(__ticds-changes_custom_completion ---completion diff -- --document (count (__ticds-changes_tokens -pc)) (__ticds-changes_tokens -tC))'
complete -c 'ticds-changes' -n '__ticds-changes_should_offer_completions_for_flags_or_options "ticds-changes diff" password-file' -l 'password-file' -d 'Read the password from a file.' -rF
complete -c 'ticds-changes' -n '__ticds-changes_should_offer_completions_for_flags_or_options "ticds-changes diff" password-command' -l 'password-command' -d 'Run a command line with /bin/sh and take the password from its output.' -rfka '(__fish_complete_command)'
complete -c 'ticds-changes' -n '__ticds-changes_should_offer_completions_for_flags_or_options "ticds-changes diff" old-hmac' -l 'old-hmac' -d 'Treat the remote as one from the first weeks of 2011, whose HMAC leaves out 16 bytes of each file.'
complete -c 'ticds-changes' -n '__ticds-changes_should_offer_completions_for_flags_or_options "ticds-changes diff" json' -l 'json' -d 'Print JSON on standard output (see ticds-json(5)), and errors as JSON on standard error.'
complete -c 'ticds-changes' -n '__ticds-changes_should_offer_completions_for_flags_or_options "ticds-changes diff" q quiet' -l 'quiet' -s 'q' -d 'Print no progress, and no messages and warnings if all is well: for cron(8).'
complete -c 'ticds-changes' -n '__ticds-changes_should_offer_completions_for_flags_or_options "ticds-changes diff" v verbose' -l 'verbose' -s 'v' -d 'Print each step.'
complete -c 'ticds-changes' -n '__ticds-changes_should_offer_completions_for_flags_or_options "ticds-changes diff" color' -l 'color' -d 'When to colour text.' -rfka 'auto always never'
complete -c 'ticds-changes' -n '__ticds-changes_should_offer_completions_for_flags_or_options "ticds-changes diff" utc' -l 'utc' -d 'Print times in UTC instead of the local time zone.'
complete -c 'ticds-changes' -n '__ticds-changes_should_offer_completions_for_flags_or_options "ticds-changes diff" iso' -l 'iso' -d 'Print times as ISO 8601, without their age.'
complete -c 'ticds-changes' -n '__ticds-changes_should_offer_completions_for_flags_or_options "ticds-changes diff" bytes' -l 'bytes' -d 'Print exact sizes in bytes.'
complete -c 'ticds-changes' -n '__ticds-changes_should_offer_completions_for_flags_or_options "ticds-changes diff" no-pager' -l 'no-pager' -d 'Print long text directly instead of through $PAGER.'
complete -c 'ticds-changes' -n '__ticds-changes_should_offer_completions_for_flags_or_options "ticds-changes diff" progress' -l 'progress' -d 'How progress is shown: a line on a terminal, a line of text every ten seconds, JSON at most once a second, or not at all.' -rfka 'auto plain json none'
complete -c 'ticds-changes' -n '__ticds-changes_should_offer_completions_for_flags_or_options "ticds-changes diff" no-progress' -l 'no-progress' -d 'Print no progress, not even on a terminal.'
complete -c 'ticds-changes' -n '__ticds-changes_should_offer_completions_for_flags_or_options "ticds-changes diff" log-file' -l 'log-file' -d 'Append a record of actions, warnings and errors to a file.' -rF
complete -c 'ticds-changes' -n '__ticds-changes_should_offer_completions_for_flags_or_options "ticds-changes diff" log-format' -l 'log-format' -d 'The format of the lines in the log file.' -rfka 'text json'
complete -c 'ticds-changes' -n '__ticds-changes_should_offer_completions_for_flags_or_options "ticds-changes diff" version' -l 'version' -d 'Show the version.'
complete -c 'ticds-changes' -n '__ticds-changes_should_offer_completions_for_flags_or_options "ticds-changes diff" h help' -s 'h' -l 'help' -d 'Show help information.'
complete -c 'ticds-changes' -n '__ticds-changes_should_offer_completions_for_positional "ticds-changes recover" -eq 1' -F
complete -c 'ticds-changes' -n '__ticds-changes_should_offer_completions_for_flags_or_options "ticds-changes recover" to' -l 'to' -d 'The new change set to write, of the changes that are whole.' -rF
complete -c 'ticds-changes' -n '__ticds-changes_should_offer_completions_for_flags_or_options "ticds-changes recover" password-file' -l 'password-file' -d 'Read the password from a file.' -rF
complete -c 'ticds-changes' -n '__ticds-changes_should_offer_completions_for_flags_or_options "ticds-changes recover" password-command' -l 'password-command' -d 'Run a command line with /bin/sh and take the password from its output.' -rfka '(__fish_complete_command)'
complete -c 'ticds-changes' -n '__ticds-changes_should_offer_completions_for_flags_or_options "ticds-changes recover" old-hmac' -l 'old-hmac' -d 'Treat the remote as one from the first weeks of 2011, whose HMAC leaves out 16 bytes of each file.'
complete -c 'ticds-changes' -n '__ticds-changes_should_offer_completions_for_flags_or_options "ticds-changes recover" json' -l 'json' -d 'Print JSON on standard output (see ticds-json(5)), and errors as JSON on standard error.'
complete -c 'ticds-changes' -n '__ticds-changes_should_offer_completions_for_flags_or_options "ticds-changes recover" q quiet' -l 'quiet' -s 'q' -d 'Print no progress, and no messages and warnings if all is well: for cron(8).'
complete -c 'ticds-changes' -n '__ticds-changes_should_offer_completions_for_flags_or_options "ticds-changes recover" v verbose' -l 'verbose' -s 'v' -d 'Print each step.'
complete -c 'ticds-changes' -n '__ticds-changes_should_offer_completions_for_flags_or_options "ticds-changes recover" color' -l 'color' -d 'When to colour text.' -rfka 'auto always never'
complete -c 'ticds-changes' -n '__ticds-changes_should_offer_completions_for_flags_or_options "ticds-changes recover" utc' -l 'utc' -d 'Print times in UTC instead of the local time zone.'
complete -c 'ticds-changes' -n '__ticds-changes_should_offer_completions_for_flags_or_options "ticds-changes recover" iso' -l 'iso' -d 'Print times as ISO 8601, without their age.'
complete -c 'ticds-changes' -n '__ticds-changes_should_offer_completions_for_flags_or_options "ticds-changes recover" bytes' -l 'bytes' -d 'Print exact sizes in bytes.'
complete -c 'ticds-changes' -n '__ticds-changes_should_offer_completions_for_flags_or_options "ticds-changes recover" no-pager' -l 'no-pager' -d 'Print long text directly instead of through $PAGER.'
complete -c 'ticds-changes' -n '__ticds-changes_should_offer_completions_for_flags_or_options "ticds-changes recover" progress' -l 'progress' -d 'How progress is shown: a line on a terminal, a line of text every ten seconds, JSON at most once a second, or not at all.' -rfka 'auto plain json none'
complete -c 'ticds-changes' -n '__ticds-changes_should_offer_completions_for_flags_or_options "ticds-changes recover" no-progress' -l 'no-progress' -d 'Print no progress, not even on a terminal.'
complete -c 'ticds-changes' -n '__ticds-changes_should_offer_completions_for_flags_or_options "ticds-changes recover" log-file' -l 'log-file' -d 'Append a record of actions, warnings and errors to a file.' -rF
complete -c 'ticds-changes' -n '__ticds-changes_should_offer_completions_for_flags_or_options "ticds-changes recover" log-format' -l 'log-format' -d 'The format of the lines in the log file.' -rfka 'text json'
complete -c 'ticds-changes' -n '__ticds-changes_should_offer_completions_for_flags_or_options "ticds-changes recover" version' -l 'version' -d 'Show the version.'
complete -c 'ticds-changes' -n '__ticds-changes_should_offer_completions_for_flags_or_options "ticds-changes recover" h help' -s 'h' -l 'help' -d 'Show help information.'
complete -c 'ticds-changes' -n '__ticds-changes_should_offer_completions_for_flags_or_options "ticds-changes help" version' -l 'version' -d 'Show the version.'

# The functions that follow take the place of generated ones.

function __ticds-changes_tokens
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

function __ticds-changes_complete_directories
    __fish_complete_directories (commandline -ct) ''
end

function __ticds-changes_complete_files
    set -l endings (string escape --style=regex -- $argv | string join '|')
    complete -C "__fish_command_without_completions "(commandline -ct) | string match -r -- "^.*(?:$endings|/)\$"
end

# Asks the program. It gets the words up to the cursor, and prints lines of value, tab and explanation.
function __ticds-changes_custom_completion
    set -x SAP_SHELL fish
    set -x SAP_SHELL_VERSION $FISH_VERSION
    set -l words (__ticds-changes_tokens -pc)
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

