"""Sessions of GTP and lines of FIBS spoilt at random: every answer is as by plain rules, or a refusal in one line."""

import random
import re

import pytest
from backgammon_positions import FEW
from mutation import LEAN, THOROUGH, Clock, spoilt, write_down
from oracles import backgammon, gomoku, othello

from jaxgames import Gomoku, Othello
from jaxgames.games import board_game
from jaxgames.players import PLAYERS, RandomPlays, pubeval_player
from jaxgames.records.backgammon import fibs_board
from jaxgames.records.backgammon.fibs_board import FibsBoard
from neuroevo.serve import Choice, Engine, choose, fibs

ANSWER = re.compile(r"([=?])([0-9]*) ?([^\0]*)\n\n")
POINTS = [f"{letter}{number}" for letter in "abcdeABC" for number in range(1, 6)]
WORDS = [b"play", b"genmove", b"b", b"w", b"black", b"undo", b"pass", b"12", b"boardsize", b"5", b"8", b"clear_board"]
OTHERS = ["undo", "showboard", "play b pass", "name", "final_score", "boardsize 5", "komi 0", "version",
          "list_commands", "known_command x"]  # fmt: skip


class Referee:
    """What the answers to `play`, `genmove`, `undo` and others must be, by plain rules."""

    def __init__(self, new_game, board):
        self.new_game, self.board = new_game, board
        self.clear()

    def clear(self):
        self.games = [(self.new_game(), None)]  # with the seat that may pass

    @property
    def now(self):
        return self.games[-1]

    def played(self, seat, action):
        game = self.now[0].copy()
        game.play(action)
        passes = (seat + 1) % 2 if not game.over and game.to_move == seat else None
        self.games.append((game, passes))

    def can_pass(self, seat):
        return self.now[0].over or seat == self.now[1]

    def passed(self):
        self.games.append((self.now[0], None))

    def check(self, words, good, result):
        """Whether an answer fits the game; words: of the command."""
        name, arguments = words[0], [word.lower() for word in words[1:]]
        game = self.now[0]
        seat = {"b": 0, "black": 0, "w": 1, "white": 1}.get(arguments[0]) if arguments else None
        if name == "play" and len(arguments) == 2 and seat is not None:
            if arguments[1] == "pass":
                assert good == self.can_pass(seat)
                if good:
                    self.passed()
                return
            action = self.action(arguments[1])
            legal = action is not None and not game.over and seat == game.to_move and action in game.legal()
            assert good == legal
            if good:
                self.played(seat, action)
        elif name == "genmove" and len(arguments) == 1 and seat is not None:
            assert good == (self.can_pass(seat) or (not game.over and seat == game.to_move))
            if good and self.can_pass(seat):
                assert result == "pass"
                self.passed()
            elif good:
                assert self.action(result.lower()) in game.legal()
                self.played(seat, self.action(result.lower()))
        elif name == "undo" and not arguments:
            assert good == (len(self.games) > 1)
            if good:
                self.games.pop()
        elif name in ("clear_board", "boardsize", "set_game") and good:
            self.clear()
        elif name in ("play", "genmove", "undo"):
            assert not good

    def action(self, name):
        try:
            return self.board.parse_action(name) if name.isascii() else None
        except ValueError:
            return None


def session(draw, engine, referee):
    """Plays a session of which half the lines are spoilt; returns outcomes."""
    engine.respond("clear_board")
    referee.clear()
    found = []
    for _ in range(8):
        game = referee.now[0]
        kind = draw.random()
        if kind < 0.4 and not game.over:
            move = engine.choice.game.action_name(draw.choice(sorted(game.legal())))
            line = f"play {'bw'[game.to_move]} {move}"
        elif kind < 0.6:
            line = f"genmove {draw.choice('bw')}"
        else:
            line = draw.choice([*OTHERS, f"3 play w {draw.choice(POINTS)}"])
        if draw.random() < 0.5:
            line = spoilt(draw, line.encode(), WORDS).decode("utf-8", "replace")
        found += [answered(engine, referee, part) for part in line.split("\n")]
    return found


