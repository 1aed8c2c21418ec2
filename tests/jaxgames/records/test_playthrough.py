"""Games as runs keep them: read and replayed, whatever the board game; and files that may be anything."""

import gzip
import os
import subprocess
import sys

import jax
import jax.numpy as jnp
import numpy as np
import pytest
from conftest import GAMES, ROOT

from jaxgames import AtariGo, Gomoku, Othello, Pente
from jaxgames.games import GAMES as REGISTERED
from jaxgames.games import board_game
from jaxgames.games.any_game import title_of
from jaxgames.records import __main__ as command
from jaxgames.records import playthrough
from jaxgames.records.check import check
from jaxgames.render import game_text

OURS = [game for game in GAMES if type(game) in REGISTERED.values()]
SOME = [
    *OURS, AtariGo(), AtariGo(19, 2), Gomoku(), Gomoku(19, 1, 3, num_seats=4, directions=3), Gomoku(7, 9, exact=True),
    Othello(), Pente(), Pente(13, 4, keryo=True, tournament_rule="5x5"),
    Pente(9, 3, captures=False, tournament_rule="3x3"),
]  # fmt: skip
GOMOKU = "Gomoku 3×3, 3 in a row: us (seat 0) – them (seat 1)\n"
WON = GOMOKU + "1. A1 A2 2. B1 B2 3. C1 seat 0 wins after 5 plies\n"
SKIP = "Othello\n1. d3 c3 2. f5 d2 3. d1 e1 4. b2 c1 5. pass b4 unfinished after 9 plies\n"


def random_game(game, seed, plies=None):
    """The actions of a game, as many as `plies` says."""
    generator, state, actions = np.random.default_rng(seed), game.start(), []
    play, legal, over = jax.jit(game.play), jax.jit(game.legal), jax.jit(game.terminal)
    while not over(state) and (plies is None or len(actions) < plies):
        actions.append(int(generator.choice(np.flatnonzero(legal(state)))))
        state = play(state, jnp.int32(actions[-1]))
    return actions


@pytest.mark.parametrize("game", SOME, ids=title_of)
def test_a_title_names_its_game(game):
    assert playthrough.game_of(f"{title_of(game)}: champion 1 (seat 0) – 5×5: naive") == board_game(game)
    assert playthrough.game_of(title_of(game)) == board_game(game)


@pytest.mark.parametrize("game", OURS, ids=title_of)
def test_every_board_game_that_a_run_keeps_can_be_read(game, tmp_path):
    texts = [f"{game.title}: number {n}\n{game_text(game, random_game(game, n, 5 if n else None))}\n" for n in range(2)]
    path = tmp_path / "champion.txt"
    path.write_text("\n".join(texts), encoding="utf-8")
    checked = check(path)
    assert checked.errors == []
    assert (checked.games, checked.endings["unfinished"]) == (2, 1)


WRONG = {
    "an occupied point": (GOMOKU + "1. A1 A1 unfinished after 2 plies", "game 1, ply 2: A1 is no legal move"),
    "after the end": (
        WON.replace("C1 seat", "C1 C2 seat").replace("5 p", "6 p"),
        "ply 6: the game was over after ply 5",
    ),
    "another winner": (WON.replace("seat 0 wins", "seat 1 wins"), "the result is 'seat 0 wins', not 'seat 1 wins'"),
    "no draw": (WON.replace("seat 0 wins", "draw"), "the result is 'seat 0 wins', not 'draw'"),
    "not over": (GOMOKU + "1. A1 draw after 1 plies", "the result is 'unfinished', not 'draw'"),
    "a wrong count": (WON.replace("5 plies", "6 plies"), "there are 5 moves, and the result says 6 plies"),
    "no result": (GOMOKU + "1. A1", "the line of moves must end with a result"),
    "a wrong number": (WON.replace("3. C1", "4. C1"), "there must be 3. in place of 4."),
    "no number": (WON.replace("3. C1", "C1"), "there must be 3. in place of C1"),
    "no point": (WON.replace("C1", "D1"), "ply 5: 'D1' is not a point from A1 to C3"),
    "other letters": (WON.replace("C1", "c1"), "ply 5: c1 is written C1"),
    "a pass": (WON.replace("B1 B2", "pass B2").replace("5 p", "4 p"), "ply 3: seat 0 is to move, and not seat 1"),
    "a last pass": (SKIP.replace("b4", "b4 6. pass"), "a pass stands before the move"),
    "no pass": (SKIP.replace("pass b4", "b4"), "ply 9: seat 1 is to move, and not seat 0"),
    "a whole round of passes": (SKIP.replace("pass b4", "pass pass 6. pass b4"), "ply 9: seat 1 is to move"),
    "an unknown game": (WON.replace("Gomoku", "Chess"), "must begin with a game's title and a colon"),
    "an impossible game": (WON.replace("3×3, 3", "3×3, 4"), "must begin with a game's title and a colon"),
    "a huge game": (WON.replace("3×3", "9999999×9999999"), "must begin with a game's title and a colon"),
    "three lines": (WON.replace(" 3. C1", "\n3. C1"), "under its title a game has one line, not 2"),
}


