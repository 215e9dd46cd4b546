"""The witnesses of the log: whether they sign what it signs."""

from deploy.cli.checks.found import Found
from deploy.language import say
from deploy.log.keeper.compose import read_standings
from deploy.settings import Settings
from domain.texts import Phrase
from replay.proof.witnesses import Standing


def check_witnesses(settings: Settings) -> Found:
    """One that has never signed is a fault as well: somebody relies on it."""
    if settings.log == "off" or not settings.witnesses:
        return Found("ok", say("witnesses_none"))
    signed, standings = read_standings(settings)
    told = say("list", some=tuple(_told(one) for one in standings))
    if any(one.stops for one in standings):
        return Found("wrong", told, say("witness_stops_advice"))
    if signed and any(one.trouble or one.at is None for one in standings):
        return Found("look", told, say("witness_trouble_advice"))
    return Found("ok", told)


def _told(one: Standing) -> Phrase:
    if one.trouble is not None:
        return say(f"witness.{one.trouble}", name=one.name, size=one.named)
    return say("witness_signed", name=one.name, size=one.size) if one.at is not None else say("witness_unasked", name=one.name)
