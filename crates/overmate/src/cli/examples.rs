//! Defines the texts at the end of the long help and of the manual pages: examples, JSON formats, and exit codes.

/// Text that follows the options in the long help of the program `overmate`.
pub(crate) const TOP: &str = "\
Examples:
  overmate play                      a match against an opponent for beginners
  overmate solve 20010               the value of deal 20010, with best play
  overmate solved                    statistics of all deals: who wins how often
  overmate rules pagat+free-move     this rule set in full

Exit codes:
  0  done
  1  failed, or a negative answer (an illegal record, a wrong deal)
  2  an option or argument is unknown, missing or malformed
  130  stopped by Ctrl-C
  143  stopped by SIGTERM; 129 by SIGHUP, as when a terminal is closed
After these signals `overmate serve` stops in order: its exit code is 0. Under
nohup all commands go on after the terminal is closed.

Colour is used only in a terminal, and only if NO_COLOR is not set.";

/// Text that follows the options in the long help of the command `play`.
pub(crate) const PLAY: &str = "\
Examples:
  overmate play
  overmate play --level 7
  overmate play --level perfect --rules denexa+free-move --seat second
  overmate play --level perfect:vs=3
  overmate play --bot \"python3 docs/examples/bot.py\"
  overmate play --deal 20010 --deal 77 --record tuesday.mate
  overmate play --position \"7cKsThKhQh/TcKcQs7s second -/(Qd) - -\"
  overmate play --resume tuesday.mate
  overmate play --lines

On the full screen the arrows move among the cards, Enter plays a card, and ?
shows the other keys. The screen needs 60 columns and 20 rows. Without a
terminal, if TERM is dumb, and with --lines the match is played line by line.
On a terminal without UTF-8, or with --charset ascii, suits are letters and all
signs are ASCII. In line mode you type cards rank first, as in Tc or 7h:
  Tc      leads or follows with a card         -       foreplaces nothing
  Ks*     follows with the free move           (Tc)    foreplaces a card
  Kc!     leads a card and demands its rank    ?       shows the other commands

`why`, or w on the full screen, explains your opponent's last action: its search
depth, the expected result, and whether the result is proved. `hint`, or i,
shows the values of your actions. With a card face down, the hint also shows its
assumptions, and how often to play each action. `review`, or r, shows the points
that each player lost in the last finished game, and explains the losses with a
known reason. The record marks each use of `why` and `hint`, and a review of the
first game of a deal before the second game is over.

Levels 1 to 9 make mistakes as people do; higher levels make fewer. With up to
20 open cards the perfect opponent loses no point, and among equally good
actions sets a trap for the level at which you seem to play; perfect:vs=3 always
assumes level 3. No opponent sees your card that lies face down; the perfect
opponent weighs every possible card. With more cards the perfect opponent thinks
for about a second, and tells you when an action is not proved. The record names
the opponent, and a resumed match continues against the same opponent; a match
against a program needs --bot again.";

/// Text that follows the options in the long help of the command `puzzle`.
pub(crate) const PUZZLE: &str = "\
Examples:
  overmate puzzle
  overmate puzzle --rules bga --theme wait
  overmate puzzle --rules rael+kings-privilege --theme demand
  overmate puzzle --rules bga --daily

The puzzles of a set have an order. With --daily each day takes the next puzzle
that is not dull, so that none returns before all others have been shown.

The sets of the binary: bga and sackson with 3,000 puzzles each; pagat, rael,
sackson+double, sackson+free-move, sackson+kings-privilege,
sackson+figure-privilege, sackson+no-foreplacing and rael+kings-privilege with
300 each.";

/// Text that follows the options in the long help of the command `puzzles`.
pub(crate) const PUZZLES: &str = "\
Examples:
  overmate puzzles --rules bga --count 5
  overmate puzzles --rules bga --count 100 --seed 7 --theme wait --json

Puzzles need open cards and a deck of at most 20 cards.

Themes:
  only-action   at each decision exactly one of at least three actions is right
  mate-in-1     with best play of both you give mate in this move; mate-in-2,
                mate-in-3, and long-mate for later mates
  overmate      you give an overmate
  wait          you can give mate now, but only a later mate is right
  give-up-lead  every right action lets the opponent win the move
  keep-answer   every wrong answer allows mate with the next lead
  foreplace     you choose a card to foreplace, or decline
  free-move     only the free move is right
  demand        only the lead with the demand is right
  save-draw     the best result is a draw
  turn-loss     right actions win, and all others lose

