"""The routes of this wing, as ``api/app.py`` joins them."""

from api.access import endings, issuing, lists, me

ROUTES = (issuing.issue_token, lists.list_tokens, lists.read_token, endings.revoke_token, endings.rotate_token, me.read_me)
