"""Database roles and grants in PostgreSQL: one role owns the tables, another serves and can append events but not change them.

The serving role owns the projections, because it creates and drops their tables. An account that may act as this role creates them in its
name.
"""

import json
from typing import LiteralString

from psycopg.sql import SQL, Composable, Identifier

from deploy.stores.postgres.connections import AnyConnection
from deploy.stores.statements import GrantError
from projections.engine.store import KEPT

# Recognised by both rights together: an administrator may have granted another account INSERT by hand.
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
    """Return the roles that may serve, beside the owner: one, unless rights were granted by hand."""
    return [name for (name,) in connection.execute(f"{_SERVING} ORDER BY name").fetchall()]


def set_serving_role(connection: AnyConnection) -> None:
    """Continue as the serving role, if there is one and this account may, so that it owns the tables that are created."""
    connection.execute(_ACT_AS_SERVING)


def grant(connection: AnyConnection, role: str) -> None:
    """Grant the role the rights that serving needs, and transfer the projections to it. Raises ``GrantError``."""
    _require(connection, role)
    with connection.transaction():
        _run(connection, "GRANT USAGE, CREATE ON SCHEMA {} TO {}", _schema(connection), Identifier(role))
        _run(connection, "GRANT CREATE ON DATABASE {} TO {}", Identifier(connection.info.dbname), Identifier(role))
        projected = _list_projection_tables(connection)
        for table in _list_owned(connection, "r"):
            if table in projected or table.startswith(KEPT):
                _run(connection, "ALTER TABLE {} OWNER TO {}", Identifier(table), Identifier(role))
            else:
                _run(connection, "REVOKE ALL ON {} FROM {}", Identifier(table), Identifier(role))
                _run(connection, f"GRANT {_rights(table)} ON {{}} TO {{}}", Identifier(table), Identifier(role))
        for sequence in _list_owned(connection, "S"):
            _run(connection, "GRANT SELECT ON SEQUENCE {} TO {}", Identifier(sequence), Identifier(role))


def _require(connection: AnyConnection, role: str) -> None:
    owner = connection.execute("SELECT current_user").fetchall()[0][0]
    if role == owner:
        raise GrantError("role_owns", "role_other", role=role)
    found = connection.execute(_ROLE, (role,)).fetchone()
    if found is None:
        raise GrantError("role_unknown", "role_create", role=role)
    may_act_as, is_member = found
    if not may_act_as:
        raise GrantError("role_no_tables", "role_grant", role=role, owner=owner)
    if is_member:
        raise GrantError("role_may_change", "role_revoke", role=role, owner=owner)
    if former := set(serving_roles(connection)) - {role}:
        raise GrantError("role_serves", "role_reassign", former=former.pop(), role=role)


def _rights(table: str) -> LiteralString:
    """Return the rights on a table that the migrations created."""
    if table == "events":
        return "SELECT, INSERT"
    return "SELECT" if "yoyo" in table else "SELECT, INSERT, UPDATE, DELETE"


def _list_projection_tables(connection: AnyConnection) -> set[str]:
    """Return the tables of the projections, if there are any yet."""
    if connection.execute("SELECT to_regclass('projections')").fetchone() == (None,):
        return set()
    rows = connection.execute("SELECT tables FROM projections").fetchall()
    return {"projections", *(table for (tables,) in rows for table in json.loads(tables))}


def _list_owned(connection: AnyConnection, kind: str) -> list[str]:
    return [name for (name,) in connection.execute(_OWNED, (kind,)).fetchall()]


def _schema(connection: AnyConnection) -> Identifier:
    return Identifier(connection.execute("SELECT current_schema()").fetchall()[0][0])


def _run(connection: AnyConnection, statement: LiteralString, *names: Composable) -> None:
    connection.execute(SQL(statement).format(*names))