JSON: one object a line, with these fields in this order:
  id            twelve hexadecimal digits, from the rule set and the position
  rules         the name of the rule set
  position      the position as a line that `overmate solve` reads; its \"first\"
                or \"second\" is the seat that leads, who need not act
  to_act        the seat of the solver, \"first\" or \"second\"
  solution      the actions of both, the solver's first
  alternatives  the other lines that solve the puzzle, each a list of actions
  ending        best play of both after the solution, up to your mate; empty if
                the solution ends with the mate, or in a draw
  themes        the names of the themes
  difficulty    the rating, 300 (easy) to 2700
  margin        the smallest difference in points between right and wrong
                actions";

/// Text that follows the options in the long help of the command `serve`.
pub(crate) const SERVE: &str = "\
Examples:
  overmate serve
  overmate serve --listen 0.0.0.0:8080 --data /var/lib/overmate --log json
  overmate serve --behind-proxy --host mate.example --metrics 127.0.0.1:2421
  overmate serve --database postgres://mate@db.example/mate
  overmate serve --database postgres:///mate --events nats://nats.example
  overmate serve --program mine=\"python3 bot.py\"

The first line of the output is the address of the page. /api/docs describes
the interface for programs. /healthz answers ok while the server works, and
/readyz while it can store matches. After Ctrl-C, SIGTERM or SIGHUP the exit
code is 0.";

/// Text that follows the options in the long help of the command `backup`.
pub(crate) const BACKUP: &str = "\
Examples:
  overmate backup --data /var/lib/overmate /backup
  overmate backup --data /var/lib/overmate /backup/before-the-upgrade.sqlite
  overmate backup --force /backup/overmate.sqlite

The server may run meanwhile: the backup holds the matches of one moment. It
appears under its name when it is complete, and after a check of every page, of
every match's log, and of the number of matches and entries. Only its owner may
read it, because it holds later deals and unused invitations.";

/// Text that follows the options in the long help of the command `restore`.
pub(crate) const RESTORE: &str = "\
Examples:
  overmate restore --data /var/lib/overmate /backup/overmate-2026-11-20-1.sqlite
  overmate restore --data /var/lib/overmate --force \\
    /backup/overmate-2026-11-20-1.sqlite

The backup is copied and verified before it replaces anything. Matches of the
replaced database that the backup does not hold are lost.";

/// Text that follows the options in the long help of the command `archive`.
pub(crate) const ARCHIVE: &str = "\
Examples:
  overmate archive --data /var/lib/overmate --parquet /backup/archive
  overmate archive --database postgres://mate@db.example/mate \\
    --parquet archive --force

matches.parquet has a row for each finished match, and entries.parquet a row for
each action, undo, hint and resignation; both have the column `match`.
docs/server.md of the project describes the columns. No file holds names,
browsers, ids or links of matches. A file appears under its name when it is
complete. A match whose stored rows are damaged is named and left out; the exit
code is then 1.";

/// Text that follows the options in the long help of the commands `database` and `database copy`.
pub(crate) const DATABASE: &str = "\
Examples:
  overmate database copy sqlite:/var/lib/overmate \\
    postgres://mate@db.example/mate
  overmate database copy sqlite:/var/lib/overmate env:OVERMATE_DATABASE
  overmate database copy config:/etc/overmate.toml sqlite:/var/lib/overmate

Stop all servers of both databases first: with one of them the command fails and
says so. The target has no matches yet; without tables it gets them. Both
databases have the schema of this version.

The copy is one transaction of the target: after an error or Ctrl-C the target
is as it was before. Before the end of the transaction every row is read back
and compared with the source. The browsers keep their matches, because the keys
of their cookies are copied too.";

/// Text that follows the options in the long help of the command `doctor`.
pub(crate) const DOCTOR: &str = "\
Examples:
  overmate doctor --data /var/lib/overmate
  overmate doctor --json | jq 'select(.verdict != \"ok\")'

The server may run meanwhile. The checks are: the clock, the limit of open
files, the data folder and its permissions, free disk space, the size of the
write-ahead log, every page of the database and every match's log, the version
of the schema, and whether matches are from the future. The folder, the disk,
the write-ahead log and the pages are checked with SQLite only.

