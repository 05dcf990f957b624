//! Serves the bot of level 3 to an arena over the bot protocol, through standard input and output.

use std::io;

use overmate_arena::protocol::serve;
use overmate_bots::BuiltIn;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let bot: BuiltIn = "level:3".parse()?;
    let (input, mut output) = (io::stdin().lock(), io::stdout().lock());
    serve("level:3", |seed| bot.seeded(seed), input, &mut output)?;
    Ok(())
}
