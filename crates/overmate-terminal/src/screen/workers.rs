//! Runs worker threads that compute the opponent's actions, hints and reviews, so that the screen stays responsive.

use std::sync::mpsc::{self, Receiver, Sender, TryRecvError};
use std::thread::{self, JoinHandle};

use anyhow::{Context as _, Result, bail};
use overmate_rules::{Game, View};
use overmate_solver::Review;

use crate::limits::StopFlag;
use crate::play::adviser::Adviser;
use crate::play::controller::MatchController;
use crate::play::hint::ShownHint;
use crate::play::opponent::{ComputerOpponent, OpponentAction};
use crate::play::session::OpponentTurn;

/// Request to a worker thread, with a number that identifies the answer to the request.
#[derive(Debug)]
pub(super) enum Request {
    Act {
        ticket: u64,
        asked: Box<OpponentTurn>,
        stop: StopFlag,
    },
    /// Request to show the opponent all games of the ended match. The request has no answer.
    Finish {
        finished: Vec<View>,
    },
    Advise {
        ticket: u64,
        view: Box<View>,
        stop: StopFlag,
    },
    Review {
        ticket: u64,
        game: Box<Game>,
        stop: StopFlag,
    },
}

/// Answer of a worker thread, with the number of the request to which the answer belongs.
#[derive(Debug)]
pub(super) enum WorkerAnswer {
    Acted { ticket: u64, answered: Result<OpponentAction> },
    Advised { ticket: u64, hint: Option<ShownHint> },
    Reviewed { ticket: u64, review: Review },
}

/// Worker threads for the opponent's actions, hints and reviews, with the channels for requests and answers.
pub(super) struct Workers {
    opponent: Sender<Request>,
    adviser: Sender<Request>,
    answers: Receiver<WorkerAnswer>,
    threads: [JoinHandle<()>; 2],
}

impl Workers {
    /// Starts the worker threads for a match.
    pub(super) fn new(controller: &MatchController) -> Result<Self> {
        let (answer, answers) = mpsc::channel();
        let mut playing = controller.new_opponent();
        let (opponent, first) = spawn("opponent", answer.clone(), move |request| {
            answer_playing(&mut playing, request)
        })?;
        let mut advising = Adviser::new();
        let (adviser, second) =
            spawn("adviser", answer, move |request| answer_advising(&mut advising, request))?;
        Ok(Self { opponent, adviser, answers, threads: [first, second] })
    }

    /// Sends a request to the worker thread that answers this kind of request.
    pub(super) fn ask(&self, request: Request) -> Result<()> {
        let to = match request {
            Request::Act { .. } | Request::Finish { .. } => &self.opponent,
            Request::Advise { .. } | Request::Review { .. } => &self.adviser,
        };
        to.send(request).ok().context(STOPPED)
    }

    /// Returns the next answer from the worker threads, or `None` if no answer has arrived.
    pub(super) fn answer(&self) -> Result<Option<WorkerAnswer>> {
        match self.answers.try_recv() {
            Ok(answer) => Ok(Some(answer)),
            Err(TryRecvError::Empty) if !self.threads.iter().any(JoinHandle::is_finished) => {
                Ok(None)
            }
            // A worker thread has ended early. The cause is a panic of this thread, whose message has already been printed.
            Err(_) => bail!(STOPPED),
        }
    }
}

const STOPPED: &str = "a worker thread has ended early: please report this bug of Overmate";

/// Starts a worker thread that answers the requests of the display until the channel of the requests closes.
fn spawn(
    name: &str,
    answers: Sender<WorkerAnswer>,
    mut answer: impl FnMut(Request) -> Option<WorkerAnswer> + Send + 'static,
) -> Result<(Sender<Request>, JoinHandle<()>)> {
    let (ask, requests) = mpsc::channel();
    let work = move || {
        for request in requests {
            if let Some(answer) = answer(request)
                && answers.send(answer).is_err()
            {
                break;
            }
        }
    };
    let thread = thread::Builder::new().name(name.to_owned()).spawn(work);
    Ok((ask, thread.context("cannot start a worker thread")?))
}

pub(super) fn answer_playing(
    opponent: &mut ComputerOpponent,
    request: Request,
) -> Option<WorkerAnswer> {
    match request {
        Request::Act { ticket, asked, stop } => {
            Some(WorkerAnswer::Acted { ticket, answered: opponent.act(&asked, &stop) })
        }
        Request::Finish { finished } => {
            opponent.finish(&finished);
            None
        }
        Request::Advise { .. } | Request::Review { .. } => None,
    }
}

pub(super) fn answer_advising(adviser: &mut Adviser, request: Request) -> Option<WorkerAnswer> {
    match request {
        Request::Advise { ticket, view, stop } => {
            Some(WorkerAnswer::Advised { ticket, hint: adviser.hint(&view, &stop) })
        }
        Request::Review { ticket, game, stop } => {
            Some(WorkerAnswer::Reviewed { ticket, review: adviser.review(&game, &stop) })
        }
        Request::Act { .. } | Request::Finish { .. } => None,
    }
}
