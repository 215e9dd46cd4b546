"""Checks of the transparency log: whether the store agrees with what was signed, and whether signing can continue here."""

from deploy.cli.checks.machine import Found
from deploy.cli.proofs.checkpoint_options import CheckpointOptions
from deploy.cli.proofs.store_check import StoreCheck, check_store, describe_problem
from deploy.compose import open_event_store
from deploy.config.failures import say
from deploy.config.settings import Settings
from deploy.log.writer.key_files import keys_exist, log_files, signer_at, with_key_folder
from deploy.stores.migrating import pending
from deploy.system.private import list_readable_by_others


def check_log(settings: Settings, asked: CheckpointOptions) -> Found:
    """Verify the whole store against what was signed, here and in ``asked``."""
    holdings = None if pending(settings.journal_url) else check_store(settings, asked, look=True)
    if holdings is None:
        return Found("ok", say("log_kept_none" if settings.log == "off" else "log_not_begun"))
    if not holdings.is_consistent:
        return _find_log_problem(holdings)
    return _find_ended_log(settings) or _key(settings, holdings.origin) or _describe_consistent(holdings)


def _find_log_problem(holdings: StoreCheck) -> Found:
    for unusable in holdings.unusable:
        return Found("wrong", unusable.problem, say("log_unusable_advice"))
    for held in holdings.held:
        if held.verdict != "sound":
            return Found("wrong", describe_problem(held), say("log_signs_serving" if held.why == "no_checkpoint" else "log_audit_tells"))
    said = next(one.said for one in holdings.said if one.found is None)
    return Found("wrong", say("said_nothing", said=said), say("log_audit_tells"))


def _find_ended_log(settings: Settings) -> Found | None:
    with open_event_store(settings, look=True) as events:
        epochs = events.log_epochs()
        if not epochs or epochs[-1].store == events.epochs()[-1].id:
            return None
    return Found("wrong", say("log_stopped_short"), say("log_stopped_advice"))


def _key(settings: Settings, origin: str) -> Found | None:
    """Return the problem with the key files here, if any."""
    if settings.log == "off":
        return Found("look", say("log_switched_off", origin=origin), say("log_switch_on"))
    with open_event_store(settings, look=True) as events:
        settings, epoch = with_key_folder(settings, events), events.log_epochs()[-1]
    files = log_files(settings)
    if not keys_exist(settings):
        return Found("look", say("log_key_missing", origin=origin, folder=settings.log_keys), say("log_key_anew"))
    if seen := list_readable_by_others(files[:2]):
        return Found("wrong", say("files_readable", files=tuple(map(str, seen))), say("log_key_private"))
    if signer_at(files.key, epoch) is None:
        return Found("look", say("log_key_other", file=files.key, origin=origin), say("log_key_anew"))
    return None


def _describe_consistent(holdings: StoreCheck) -> Found:
    newest = next((one for one in holdings.held if one.named is None), None)
    if newest is None:  # from paper alone
        return Found("ok", say("log_sound_on_paper", origin=holdings.origin))
    return Found("ok", say("log_sound", origin=newest.origin, signed=newest.size, more=newest.entries - newest.size))
