//! What stands at the end of the long help and of the manual pages: examples, formats, exit codes.

/// Of the program.
pub(crate) const TOP: &str = "\
Examples:
  overmate play                      a match against an opponent that can be beaten
  overmate solve 20010               what deal 20010 is worth, and how to play it
  overmate solved                    what all deals are worth: who wins how often
  overmate rules pagat+free-move     the points in which this rule set differs

Exit codes:
  0  done
  1  the answer is no (an illegal record, a wrong deal), or something failed
  2  the command line makes no sense
  130  stopped with Ctrl-C
  143  stopped by the system with SIGTERM; 129 with SIGHUP, as when a terminal is closed

Colour is used in a terminal only, and not at all if NO_COLOR is set.";

/// Of `play`.
pub(crate) const PLAY: &str = "\
Examples:
  overmate play
  overmate play --level 7
  overmate play --level perfect --rules denexa+free-move --seat second
  overmate play --level perfect:vs=3
  overmate play --deal 20010 --deal 77 --record tuesday.mate
  overmate play --resume tuesday.mate
  overmate play --lines

At the table, the arrows move among the cards, Enter plays one, and ? tells the other keys. It
needs a terminal of 60 columns and 20 rows. Without a terminal, if TERM is dumb, and with --lines
the match is played line by line. Cards are typed rank first then, as in Tc or 7h. At the prompt:
  Tc      leads or follows with a card         -       foreplaces nothing
  Ks*     follows with the free move           (Tc)    foreplaces a card
  Kc!     leads a card and demands its rank    ?       tells what else can be typed

`why`, or w at the table, says what Overmate saw before its last action: how far it looked, what
it expects, and whether that is proved or only thought. `hint`, or i, says what your actions are
worth; with a card face down also what that rests on, and how often to take each. The record tells
of both, and of a review of the first game of a deal before the second is over.

Levels 1 to 9 err like people, the higher the less. With up to 20 cards, all of them open, the
perfect opponent loses no point, and among actions that are as good it sets the trap for the level
that you seem to be; perfect:vs=3 takes you for level 3, whatever you do. Nobody ever sees a card
of yours that lies face down: perfect weighs every card that it may be. With more cards it thinks
for about a second, and says so when it plays without proof. The record keeps whom you play
against, and a match goes on against the same.";

/// Of `serve`.
pub(crate) const SERVE: &str = "\
Examples:
  overmate serve
  overmate serve --listen 0.0.0.0:8080 --data /var/lib/overmate --log json
  overmate serve --behind-proxy --origin https://mate.example

The page is at the address that the first line names, the interface for programs at /api/docs, what has been
counted at /metrics, and /healthz answers ok while all is well.";

/// Of `solve`.
pub(crate) const SOLVE: &str = "\
Examples:
  overmate solve 20010
  overmate solve --rules pagat+double --after \"- - Tc\" 20010
  overmate solve \"Ac Tc Kc Qc 7c As Ts Ks Qs 7s / Ah Th Kh Qh 7h Ad Td Kd Qd 7d\"
  overmate solve --json 0..1000 | head

JSON: one object a line for each deal, with these fields in this order:
  rules            the name of the rule set
  deal             the canonical number of the deal
  first, second    the dealt hands, in the order of the deck
  after            the actions of --after
  to_act           \"first\", \"second\", or null when the game is over
  value_for_first  the final points with best play by both, as first sees them;
                   null if the search stopped before they were proved
  bounds           only then: [at least, at most]
  actions          every legal action once, each with action, value_for_first and perhaps bounds;
                   declining stands first, then cards by suit and rank, high to low
  line             a line of best play to the end of the game";

/// Of `solved`.
pub(crate) const SOLVED: &str = "\
Examples:
  overmate solved
  overmate solved --rules pagat+free-move --threads 4
  overmate solved --rules bga --json

JSON: one object, with these fields in this order:
  rules, positions      the name of the rule set, and how many positions it has
  deals                 how many deal numbers there are; the counts below are over them
  first_wins, second_wins, draws
                        of how many of them first wins, second wins, nobody does, with best play
  mean_value_for_first  the mean of their values
  histogram             by value for first, low to high: how many have it
  foreplacing           for how many best play needs the right to foreplace (the player would do
                        worse without it): of nobody (none), of first alone (first), of second alone
                        (second), of both (both)
  layers                positions with equally many cards, each with leader_cards, other_cards,
                        free_move (whether it is still there), positions, sum_for_leader and
                        sum_of_squares of their values
  seconds               how long it took to solve
  kernel, threads       what solved it
  distinct              only if the deck has identical cards, so that several numbers name one deal:
                        deals, first_wins, second_wins, draws and mean_value_for_first over deals";

/// Of `tablebase`.
pub(crate) const TABLEBASE: &str = "\
Examples:
  overmate tablebase build --rules bga bga.matebase
  overmate tablebase verify bga.matebase
  overmate tablebase probe bga.matebase 20010";

/// Of `tablebase build`.
pub(crate) const TABLEBASE_BUILD: &str = "\
Examples:
  overmate tablebase build sackson.matebase
  overmate tablebase build --rules own.toml --force own.matebase";

/// Of `tablebase verify`.
pub(crate) const TABLEBASE_VERIFY: &str = "\
Examples:
  overmate tablebase verify sackson.matebase
  overmate tablebase verify --rules sackson sackson.matebase

The exit code is 1 if anything is not in order.";

/// Of `tablebase probe`.
pub(crate) const TABLEBASE_PROBE: &str = "\
Examples:
  overmate tablebase probe sackson.matebase
  overmate tablebase probe sackson.matebase 20010
  overmate tablebase probe --json --after \"- - Tc\" sackson.matebase 0..1000

