function __ticds-store_should_offer_completions_for_flags_or_options -a expected_commands
    set -l non_repeating_flags_or_options $argv[2..]
    set -l non_repeating_flags_or_options_absent 0
    set -l positional_index 0
    set -l commands
    __ticds-store_parse_tokens
    test "$commands" = "$expected_commands"; and return $non_repeating_flags_or_options_absent
end

function __ticds-store_should_offer_completions_for_positional -a expected_commands positional_index_comparison expected_positional_index
    set -l non_repeating_flags_or_options
    set -l non_repeating_flags_or_options_absent 0
    set -l positional_index 0
    set -l commands
    __ticds-store_parse_tokens
    test "$commands" = "$expected_commands" -a \( "$positional_index" "$positional_index_comparison" "$expected_positional_index" \)
end

function __ticds-store_parse_tokens -S
    set -l unparsed_tokens (__ticds-store_tokens -pc)
    switch $unparsed_tokens[1]
    case 'ticds-store'
        __ticds-store_parse_subcommand 0 'version' 'h/help'
        switch $unparsed_tokens[1]
        case 'list'
            __ticds-store_parse_subcommand 1 'document=' 'client=+' 'password-file=' 'password-command=' 'old-hmac' 'json' 'q/quiet' 'v/verbose' 'color=' 'utc' 'iso' 'bytes' 'no-pager' 'progress=' 'no-progress' 'log-file=' 'log-format=' 'without-change-sets' 'version' 'h/help'
        case 'info'
            __ticds-store_parse_subcommand 1 'document=' 'client=+' 'model=' 'accept-mismatch' 'password-file=' 'password-command=' 'old-hmac' 'json' 'q/quiet' 'v/verbose' 'color=' 'utc' 'iso' 'bytes' 'no-pager' 'progress=' 'no-progress' 'log-file=' 'log-format=' 'version' 'h/help'
        case 'dump'
            __ticds-store_parse_subcommand 1 'entity=' 'decode-data' 'where=' 'columns=' 'sort=' 'limit=' 'document=' 'client=+' 'model=' 'accept-mismatch' 'password-file=' 'password-command=' 'old-hmac' 'json' 'q/quiet' 'v/verbose' 'color=' 'utc' 'iso' 'bytes' 'no-pager' 'progress=' 'no-progress' 'log-file=' 'log-format=' 'version' 'h/help'
        case 'history'
            __ticds-store_parse_subcommand 1 'entity=' 'since=' 'until=' 'limit=' 'document=' 'client=+' 'model=' 'accept-mismatch' 'password-file=' 'password-command=' 'old-hmac' 'json' 'q/quiet' 'v/verbose' 'color=' 'utc' 'iso' 'bytes' 'no-pager' 'progress=' 'no-progress' 'log-file=' 'log-format=' 'version' 'h/help'
        case 'check'
            __ticds-store_parse_subcommand -r 1 'document=' 'client=+' 'model=' 'accept-mismatch' 'password-file=' 'password-command=' 'old-hmac' 'json' 'q/quiet' 'v/verbose' 'color=' 'utc' 'iso' 'bytes' 'no-pager' 'progress=' 'no-progress' 'log-file=' 'log-format=' 'sync-id=' 'version' 'h/help'
        case 'extract'
            __ticds-store_parse_subcommand 2 'force' 'password-file=' 'password-command=' 'old-hmac' 'json' 'q/quiet' 'v/verbose' 'color=' 'utc' 'iso' 'bytes' 'no-pager' 'progress=' 'no-progress' 'log-file=' 'log-format=' 'version' 'h/help'
        case 'export'
            __ticds-store_parse_subcommand 1 'to=' 'format=' 'entity=' 'where=' 'columns=' 'sort=' 'limit=' 'skip-empty' 'spreadsheet' 'decode-data' 'keys=' 'sync-id=' 'force' 'history' 'remote=' 'metadata=' 'newest' 'document=' 'client=+' 'model=' 'accept-mismatch' 'password-file=' 'password-command=' 'old-hmac' 'json' 'q/quiet' 'v/verbose' 'color=' 'utc' 'iso' 'bytes' 'no-pager' 'progress=' 'no-progress' 'log-file=' 'log-format=' 'version' 'h/help'
        case 'recover'
            __ticds-store_parse_subcommand 1 'to=' 'entity=' 'deleted' 'certain' 'document=' 'client=+' 'model=' 'accept-mismatch' 'password-file=' 'password-command=' 'old-hmac' 'json' 'q/quiet' 'v/verbose' 'color=' 'utc' 'iso' 'bytes' 'no-pager' 'progress=' 'no-progress' 'log-file=' 'log-format=' 'version' 'h/help'
        case 'compare'
            __ticds-store_parse_subcommand 2 'by=' 'document=' 'client=+' 'model=' 'accept-mismatch' 'password-file=' 'password-command=' 'old-hmac' 'json' 'q/quiet' 'v/verbose' 'color=' 'utc' 'iso' 'bytes' 'no-pager' 'progress=' 'no-progress' 'log-file=' 'log-format=' 'version' 'h/help'
        case 'install'
            __ticds-store_parse_subcommand -r 1 'document=' 'client=' 'form=' 'register=' 'contains=' 'allow-behind' 'password-file=' 'password-command=' 'old-hmac' 'n/dry-run' 'y/yes' 'save-plan=' 'max-delete=' 'allow-missing=+' 'no-trash' 'lock-wait=' 'json' 'q/quiet' 'v/verbose' 'color=' 'utc' 'iso' 'bytes' 'no-pager' 'progress=' 'no-progress' 'log-file=' 'log-format=' 'version' 'h/help'
        case 'replay'
            __ticds-store_parse_subcommand 1 'document=' 'to=' 'force' 'model=' 'until=' 'without-client=+' 'from=' 'from-sets' 'password-file=' 'password-command=' 'old-hmac' 'json' 'q/quiet' 'v/verbose' 'color=' 'utc' 'iso' 'bytes' 'no-pager' 'progress=' 'no-progress' 'log-file=' 'log-format=' 'version' 'h/help'
        case 'help'
            __ticds-store_parse_subcommand -r 1 'version'
        end
    end
end

function __ticds-store_tokens
    if test (string split -m 1 -f 1 -- . "$FISH_VERSION") -gt 3
        commandline --tokens-raw $argv
    else
        commandline -o $argv
    end
end

function __ticds-store_parse_subcommand -S -a positional_count
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

function __ticds-store_complete_directories
    set -l token (commandline -t)
    string match -- '*/' $token
    set -l subdirs $token*/
    printf %s\n $subdirs
end

function __ticds-store_custom_completion
    set -x SAP_SHELL fish
    set -x SAP_SHELL_VERSION $FISH_VERSION
    set -l tokens (__ticds-store_tokens -p)
    if test -z "$(__ticds-store_tokens -t)"
        set -l index (count (__ticds-store_tokens -pc))
        set tokens $tokens[..$index] \'\' $tokens[(math $index + 1)..]
    end
    command $tokens[1] $argv $tokens
end