JSON: one object a line, with these fields in this order:
  subject  the checked thing
  verdict  ok, warning, or fault
  text     what was found, and the remedy

The exit code is 1 if there is a fault, and 0 if there are only warnings.";

/// Text that follows the options in the long help of the command `solve`.
pub(crate) const SOLVE: &str = "\
Examples:
  overmate solve 20010
  overmate solve --rules pagat+double --after \"- - Tc\" 20010
  overmate solve \"Ac Tc Kc Qc 7c As Ts Ks Qs 7s / Ah Th Kh Qh 7h Ad Td Kd Qd 7d\"
  overmate solve \"AcTc/AhKh second -/- - -\"
  overmate solve --json 0..1000 | head

JSON: one object a line for each deal or position, with these fields in this
order:
  rules            the name of the rule set
  deal             the canonical number of the deal, as a string
  position         in place of deal, for a position line after the first action:
                   the line
  first, second    the dealt hands, or those of the position, in the order of
                   the deck
  after            the actions of --after
  to_act           \"first\", \"second\", or null when the game is over
  value_for_first  the final points with best play by both, from first's point
                   of view: an object with exact (null if the search stopped
                   before it was proved), low and high
  actions          every legal action once, each with action and
                   value_for_first; declining stands first, then cards by suit
                   and rank, high to low
  line             a line of best play to the end of the game";

/// Text that follows the options in the long help of the command `solved`.
pub(crate) const SOLVED: &str = "\
Examples:
  overmate solved
  overmate solved --rules pagat+free-move --threads 4
  overmate solved --rules bga --json

JSON: one object, with these fields in this order:
  rules, positions      the name of the rule set, and how many positions it has
  deals                 number of deal numbers; the counts below are over all of
                        them
  first_wins, second_wins, draws
                        numbers of deals that first wins, second wins, nobody
                        wins, with best play
  mean_value_for_first  the mean of their values
  histogram             numbers of deals by their value for first, low to high
  foreplacing           numbers of deals by the players who would do worse
                        without the right to foreplace: nobody (none), first
                        alone (first), second alone (second), both
  layers                positions with equally many cards, each with
                        leader_cards, other_cards, free_move (whether it is
                        unused), positions, sum_for_leader and sum_of_squares of
                        their values
  seconds               time of solving
  kernel, threads       instruction set and number of threads
  distinct              only if the deck has identical cards, so that several
                        numbers name one deal: deals, first_wins, second_wins,
                        draws and mean_value_for_first over deals";

/// Text that follows the options in the long help of the command `tablebase`.
pub(crate) const TABLEBASE: &str = "\
Examples:
  overmate tablebase build --rules bga bga.matebase
  overmate tablebase verify bga.matebase
  overmate tablebase probe bga.matebase 20010";

/// Text that follows the options in the long help of the command `tablebase build`.
pub(crate) const TABLEBASE_BUILD: &str = "\
Examples:
  overmate tablebase build sackson.matebase
  overmate tablebase build --rules own.toml --force own.matebase";

/// Text that follows the options in the long help of the command `tablebase verify`.
pub(crate) const TABLEBASE_VERIFY: &str = "\
Examples:
  overmate tablebase verify sackson.matebase
  overmate tablebase verify --rules sackson sackson.matebase

The exit code is 1 if a check fails.";

/// Text that follows the options in the long help of the command `tablebase probe`.
pub(crate) const TABLEBASE_PROBE: &str = "\
Examples:
  overmate tablebase probe sackson.matebase
  overmate tablebase probe sackson.matebase 20010
  overmate tablebase probe sackson.matebase \"AcTc/AhKh second -/- - -\"
  overmate tablebase probe --json --after \"- -\" sackson.matebase 0..1000

JSON: for a deal the fields of `overmate solve`. Without a deal one object:
rules, positions, bytes, version (of the format).";

/// Text that follows the options in the long help of the command `tablebase hashes`.
pub(crate) const TABLEBASE_HASHES: &str = "\
Examples:
  overmate tablebase hashes --rules bga
  overmate tablebase hashes --all > layer-hashes.tsv";