@pytest.mark.parametrize("name", WRONG)
def test_what_is_wrong_with_a_game_is_named(tmp_path, name):
    content, message = WRONG[name]
    path = tmp_path / "champion.txt"
    path.write_text(content, encoding="utf-8")
    (error,) = check(path).errors
    assert str(error).startswith(f"{path}, game 1")
    assert message in str(error)


def test_passes_are_read(tmp_path):
    (tmp_path / "skip.txt").write_text(f"{SKIP}\r\n \r\n{WON}")
    assert str(check(tmp_path / "skip.txt")) == "2 games: 1 won, 0 draw, 1 unfinished; 0 errors"


# ---------------------------------------------------------------- files that may be anything
def test_a_check_of_what_is_no_file_ends_at_once(tmp_path, capsys):
    os.mkfifo(tmp_path / "pipe")
    (tmp_path / "loop").symlink_to(tmp_path / "loop")
    paths = ["/dev/zero", f"{tmp_path}/pipe", f"{tmp_path}/loop", str(tmp_path), f"{tmp_path}/no\nfile", "a\0b", ""]
    assert command.main(["check", *paths]) == 1
    out, err = capsys.readouterr()
    lines = err.splitlines()
    assert (out, len(lines)) == ("", len(paths))
    for path, line in zip(paths[:4], lines, strict=False):
        assert line.startswith(f"{path}: ")


def test_a_file_that_unpacks_to_too_much_is_refused(tmp_path, capsys):
    path = tmp_path / "bomb.gz"
    path.write_bytes(gzip.compress(bytes(130 * 2**20), 1))
    assert command.main(["check", str(path)]) == 1
    assert capsys.readouterr().err == f"{path}: it cannot be unpacked: there are more than 134,217,728 bytes\n"


def test_a_file_that_is_too_large_is_refused(tmp_path, capsys):
    path = tmp_path / "sparse.wtb"
    with path.open("wb") as file:
        file.truncate(10**12)
    assert command.main(["check", str(path)]) == 1
    assert capsys.readouterr().err == f"{path}: the file has more than 134,217,728 bytes\n"


def test_messages_are_one_short_line(tmp_path, capsys):
    path = tmp_path / "games.txt"
    path.write_text('[Game "Pente"]\n[' + "x" * 10_000 + "\x1b[2J\r\x0b\x85 y\n1. K10 ?\n")
    assert command.main(["check", str(path)]) == 1
    (line,) = capsys.readouterr().err.splitlines()
    assert line.isprintable()
    assert len(line) < 1000


def test_the_command_prints_everywhere(tmp_path):
    path = tmp_path / "×.txt"
    path.write_text(WON.replace("C1", "×"), encoding="utf-8")
    environment = {**os.environ, "PYTHONIOENCODING": "ascii", "JAX_PLATFORMS": "cpu"}
    arguments = [sys.executable, "-m", "jaxgames.records", "check", str(path)]
    done = subprocess.run(arguments, capture_output=True, env=environment, cwd=ROOT, check=False)
    assert done.returncode == 1
    assert done.stderr.decode("ascii") == f"{tmp_path}/x.txt, game 1, ply 5: 'x' is not a point from A1 to C3\n"
    assert done.stdout.decode("ascii") == f"{tmp_path}/x.txt: 1 games: 0 won, 0 draw, 0 unfinished; 1 errors\n"
