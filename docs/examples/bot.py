#!/usr/bin/env python3
"""A bot for overmate arena: it gives mate when possible, and otherwise plays at random."""
import json, random, sys


def choose(turn):
    other = turn["hands"]["other"]
    if turn["phase"] == "lead":
        for action in turn["legal"]:
            if not any(card[0] == action[0] or card[1] == action[1] for card in other):
                return action
    return random.choice(turn["legal"])


for line in sys.stdin:
    message = json.loads(line)
    if message["type"] == "hello":
        print('{"type": "ready", "protocol": 1, "name": "Chance and mate"}', flush=True)
    elif message["type"] == "match":
        random.seed(message["seed"])
    elif message["type"] == "turn":
        print(json.dumps({"type": "action", "action": choose(message)}), flush=True)
