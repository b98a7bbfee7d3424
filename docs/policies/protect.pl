# First come, first served; when memory would overflow, all are cancelled.
use strict;
use warnings;
use JSON::PP;
$| = 1;

scalar <STDIN>;    # what the program says of itself
print "{\"asks\": \"decisions\", \"version\": \"1\"}\n";
while (my $line = <STDIN>) {
    my $now = decode_json($line);
    next if $now->{begin};    # another instance
    my ($free, @waiting, @cancel, @start) = ($now->{free}, @{ $now->{waiting} });
    if ($now->{free} < 0) {
        my @active = @{ $now->{active} };
        @cancel  = map { $_->{id} } @active;
        @waiting = sort { $a->{arrival} <=> $b->{arrival} || $a->{id} <=> $b->{id} } @active, @waiting;
        $free    = $now->{memory};
    }
    for my $request (@waiting) {
        last if $request->{prompt} + 1 > $free;
        $free -= $request->{prompt} + 1;
        push @start, $request->{id};
    }
    print encode_json({ cancel => \@cancel, start => \@start }), "\n";
}
