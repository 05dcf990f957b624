//! Sends the presence and the chat phrases of this server's players to the other servers, over the channel for notices between servers.
//!
//! A message is only a hint, because it can get lost. Therefore each server repeats the presence of its players at intervals.

use std::time::Duration;

use tokio::time::{sleep, timeout};
use tokio_util::sync::CancellationToken;
use tokio_util::task::TaskTracker;

use super::sharing::{Carrier, REREAD_INTERVAL, packed};
use crate::presence::{RoomMessage, Rooms};
use crate::random::random_seed;

/// Maximum time for which the server waits for a signal before it looks for unsent messages about players' presence and chat phrases.
const INTERVAL: Duration = Duration::from_millis(250);

/// Minimum pause between two searches for unsent messages about players' presence and chat phrases. Messages about many matches thus share
/// a notice.
const PAUSE: Duration = Duration::from_millis(100);

/// Starts to send this server's messages about players' presence and chat phrases to the other servers, until the server stops.
pub(crate) fn start(
    rooms: &Rooms,
    carrier: impl Carrier,
    (stop, tasks): (&CancellationToken, &TaskTracker),
) {
    // If the random generator fails, the id of this server in messages to other servers is 0. Servers with the same id ignore the messages
    // about each other's rooms.
    rooms.share(random_seed().unwrap_or_default());
    tasks.spawn(tell(rooms.clone(), carrier, stop.clone()));
}

async fn tell(rooms: Rooms, carrier: impl Carrier, stop: CancellationToken) {
    let mut has_failed = false;
    while timeout(PAUSE, stop.cancelled()).await.is_err() {
        tokio::select! {
            () = rooms.changed() => {}
            () = sleep(INTERVAL) => {}
            () = stop.cancelled() => break,
        }
        send(&carrier, rooms.messages(), &mut has_failed).await;
    }
    // The server sends the last chat phrases before it announces its stop to the other servers. After this announcement, the other servers
    // no longer count the live connections to this server, which end now, too.
    let last = rooms.messages();
    send(&carrier, last.into_iter().chain(rooms.farewell()), &mut has_failed).await;
}

/// Sends this server's messages about players' presence and chat phrases to the other servers. The match rooms later repeat lost messages
/// about presence, but not lost phrases.
async fn send(
    carrier: &impl Carrier,
    messages: impl IntoIterator<Item = RoomMessage>,
    has_failed: &mut bool,
) {
    let mut lines = messages.into_iter().map(|message| message.line()).peekable();
    if lines.peek().is_none() {
        return;
    }
    let error = match timeout(REREAD_INTERVAL, carrier.send(packed(lines))).await {
        Ok(Ok(())) => {
            *has_failed = false;
            return;
        }
        Ok(Err(error)) => error,
        Err(elapsed) => elapsed.into(),
    };
    // Only the first of several consecutive failures to send is logged, because the message channel may be unavailable for a long time.
    if !std::mem::replace(has_failed, true) {
        tracing::warn!(error, "other servers get no messages about the players at this server");
    }
}

#[cfg(test)]
mod tests {
    use std::error::Error;
    use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
    use std::sync::{Arc, Mutex};

    use futures_util::future::{BoxFuture, FutureExt as _};
    use overmate_rules::{ByPlayer, Player};

    use super::*;
    use crate::notices::events::InProcess;
    use crate::notices::sharing::hear;
    use crate::presence::{Attending, Presence, RoomNotice};
    use crate::wire::Phrase;

    const ID: &str = "0123456789abcdef0123456789abcdef";

    /// Time in which a test expects an undelayed message about a match room to reach another server.
    const SOON: Duration = Duration::from_millis(200);

    /// Time in which a test expects a delayed message about the players of a match to reach another server. A server delays a message that
    /// soon follows the server's previous message about the same players.
    const COALESCED: Duration = Duration::from_millis(2_500);

