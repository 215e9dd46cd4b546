"""What the columns of a table are, for everybody: a route for each table, which its wing joins."""

from typing import Any

from litestar.handlers import HTTPRouteHandler

from api.common.tables.columns import Table, table_schema
from api.http.media_types import JSON
from api.http.operations import Content, Operation, reads
from api.http.request import Request
from api.http.response import Response, encode


def columns_route(table: Table, tag: str) -> HTTPRouteHandler:
    """``GET /v1/tables/{name}``."""
    schema: dict[str, Any] = table_schema(table)
    operation = Operation(
        id=f"read_{table.name}_columns",
        tag=tag,
        summary=f"The columns of the table of {table.name}, as a Table Schema",
        description="`version` rises when a column changes its name, type or meaning, or goes; columns may be added at the end without.",
        responses={200: Content("the schema", {JSON: {"type": "object"}})},
        role="anybody",
    )

    async def read_columns(request: Request) -> Response:
        return Response(encode(schema), headers=[("cache-control", "public, max-age=3600")])

    return reads(f"/v1/tables/{table.name}", operation, admit=None)(read_columns)
