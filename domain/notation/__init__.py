"""Notation of moves: one short line a move, to type, to read aloud and to print, for every game. Moves stay JSON; a line is never stored.

The rest of the code uses three modules:

- ``reading.read(rulebook, table, seat, line, language)`` answers one of the closed type ``answers.Reading``;
- ``writing.write(rulebook, move, language)`` writes the full form;
- ``writing.units(rulebook, move)`` gives the units of a move, from which a page can narrow a list of moves without a grammar.

A game plugs in with one table, ``NotationSyntax`` (``syntax.py``), as the field ``notation`` of its ``GameRules``: the letters of its
cards, the spelling of a move, the move that a line says literally where nothing fits, the signs that a number follows, the words for signs.
Words of cards come from the catalogues (``words.py``). A game whose moves cannot be listed gives a function of its own,
``NotationSyntax.fitting``, that returns the moves that a line so cut means (``Meaning``): it is asked once for every way to cut the line
into tokens, and may ask ``MoveContext.refusal`` whether a move that it built is legal. ``french.FRENCH`` holds the letters of French cards.
The shortest example is ``domain/games/alcasan/notation.py``.

The numbers NOT-1 to NOT-16 are those of ``docs/notation.md``.
"""
