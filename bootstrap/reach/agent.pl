# gpuboot-reach: listens on ports for some seconds and tries those of other hosts. See agent.go for its lines.
use strict;
use Errno;
use Fcntl;
use Socket qw(:DEFAULT :addrinfo IPPROTO_IP IPPROTO_IPV6 inet_pton pack_sockaddr_in6 pack_sockaddr_in);

my ($token, $life, $wait, $listen) = @ARGV;
$wait /= 1000;
$SIG{PIPE} = 'IGNORE';
alarm $life;

sub out { syswrite STDOUT, join(' ', @_) . "\n" }

sub place {
    my ($addr, $port) = @_;
    return $addr =~ /:/ ? (AF_INET6, pack_sockaddr_in6($port, inet_pton(AF_INET6, $addr)))
                        : (AF_INET, pack_sockaddr_in($port, inet_pton(AF_INET, $addr)));
}

sub ready {    # waits until one may read (or write)
    my ($s, $time, $write) = @_;
    my $bits = '';
    vec($bits, fileno($s), 1) = 1;
    return $write ? select(undef, $bits, undef, $time) > 0 : select($bits, undef, undef, $time) > 0;
}

sub take {     # reads n bytes
    my ($s, $n, $time) = @_;
    while ($n > 0) {
        return 0 unless ready($s, $time);
        my $got = sysread $s, my $part, $n > 65536 ? 65536 : $n;
        next if !defined $got && $!{EAGAIN};
        return 0 unless $got;
        $n -= $got;
    }
    return 1;
}

sub give {     # writes all
    my ($s, $data, $time) = @_;
    my $at = 0;
    while ($at < length $data) {
        return 0 unless ready($s, $time, 1);
        my $n = syswrite $s, $data, length($data) - $at, $at;
        next if !defined $n && $!{EAGAIN};
        return 0 unless $n;
        $at += $n;
    }
    return 1;
}

sub text {     # reads a line
    my ($s, $time) = @_;
    my $text = '';
    while ($text !~ /\n/ && length $text < 200) {
        return $text unless ready($s, $time);
        return $text unless sysread $s, $text, 1, length $text;
    }
    return $text;
}

sub greet {
    my ($c) = @_;
    give($c, "$token\n", 10);
    my $n = text($c, 10);
    return unless $n =~ /^(\d+)\n/ && take($c, $1, 10);
    give($c, 'x' x $n, 10);
    ready($c, 10);
}

sub serve {
    my ($tcp, $udp) = @_;
    $SIG{CHLD} = 'IGNORE';
    while (1) {
        my $bits = '';
        vec($bits, fileno($_), 1) = 1 for @$tcp, @$udp;
        next unless select($bits, undef, undef, undef) > 0;
        for my $s (@$tcp) {
            next unless vec($bits, fileno($s), 1) && accept(my $c, $s);
            my $pid = fork;
            if (defined $pid && !$pid) { alarm 15; greet($c); exit }
            close $c;
        }
        for my $s (@$udp) {
            next unless vec($bits, fileno($s), 1);
            my $peer = recv $s, my $data, 65535, 0;
            my @words = split ' ', substr($data, 0, 64);
            send $s, "$token $words[1]", 0, $peer if defined $peer && length $data > 60 && @words > 1;
        }
    }
}

sub failure {
    my ($e) = @_;
    $! = $e;
    return 'refused 0' if $!{ECONNREFUSED};
    return "unreachable $e" if $!{EHOSTUNREACH} || $!{ENETUNREACH} || $!{EACCES} || $!{EPERM};
    return 'timeout 0' if $!{ETIMEDOUT};
    return "error $e";
}

sub tcp {
    my ($addr, $port, $want, $bulk) = @_;
    my ($family, $to) = place($addr, $port);
    socket my $s, $family, SOCK_STREAM, 0 or return failure($! + 0);
    fcntl $s, F_SETFL, fcntl($s, F_GETFL, 0) | O_NONBLOCK;
    if (!connect $s, $to) {
        return failure($! + 0) unless $!{EINPROGRESS};
        return 'timeout 0' unless ready($s, $wait, 1);
        my $e = unpack 'i', getsockopt $s, SOL_SOCKET, SO_ERROR;
        return failure($e) if $e;
    }
    return 'open 0' if $want eq '-';
    return 'stranger 0' unless text($s, $wait) eq "$want\n";
    return 'stall 0' if $bulk && !(give($s, "$bulk\n" . 'x' x $bulk, $wait) && take($s, $bulk, $wait));
    return 'open 0';
}