def answered(engine, referee, line):
    said = engine.respond(line)
    words = "".join(c for c in line.replace("\t", " ") if c.isprintable()).partition("#")[0].split()
    number = words.pop(0) if words and words[0].isascii() and words[0].isdecimal() else ""
    if said is None:
        assert not words
        return "lines without an answer"
    mark, echoed, result = ANSWER.fullmatch(said).groups()
    assert echoed == number
    if mark == "?":
        assert result.isprintable()
    if words:
        referee.check(words, mark == "=", result)
    engine.quitting = False
    return "answers" if mark == "=" else "refusals"


def fuzz_sessions(number, seed):
    draw, clock = random.Random(seed), Clock()
    five = board_game(Gomoku(5, 5, 4))
    tables = [
        (Engine(Choice(five, PLAYERS["random"](five), "random")),
         Referee(lambda: gomoku.Gomoku(5, 5, 4), five)),
        (Engine(choose("random", "othello")), Referee(othello.Othello, board_game(Othello()))),
    ]  # fmt: skip
    for table in tables:
        session(draw, *table)
    for index in range(number):
        clock.run(session, draw, *tables[index % 8 == 0])
    return clock.counts


# ---------------------------------------------------------------- FIBS
def play_of(line, answer):
    """The outcome of an answer that names a play, which must be one of the rules."""
    board = fibs_board.parse(line)
    mine = board.turn == board.sign
    position = (board.own, board.other) if mine else (board.other, board.own)
    dice = board.dice if mine else board.their_dice
    after = position
    for move in answer.split():
        source, target = ({"bar": 25, "off": 0}.get(word) or int(word.replace("off", "0")) for word in move.split("/"))
        fitting = [die for die in dice if source - target == die or (target == 0 and source <= die)]
        after = next(found for die in fitting if (found := backgammon.one_man(after, source, die)) is not None)
    assert after in backgammon.plays(position, max(dice), min(dice)), (line, answer)
    return "plays"


def respond(responder, line):
    answer = responder.respond(line)
    assert answer.isprintable()
    if answer.startswith("error: "):
        return "refusals"
    board = fibs_board.parse(line)  # raises where it should have been refused
    if answer in ("roll", "take"):
        assert (answer == "take") == bool(board.was_doubled)
        return answer + "s"
    return play_of(line, answer)


def fuzz_lines(number, seed):
    draw, clock = random.Random(seed), Clock()
    responders = [fibs.Responder(player) for player in (pubeval_player(), RandomPlays())]
    lines = []
    for position, high, low in backgammon.positions(0, FEW)[:60]:
        sign, direction = draw.choice([-1, 1]), draw.choice([-1, 1])
        lines.append(fibs_board.line(FibsBoard(*position, turn=sign, dice=(low, high), sign=sign, direction=direction)))
    for responder in responders:
        respond(responder, lines[0])
    words = [b"1", b"-1", b"2", b"-2", b"0", b"6", b"25", b"15"]
    for _ in range(number):
        line = spoilt(draw, draw.choice(lines).encode(), words).decode("ascii", "replace").strip("\0\r\n ")
        clock.run(respond, draw.choice(responders), line)
    return clock.counts


FUZZERS = {"sessions of GTP": fuzz_sessions, "lines of FIBS": fuzz_lines}


@pytest.mark.parametrize("kind", FUZZERS)
def test_spoilt_input_is_answered_by_the_rules_or_refused(kind):
    assert FUZZERS[kind](LEAN, 1)["inputs"] == LEAN


@pytest.mark.thorough
@pytest.mark.parametrize("kind", FUZZERS)
def test_much_spoilt_input_is_answered_by_the_rules_or_refused(kind):
    write_down(kind, FUZZERS[kind](THOROUGH, 2))