    /// Test replacement for the message channel between servers, which delivers the messages within the test process. The channel also
    /// delivers the messages of a server to this server itself.
    #[derive(Clone, Default)]
    struct Channel(Arc<ChannelState>);

    #[derive(Default)]
    struct ChannelState {
        servers: Mutex<Vec<Rooms>>,
        is_lossy: AtomicBool,
        lines: AtomicUsize,
    }

    impl Channel {
        /// Starts a test server that exchanges messages with other test servers over this simulated channel. The server ends with its stop
        /// token.
        fn server(&self) -> (Rooms, CancellationToken) {
            let (rooms, stop) = (Rooms::default(), CancellationToken::new());
            start(&rooms, self.clone(), (&stop, &TaskTracker::new()));
            self.0.servers.lock().expect("no panic").push(rooms.clone());
            (rooms, stop)
        }

        /// Sets whether the simulated message channel between the test servers loses all further messages.
        fn lose(&self, is_lossy: bool) {
            self.0.is_lossy.store(is_lossy, Ordering::Relaxed);
        }

        /// Returns the number of messages that test servers have sent since the previous call of this function, including lost messages.
        fn lines(&self) -> usize {
            self.0.lines.swap(0, Ordering::Relaxed)
        }
    }

    impl Carrier for Channel {
        fn send(
            &self,
            notices: Vec<String>,
        ) -> BoxFuture<'_, Result<(), Box<dyn Error + Send + Sync>>> {
            async move {
                for notice in notices {
                    self.0.lines.fetch_add(notice.lines().count(), Ordering::Relaxed);
                    if !self.0.is_lossy.load(Ordering::Relaxed) {
                        for rooms in &*self.0.servers.lock().expect("no panic") {
                            hear(&InProcess::default(), rooms, &notice);
                        }
                    }
                }
                Ok(())
            }
            .boxed()
        }
    }

    fn both(a: Presence, b: Presence) -> ByPlayer<Presence> {
        ByPlayer { a, b }
    }

    /// Returns the chat phrases that a live connection has received since the last call.
    fn heard(attending: &mut Attending) -> Vec<(Player, Phrase)> {
        let notices = std::iter::from_fn(|| attending.notice().now_or_never());
        let said = |notice| match notice {
            RoomNotice::Said(player, phrase) => Some((player, phrase)),
            RoomNotice::Presence => None,
        };
        notices.filter_map(said).collect()
    }

    #[tokio::test(start_paused = true)]
    async fn players_at_different_servers_see_each_other() {
        let channel = Channel::default();
        let [(one, _), (two, stop), (three, _)] = [(); 3].map(|()| channel.server());
        let mut host = one.enter(ID, Player::A, false);
        sleep(SOON).await;
        // A newly created match room asks the other servers for the presence of the match's players. The room of the guest thus learns at
        // once that the host is present, long before the next repetition.
        let mut guest = two.enter(ID, Player::B, true);
        sleep(COALESCED).await;
        assert_eq!(guest.players(), both(Presence::Here, Presence::Away));
        assert_eq!(host.players(), guest.players());
        while host.notice().now_or_never().is_some() {}
        guest.set_hidden(false);
        assert_eq!(timeout(COALESCED, host.notice()).await, Ok(RoomNotice::Presence));
        assert_eq!(host.players(), both(Presence::Here, Presence::Here));
        assert!(two.is_here(ID, Player::B) && !one.is_here(ID, Player::B));
        // A player who is connected to several servers counts as present while at least one of their pages is in the foreground.
        let third = three.enter(ID, Player::B, true);
        sleep(COALESCED).await;
        assert_eq!(host.players().b, Presence::Here);
        drop(guest);
        sleep(COALESCED).await;
        assert_eq!(host.players().b, Presence::Away);
        assert_eq!(third.players().a, Presence::Here);
        drop(third);
        sleep(COALESCED).await;
        assert!(matches!(host.players().b, Presence::Gone(Some(_))), "{:?}", host.players());
        // A server that stops notifies the other servers, so that the players who were connected to it no longer count as present.
        let guest = two.enter(ID, Player::B, false);
        sleep(COALESCED).await;
        assert_eq!(host.players().b, Presence::Here);
        stop.cancel();
        sleep(SOON).await;
        assert!(matches!(host.players().b, Presence::Gone(Some(_))), "{:?}", host.players());
        drop(guest);
    }

    #[tokio::test(start_paused = true)]
    async fn the_presence_at_a_server_that_dies_ends() {
        let channel = Channel::default();
        let [(one, _), (two, _)] = [(); 2].map(|()| channel.server());
        let (host, _guest) = (one.enter(ID, Player::A, false), two.enter(ID, Player::B, false));
        sleep(COALESCED).await;
        let died = crate::clock::now();
        channel.lose(true);
        // A player at another server still counts as present for some time after the last message from that server.
        sleep(Duration::from_secs(20)).await;
        assert_eq!(host.players(), both(Presence::Here, Presence::Here));
        sleep(Duration::from_secs(30)).await;
        let Presence::Gone(Some(left_at)) = host.players().b else { panic!("the guest is here") };
        assert!(left_at <= died, "{left_at} is after {died}");
        assert_eq!(host.players().a, Presence::Here);
        // A server that knows of lost messages immediately asks the other servers for the presence of the players. Without such a request,
        // the next repetition shows that the players are still connected.
        channel.lose(false);
        one.ask();
        sleep(COALESCED).await;
        assert_eq!(host.players(), both(Presence::Here, Presence::Here));
        channel.lose(true);
        sleep(Duration::from_mins(1)).await;
        assert!(matches!(host.players().b, Presence::Gone(Some(_))), "{:?}", host.players());
        channel.lose(false);
        sleep(Duration::from_secs(20)).await;
        assert_eq!(host.players(), both(Presence::Here, Presence::Here));
    }

    #[tokio::test(start_paused = true)]
    async fn a_page_that_toggles_or_returns_sends_few_messages_and_the_last_one_arrives() {
        let channel = Channel::default();
        let [(one, _), (two, _)] = [(); 2].map(|()| channel.server());
        let (host, mut guest) = (one.enter(ID, Player::A, false), two.enter(ID, Player::B, false));
        sleep(COALESCED).await;
        channel.lines();
        for number in 0..1_001 {
            guest.set_hidden(number % 2 == 0);
            // The page of player B switches between foreground and background every 7 ms. No interval of the server is a multiple of 7 ms,
            // so that the changes come at different moments of an interval.
            sleep(Duration::from_millis(7)).await;
        }
        sleep(COALESCED).await;
        let sent = channel.lines();
        // The page of player B has switched 1,001 times between foreground and background in 7 s, and 2.5 s have passed since. In
        // these 9.5 s, both servers may also have repeated their presence reports.
        assert!((2..=12).contains(&sent), "{sent}");
        assert_eq!(host.players().b, Presence::Away);
        for _ in 0..1_000 {
            drop(guest);
            guest = two.enter(ID, Player::B, false);
            sleep(Duration::from_millis(10)).await;
        }
        sleep(COALESCED).await;
        let sent = channel.lines();
        assert!((1..=15).contains(&sent), "{sent}");
        assert_eq!(host.players().b, Presence::Here);
        drop(guest);
        sleep(COALESCED).await;
        assert!(matches!(host.players().b, Presence::Gone(Some(_))), "{:?}", host.players());
        channel.lines();
        // Only the server to which a player is connected repeats its report of the player's presence to the other servers.
        sleep(Duration::from_mins(2)).await;
        let sent = channel.lines();
        assert!((6..=8).contains(&sent), "{sent}");
        assert_eq!(two.rooms(), 0);
        drop(host);
        sleep(COALESCED).await;
        assert_eq!(one.rooms(), 0);
    }

    #[tokio::test(start_paused = true)]
    async fn phrases_reach_the_other_servers_at_the_rate_of_one_server() {
        let channel = Channel::default();
        let [(one, _), (two, _), (three, _)] = [(); 3].map(|()| channel.server());
        let mut host = one.enter(ID, Player::A, false);
        let (mut guest, other) =
            (two.enter(ID, Player::B, false), three.enter(ID, Player::B, false));
        sleep(COALESCED).await;
        guest.say(Phrase::GoodLuck).expect("the first phrase");
        sleep(SOON).await;
        // After a player's chat phrase at one server, every server refuses another phrase of this player until the minimum pause has
        // passed.
        assert!(guest.say(Phrase::Thanks).is_err() && other.say(Phrase::Thanks).is_err());
        assert_eq!(heard(&mut guest), [(Player::B, Phrase::GoodLuck)]);
        assert_eq!(heard(&mut host), [(Player::B, Phrase::GoodLuck)]);
        host.say(Phrase::Thanks).expect("a phrase of the other player");
        sleep(SOON).await;
        assert_eq!(heard(&mut guest), [(Player::A, Phrase::Thanks)]);
        // Another server sends a chat phrase of a player ten times a second, but only one phrase every three seconds reaches the opponent.
        let seconds = 60;
        let mut count = 0;
        for _ in 0..10 * seconds {
            let line = format!(
                "room {{\"server\":7,\"t\":\"said\",\"id\":\"{ID}\",\"player\":\"b\",\"phrase\":\"thinking\"}}\n"
            );
            hear(&InProcess::default(), &one, &line);
            count += heard(&mut host).len();
            sleep(Duration::from_millis(100)).await;
        }
        assert!((seconds / 3 - 1..=seconds / 3 + 1).contains(&count), "{count}");
    }

    #[tokio::test(start_paused = true)]
    async fn a_server_alone_keeps_no_messages_and_hears_none() {
        let channel = Channel::default();
        let (shared, _) = channel.server();
        let alone = Rooms::default();
        channel.0.servers.lock().expect("no panic").push(alone.clone());
        let (_host, guest) =
            (shared.enter(ID, Player::A, false), alone.enter(ID, Player::B, false));
        guest.say(Phrase::Thanks).expect("a phrase");
        sleep(COALESCED).await;
        assert_eq!(guest.players(), both(Presence::Gone(None), Presence::Here));
        assert!(alone.messages().is_empty() && alone.farewell().is_none());
        drop(guest);
        assert_eq!(alone.rooms(), 0);
    }

    #[tokio::test(start_paused = true)]
    async fn messages_of_too_many_servers_take_no_memory_and_bad_messages_do_no_harm() {
        let (rooms, _) = Channel::default().server();
        let host = rooms.enter(ID, Player::A, true);
        let tell = |text: &str| hear(&InProcess::default(), &rooms, text);
        for server in 0..1_000 {
            let id = format!("{server:032x}");
            tell(&format!(
                "room {{\"server\":{server},\"t\":\"present\",\"id\":\"{ID}\",\"a\":\"gone\",\"b\":\"away\"}}\n\
                 room {{\"server\":{server},\"t\":\"present\",\"id\":\"{id}\",\"a\":\"here\",\"b\":\"here\"}}\n"
            ));
        }
        assert_eq!(rooms.rooms(), 1);
        assert_eq!(host.players(), both(Presence::Away, Presence::Away));
        for text in
            ["", "room", "room {}\n", "room 7\nroom {\"server\":7,\"t\":\"later\"}\nroom [["]
        {
            tell(text);
        }
        for server in 0..1_000 {
            tell(&format!("room {{\"server\":{server},\"t\":\"left\"}}\n"));
        }
        assert!(matches!(host.players().b, Presence::Gone(Some(_))), "{:?}", host.players());
    }
}