my ($bad, $strange) = (0, 0);

sub round {    # sends packets of some sizes, gives those that were answered
    my ($s, $want, $head, $tries, @sizes) = @_;
    my %got;
    for (1 .. $tries) {
        my $open = 0;
        for my $n (grep { !$got{$_} } @sizes) {
            my $text = "$want $n ";
            if (defined send $s, $text . 'x' x ($n - $head - length $text), 0) { $open++ }
            elsif (!$!{EMSGSIZE}) { $bad = $! + 0 }
        }
        while ($open > 0 && !$got{$sizes[-1]} && ready($s, 0.25)) {
            if (!defined recv $s, my $data, 2048, 0) { $bad = $! + 0; last }
            else {
                my @words = split ' ', $data;
                if (@words == 2 && $words[0] eq $want) { $open-- unless $got{$words[1]}++ }
                elsif (@words == 2) { $strange = 1 }
            }
        }
        last if $got{$sizes[-1]};
    }
    my @got = sort { $a <=> $b } keys %got;
    return @got;
}

sub udp {
    my ($addr, $port, $want, $mtu) = @_;
    my ($family, $to) = place($addr, $port);
    my $v6 = $family == AF_INET6;
    my $head = $v6 ? 48 : 28;
    socket my $s, $family, SOCK_DGRAM, 0 or return failure($! + 0);
    # IP_MTU_DISCOVER or IPV6_MTU_DISCOVER: PROBE sets DF and believes no cache.
    setsockopt $s, $v6 ? IPPROTO_IPV6 : IPPROTO_IP, $v6 ? 23 : 10, pack 'i', 3;
    connect $s, $to or return failure($! + 0);
    if (!round($s, $want, $head, 5, 200)) {
        return 'stranger 0' if $strange;
        return $bad ? failure($bad) : 'timeout 0';
    }
    return "open $mtu" if round($s, $want, $head, 3, $mtu);
    my ($low, $high) = (200, $mtu);
    while ($high - $low > 1) {
        my $step = int(($high - $low) / 12) || 1;
        my @sizes = map { $low + $step * $_ } 1 .. int(($high - $low - 1) / $step);
        my @got = round($s, $want, $head, 2, @sizes);
        $low = $got[-1] if @got;
        ($high) = grep { $_ > $low } @sizes, $high;
    }
    return "open $low";
}

my (@tcp, @udp);
for (split /,/, $listen) {
    my ($kind, $addr, $port) = split /\//;
    my ($family, $at) = place($addr, $port);
    my $ok = socket my $s, $family, $kind eq 'tcp' ? SOCK_STREAM : SOCK_DGRAM, 0;
    setsockopt $s, SOL_SOCKET, SO_REUSEADDR, 1 if $ok && $kind eq 'tcp';
    $ok &&= bind $s, $at;
    $ok &&= listen $s, 128 if $kind eq 'tcp';
    if (!$ok) { out('taken', $kind, $addr, $port); next }
    push @{ $kind eq 'tcp' ? \@tcp : \@udp }, $s;
}
my %kids;
my $server = 0;
if (@tcp || @udp) {
    $server = fork;
    if (defined $server && !$server) { alarm $life; serve(\@tcp, \@udp) }
}
close $_ for @tcp, @udp;
out('ready', 'perl');
while (defined(my $line = <STDIN>)) {
    my ($id, $kind, $addr, $port, $want, $n) = split ' ', $line;
    next unless defined $n;
    while (keys %kids >= 64) { delete $kids{ waitpid(-1, 0) } }
    my $pid = fork;
    if (!defined $pid) { out($id, 'error', $! + 0); next }
    if (!$pid) {
        alarm 15;
        out($id, $kind eq 'tcp' ? tcp($addr, $port, $want, $n) : udp($addr, $port, $want, $n));
        exit;
    }
    $kids{$pid} = 1;
}
kill 'TERM', $server ? $server : (), keys %kids;