/// Text that follows the options in the long help of the command `data`.
pub(crate) const DATA: &str = "\
Examples:
  overmate data single.parquet
  overmate data single.parquet 20010 --rules sackson --rules pagat
  overmate data --csv --rules bga single.parquet 0..1000 > bga.csv
  overmate data --json double.parquet 0..39000 | head
  overmate data --verify 1000 --seed 7 single.parquet

JSON: without a deal one object a line for each rule set, with the fields rules,
deals, first_wins, second_wins, draws, mean_value_for_first,
least_value_for_first and most_value_for_first. For deals one object a line,
with these fields in this order:
  deal              the number of the deal, as a string
  same_as           the smallest number of the same deal, as a string; differs
                    from deal only in decks with identical cards
  first, second     the dealt hands
  values_for_first  the final points with best play by both, from first's point
                    of view, by the name of the rule set

CSV: the same columns as in the file, with a header line.

The exit code is 1 if the file is damaged, if a deal or a rule set is not in the
file, or if a value differs from that of the solver.";

/// Text that follows the options in the long help of the command `deal`.
pub(crate) const DEAL: &str = "\
Examples:
  overmate deal 20010
  overmate deal --json 0..184756
  overmate deal --random --seed 7 --count 3
  overmate deal \"AcTc/AhKh second -/- - -\"
  overmate deal \"Ac Tc Kc Qc 7c As Ts Ks Qs 7s / Ah Th Kh Qh 7h Ad Td Kd Qd 7d\"

JSON: one object a line, with the fields rules, deal (the canonical number, as a
string), first and second (the hands). A position line after the first action
has the field position, the line, in place of deal. In decks with identical
cards several numbers name one deal; the smallest is canonical.";

/// Text that follows the options in the long help of the command `replay`.
pub(crate) const REPLAY: &str = "\
Examples:
  overmate replay tuesday.mate
  overmate replay --json tuesday.mate
  overmate replay - < tuesday.mate

JSON: one object a line for each game, with these fields in this order:
  game           the number of the game
  deal           the canonical number of its deal, as a string
  leader         the player, A or B, who leads to the first move
  first, second  the dealt hands
  actions        the actions
  positions      the start and the position after each action, in the one-line
                 form
  outcome        null while the game goes on; or kind (mate, overmate, draw,
                 resignation), by (A or B), card, value (of the card), move,
                 factor (what the value is multiplied by), points
  score          the points of the match so far, a and b
  comments       only after a resignation with comments in the record: these
                 comments, such as the reason for a forfeit
and at the end one for the match: rules, players (a, b), games, score (a, b),
and result: null while the match goes on; or winner (A, B, null for a draw),
margin, resigned (A, B or null).

The exit code is 1 if the record cannot be read or an action of it is not legal.";

/// Text that follows the options in the long help of the command `review`.
pub(crate) const REVIEW: &str = "\
Examples:
  overmate review tuesday.mate
  overmate review --json tuesday.mate

The columns before and after hold the value of the game for the player of the
row; in JSON, values are for first. Sentences explain the losses with a known
reason.

The values are those of open cards: a card that lay face down counts as known.
With more than 20 cards some values may not be proved in time; such actions are
marked and left out of the sums. A match of `overmate play --position` is
reviewed from that position on.

JSON: one object a line for each action, with these fields in this order:
  game           the number of the game
  number         which action of the game it is
  move           the number of the move, null for foreplacing
  player, seat   who acted: A or B, first or second
  action         the action
  before, after  values for first: objects with exact, low and high, as in
                 `overmate solve`
  lost           the points that the action lost to best play; null if that is
                 not proved
  best           the best actions
  mistake        why the action lost points: kind and cards; null if no known
                 reason holds
and at the end one for the match: lost (a, b) and unproved (a, b), the number of
actions left out.";

/// Text that follows the options in the long help of the command `admin`.
pub(crate) const ADMIN: &str = "\
Examples:
  overmate admin --data /var/lib/overmate find Anna
  overmate admin find \\
    https://mate.example/match/0123456789abcdef0123456789abcdef
  overmate admin rename 0123456789abcdef0123456789abcdef --player b \\
    --reason \"complaint of 20 November\"
  overmate admin reports
  overmate admin mute @anna --days 7 --reason \"insults\" \\
    --settle 0123456789abcdef0123456789abcdef
  overmate admin log --json

A match has an id of 32 hexadecimal digits, a browser and an invitation one of
64. Links to matches and invitations name their id. The export of a browser's
data, in the settings of the page, begins with the id of the browser.

