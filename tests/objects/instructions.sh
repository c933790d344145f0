#!/usr/bin/env bash
# instructions.sh sse2|avx2|fused LIST: the listed objects hold no instruction newer than the named set (GNU binutils spelling), or,
# for `fused`, no multiply-add with a single rounding, which would give other bits than the machines without it.
set -euo pipefail
rule=${1%_leak} list=$2

objects=()
while IFS=$'\t' read -r _ path; do [ -z "$path" ] || objects+=("$path"); done <"$list"
[ ${#objects[@]} -gt 0 ] || { echo "instructions.sh: no object in $list"; exit 2; }

"${OBJDUMP:-objdump}" --disassemble --demangle --no-show-raw-insn "${objects[@]}" | awk -F '\t' -v rule="$rule" '
    BEGIN {
        sse3 = "addsubp[sd]|haddp[sd]|hsubp[sd]|lddqu|movddup|movshdup|movsldup|fisttp.*"
        ssse3 = "pabs[bwd]|palignr|ph(add|sub)(w|d|sw)|pmaddubsw|pmulhrsw|pshufb|psign[bwd]"
        sse41 = "p?blend(v)?(p[sd]|b|w)|dpp[sd]|extractps|insertps|movntdqa|mpsadbw|packusdw|pcmpeqq|p(extr|insr)[bdq]|phminposuw" \
                "|p(max|min)(s[bd]|u[wd])|pmov[sz]x.*|pmuldq|pmulld|ptest|round[ps][sd]"
        sse42 = "pcmp[ei]str[im]|pcmpgtq|crc32[bwlq]?|popcnt[wlq]?"
        bits = "andn|bextr|bls(i|r|msk)|bzhi|mulx|pdep|pext|rorx|sarx|shlx|shrx|lzcnt|adcx|adox|movbe"
        newer_than_sse2 = "^(" sse3 "|" ssse3 "|" sse41 "|" sse42 "|" bits ")$"
        evex = "%zmm|%k[0-7]|%[xy]mm(1[6-9]|2[0-9]|3[01])"
    }
    /^[0-9a-f]+ <.*>:$/ { where = $0; sub(/^[0-9a-f]+ </, "", where); sub(/>:$/, "", where); next }
    /file format/ { n = split($1, path, "/"); object = path[n]; sub(/:.*/, "", object); next }
    NF < 2 { next }
    {
        ++total
        text = $2
        while (text ~ /^(rep[nz]*|repz|repnz|lock|data16|notrack|bnd|cs|ds|es|fs|gs|ss|addr32|rex[.A-Z]*|\{[a-z0-9]+\}) /)
            sub(/^[^ ]+ +/, "", text)
        mnemonic = text
        sub(/ .*/, "", mnemonic)
        bad = 0
        if (rule == "fused")
            bad = mnemonic ~ /^(vfn?m(add|sub).*|fn?m(add|sub)|fml[as])$/
        else if (rule == "avx2")
            bad = text ~ evex
        else
            bad = (mnemonic ~ /^v/ && mnemonic !~ /^ver[rw]$/) || text ~ /%ymm/ || text ~ evex || mnemonic ~ newer_than_sse2
        if (bad && ++found <= 30) print text "   in " where " (" object ")"
    }
    END {
        if (total == 0) { print "no instruction was read"; exit 2 }
        print total " instructions, " found + 0 " against the rule \"" rule "\""
        exit found > 0
    }'
