#!/usr/bin/env python3
"""A bot for an Overmate server: it makes an offer, accepts challenges, offers and rematches, and plays at random."""
import http.client, json, os, random, sys, time, urllib.error, urllib.request, uuid

SERVER = os.environ.get("OVERMATE_URL", "http://localhost:2420").rstrip("/")
TOKEN = os.environ.get("OVERMATE_TOKEN")
MATCHES_AT_ONCE = 4
# Pause between two polls of the server, in seconds.
PAUSE = float(os.environ.get("OVERMATE_PAUSE", "2"))
NO_SERVER = f"{SERVER} does not answer as an Overmate server: set OVERMATE_URL to the address of the page"
# Time after a match in which the bot accepts a rematch, in seconds.
REMATCH_TIME = 120
OFFER = {"rules": "bga", "clock": {"kind": "live", "base": 300, "increment": 5}}


def detail(error):
    """Returns the text of the server on an HTTP error, or None if the answer is not from an Overmate server."""
    try:
        return json.load(error)["detail"]
    except (ValueError, KeyError, TypeError):
        return None


def request(method, path, body=None):
    """Sends a request, and repeats it while the server is unreachable or busy. Returns None for a refused request."""
    told = False
    headers = {"Authorization": f"Bearer {TOKEN}", "Content-Type": "application/json"}
    data = None if body is None else json.dumps(body).encode()
    while True:
        wanted = urllib.request.Request(f"{SERVER}/api/v1{path}", data, headers, method=method)
        try:
            with urllib.request.urlopen(wanted, timeout=60) as response:
                return json.load(response)
        except urllib.error.HTTPError as error:
            problem = detail(error)
            if error.code == 401 and problem:
                sys.exit(problem)
            if error.code < 500 and error.code != 429:
                if problem is None:
                    sys.exit(NO_SERVER)
                print(f"{method} {path}: {problem}", file=sys.stderr)
                return None
            time.sleep(float(error.headers.get("Retry-After", 2)))
        except ValueError:
            sys.exit(NO_SERVER)
        except (urllib.error.URLError, http.client.HTTPException, ConnectionError, TimeoutError) as error:
            if not told:
                reason = getattr(error, "reason", error)
                print(f"no connection to {SERVER}: {reason}: check OVERMATE_URL, or wait for the server", file=sys.stderr)
            told = True
            time.sleep(2)


def choose(game):
    """Chooses one of the legal actions of a game. A better bot begins here."""
    return random.choice(game["legal"])["action"]


def play(match_id):
    """Acts in a match until it is the other player's turn."""
    state = request("GET", f"/matches/{match_id}")
    while state and state["result"] is None and state["current"]["legal"]:
        # A repeated request has the same id, so that the server acts only once.
        action = {"sequence": state["sequence"], "action": choose(state["current"]), "client_id": str(uuid.uuid4())}
        acted = request("POST", f"/matches/{match_id}/actions", action)
        # After the server has refused an action, for example because the action came too late, the bot reads the match
        # again.
        state = acted or request("GET", f"/matches/{match_id}")


def accept_rematch(match_id):
    """Accepts the rematch of a finished match, if the other player has offered one."""
    state = request("GET", f"/matches/{match_id}")
    offer = state and state["rematch"]
    if offer and offer["match"] is None and offer["offered_by"] != state["you"]:
        request("POST", f"/matches/{match_id}/rematch", {"client_id": f"rematch-{match_id}"})


def main():
    """Plays in all matches of the account until the program is stopped."""
    if not TOKEN:
        sys.exit("OVERMATE_TOKEN is not set: set it to the token of your bot, from the page /me")
    if not SERVER.startswith(("http://", "https://")):
        sys.exit(f"OVERMATE_URL is {SERVER}: an address such as http://localhost:2420 is needed")
    # Time at which each match was seen running for the last time.
    seen = {}
    while True:
        mine = request("GET", "/matches")["matches"]
        # The token gives no access to matches in which the account holds both seats.
        seated = [one for one in mine if one["you"] in ("a", "b")]
        running = [one for one in seated if one["result"] is None and one["players"][one["you"]]["bot"]]
        for match in running:
            seen[match["id"]] = time.monotonic()
            if match["your_turn"]:
                play(match["id"])
        seen = {one: at for one, at in seen.items() if time.monotonic() - at < REMATCH_TIME}
        for match_id in seen.keys() - {match["id"] for match in running}:
            accept_rematch(match_id)
        if len(running) < MATCHES_AT_ONCE:
            lobby = request("GET", "/lobby")
            offers = [offer for offer in lobby["challenges"] + lobby["offers"] if offer["bots"]]
            for offer in offers[: MATCHES_AT_ONCE - len(running)]:
                begun = request("POST", f"/offers/{offer['id']}/accept", {"client_id": f"accept-{offer['id']}"})
                if begun:
                    play(begun["id"])
            # The bot makes a new offer only if none of its offers is open. An offer with a live clock stays open as
            # long as the bot reads the lobby.
            if not any(own["match"] is None for own in lobby["own"]):
                request("POST", "/offers", OFFER | {"client_id": str(uuid.uuid4())})
        time.sleep(PAUSE)


try:
    main()
except KeyboardInterrupt:
    sys.exit(130)