JSON: for a deal the fields of `overmate solve`. Without a deal one object: rules, positions, bytes,
version (of the format).";

/// Of `tablebase hashes`.
pub(crate) const TABLEBASE_HASHES: &str = "\
Examples:
  overmate tablebase hashes --rules bga
  overmate tablebase hashes --all > layer-hashes.tsv";

/// Of `deal`.
pub(crate) const DEAL: &str = "\
Examples:
  overmate deal 20010
  overmate deal --json 0..184756
  overmate deal --random --seed 7 --count 3
  overmate deal \"Ac Tc Kc Qc 7c As Ts Ks Qs 7s / Ah Th Kh Qh 7h Ad Td Kd Qd 7d\"

JSON: one object a line, with the fields rules, deal (the canonical number), first and second (the
hands). In decks with identical cards several numbers name one deal; the smallest is canonical.";

/// Of `replay`.
pub(crate) const REPLAY: &str = "\
Examples:
  overmate replay tuesday.mate
  overmate replay --json tuesday.mate
  overmate replay - < tuesday.mate

JSON: one object a line for each game, with these fields in this order:
  game           the number of the game
  deal           the canonical number of its deal
  leader         the player, A or B, who leads to the first move
  first, second  the dealt hands
  actions        what was done
  positions      the start and the position after each action, in the one-line form
  outcome        null while the game goes on; or kind (mate, overmate, draw, resignation),
                 by (A or B), card, value (of the card), move, factor (what the value is
                 multiplied by), points
  score          the points of the match so far, a and b
and at the end one for the match: rules, players (a, b), games, score (a, b), and result: null while
the match goes on; or winner (A, B, null for a draw), margin, resigned (A, B or null).

The exit code is 1 if the record cannot be read or an action of it is not legal.";

/// Of `review`.
pub(crate) const REVIEW: &str = "\
Examples:
  overmate review tuesday.mate
  overmate review --json tuesday.mate

The values are those of open cards: a card that lay face down counts as known. With more than 20
cards some may not be proved in time; such actions are marked and not part of the sums.

JSON: one object a line for each action, with these fields in this order:
  game           the number of the game
  number         which action of the game it is
  move           the number of the move, null for foreplacing
  player, seat   who acted: A or B, first or second
  action         what he did
  before, after  objects with value_for_first, or null and then bounds, as in `overmate solve`
  lost           the points that the action lost to best play; null if that is not proved
  best           the best actions
and at the end one for the match: lost (a, b) and unproved (a, b), the number of actions left out.";

/// Of `arena`.
pub(crate) const ARENA: &str = "\
Examples:
  overmate arena --players level:3,level:4 --matches 1000
  overmate arena --players level:3 --bot mine=\"python3 bot.py\" --record mine.mates
  overmate arena --players level:3,level:4 --matches 20000 --sprt 0,20
  overmate arena --players level:1,level:5,perfect --seed 7 --json
  overmate arena --players level:3,perfect,perfect:vs=3

The file of --record holds a match a record, in order; `overmate replay` and `overmate review`
read it. The same command again plays only what is missing there. A player that cannot go on, or
whose action is not legal, forfeits the match; its record says why.

A score is a share of the matches, a draw being half of one. Intervals hold the truth in about 95
of 100 arenas; a case is a pair of matches, as its two have the same deals. The superiority is the
probability that the first player is the stronger. --sprt stops two players as soon as it accepts
one of the Elo differences; it errs in about 5 of 100 arenas.

JSON: one object, with these fields in this order:
  rules, seed, matches  the rule set, the seed, and how many matches every two players may play
  nodes, time           the limits of an action; null if there is none
  sprt                  elo0, elo1, error_rate, lower and upper (bounds of the LLR); or null
  players               each with name, and program: what a program calls itself, or null
  pairings              one for every two players, with these fields, as the first of them sees it:
    players               the two names
    matches, wins, draws, losses
    pairs                 how many pairs of matches brought 0, 1/2, 1, 3/2 and 2 points
    score, elo            each with value, low and high; null if infinite
    likelihood_of_superiority
    points_a_match        of either
    margin_a_match        value, low and high; null if it was the same in all pairs
    llr                   the log-likelihood ratio of the SPRT, or null
    accepted              \"elo0\", \"elo1\", or null
    forfeits              how many matches either forfeited
    told_forfeits         the first 20, each with player, pair, as (A or B) and why
  standings             all players, the best first, each with player, matches, wins, draws, losses,
                        score and points_a_match";

/// Of `bot`.
pub(crate) const BOT: &str = "\
Examples:
  overmate bot --level 3
  overmate bot --level perfect
  overmate arena --players perfect --bot three=\"overmate bot --level 3\"

The protocol is described in docs/bot-protocol.md of the project.";

/// Of `rules`.
pub(crate) const RULES: &str = "\
Examples:
  overmate rules
  overmate rules sackson+double+free-move
  overmate rules --toml pagat > own.toml     a start for overmate play --rules own.toml

JSON: the list has one object a line, with kind (\"rule set\" or \"variation\"), name and about.
A rule set is one object, with these fields in this order:
  name, rounds, hand_size, free_move
  deck         suits (letter, name, symbol), ranks (letter, name, value), cards
  foreplacing  face, second_restricted, sole, overmate; or null
  privilege    ranks, on_demand; or null";

/// Of `completions`.
pub(crate) const COMPLETIONS: &str = "\
Examples:
  overmate completions bash > ~/.local/share/bash-completion/completions/overmate
  overmate completions fish > ~/.config/fish/completions/overmate.fish";

/// Of `man`.
pub(crate) const MAN: &str = "\
Examples:
  overmate man | man -l -
  overmate man solve > overmate-solve.1";