complete -c 'ticds-store' -f
complete -c 'ticds-store' -n '__ticds-store_should_offer_completions_for_flags_or_options "ticds-store" version' -l 'version' -d 'Show the version.'
complete -c 'ticds-store' -n '__ticds-store_should_offer_completions_for_flags_or_options "ticds-store" h help' -s 'h' -l 'help' -d 'Show help information.'
complete -c 'ticds-store' -n '__ticds-store_should_offer_completions_for_positional "ticds-store" -eq 1' -fa 'list' -d 'Lists the whole stores that clients uploaded, with their contents.'
complete -c 'ticds-store' -n '__ticds-store_should_offer_completions_for_positional "ticds-store" -eq 1' -fa 'info' -d 'Shows what a Core Data store is, without its values.'
complete -c 'ticds-store' -n '__ticds-store_should_offer_completions_for_positional "ticds-store" -eq 1' -fa 'dump' -d 'Prints every object of a Core Data store.'
complete -c 'ticds-store' -n '__ticds-store_should_offer_completions_for_positional "ticds-store" -eq 1' -fa 'history' -d 'Prints the persistent history of an SQLite store.'
complete -c 'ticds-store' -n '__ticds-store_should_offer_completions_for_positional "ticds-store" -eq 1' -fa 'check' -d 'Checks what Core Data and clients rely on in stores.'
complete -c 'ticds-store' -n '__ticds-store_should_offer_completions_for_positional "ticds-store" -eq 1' -fa 'extract' -d 'Copies a store out of a remote, decrypted and unzipped, as one file to open.'
complete -c 'ticds-store' -n '__ticds-store_should_offer_completions_for_positional "ticds-store" -eq 1' -fa 'export' -d 'Writes the objects of a store as CSV, JSON or an ordinary SQLite database.'
complete -c 'ticds-store' -n '__ticds-store_should_offer_completions_for_positional "ticds-store" -eq 1' -fa 'recover' -d 'Brings back deleted rows, old versions, and what is left of a damaged store.'
complete -c 'ticds-store' -n '__ticds-store_should_offer_completions_for_positional "ticds-store" -eq 1' -fa 'compare' -d 'Shows which objects of two stores differ.'
complete -c 'ticds-store' -n '__ticds-store_should_offer_completions_for_positional "ticds-store" -eq 1' -fa 'install' -d 'Uploads a store as the whole store of a client, with its register.'
complete -c 'ticds-store' -n '__ticds-store_should_offer_completions_for_positional "ticds-store" -eq 1' -fa 'replay' -d 'Rescues the newest state of a document: a whole store with all later change sets applied.'
complete -c 'ticds-store' -n '__ticds-store_should_offer_completions_for_positional "ticds-store" -eq 1' -fa 'help' -d 'Show subcommand help information.'
complete -c 'ticds-store' -n '__ticds-store_should_offer_completions_for_positional "ticds-store list" -eq 1' -fka '(__ticds-store_custom_completion ---completion list -- positional@0 (count (__ticds-store_tokens -pc)) (__ticds-store_tokens -tC))'
complete -c 'ticds-store' -n '__ticds-store_should_offer_completions_for_flags_or_options "ticds-store list" document' -l 'document' -d 'The document: its identifier or description, or a unique part of them.' -rfka '(__ticds-store_custom_completion ---completion list -- --document (count (__ticds-store_tokens -pc)) (__ticds-store_tokens -tC))'
complete -c 'ticds-store' -n '__ticds-store_should_offer_completions_for_flags_or_options "ticds-store list"' -l 'client' -d 'A client: its identifier or description, or a unique part of them. May be given several times.' -rfka '(__ticds-store_custom_completion ---completion list -- --client (count (__ticds-store_tokens -pc)) (__ticds-store_tokens -tC))'
complete -c 'ticds-store' -n '__ticds-store_should_offer_completions_for_flags_or_options "ticds-store list" password-file' -l 'password-file' -d 'Read the password from a file.' -rF
complete -c 'ticds-store' -n '__ticds-store_should_offer_completions_for_flags_or_options "ticds-store list" password-command' -l 'password-command' -d 'Run a command line with /bin/sh and take the password from its output.' -rfka '(__fish_complete_command)'
complete -c 'ticds-store' -n '__ticds-store_should_offer_completions_for_flags_or_options "ticds-store list" old-hmac' -l 'old-hmac' -d 'Treat the remote as one from the first weeks of 2011, whose HMAC leaves out 16 bytes of each file.'
complete -c 'ticds-store' -n '__ticds-store_should_offer_completions_for_flags_or_options "ticds-store list" json' -l 'json' -d 'Print JSON on standard output (see ticds-json(5)), and errors as JSON on standard error.'
complete -c 'ticds-store' -n '__ticds-store_should_offer_completions_for_flags_or_options "ticds-store list" q quiet' -l 'quiet' -s 'q' -d 'Print no progress, and no messages and warnings if all is well: for cron(8).'
complete -c 'ticds-store' -n '__ticds-store_should_offer_completions_for_flags_or_options "ticds-store list" v verbose' -l 'verbose' -s 'v' -d 'Print each step.'
complete -c 'ticds-store' -n '__ticds-store_should_offer_completions_for_flags_or_options "ticds-store list" color' -l 'color' -d 'When to colour text.' -rfka 'auto always never'
complete -c 'ticds-store' -n '__ticds-store_should_offer_completions_for_flags_or_options "ticds-store list" utc' -l 'utc' -d 'Print times in UTC instead of the local time zone.'
complete -c 'ticds-store' -n '__ticds-store_should_offer_completions_for_flags_or_options "ticds-store list" iso' -l 'iso' -d 'Print times as ISO 8601, without their age.'
complete -c 'ticds-store' -n '__ticds-store_should_offer_completions_for_flags_or_options "ticds-store list" bytes' -l 'bytes' -d 'Print exact sizes in bytes.'
complete -c 'ticds-store' -n '__ticds-store_should_offer_completions_for_flags_or_options "ticds-store list" no-pager' -l 'no-pager' -d 'Print long text directly instead of through $PAGER.'
complete -c 'ticds-store' -n '__ticds-store_should_offer_completions_for_flags_or_options "ticds-store list" progress' -l 'progress' -d 'How progress is shown: a line on a terminal, a line of text every ten seconds, JSON at most once a second, or not at all.' -rfka 'auto plain json none'
complete -c 'ticds-store' -n '__ticds-store_should_offer_completions_for_flags_or_options "ticds-store list" no-progress' -l 'no-progress' -d 'Print no progress, not even on a terminal.'
complete -c 'ticds-store' -n '__ticds-store_should_offer_completions_for_flags_or_options "ticds-store list" log-file' -l 'log-file' -d 'Append a record of actions, warnings and errors to a file.' -rF
complete -c 'ticds-store' -n '__ticds-store_should_offer_completions_for_flags_or_options "ticds-store list" log-format' -l 'log-format' -d 'The format of the lines in the log file.' -rfka 'text json'
complete -c 'ticds-store' -n '__ticds-store_should_offer_completions_for_flags_or_options "ticds-store list" without-change-sets' -l 'without-change-sets' -d 'Do not read the change sets to see whether they fit the models of the stores.'
complete -c 'ticds-store' -n '__ticds-store_should_offer_completions_for_flags_or_options "ticds-store list" version' -l 'version' -d 'Show the version.'
complete -c 'ticds-store' -n '__ticds-store_should_offer_completions_for_flags_or_options "ticds-store list" h help' -s 'h' -l 'help' -d 'Show help information.'
complete -c 'ticds-store' -n '__ticds-store_should_offer_completions_for_positional "ticds-store info" -eq 1' -F
complete -c 'ticds-store' -n '__ticds-store_should_offer_completions_for_flags_or_options "ticds-store info" document' -l 'document' -d 'The document: its identifier or description, or a unique part of them.' -rfka '(__ticds-store_custom_completion ---completion info -- --document (count (__ticds-store_tokens -pc)) (__ticds-store_tokens -tC))'
complete -c 'ticds-store' -n '__ticds-store_should_offer_completions_for_flags_or_options "ticds-store info"' -l 'client' -d 'A client: its identifier or description, or a unique part of them. May be given several times.' -rfka '(__ticds-store_custom_completion ---completion info -- --client (count (__ticds-store_tokens -pc)) (__ticds-store_tokens -tC))'
complete -c 'ticds-store' -n '__ticds-store_should_offer_completions_for_flags_or_options "ticds-store info" model' -l 'model' -d 'The managed object model: a .mom, .momd, .xcdatamodel or .xcdatamodeld, a contents or elements file; or a folder in which to look for the model that fits.' -rF
complete -c 'ticds-store' -n '__ticds-store_should_offer_completions_for_flags_or_options "ticds-store info" accept-mismatch' -l 'accept-mismatch' -d 'Use the model even if the store was saved with another version of it.'
complete -c 'ticds-store' -n '__ticds-store_should_offer_completions_for_flags_or_options "ticds-store info" password-file' -l 'password-file' -d 'Read the password from a file.' -rF
complete -c 'ticds-store' -n '__ticds-store_should_offer_completions_for_flags_or_options "ticds-store info" password-command' -l 'password-command' -d 'Run a command line with /bin/sh and take the password from its output.' -rfka '(__fish_complete_command)'
complete -c 'ticds-store' -n '__ticds-store_should_offer_completions_for_flags_or_options "ticds-store info" old-hmac' -l 'old-hmac' -d 'Treat the remote as one from the first weeks of 2011, whose HMAC leaves out 16 bytes of each file.'
complete -c 'ticds-store' -n '__ticds-store_should_offer_completions_for_flags_or_options "ticds-store info" json' -l 'json' -d 'Print JSON on standard output (see ticds-json(5)), and errors as JSON on standard error.'
complete -c 'ticds-store' -n '__ticds-store_should_offer_completions_for_flags_or_options "ticds-store info" q quiet' -l 'quiet' -s 'q' -d 'Print no progress, and no messages and warnings if all is well: for cron(8).'
complete -c 'ticds-store' -n '__ticds-store_should_offer_completions_for_flags_or_options "ticds-store info" v verbose' -l 'verbose' -s 'v' -d 'Print each step.'
complete -c 'ticds-store' -n '__ticds-store_should_offer_completions_for_flags_or_options "ticds-store info" color' -l 'color' -d 'When to colour text.' -rfka 'auto always never'
complete -c 'ticds-store' -n '__ticds-store_should_offer_completions_for_flags_or_options "ticds-store info" utc' -l 'utc' -d 'Print times in UTC instead of the local time zone.'
complete -c 'ticds-store' -n '__ticds-store_should_offer_completions_for_flags_or_options "ticds-store info" iso' -l 'iso' -d 'Print times as ISO 8601, without their age.'
complete -c 'ticds-store' -n '__ticds-store_should_offer_completions_for_flags_or_options "ticds-store info" bytes' -l 'bytes' -d 'Print exact sizes in bytes.'
complete -c 'ticds-store' -n '__ticds-store_should_offer_completions_for_flags_or_options "ticds-store info" no-pager' -l 'no-pager' -d 'Print long text directly instead of through $PAGER.'
complete -c 'ticds-store' -n '__ticds-store_should_offer_completions_for_flags_or_options "ticds-store info" progress' -l 'progress' -d 'How progress is shown: a line on a terminal, a line of text every ten seconds, JSON at most once a second, or not at all.' -rfka 'auto plain json none'
complete -c 'ticds-store' -n '__ticds-store_should_offer_completions_for_flags_or_options "ticds-store info" no-progress' -l 'no-progress' -d 'Print no progress, not even on a terminal.'
complete -c 'ticds-store' -n '__ticds-store_should_offer_completions_for_flags_or_options "ticds-store info" log-file' -l 'log-file' -d 'Append a record of actions, warnings and errors to a file.' -rF
complete -c 'ticds-store' -n '__ticds-store_should_offer_completions_for_flags_or_options "ticds-store info" log-format' -l 'log-format' -d 'The format of the lines in the log file.' -rfka 'text json'
complete -c 'ticds-store' -n '__ticds-store_should_offer_completions_for_flags_or_options "ticds-store info" version' -l 'version' -d 'Show the version.'
complete -c 'ticds-store' -n '__ticds-store_should_offer_completions_for_flags_or_options "ticds-store info" h help' -s 'h' -l 'help' -d 'Show help information.'
complete -c 'ticds-store' -n '__ticds-store_should_offer_completions_for_positional "ticds-store dump" -eq 1' -F
complete -c 'ticds-store' -n '__ticds-store_should_offer_completions_for_flags_or_options "ticds-store dump" entity' -l 'entity' -d 'Only objects of this entity.' -rfka ''
complete -c 'ticds-store' -n '__ticds-store_should_offer_completions_for_flags_or_options "ticds-store dump" decode-data' -l 'decode-data' -d 'Show property lists, keyed archives and gzip streams in Binary attributes decoded; needs --json.'
complete -c 'ticds-store' -n '__ticds-store_should_offer_completions_for_flags_or_options "ticds-store dump" where' -l 'where' -d 'Only objects that meet a condition, written as a format string of NSPredicate.' -rfka ''
complete -c 'ticds-store' -n '__ticds-store_should_offer_completions_for_flags_or_options "ticds-store dump" columns' -l 'columns' -d 'Only these properties, with commas between them, such as title,author.name.' -rfka ''
complete -c 'ticds-store' -n '__ticds-store_should_offer_completions_for_flags_or_options "ticds-store dump" sort' -l 'sort' -d 'Sort by these properties, with commas between them; :desc after one reverses its order.' -rfka ''
complete -c 'ticds-store' -n '__ticds-store_should_offer_completions_for_flags_or_options "ticds-store dump" limit' -l 'limit' -d 'Print at most this many objects.' -rfka ''
complete -c 'ticds-store' -n '__ticds-store_should_offer_completions_for_flags_or_options "ticds-store dump" document' -l 'document' -d 'The document: its identifier or description, or a unique part of them.' -rfka '(__ticds-store_custom_completion ---completion dump -- --document (count (__ticds-store_tokens -pc)) (__ticds-store_tokens -tC))'
complete -c 'ticds-store' -n '__ticds-store_should_offer_completions_for_flags_or_options "ticds-store dump"' -l 'client' -d 'A client: its identifier or description, or a unique part of them. May be given several times.' -rfka '(__ticds-store_custom_completion ---completion dump -- --client (count (__ticds-store_tokens -pc)) (__ticds-store_tokens -tC))'
complete -c 'ticds-store' -n '__ticds-store_should_offer_completions_for_flags_or_options "ticds-store dump" model' -l 'model' -d 'The managed object model: a .mom, .momd, .xcdatamodel or .xcdatamodeld, a contents or elements file; or a folder in which to look for the model that fits.' -rF
complete -c 'ticds-store' -n '__ticds-store_should_offer_completions_for_flags_or_options "ticds-store dump" accept-mismatch' -l 'accept-mismatch' -d 'Use the model even if the store was saved with another version of it.'
complete -c 'ticds-store' -n '__ticds-store_should_offer_completions_for_flags_or_options "ticds-store dump" password-file' -l 'password-file' -d 'Read the password from a file.' -rF
complete -c 'ticds-store' -n '__ticds-store_should_offer_completions_for_flags_or_options "ticds-store dump" password-command' -l 'password-command' -d 'Run a command line with /bin/sh and take the password from its output.' -rfka '(__fish_complete_command)'
complete -c 'ticds-store' -n '__ticds-store_should_offer_completions_for_flags_or_options "ticds-store dump" old-hmac' -l 'old-hmac' -d 'Treat the remote as one from the first weeks of 2011, whose HMAC leaves out 16 bytes of each file.'
complete -c 'ticds-store' -n '__ticds-store_should_offer_completions_for_flags_or_options "ticds-store dump" json' -l 'json' -d 'Print JSON on standard output (see ticds-json(5)), and errors as JSON on standard error.'
complete -c 'ticds-store' -n '__ticds-store_should_offer_completions_for_flags_or_options "ticds-store dump" q quiet' -l 'quiet' -s 'q' -d 'Print no progress, and no messages and warnings if all is well: for cron(8).'
complete -c 'ticds-store' -n '__ticds-store_should_offer_completions_for_flags_or_options "ticds-store dump" v verbose' -l 'verbose' -s 'v' -d 'Print each step.'
complete -c 'ticds-store' -n '__ticds-store_should_offer_completions_for_flags_or_options "ticds-store dump" color' -l 'color' -d 'When to colour text.' -rfka 'auto always never'
complete -c 'ticds-store' -n '__ticds-store_should_offer_completions_for_flags_or_options "ticds-store dump" utc' -l 'utc' -d 'Print times in UTC instead of the local time zone.'
complete -c 'ticds-store' -n '__ticds-store_should_offer_completions_for_flags_or_options "ticds-store dump" iso' -l 'iso' -d 'Print times as ISO 8601, without their age.'
complete -c 'ticds-store' -n '__ticds-store_should_offer_completions_for_flags_or_options "ticds-store dump" bytes' -l 'bytes' -d 'Print exact sizes in bytes.'
complete -c 'ticds-store' -n '__ticds-store_should_offer_completions_for_flags_or_options "ticds-store dump" no-pager' -l 'no-pager' -d 'Print long text directly instead of through $PAGER.'
complete -c 'ticds-store' -n '__ticds-store_should_offer_completions_for_flags_or_options "ticds-store dump" progress' -l 'progress' -d 'How progress is shown: a line on a terminal, a line of text every ten seconds, JSON at most once a second, or not at all.' -rfka 'auto plain json none'
complete -c 'ticds-store' -n '__ticds-store_should_offer_completions_for_flags_or_options "ticds-store dump" no-progress' -l 'no-progress' -d 'Print no progress, not even on a terminal.'
complete -c 'ticds-store' -n '__ticds-store_should_offer_completions_for_flags_or_options "ticds-store dump" log-file' -l 'log-file' -d 'Append a record of actions, warnings and errors to a file.' -rF
complete -c 'ticds-store' -n '__ticds-store_should_offer_completions_for_flags_or_options "ticds-store dump" log-format' -l 'log-format' -d 'The format of the lines in the log file.' -rfka 'text json'
complete -c 'ticds-store' -n '__ticds-store_should_offer_completions_for_flags_or_options "ticds-store dump" version' -l 'version' -d 'Show the version.'
complete -c 'ticds-store' -n '__ticds-store_should_offer_completions_for_flags_or_options "ticds-store dump" h help' -s 'h' -l 'help' -d 'Show help information.'
complete -c 'ticds-store' -n '__ticds-store_should_offer_completions_for_positional "ticds-store history" -eq 1' -F
complete -c 'ticds-store' -n '__ticds-store_should_offer_completions_for_flags_or_options "ticds-store history" entity' -l 'entity' -d 'Only changes of objects of this entity.' -rfka ''
complete -c 'ticds-store' -n '__ticds-store_should_offer_completions_for_flags_or_options "ticds-store history" since' -l 'since' -d 'Show only entries from this time or later.' -rfka ''
complete -c 'ticds-store' -n '__ticds-store_should_offer_completions_for_flags_or_options "ticds-store history" until' -l 'until' -d 'Show only entries from before this time.' -rfka ''
complete -c 'ticds-store' -n '__ticds-store_should_offer_completions_for_flags_or_options "ticds-store history" limit' -l 'limit' -d 'Show at most this many entries, the first ones.' -rfka ''
complete -c 'ticds-store' -n '__ticds-store_should_offer_completions_for_flags_or_options "ticds-store history" document' -l 'document' -d 'The document: its identifier or description, or a unique part of them.' -rfka '(__ticds-store_custom_completion ---completion history -- --document (count (__ticds-store_tokens -pc)) (__ticds-store_tokens -tC))'
complete -c 'ticds-store' -n '__ticds-store_should_offer_completions_for_flags_or_options "ticds-store history"' -l 'client' -d 'A client: its identifier or description, or a unique part of them. May be given several times.' -rfka '(__ticds-store_custom_completion ---completion history -- --client (count (__ticds-store_tokens -pc)) (__ticds-store_tokens -tC))'
complete -c 'ticds-store' -n '__ticds-store_should_offer_completions_for_flags_or_options "ticds-store history" model' -l 'model' -d 'The managed object model: a .mom, .momd, .xcdatamodel or .xcdatamodeld, a contents or elements file; or a folder in which to look for the model that fits.' -rF
complete -c 'ticds-store' -n '__ticds-store_should_offer_completions_for_flags_or_options "ticds-store history" accept-mismatch' -l 'accept-mismatch' -d 'Use the model even if the store was saved with another version of it.'
complete -c 'ticds-store' -n '__ticds-store_should_offer_completions_for_flags_or_options "ticds-store history" password-file' -l 'password-file' -d 'Read the password from a file.' -rF
complete -c 'ticds-store' -n '__ticds-store_should_offer_completions_for_flags_or_options "ticds-store history" password-command' -l 'password-command' -d 'Run a command line with /bin/sh and take the password from its output.' -rfka '(__fish_complete_command)'
complete -c 'ticds-store' -n '__ticds-store_should_offer_completions_for_flags_or_options "ticds-store history" old-hmac' -l 'old-hmac' -d 'Treat the remote as one from the first weeks of 2011, whose HMAC leaves out 16 bytes of each file.'
complete -c 'ticds-store' -n '__ticds-store_should_offer_completions_for_flags_or_options "ticds-store history" json' -l 'json' -d 'Print JSON on standard output (see ticds-json(5)), and errors as JSON on standard error.'
complete -c 'ticds-store' -n '__ticds-store_should_offer_completions_for_flags_or_options "ticds-store history" q quiet' -l 'quiet' -s 'q' -d 'Print no progress, and no messages and warnings if all is well: for cron(8).'
complete -c 'ticds-store' -n '__ticds-store_should_offer_completions_for_flags_or_options "ticds-store history" v verbose' -l 'verbose' -s 'v' -d 'Print each step.'
complete -c 'ticds-store' -n '__ticds-store_should_offer_completions_for_flags_or_options "ticds-store history" color' -l 'color' -d 'When to colour text.' -rfka 'auto always never'
complete -c 'ticds-store' -n '__ticds-store_should_offer_completions_for_flags_or_options "ticds-store history" utc' -l 'utc' -d 'Print times in UTC instead of the local time zone.'
complete -c 'ticds-store' -n '__ticds-store_should_offer_completions_for_flags_or_options "ticds-store history" iso' -l 'iso' -d 'Print times as ISO 8601, without their age.'
complete -c 'ticds-store' -n '__ticds-store_should_offer_completions_for_flags_or_options "ticds-store history" bytes' -l 'bytes' -d 'Print exact sizes in bytes.'
complete -c 'ticds-store' -n '__ticds-store_should_offer_completions_for_flags_or_options "ticds-store history" no-pager' -l 'no-pager' -d 'Print long text directly instead of through $PAGER.'
complete -c 'ticds-store' -n '__ticds-store_should_offer_completions_for_flags_or_options "ticds-store history" progress' -l 'progress' -d 'How progress is shown: a line on a terminal, a line of text every ten seconds, JSON at most once a second, or not at all.' -rfka 'auto plain json none'
complete -c 'ticds-store' -n '__ticds-store_should_offer_completions_for_flags_or_options "ticds-store history" no-progress' -l 'no-progress' -d 'Print no progress, not even on a terminal.'
complete -c 'ticds-store' -n '__ticds-store_should_offer_completions_for_flags_or_options "ticds-store history" log-file' -l 'log-file' -d 'Append a record of actions, warnings and errors to a file.' -rF
complete -c 'ticds-store' -n '__ticds-store_should_offer_completions_for_flags_or_options "ticds-store history" log-format' -l 'log-format' -d 'The format of the lines in the log file.' -rfka 'text json'
complete -c 'ticds-store' -n '__ticds-store_should_offer_completions_for_flags_or_options "ticds-store history" version' -l 'version' -d 'Show the version.'
complete -c 'ticds-store' -n '__ticds-store_should_offer_completions_for_flags_or_options "ticds-store history" h help' -s 'h' -l 'help' -d 'Show help information.'
complete -c 'ticds-store' -n '__ticds-store_should_offer_completions_for_positional "ticds-store check" -ge 1' -F
complete -c 'ticds-store' -n '__ticds-store_should_offer_completions_for_flags_or_options "ticds-store check" document' -l 'document' -d 'The document: its identifier or description, or a unique part of them.' -rfka '(__ticds-store_custom_completion ---completion check -- --document (count (__ticds-store_tokens -pc)) (__ticds-store_tokens -tC))'
complete -c 'ticds-store' -n '__ticds-store_should_offer_completions_for_flags_or_options "ticds-store check"' -l 'client' -d 'A client: its identifier or description, or a unique part of them. May be given several times.' -rfka '(__ticds-store_custom_completion ---completion check -- --client (count (__ticds-store_tokens -pc)) (__ticds-store_tokens -tC))'
complete -c 'ticds-store' -n '__ticds-store_should_offer_completions_for_flags_or_options "ticds-store check" model' -l 'model' -d 'The managed object model: a .mom, .momd, .xcdatamodel or .xcdatamodeld, a contents or elements file; or a folder in which to look for the model that fits.' -rF
complete -c 'ticds-store' -n '__ticds-store_should_offer_completions_for_flags_or_options "ticds-store check" accept-mismatch' -l 'accept-mismatch' -d 'Use the model even if the store was saved with another version of it.'
complete -c 'ticds-store' -n '__ticds-store_should_offer_completions_for_flags_or_options "ticds-store check" password-file' -l 'password-file' -d 'Read the password from a file.' -rF
complete -c 'ticds-store' -n '__ticds-store_should_offer_completions_for_flags_or_options "ticds-store check" password-command' -l 'password-command' -d 'Run a command line with /bin/sh and take the password from its output.' -rfka '(__fish_complete_command)'
complete -c 'ticds-store' -n '__ticds-store_should_offer_completions_for_flags_or_options "ticds-store check" old-hmac' -l 'old-hmac' -d 'Treat the remote as one from the first weeks of 2011, whose HMAC leaves out 16 bytes of each file.'
complete -c 'ticds-store' -n '__ticds-store_should_offer_completions_for_flags_or_options "ticds-store check" json' -l 'json' -d 'Print JSON on standard output (see ticds-json(5)), and errors as JSON on standard error.'
complete -c 'ticds-store' -n '__ticds-store_should_offer_completions_for_flags_or_options "ticds-store check" q quiet' -l 'quiet' -s 'q' -d 'Print no progress, and no messages and warnings if all is well: for cron(8).'
complete -c 'ticds-store' -n '__ticds-store_should_offer_completions_for_flags_or_options "ticds-store check" v verbose' -l 'verbose' -s 'v' -d 'Print each step.'
complete -c 'ticds-store' -n '__ticds-store_should_offer_completions_for_flags_or_options "ticds-store check" color' -l 'color' -d 'When to colour text.' -rfka 'auto always never'
complete -c 'ticds-store' -n '__ticds-store_should_offer_completions_for_flags_or_options "ticds-store check" utc' -l 'utc' -d 'Print times in UTC instead of the local time zone.'
complete -c 'ticds-store' -n '__ticds-store_should_offer_completions_for_flags_or_options "ticds-store check" iso' -l 'iso' -d 'Print times as ISO 8601, without their age.'
complete -c 'ticds-store' -n '__ticds-store_should_offer_completions_for_flags_or_options "ticds-store check" bytes' -l 'bytes' -d 'Print exact sizes in bytes.'
complete -c 'ticds-store' -n '__ticds-store_should_offer_completions_for_flags_or_options "ticds-store check" no-pager' -l 'no-pager' -d 'Print long text directly instead of through $PAGER.'
complete -c 'ticds-store' -n '__ticds-store_should_offer_completions_for_flags_or_options "ticds-store check" progress' -l 'progress' -d 'How progress is shown: a line on a terminal, a line of text every ten seconds, JSON at most once a second, or not at all.' -rfka 'auto plain json none'
complete -c 'ticds-store' -n '__ticds-store_should_offer_completions_for_flags_or_options "ticds-store check" no-progress' -l 'no-progress' -d 'Print no progress, not even on a terminal.'
complete -c 'ticds-store' -n '__ticds-store_should_offer_completions_for_flags_or_options "ticds-store check" log-file' -l 'log-file' -d 'Append a record of actions, warnings and errors to a file.' -rF
complete -c 'ticds-store' -n '__ticds-store_should_offer_completions_for_flags_or_options "ticds-store check" log-format' -l 'log-format' -d 'The format of the lines in the log file.' -rfka 'text json'
complete -c 'ticds-store' -n '__ticds-store_should_offer_completions_for_flags_or_options "ticds-store check" sync-id' -l 'sync-id' -d 'The attribute that identifies objects.' -rfka ''
complete -c 'ticds-store' -n '__ticds-store_should_offer_completions_for_flags_or_options "ticds-store check" version' -l 'version' -d 'Show the version.'
complete -c 'ticds-store' -n '__ticds-store_should_offer_completions_for_flags_or_options "ticds-store check" h help' -s 'h' -l 'help' -d 'Show help information.'
complete -c 'ticds-store' -n '__ticds-store_should_offer_completions_for_positional "ticds-store extract" -eq 1' -F
complete -c 'ticds-store' -n '__ticds-store_should_offer_completions_for_positional "ticds-store extract" -eq 2' -F
complete -c 'ticds-store' -n '__ticds-store_should_offer_completions_for_flags_or_options "ticds-store extract" force' -l 'force' -d 'Replace an existing store of that name.'
complete -c 'ticds-store' -n '__ticds-store_should_offer_completions_for_flags_or_options "ticds-store extract" password-file' -l 'password-file' -d 'Read the password from a file.' -rF
complete -c 'ticds-store' -n '__ticds-store_should_offer_completions_for_flags_or_options "ticds-store extract" password-command' -l 'password-command' -d 'Run a command line with /bin/sh and take the password from its output.' -rfka '(__fish_complete_command)'
complete -c 'ticds-store' -n '__ticds-store_should_offer_completions_for_flags_or_options "ticds-store extract" old-hmac' -l 'old-hmac' -d 'Treat the remote as one from the first weeks of 2011, whose HMAC leaves out 16 bytes of each file.'
complete -c 'ticds-store' -n '__ticds-store_should_offer_completions_for_flags_or_options "ticds-store extract" json' -l 'json' -d 'Print JSON on standard output (see ticds-json(5)), and errors as JSON on standard error.'
complete -c 'ticds-store' -n '__ticds-store_should_offer_completions_for_flags_or_options "ticds-store extract" q quiet' -l 'quiet' -s 'q' -d 'Print no progress, and no messages and warnings if all is well: for cron(8).'
complete -c 'ticds-store' -n '__ticds-store_should_offer_completions_for_flags_or_options "ticds-store extract" v verbose' -l 'verbose' -s 'v' -d 'Print each step.'
complete -c 'ticds-store' -n '__ticds-store_should_offer_completions_for_flags_or_options "ticds-store extract" color' -l 'color' -d 'When to colour text.' -rfka 'auto always never'
complete -c 'ticds-store' -n '__ticds-store_should_offer_completions_for_flags_or_options "ticds-store extract" utc' -l 'utc' -d 'Print times in UTC instead of the local time zone.'
complete -c 'ticds-store' -n '__ticds-store_should_offer_completions_for_flags_or_options "ticds-store extract" iso' -l 'iso' -d 'Print times as ISO 8601, without their age.'
complete -c 'ticds-store' -n '__ticds-store_should_offer_completions_for_flags_or_options "ticds-store extract" bytes' -l 'bytes' -d 'Print exact sizes in bytes.'
complete -c 'ticds-store' -n '__ticds-store_should_offer_completions_for_flags_or_options "ticds-store extract" no-pager' -l 'no-pager' -d 'Print long text directly instead of through $PAGER.'
complete -c 'ticds-store' -n '__ticds-store_should_offer_completions_for_flags_or_options "ticds-store extract" progress' -l 'progress' -d 'How progress is shown: a line on a terminal, a line of text every ten seconds, JSON at most once a second, or not at all.' -rfka 'auto plain json none'
complete -c 'ticds-store' -n '__ticds-store_should_offer_completions_for_flags_or_options "ticds-store extract" no-progress' -l 'no-progress' -d 'Print no progress, not even on a terminal.'
complete -c 'ticds-store' -n '__ticds-store_should_offer_completions_for_flags_or_options "ticds-store extract" log-file' -l 'log-file' -d 'Append a record of actions, warnings and errors to a file.' -rF
complete -c 'ticds-store' -n '__ticds-store_should_offer_completions_for_flags_or_options "ticds-store extract" log-format' -l 'log-format' -d 'The format of the lines in the log file.' -rfka 'text json'
complete -c 'ticds-store' -n '__ticds-store_should_offer_completions_for_flags_or_options "ticds-store extract" version' -l 'version' -d 'Show the version.'
complete -c 'ticds-store' -n '__ticds-store_should_offer_completions_for_flags_or_options "ticds-store extract" h help' -s 'h' -l 'help' -d 'Show help information.'
complete -c 'ticds-store' -n '__ticds-store_should_offer_completions_for_positional "ticds-store export" -eq 1' -F
complete -c 'ticds-store' -n '__ticds-store_should_offer_completions_for_flags_or_options "ticds-store export" to' -l 'to' -d 'The file or folder to write; - for standard output.' -rF
complete -c 'ticds-store' -n '__ticds-store_should_offer_completions_for_flags_or_options "ticds-store export" format' -l 'format' -d 'The format to write.' -rfka 'csv json jsonl sqlite'
complete -c 'ticds-store' -n '__ticds-store_should_offer_completions_for_flags_or_options "ticds-store export" entity' -l 'entity' -d 'Only objects of this entity.' -rfka ''
complete -c 'ticds-store' -n '__ticds-store_should_offer_completions_for_flags_or_options "ticds-store export" where' -l 'where' -d 'Only objects that meet a condition, written as a format string of NSPredicate.' -rfka ''
complete -c 'ticds-store' -n '__ticds-store_should_offer_completions_for_flags_or_options "ticds-store export" columns' -l 'columns' -d 'Only these properties, with commas between them, such as title,author.name.' -rfka ''
complete -c 'ticds-store' -n '__ticds-store_should_offer_completions_for_flags_or_options "ticds-store export" sort' -l 'sort' -d 'Sort by these properties, with commas between them; :desc after one reverses its order.' -rfka ''
complete -c 'ticds-store' -n '__ticds-store_should_offer_completions_for_flags_or_options "ticds-store export" limit' -l 'limit' -d 'Print at most this many objects.' -rfka ''
complete -c 'ticds-store' -n '__ticds-store_should_offer_completions_for_flags_or_options "ticds-store export" skip-empty' -l 'skip-empty' -d 'Leave out entities without objects, and properties without a value.'
complete -c 'ticds-store' -n '__ticds-store_should_offer_completions_for_flags_or_options "ticds-store export" spreadsheet' -l 'spreadsheet' -d 'Put an apostrophe before text in CSV that would be a formula.'
complete -c 'ticds-store' -n '__ticds-store_should_offer_completions_for_flags_or_options "ticds-store export" decode-data' -l 'decode-data' -d 'Write property lists, keyed archives and gzip streams in Binary attributes decoded; needs JSON.'
complete -c 'ticds-store' -n '__ticds-store_should_offer_completions_for_flags_or_options "ticds-store export" keys' -l 'keys' -d 'How relationships name objects.' -rfka 'auto sync-ids primary-keys'
complete -c 'ticds-store' -n '__ticds-store_should_offer_completions_for_flags_or_options "ticds-store export" sync-id' -l 'sync-id' -d 'The attribute that identifies objects.' -rfka ''
complete -c 'ticds-store' -n '__ticds-store_should_offer_completions_for_flags_or_options "ticds-store export" force' -l 'force' -d 'Replace an existing file or folder of that name.'
complete -c 'ticds-store' -n '__ticds-store_should_offer_completions_for_flags_or_options "ticds-store export" history' -l 'history' -d 'Add to a database every change of a remote, labels of objects, and full-text search.'
complete -c 'ticds-store' -n '__ticds-store_should_offer_completions_for_flags_or_options "ticds-store export" remote' -l 'remote' -d 'The remote with the changes of --history. Default: the one that contains the store.' -rfa '(__ticds-store_complete_directories)'
complete -c 'ticds-store' -n '__ticds-store_should_offer_completions_for_flags_or_options "ticds-store export" metadata' -l 'metadata' -d 'Write a file that tells Datasette about the database of --history.' -rF
complete -c 'ticds-store' -n '__ticds-store_should_offer_completions_for_flags_or_options "ticds-store export" newest' -l 'newest' -d 'Export the newest state of a document in a remote: a whole store with all later change sets applied, as ticds-store replay makes it.'
complete -c 'ticds-store' -n '__ticds-store_should_offer_completions_for_flags_or_options "ticds-store export" document' -l 'document' -d 'The document: its identifier or description, or a unique part of them.' -rfka '(__ticds-store_custom_completion ---completion export -- --document (count (__ticds-store_tokens -pc)) (__ticds-store_tokens -tC))'
complete -c 'ticds-store' -n '__ticds-store_should_offer_completions_for_flags_or_options "ticds-store export"' -l 'client' -d 'A client: its identifier or description, or a unique part of them. May be given several times.' -rfka '(__ticds-store_custom_completion ---completion export -- --client (count (__ticds-store_tokens -pc)) (__ticds-store_tokens -tC))'
complete -c 'ticds-store' -n '__ticds-store_should_offer_completions_for_flags_or_options "ticds-store export" model' -l 'model' -d 'The managed object model: a .mom, .momd, .xcdatamodel or .xcdatamodeld, a contents or elements file; or a folder in which to look for the model that fits.' -rF
complete -c 'ticds-store' -n '__ticds-store_should_offer_completions_for_flags_or_options "ticds-store export" accept-mismatch' -l 'accept-mismatch' -d 'Use the model even if the store was saved with another version of it.'
complete -c 'ticds-store' -n '__ticds-store_should_offer_completions_for_flags_or_options "ticds-store export" password-file' -l 'password-file' -d 'Read the password from a file.' -rF
complete -c 'ticds-store' -n '__ticds-store_should_offer_completions_for_flags_or_options "ticds-store export" password-command' -l 'password-command' -d 'Run a command line with /bin/sh and take the password from its output.' -rfka '(__fish_complete_command)'
complete -c 'ticds-store' -n '__ticds-store_should_offer_completions_for_flags_or_options "ticds-store export" old-hmac' -l 'old-hmac' -d 'Treat the remote as one from the first weeks of 2011, whose HMAC leaves out 16 bytes of each file.'
complete -c 'ticds-store' -n '__ticds-store_should_offer_completions_for_flags_or_options "ticds-store export" json' -l 'json' -d 'Print JSON on standard output (see ticds-json(5)), and errors as JSON on standard error.'
complete -c 'ticds-store' -n '__ticds-store_should_offer_completions_for_flags_or_options "ticds-store export" q quiet' -l 'quiet' -s 'q' -d 'Print no progress, and no messages and warnings if all is well: for cron(8).'
complete -c 'ticds-store' -n '__ticds-store_should_offer_completions_for_flags_or_options "ticds-store export" v verbose' -l 'verbose' -s 'v' -d 'Print each step.'
complete -c 'ticds-store' -n '__ticds-store_should_offer_completions_for_flags_or_options "ticds-store export" color' -l 'color' -d 'When to colour text.' -rfka 'auto always never'
complete -c 'ticds-store' -n '__ticds-store_should_offer_completions_for_flags_or_options "ticds-store export" utc' -l 'utc' -d 'Print times in UTC instead of the local time zone.'
complete -c 'ticds-store' -n '__ticds-store_should_offer_completions_for_flags_or_options "ticds-store export" iso' -l 'iso' -d 'Print times as ISO 8601, without their age.'
complete -c 'ticds-store' -n '__ticds-store_should_offer_completions_for_flags_or_options "ticds-store export" bytes' -l 'bytes' -d 'Print exact sizes in bytes.'
complete -c 'ticds-store' -n '__ticds-store_should_offer_completions_for_flags_or_options "ticds-store export" no-pager' -l 'no-pager' -d 'Print long text directly instead of through $PAGER.'
complete -c 'ticds-store' -n '__ticds-store_should_offer_completions_for_flags_or_options "ticds-store export" progress' -l 'progress' -d 'How progress is shown: a line on a terminal, a line of text every ten seconds, JSON at most once a second, or not at all.' -rfka 'auto plain json none'
complete -c 'ticds-store' -n '__ticds-store_should_offer_completions_for_flags_or_options "ticds-store export" no-progress' -l 'no-progress' -d 'Print no progress, not even on a terminal.'
complete -c 'ticds-store' -n '__ticds-store_should_offer_completions_for_flags_or_options "ticds-store export" log-file' -l 'log-file' -d 'Append a record of actions, warnings and errors to a file.' -rF
complete -c 'ticds-store' -n '__ticds-store_should_offer_completions_for_flags_or_options "ticds-store export" log-format' -l 'log-format' -d 'The format of the lines in the log file.' -rfka 'text json'
complete -c 'ticds-store' -n '__ticds-store_should_offer_completions_for_flags_or_options "ticds-store export" version' -l 'version' -d 'Show the version.'
complete -c 'ticds-store' -n '__ticds-store_should_offer_completions_for_flags_or_options "ticds-store export" h help' -s 'h' -l 'help' -d 'Show help information.'
complete -c 'ticds-store' -n '__ticds-store_should_offer_completions_for_positional "ticds-store recover" -eq 1' -F
complete -c 'ticds-store' -n '__ticds-store_should_offer_completions_for_flags_or_options "ticds-store recover" to' -l 'to' -d 'The new file or folder to write.' -rF
complete -c 'ticds-store' -n '__ticds-store_should_offer_completions_for_flags_or_options "ticds-store recover" entity' -l 'entity' -d 'Only objects of this entity.' -rfka ''
complete -c 'ticds-store' -n '__ticds-store_should_offer_completions_for_flags_or_options "ticds-store recover" deleted' -l 'deleted' -d 'Only rows that are not present: deleted rows, old versions, and those of lost pages.'
complete -c 'ticds-store' -n '__ticds-store_should_offer_completions_for_flags_or_options "ticds-store recover" certain' -l 'certain' -d 'Only rows that are certain; of a binary store, only whole objects.'
complete -c 'ticds-store' -n '__ticds-store_should_offer_completions_for_flags_or_options "ticds-store recover" document' -l 'document' -d 'The document: its identifier or description, or a unique part of them.' -rfka '(__ticds-store_custom_completion ---completion recover -- --document (count (__ticds-store_tokens -pc)) (__ticds-store_tokens -tC))'
complete -c 'ticds-store' -n '__ticds-store_should_offer_completions_for_flags_or_options "ticds-store recover"' -l 'client' -d 'A client: its identifier or description, or a unique part of them. May be given several times.' -rfka '(__ticds-store_custom_completion ---completion recover -- --client (count (__ticds-store_tokens -pc)) (__ticds-store_tokens -tC))'
complete -c 'ticds-store' -n '__ticds-store_should_offer_completions_for_flags_or_options "ticds-store recover" model' -l 'model' -d 'The managed object model: a .mom, .momd, .xcdatamodel or .xcdatamodeld, a contents or elements file; or a folder in which to look for the model that fits.' -rF
complete -c 'ticds-store' -n '__ticds-store_should_offer_completions_for_flags_or_options "ticds-store recover" accept-mismatch' -l 'accept-mismatch' -d 'Use the model even if the store was saved with another version of it.'
complete -c 'ticds-store' -n '__ticds-store_should_offer_completions_for_flags_or_options "ticds-store recover" password-file' -l 'password-file' -d 'Read the password from a file.' -rF
complete -c 'ticds-store' -n '__ticds-store_should_offer_completions_for_flags_or_options "ticds-store recover" password-command' -l 'password-command' -d 'Run a command line with /bin/sh and take the password from its output.' -rfka '(__fish_complete_command)'
complete -c 'ticds-store' -n '__ticds-store_should_offer_completions_for_flags_or_options "ticds-store recover" old-hmac' -l 'old-hmac' -d 'Treat the remote as one from the first weeks of 2011, whose HMAC leaves out 16 bytes of each file.'
complete -c 'ticds-store' -n '__ticds-store_should_offer_completions_for_flags_or_options "ticds-store recover" json' -l 'json' -d 'Print JSON on standard output (see ticds-json(5)), and errors as JSON on standard error.'
complete -c 'ticds-store' -n '__ticds-store_should_offer_completions_for_flags_or_options "ticds-store recover" q quiet' -l 'quiet' -s 'q' -d 'Print no progress, and no messages and warnings if all is well: for cron(8).'
complete -c 'ticds-store' -n '__ticds-store_should_offer_completions_for_flags_or_options "ticds-store recover" v verbose' -l 'verbose' -s 'v' -d 'Print each step.'
complete -c 'ticds-store' -n '__ticds-store_should_offer_completions_for_flags_or_options "ticds-store recover" color' -l 'color' -d 'When to colour text.' -rfka 'auto always never'
complete -c 'ticds-store' -n '__ticds-store_should_offer_completions_for_flags_or_options "ticds-store recover" utc' -l 'utc' -d 'Print times in UTC instead of the local time zone.'
complete -c 'ticds-store' -n '__ticds-store_should_offer_completions_for_flags_or_options "ticds-store recover" iso' -l 'iso' -d 'Print times as ISO 8601, without their age.'
complete -c 'ticds-store' -n '__ticds-store_should_offer_completions_for_flags_or_options "ticds-store recover" bytes' -l 'bytes' -d 'Print exact sizes in bytes.'
complete -c 'ticds-store' -n '__ticds-store_should_offer_completions_for_flags_or_options "ticds-store recover" no-pager' -l 'no-pager' -d 'Print long text directly instead of through $PAGER.'
complete -c 'ticds-store' -n '__ticds-store_should_offer_completions_for_flags_or_options "ticds-store recover" progress' -l 'progress' -d 'How progress is shown: a line on a terminal, a line of text every ten seconds, JSON at most once a second, or not at all.' -rfka 'auto plain json none'
complete -c 'ticds-store' -n '__ticds-store_should_offer_completions_for_flags_or_options "ticds-store recover" no-progress' -l 'no-progress' -d 'Print no progress, not even on a terminal.'
complete -c 'ticds-store' -n '__ticds-store_should_offer_completions_for_flags_or_options "ticds-store recover" log-file' -l 'log-file' -d 'Append a record of actions, warnings and errors to a file.' -rF
complete -c 'ticds-store' -n '__ticds-store_should_offer_completions_for_flags_or_options "ticds-store recover" log-format' -l 'log-format' -d 'The format of the lines in the log file.' -rfka 'text json'
complete -c 'ticds-store' -n '__ticds-store_should_offer_completions_for_flags_or_options "ticds-store recover" version' -l 'version' -d 'Show the version.'
complete -c 'ticds-store' -n '__ticds-store_should_offer_completions_for_flags_or_options "ticds-store recover" h help' -s 'h' -l 'help' -d 'Show help information.'
complete -c 'ticds-store' -n '__ticds-store_should_offer_completions_for_positional "ticds-store compare" -eq 1' -F
complete -c 'ticds-store' -n '__ticds-store_should_offer_completions_for_positional "ticds-store compare" -eq 2' -F
complete -c 'ticds-store' -n '__ticds-store_should_offer_completions_for_flags_or_options "ticds-store compare" by' -l 'by' -d 'What identifies objects: the name of an attribute, or primary-key.' -rfka ''
complete -c 'ticds-store' -n '__ticds-store_should_offer_completions_for_flags_or_options "ticds-store compare" document' -l 'document' -d 'The document: its identifier or description, or a unique part of them.' -rfka '(__ticds-store_custom_completion ---completion compare -- --document (count (__ticds-store_tokens -pc)) (__ticds-store_tokens -tC))'
complete -c 'ticds-store' -n '__ticds-store_should_offer_completions_for_flags_or_options "ticds-store compare"' -l 'client' -d 'A client: its identifier or description, or a unique part of them. May be given several times.' -rfka '(__ticds-store_custom_completion ---completion compare -- --client (count (__ticds-store_tokens -pc)) (__ticds-store_tokens -tC))'
complete -c 'ticds-store' -n '__ticds-store_should_offer_completions_for_flags_or_options "ticds-store compare" model' -l 'model' -d 'The managed object model: a .mom, .momd, .xcdatamodel or .xcdatamodeld, a contents or elements file; or a folder in which to look for the model that fits.' -rF
complete -c 'ticds-store' -n '__ticds-store_should_offer_completions_for_flags_or_options "ticds-store compare" accept-mismatch' -l 'accept-mismatch' -d 'Use the model even if the store was saved with another version of it.'
complete -c 'ticds-store' -n '__ticds-store_should_offer_completions_for_flags_or_options "ticds-store compare" password-file' -l 'password-file' -d 'Read the password from a file.' -rF
complete -c 'ticds-store' -n '__ticds-store_should_offer_completions_for_flags_or_options "ticds-store compare" password-command' -l 'password-command' -d 'Run a command line with /bin/sh and take the password from its output.' -rfka '(__fish_complete_command)'
complete -c 'ticds-store' -n '__ticds-store_should_offer_completions_for_flags_or_options "ticds-store compare" old-hmac' -l 'old-hmac' -d 'Treat the remote as one from the first weeks of 2011, whose HMAC leaves out 16 bytes of each file.'
complete -c 'ticds-store' -n '__ticds-store_should_offer_completions_for_flags_or_options "ticds-store compare" json' -l 'json' -d 'Print JSON on standard output (see ticds-json(5)), and errors as JSON on standard error.'
complete -c 'ticds-store' -n '__ticds-store_should_offer_completions_for_flags_or_options "ticds-store compare" q quiet' -l 'quiet' -s 'q' -d 'Print no progress, and no messages and warnings if all is well: for cron(8).'
complete -c 'ticds-store' -n '__ticds-store_should_offer_completions_for_flags_or_options "ticds-store compare" v verbose' -l 'verbose' -s 'v' -d 'Print each step.'
complete -c 'ticds-store' -n '__ticds-store_should_offer_completions_for_flags_or_options "ticds-store compare" color' -l 'color' -d 'When to colour text.' -rfka 'auto always never'
complete -c 'ticds-store' -n '__ticds-store_should_offer_completions_for_flags_or_options "ticds-store compare" utc' -l 'utc' -d 'Print times in UTC instead of the local time zone.'
complete -c 'ticds-store' -n '__ticds-store_should_offer_completions_for_flags_or_options "ticds-store compare" iso' -l 'iso' -d 'Print times as ISO 8601, without their age.'
complete -c 'ticds-store' -n '__ticds-store_should_offer_completions_for_flags_or_options "ticds-store compare" bytes' -l 'bytes' -d 'Print exact sizes in bytes.'
complete -c 'ticds-store' -n '__ticds-store_should_offer_completions_for_flags_or_options "ticds-store compare" no-pager' -l 'no-pager' -d 'Print long text directly instead of through $PAGER.'
complete -c 'ticds-store' -n '__ticds-store_should_offer_completions_for_flags_or_options "ticds-store compare" progress' -l 'progress' -d 'How progress is shown: a line on a terminal, a line of text every ten seconds, JSON at most once a second, or not at all.' -rfka 'auto plain json none'
complete -c 'ticds-store' -n '__ticds-store_should_offer_completions_for_flags_or_options "ticds-store compare" no-progress' -l 'no-progress' -d 'Print no progress, not even on a terminal.'
complete -c 'ticds-store' -n '__ticds-store_should_offer_completions_for_flags_or_options "ticds-store compare" log-file' -l 'log-file' -d 'Append a record of actions, warnings and errors to a file.' -rF
complete -c 'ticds-store' -n '__ticds-store_should_offer_completions_for_flags_or_options "ticds-store compare" log-format' -l 'log-format' -d 'The format of the lines in the log file.' -rfka 'text json'
complete -c 'ticds-store' -n '__ticds-store_should_offer_completions_for_flags_or_options "ticds-store compare" version' -l 'version' -d 'Show the version.'
complete -c 'ticds-store' -n '__ticds-store_should_offer_completions_for_flags_or_options "ticds-store compare" h help' -s 'h' -l 'help' -d 'Show help information.'
complete -c 'ticds-store' -n '__ticds-store_should_offer_completions_for_positional "ticds-store install" -ge 1' -fka '(__ticds-store_custom_completion ---completion install -- positional@0 (count (__ticds-store_tokens -pc)) (__ticds-store_tokens -tC))'
complete -c 'ticds-store' -n '__ticds-store_should_offer_completions_for_flags_or_options "ticds-store install" document' -l 'document' -d 'The document: its identifier or description, or a unique part of them.' -rfka '(__ticds-store_custom_completion ---completion install -- --document (count (__ticds-store_tokens -pc)) (__ticds-store_tokens -tC))'
complete -c 'ticds-store' -n '__ticds-store_should_offer_completions_for_flags_or_options "ticds-store install" client' -l 'client' -d 'The client that gets the store.' -rfka '(__ticds-store_custom_completion ---completion install -- --client (count (__ticds-store_tokens -pc)) (__ticds-store_tokens -tC))'
complete -c 'ticds-store' -n '__ticds-store_should_offer_completions_for_flags_or_options "ticds-store install" form' -l 'form' -d 'Upload the store in this form: a file, a zip as Dropbox\'s clients do, or a folder with external data.' -rfka 'file zip folder'
complete -c 'ticds-store' -n '__ticds-store_should_offer_completions_for_flags_or_options "ticds-store install" register' -l 'register' -d 'The register of the change sets that the store contains: an AppliedSyncChangeSets.ticdsync.' -rF
complete -c 'ticds-store' -n '__ticds-store_should_offer_completions_for_flags_or_options "ticds-store install" contains' -l 'contains' -d 'Make a register which says that the store contains all change sets of the document, or none.' -rfka 'all none'
complete -c 'ticds-store' -n '__ticds-store_should_offer_completions_for_flags_or_options "ticds-store install" allow-behind' -l 'allow-behind' -d 'Install a store even if it lacks change sets according to its register.'
complete -c 'ticds-store' -n '__ticds-store_should_offer_completions_for_flags_or_options "ticds-store install" password-file' -l 'password-file' -d 'Read the password from a file.' -rF
complete -c 'ticds-store' -n '__ticds-store_should_offer_completions_for_flags_or_options "ticds-store install" password-command' -l 'password-command' -d 'Run a command line with /bin/sh and take the password from its output.' -rfka '(__fish_complete_command)'
complete -c 'ticds-store' -n '__ticds-store_should_offer_completions_for_flags_or_options "ticds-store install" old-hmac' -l 'old-hmac' -d 'Treat the remote as one from the first weeks of 2011, whose HMAC leaves out 16 bytes of each file.'
complete -c 'ticds-store' -n '__ticds-store_should_offer_completions_for_flags_or_options "ticds-store install" dry-run n' -l 'dry-run' -s 'n' -d 'Show what would be done, and change nothing.'
complete -c 'ticds-store' -n '__ticds-store_should_offer_completions_for_flags_or_options "ticds-store install" y yes' -l 'yes' -s 'y' -d 'Carry out the plan without asking.'
complete -c 'ticds-store' -n '__ticds-store_should_offer_completions_for_flags_or_options "ticds-store install" save-plan' -l 'save-plan' -d 'Write the plan to a new file, and change nothing. ticds-journal apply carries it out.' -rF
complete -c 'ticds-store' -n '__ticds-store_should_offer_completions_for_flags_or_options "ticds-store install" max-delete' -l 'max-delete' -d 'Refuse to remove more change sets of a document than this number or percentage: N or N%. Default: 50%.' -rfka ''
complete -c 'ticds-store' -n '__ticds-store_should_offer_completions_for_flags_or_options "ticds-store install"' -l 'allow-missing' -d 'Go on without a file that is missing or whose content is not on this machine: its name, or its path inside the remote. May be given several times.' -rfka ''
complete -c 'ticds-store' -n '__ticds-store_should_offer_completions_for_flags_or_options "ticds-store install" no-trash' -l 'no-trash' -d 'Delete permanently instead of moving to the trash. This cannot be undone.'
complete -c 'ticds-store' -n '__ticds-store_should_offer_completions_for_flags_or_options "ticds-store install" lock-wait' -l 'lock-wait' -d 'Wait this long, such as 30s, for another program of the suite that is changing the remote.' -rfka ''
complete -c 'ticds-store' -n '__ticds-store_should_offer_completions_for_flags_or_options "ticds-store install" json' -l 'json' -d 'Print JSON on standard output (see ticds-json(5)), and errors as JSON on standard error.'
complete -c 'ticds-store' -n '__ticds-store_should_offer_completions_for_flags_or_options "ticds-store install" q quiet' -l 'quiet' -s 'q' -d 'Print no progress, and no messages and warnings if all is well: for cron(8).'
complete -c 'ticds-store' -n '__ticds-store_should_offer_completions_for_flags_or_options "ticds-store install" v verbose' -l 'verbose' -s 'v' -d 'Print each step.'
complete -c 'ticds-store' -n '__ticds-store_should_offer_completions_for_flags_or_options "ticds-store install" color' -l 'color' -d 'When to colour text.' -rfka 'auto always never'
complete -c 'ticds-store' -n '__ticds-store_should_offer_completions_for_flags_or_options "ticds-store install" utc' -l 'utc' -d 'Print times in UTC instead of the local time zone.'
complete -c 'ticds-store' -n '__ticds-store_should_offer_completions_for_flags_or_options "ticds-store install" iso' -l 'iso' -d 'Print times as ISO 8601, without their age.'
complete -c 'ticds-store' -n '__ticds-store_should_offer_completions_for_flags_or_options "ticds-store install" bytes' -l 'bytes' -d 'Print exact sizes in bytes.'
complete -c 'ticds-store' -n '__ticds-store_should_offer_completions_for_flags_or_options "ticds-store install" no-pager' -l 'no-pager' -d 'Print long text directly instead of through $PAGER.'
complete -c 'ticds-store' -n '__ticds-store_should_offer_completions_for_flags_or_options "ticds-store install" progress' -l 'progress' -d 'How progress is shown: a line on a terminal, a line of text every ten seconds, JSON at most once a second, or not at all.' -rfka 'auto plain json none'
complete -c 'ticds-store' -n '__ticds-store_should_offer_completions_for_flags_or_options "ticds-store install" no-progress' -l 'no-progress' -d 'Print no progress, not even on a terminal.'
complete -c 'ticds-store' -n '__ticds-store_should_offer_completions_for_flags_or_options "ticds-store install" log-file' -l 'log-file' -d 'Append a record of actions, warnings and errors to a file.' -rF
complete -c 'ticds-store' -n '__ticds-store_should_offer_completions_for_flags_or_options "ticds-store install" log-format' -l 'log-format' -d 'The format of the lines in the log file.' -rfka 'text json'
complete -c 'ticds-store' -n '__ticds-store_should_offer_completions_for_flags_or_options "ticds-store install" version' -l 'version' -d 'Show the version.'
complete -c 'ticds-store' -n '__ticds-store_should_offer_completions_for_flags_or_options "ticds-store install" h help' -s 'h' -l 'help' -d 'Show help information.'
complete -c 'ticds-store' -n '__ticds-store_should_offer_completions_for_positional "ticds-store replay" -eq 1' -fka '(__ticds-store_custom_completion ---completion replay -- positional@0 (count (__ticds-store_tokens -pc)) (__ticds-store_tokens -tC))'
complete -c 'ticds-store' -n '__ticds-store_should_offer_completions_for_flags_or_options "ticds-store replay" document' -l 'document' -d 'The document: its identifier or description, or a unique part of them.' -rfka '(__ticds-store_custom_completion ---completion replay -- --document (count (__ticds-store_tokens -pc)) (__ticds-store_tokens -tC))'
complete -c 'ticds-store' -n '__ticds-store_should_offer_completions_for_flags_or_options "ticds-store replay" to' -l 'to' -d 'The store to write.' -rF
complete -c 'ticds-store' -n '__ticds-store_should_offer_completions_for_flags_or_options "ticds-store replay" force' -l 'force' -d 'Replace the file if it exists.'
complete -c 'ticds-store' -n '__ticds-store_should_offer_completions_for_flags_or_options "ticds-store replay" model' -l 'model' -d 'The managed object model of the app: a .mom, .momd, .xcdatamodel or .xcdatamodeld, a contents or elements file; or a folder in which to look for the model that fits.' -rF
complete -c 'ticds-store' -n '__ticds-store_should_offer_completions_for_flags_or_options "ticds-store replay" until' -l 'until' -d 'Only change sets and whole stores that were modified before this time.' -rfka ''
complete -c 'ticds-store' -n '__ticds-store_should_offer_completions_for_flags_or_options "ticds-store replay"' -l 'without-client' -d 'Leave out the change sets of this client. May be given several times.' -rfka '(__ticds-store_custom_completion ---completion replay -- --without-client (count (__ticds-store_tokens -pc)) (__ticds-store_tokens -tC))'
complete -c 'ticds-store' -n '__ticds-store_should_offer_completions_for_flags_or_options "ticds-store replay" from' -l 'from' -d 'Start from the whole store of this client and no other.' -rfka '(__ticds-store_custom_completion ---completion replay -- --from (count (__ticds-store_tokens -pc)) (__ticds-store_tokens -tC))'
complete -c 'ticds-store' -n '__ticds-store_should_offer_completions_for_flags_or_options "ticds-store replay" from-sets' -l 'from-sets' -d 'Start from no whole store, but build one from the change sets alone; needs --model.'
complete -c 'ticds-store' -n '__ticds-store_should_offer_completions_for_flags_or_options "ticds-store replay" password-file' -l 'password-file' -d 'Read the password from a file.' -rF
complete -c 'ticds-store' -n '__ticds-store_should_offer_completions_for_flags_or_options "ticds-store replay" password-command' -l 'password-command' -d 'Run a command line with /bin/sh and take the password from its output.' -rfka '(__fish_complete_command)'
complete -c 'ticds-store' -n '__ticds-store_should_offer_completions_for_flags_or_options "ticds-store replay" old-hmac' -l 'old-hmac' -d 'Treat the remote as one from the first weeks of 2011, whose HMAC leaves out 16 bytes of each file.'
complete -c 'ticds-store' -n '__ticds-store_should_offer_completions_for_flags_or_options "ticds-store replay" json' -l 'json' -d 'Print JSON on standard output (see ticds-json(5)), and errors as JSON on standard error.'
complete -c 'ticds-store' -n '__ticds-store_should_offer_completions_for_flags_or_options "ticds-store replay" q quiet' -l 'quiet' -s 'q' -d 'Print no progress, and no messages and warnings if all is well: for cron(8).'
complete -c 'ticds-store' -n '__ticds-store_should_offer_completions_for_flags_or_options "ticds-store replay" v verbose' -l 'verbose' -s 'v' -d 'Print each step.'
complete -c 'ticds-store' -n '__ticds-store_should_offer_completions_for_flags_or_options "ticds-store replay" color' -l 'color' -d 'When to colour text.' -rfka 'auto always never'
complete -c 'ticds-store' -n '__ticds-store_should_offer_completions_for_flags_or_options "ticds-store replay" utc' -l 'utc' -d 'Print times in UTC instead of the local time zone.'
complete -c 'ticds-store' -n '__ticds-store_should_offer_completions_for_flags_or_options "ticds-store replay" iso' -l 'iso' -d 'Print times as ISO 8601, without their age.'
complete -c 'ticds-store' -n '__ticds-store_should_offer_completions_for_flags_or_options "ticds-store replay" bytes' -l 'bytes' -d 'Print exact sizes in bytes.'
complete -c 'ticds-store' -n '__ticds-store_should_offer_completions_for_flags_or_options "ticds-store replay" no-pager' -l 'no-pager' -d 'Print long text directly instead of through $PAGER.'
complete -c 'ticds-store' -n '__ticds-store_should_offer_completions_for_flags_or_options "ticds-store replay" progress' -l 'progress' -d 'How progress is shown: a line on a terminal, a line of text every ten seconds, JSON at most once a second, or not at all.' -rfka 'auto plain json none'
complete -c 'ticds-store' -n '__ticds-store_should_offer_completions_for_flags_or_options "ticds-store replay" no-progress' -l 'no-progress' -d 'Print no progress, not even on a terminal.'
complete -c 'ticds-store' -n '__ticds-store_should_offer_completions_for_flags_or_options "ticds-store replay" log-file' -l 'log-file' -d 'Append a record of actions, warnings and errors to a file.' -rF
complete -c 'ticds-store' -n '__ticds-store_should_offer_completions_for_flags_or_options "ticds-store replay" log-format' -l 'log-format' -d 'The format of the lines in the log file.' -rfka 'text json'
complete -c 'ticds-store' -n '__ticds-store_should_offer_completions_for_flags_or_options "ticds-store replay" version' -l 'version' -d 'Show the version.'
complete -c 'ticds-store' -n '__ticds-store_should_offer_completions_for_flags_or_options "ticds-store replay" h help' -s 'h' -l 'help' -d 'Show help information.'
complete -c 'ticds-store' -n '__ticds-store_should_offer_completions_for_flags_or_options "ticds-store help" version' -l 'version' -d 'Show the version.'

# The functions that follow take the place of generated ones.

function __ticds-store_tokens
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

function __ticds-store_complete_directories
    __fish_complete_directories (commandline -ct) ''
end

function __ticds-store_complete_files
    set -l endings (string escape --style=regex -- $argv | string join '|')
    complete -C "__fish_command_without_completions "(commandline -ct) | string match -r -- "^.*(?:$endings|/)\$"
end

# Asks the program. It gets the words up to the cursor, and prints lines of value, tab and explanation.
function __ticds-store_custom_completion
    set -x SAP_SHELL fish
    set -x SAP_SHELL_VERSION $FISH_VERSION
    set -l words (__ticds-store_tokens -pc)
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

