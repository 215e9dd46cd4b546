"""Checks of stored data: database and tables, tokens, webhooks, projections, and the clock."""

from collections import Counter
from datetime import UTC, datetime, timedelta

from deploy.cli.checks.machine import Found
from deploy.compose import open_event_store, open_services
from deploy.config.failures import say
from deploy.config.settings import Settings
from deploy.processes.journal_file import check_journal_file
from deploy.stores.migrating import guard_script, is_guarded, pending, require_readable, upgrades
from deploy.stores.postgres.connections import clock_skew, database_size
from deploy.system.clock import now
from domain.access import EVERYTHING
from domain.journal.registers import stamp
from domain.texts import Saying
from projections.engine.checkpoints import SET_BACK
from projections.engine.status import ProjectionStatus

_OFF = timedelta(seconds=5)
_TIME = "%Y-%m-%d %H:%M:%S"
_NEVER = datetime.min.replace(tzinfo=UTC)


def check_database(settings: Settings) -> Found:
    check_journal_file(settings)
    require_readable(settings.journal_url)
    if missing := pending(settings.journal_url):
        if settings.embedded:
            return Found("ok", say("embedded_made"))
        return Found("wrong", say("database_lacks", missing=tuple(missing)), say("run_migrate"))
    with open_event_store(settings, look=True) as store:
        if (elsewhere := store.epochs()[-1].left_for) is not None:
            return Found("look", say("store_left", store=settings.store, to=elsewhere), say("store_left_there"))
        size = settings.journal_file.stat().st_size if settings.embedded else database_size(settings.journal_url)
        known = {"store": settings.store, "sequence": store.head(), "size": f"{size / 1e6:,.0f}"}
        return Found("ok", say("newest_sequence", **known, readable_from=upgrades(settings.journal_url)[-1].readable_from))


def check_append_only(settings: Settings) -> Found:
    if pending(settings.journal_url):
        return Found("ok", say("no_events_yet"))
    if is_guarded(settings.journal_url):
        return Found("ok", say("guarded"))
    return Found("wrong", say("unguarded"), say("triggers_gone", script=guard_script(settings.journal_url)))


def check_tokens(settings: Settings) -> Found:
    if pending(settings.journal_url):
        return Found("ok", say("no_tokens_yet"))
    with open_event_store(settings, look=True) as store:
        issued = store.list_tokens()
    at = stamp(now())
    valid = [token for token in issued if not token.is_over(at)]
    directors = [token.expires_at for token in valid if token.role == "director" and token.grant.scope == EVERYTHING]
    found = say("tokens_counted", valid=len(valid), revoked=len(issued) - len(valid))
    if issued and not directors:
        return Found("look", say("no_director_token", counted=found), say("issue_one"))
    if directors and None not in directors:
        return Found("look", say("last_director_ends", counted=found, at=max(filter(None, directors))), say("issue_one"))
    return Found("ok", found if issued else say("no_tokens_yet"))


def check_webhooks(settings: Settings) -> Found:
    if pending(settings.journal_url):
        return Found("ok", say("no_webhooks"))
    with open_event_store(settings, look=True) as store:
        known = store.list_webhooks()
    at = stamp(now())
    counted = Counter(one.status(at) for one in known)
    given_up = sum(one.disabled_why in ("failing", "gone") for one in known)
    found = say("webhooks_counted", active=counted["active"], failing=counted["failing"], disabled=counted["disabled"], given_up=given_up)
    if counted["failing"] or given_up:
        return Found("look", found, say("webhooks_log"))
    return Found("ok", found if known else say("no_webhooks"))


def check_projections(settings: Settings) -> Found:
    if pending(settings.journal_url):
        return Found("ok", say("nothing_to_project"))
    with open_services(settings, look=True) as services:
        services.projector.refresh()
        found = services.projector.status()
    stopped = tuple(say("one_stopped", name=one.name, sequence=one.failed_at) for one in found if one.failed_at is not None)
    if stopped:
        return Found("wrong", say("list", some=stopped), say("status_tells"))
    if ahead := tuple(status.name for status in found if status.error == SET_BACK):
        return Found("wrong", say("know_what_is_gone", names=ahead, problem=say("set_back")), say("verify_advice"))
    behind = tuple(_describe_lag(status) for status in found if status.lag)
    if not behind:
        return Found("ok", say("up_to_date"))
    return Found("look", say("list", some=behind), say("catches_up"))


def _describe_lag(status: ProjectionStatus) -> Saying:
    because = say("set_back") if status.reason == SET_BACK else status.reason
    return say("one_behind_because" if because else "one_behind", name=status.name, lag=status.lag, problem=because)


def check_clock(settings: Settings) -> Found:
    """Check the clock of this machine, which dates events: it should agree with the database's, and not be before the newest event."""
    here = now()
    skew = _last_event(settings) - here if settings.embedded else clock_skew(settings.journal_url, now)
    if here.year < 2025 or (skew if settings.embedded else abs(skew)) > _OFF:
        return Found("wrong", say("clock_differs", here=f"{here:{_TIME}}", there=f"{here + skew:{_TIME}}"), say("set_clock"))
    if settings.embedded:
        return Found("ok", say("clock_now", here=f"{here:{_TIME}}"))
    return Found("ok", say("clock_beside", here=f"{here:{_TIME}}", skew=f"{1e3 * skew.total_seconds():+.0f}"))


def _last_event(settings: Settings) -> datetime:
    if pending(settings.journal_url):
        return _NEVER
    with open_services(settings, look=True) as services:
        newest = services.journal.feed(services.journal.head() - 1, 1)
    return newest[0][1].stamp.at if newest else _NEVER
