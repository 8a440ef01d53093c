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
        case 'dump'
            __ticds-store_parse_subcommand 1 'model=' 'accept-mismatch' 'entity=' 'password-file=' 'password-command=' 'old-hmac' 'json' 'q/quiet' 'v/verbose' 'color=' 'no-progress' 'version' 'h/help'
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
complete -c 'ticds-store' -n '__ticds-store_should_offer_completions_for_positional "ticds-store" -eq 1' -fa 'dump' -d 'Prints every object of a Core Data store.'
complete -c 'ticds-store' -n '__ticds-store_should_offer_completions_for_positional "ticds-store" -eq 1' -fa 'help' -d 'Show subcommand help information.'
complete -c 'ticds-store' -n '__ticds-store_should_offer_completions_for_positional "ticds-store dump" -eq 1' -F
complete -c 'ticds-store' -n '__ticds-store_should_offer_completions_for_flags_or_options "ticds-store dump" model' -l 'model' -d 'The managed object model: a .mom, .momd, .xcdatamodel or .xcdatamodeld, a contents or elements file; or a folder in which the fitting one is looked for.' -rF
complete -c 'ticds-store' -n '__ticds-store_should_offer_completions_for_flags_or_options "ticds-store dump" accept-mismatch' -l 'accept-mismatch' -d 'Read with the model even if the store was saved with another version of it.'
complete -c 'ticds-store' -n '__ticds-store_should_offer_completions_for_flags_or_options "ticds-store dump" entity' -l 'entity' -d 'Only objects of this entity.' -rfka ''
complete -c 'ticds-store' -n '__ticds-store_should_offer_completions_for_flags_or_options "ticds-store dump" password-file' -l 'password-file' -d 'Read the password from a file.' -rF
complete -c 'ticds-store' -n '__ticds-store_should_offer_completions_for_flags_or_options "ticds-store dump" password-command' -l 'password-command' -d 'Run a command line with /bin/sh and take the password from its output.' -rfka '(compgen -c)'
complete -c 'ticds-store' -n '__ticds-store_should_offer_completions_for_flags_or_options "ticds-store dump" old-hmac' -l 'old-hmac' -d 'Take the remote for one of the first weeks of 2011, whose HMAC leaves out 16 bytes of each file.'
complete -c 'ticds-store' -n '__ticds-store_should_offer_completions_for_flags_or_options "ticds-store dump" json' -l 'json' -d 'Print JSON on standard output (see ticds-json(5)); errors are JSON, too, on standard error.'
complete -c 'ticds-store' -n '__ticds-store_should_offer_completions_for_flags_or_options "ticds-store dump" q quiet' -l 'quiet' -s 'q' -d 'Print no warnings and no progress, only results and errors.'
complete -c 'ticds-store' -n '__ticds-store_should_offer_completions_for_flags_or_options "ticds-store dump" v verbose' -l 'verbose' -s 'v' -d 'Print more about what is done.'
complete -c 'ticds-store' -n '__ticds-store_should_offer_completions_for_flags_or_options "ticds-store dump" color' -l 'color' -d 'Paint text for a terminal.' -rfka 'auto always never'
complete -c 'ticds-store' -n '__ticds-store_should_offer_completions_for_flags_or_options "ticds-store dump" no-progress' -l 'no-progress' -d 'Print no progress, not even on a terminal.'
complete -c 'ticds-store' -n '__ticds-store_should_offer_completions_for_flags_or_options "ticds-store dump" version' -l 'version' -d 'Show the version.'
complete -c 'ticds-store' -n '__ticds-store_should_offer_completions_for_flags_or_options "ticds-store dump" h help' -s 'h' -l 'help' -d 'Show help information.'
complete -c 'ticds-store' -n '__ticds-store_should_offer_completions_for_flags_or_options "ticds-store help" version' -l 'version' -d 'Show the version.'
