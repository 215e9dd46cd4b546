"""Two roles: one owns the tables, another serves. Who serves appends events, and could not change them if he tried.

The projections are the serving role's own, because it makes and drops their tables; whoever may act as it makes them in its name.
"""

import json
from typing import LiteralString

from psycopg.sql import SQL, Composable, Identifier

from deploy.stores.postgres.connections import AnyConnection
from deploy.stores.statements import NotGranted
from projections.engine.store import KEPT

# Known by both rights together: somebody may have let another account write events by hand.
_SERVING = """
SELECT DISTINCT pg_get_userbyid(granted.grantee) AS name FROM pg_class, aclexplode(pg_class.relacl) AS granted
WHERE pg_class.oid = to_regclass('events') AND granted.privilege_type = 'INSERT' AND granted.grantee NOT IN (0, pg_class.relowner)
    AND has_database_privilege(granted.grantee, current_database(), 'CREATE')
"""
_ACT_AS_SERVING = f"""
SELECT set_config('role', name, false) FROM ({_SERVING}) AS serving
WHERE pg_has_role(name, 'MEMBER')
    AND name = coalesce((SELECT pg_get_userbyid(relowner) FROM pg_class WHERE oid = to_regclass('projections')), name)
ORDER BY name LIMIT 1
"""
_OWNED = """
SELECT relname::text FROM pg_class
WHERE relnamespace = current_schema()::regnamespace AND relowner = current_user::regrole AND relkind = %s ORDER BY relname
"""
_ROLE = "SELECT pg_has_role(current_user, oid, 'MEMBER'), pg_has_role(oid, current_user, 'MEMBER') FROM pg_roles WHERE rolname = %s"


def serving_roles(connection: AnyConnection) -> list[str]:
    """Who may serve, beside the owner: one role, unless somebody gave rights by hand."""
    return [name for (name,) in connection.execute(f"{_SERVING} ORDER BY name").fetchall()]


def act_as_serving(connection: AnyConnection) -> None:
    """From here on as the role that serves, if there is one and this account may: so that it owns whatever tables are made."""
    connection.execute(_ACT_AS_SERVING)


def grant(connection: AnyConnection, role: str) -> None:
    """Gives the role what serving needs, and hands the projections over to it. Raises ``NotGranted``."""
    _require(connection, role)
    with connection.transaction():
        _run(connection, "GRANT USAGE, CREATE ON SCHEMA {} TO {}", _schema(connection), Identifier(role))
        _run(connection, "GRANT CREATE ON DATABASE {} TO {}", Identifier(connection.info.dbname), Identifier(role))
        projected = _projected(connection)
        for table in _owned(connection, "r"):
            if table in projected or table.startswith(KEPT):
                _run(connection, "ALTER TABLE {} OWNER TO {}", Identifier(table), Identifier(role))
            else:
                _run(connection, "REVOKE ALL ON {} FROM {}", Identifier(table), Identifier(role))
                _run(connection, f"GRANT {_rights(table)} ON {{}} TO {{}}", Identifier(table), Identifier(role))
        for sequence in _owned(connection, "S"):
            _run(connection, "GRANT SELECT ON SEQUENCE {} TO {}", Identifier(sequence), Identifier(role))


def _require(connection: AnyConnection, role: str) -> None:
    owner = connection.execute("SELECT current_user").fetchall()[0][0]
    if role == owner:
        raise NotGranted("role_owns", "role_other", role=role)
    found = connection.execute(_ROLE, (role,)).fetchone()
    if found is None:
        raise NotGranted("role_unknown", "role_create", role=role)
    may_act_as, is_member = found
    if not may_act_as:
        raise NotGranted("role_no_tables", "role_grant", role=role, owner=owner)
    if is_member:
        raise NotGranted("role_may_change", "role_revoke", role=role, owner=owner)
    if former := set(serving_roles(connection)) - {role}:
        raise NotGranted("role_serves", "role_reassign", former=former.pop(), role=role)


def _rights(table: str) -> LiteralString:
    """Of what the migrations made."""
    if table == "events":
        return "SELECT, INSERT"
    return "SELECT" if "yoyo" in table else "SELECT, INSERT, UPDATE, DELETE"


def _projected(connection: AnyConnection) -> set[str]:
    """The tables of the projections, if there are any yet."""
    if connection.execute("SELECT to_regclass('projections')").fetchone() == (None,):
        return set()
    rows = connection.execute("SELECT tables FROM projections").fetchall()
    return {"projections", *(table for (tables,) in rows for table in json.loads(tables))}


def _owned(connection: AnyConnection, kind: str) -> list[str]:
    return [name for (name,) in connection.execute(_OWNED, (kind,)).fetchall()]


def _schema(connection: AnyConnection) -> Identifier:
    return Identifier(connection.execute("SELECT current_schema()").fetchall()[0][0])


def _run(connection: AnyConnection, statement: LiteralString, *names: Composable) -> None:
    connection.execute(SQL(statement).format(*names))