The server may run meanwhile. The target of an act, a match or a browser, sees
the change within 2 seconds; opponents of a browser see it within 20 seconds.
Each act except those of `event` is in the log for a year, with its reason and
without names of players.";

/// Text that follows the options in the long help of the command `arena`.
pub(crate) const ARENA: &str = "\
Examples:
  overmate arena --players level:3,level:4 --matches 1000
  overmate arena --players level:3 --bot mine=\"python3 bot.py\" \\
    --record mine.mates
  overmate arena --players level:3,level:4 --matches 20000 --sprt 0,20
  overmate arena --players level:1,level:5,perfect --seed 7 --json
  overmate arena --players level:3,perfect,perfect:vs=3
  overmate arena --players level:3,level:4,level:5 --bot mine=\"python3 bot.py\" \\
    --gauntlet mine --clock 60+0.5
  overmate arena --players level:3,level:4 --deals deals.txt

The file of --record holds one record for each match; `overmate replay` and
`overmate review` read it. The same command again plays only the missing
matches. A player that fails, or whose action is not legal, forfeits the match;
its record says why. A forfeit is a lost match, and the points of its pair of
matches are left out of the means of points and margins.

A score is a share of the matches, and a draw counts one half. Each interval has
a confidence of 95 %. It is computed over pairs of matches, because the two
matches of a pair have the same deals. The superiority is the probability that
the first player is the stronger. --sprt stops a pairing as soon as the
sequential probability ratio test accepts one of the Elo differences; its error
rate is about 5 %.

JSON: one object, with these fields in this order:
  rules, seed, matches  the rule set, the seed, and the largest number of
                        matches of a pairing
  nodes, time           the limits of an action; null if there is none
  sprt                  elo0, elo1, error_rate, lower and upper (bounds of the
                        LLR); or null
  players               each with name, and program: the name that a program
                        gives itself, or null
  pairings              one for every two players, from the first player's point
                        of view:
    players               the two names
    matches, wins, draws, losses
    pairs                 numbers of pairs of matches with 0, 1/2, 1, 3/2 and 2
                          points
    score, elo            each with value, low and high; null if infinite
    likelihood_of_superiority
    points_a_match        of each player
    margin_a_match        value, low and high; null if it was the same in all
                          pairs
    llr                   the log-likelihood ratio of the SPRT, or null
    accepted              \"elo0\", \"elo1\", or null
    forfeits              numbers of matches that each player forfeited
    told_forfeits         the first 20, each with player, pair, as (A or B) and
                          why
  standings             all players, the best first, each with player, matches,
                        wins, draws, losses, score and points_a_match
  gauntlet              the player of --gauntlet, or null
  clock                 base and increment of the programs' clocks in seconds,
                        or null
  listed_deals          number of played deals of --deals, or null";

/// Text that follows the options in the long help of the command `bot`.
pub(crate) const BOT: &str = "\
Examples:
  overmate bot --level 3
  overmate bot --level perfect
  overmate arena --players perfect --bot three=\"overmate bot --level 3\"

The protocol is described in docs/bot-protocol.md of the project.";

/// Text that follows the options in the long help of the command `rules`.
pub(crate) const RULES: &str = "\
Examples:
  overmate rules
  overmate rules sackson+double+free-move
  overmate rules --toml pagat > own.toml
  overmate play --rules own.toml

JSON: the same objects as from the server. The list has rule_sets and
variations, each entry with id, title and more. A rule set is one object, with
these fields in this order:
  id, title, base, variations, source
  deck         suits (letter, name, symbol), ranks (letter, name, points), cards
  hand_size, games (in a match), deals (number of deals, as a string)
  foreplacing  face_down, second_restricted, sole_doubled, overmate; or null
  privilege    ranks, on_demand; or null
  free_move";

/// Text that follows the options in the long help of the command `completions`.
pub(crate) const COMPLETIONS: &str = "\
Examples:
  overmate completions bash \\
    > ~/.local/share/bash-completion/completions/overmate
  overmate completions fish > ~/.config/fish/completions/overmate.fish";

/// Text that follows the options in the long help of the command `man`.
pub(crate) const MAN: &str = "\
Examples:
  overmate man | man -l -
  overmate man solve > overmate-solve.1
  overmate man tablebase build | man -l -";
