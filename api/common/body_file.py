"""Bodies of long responses, as the record of a long game: written into a file and sent from it, piece by piece, with little memory."""

import asyncio
from collections.abc import AsyncGenerator, Iterable
from hashlib import sha256
from io import SEEK_END
from typing import BinaryIO, NamedTuple

from api.http.guards import stream_response
from api.http.media_types import JSON
from api.http.request import Request, header, takes_gzip
from api.http.response import NO_CACHE, PIECE, Response, build_etag_response, build_tag, is_known
from api.http.sending import compress_file, tag_of_compressed

LONG = 1024 * 1024
"""Bytes; a shorter body is sent whole."""


class BodyFile(NamedTuple):
    """A body in a file, with its size and a digest for its ETag."""

    file: BinaryIO
    size: int
    digest: str

    async def build_response(self, request: Request, etag: str, *, vary: str) -> Response:
        """Return the body with its ETag, or 304 where the caller holds it already, as ``build_etag_response`` does. Closes the file."""
        if self.size <= LONG or is_known(request, etag):
            with self.file as file:
                return build_etag_response(request, etag, file.read, vary=vary)
        file, headers = self.file, [("cache-control", NO_CACHE), ("vary", f"{vary}, accept-encoding")]
        tag = build_tag(request, etag)
        if takes_gzip(header(request, b"accept-encoding")):
            with self.file as whole:
                file, tag = await asyncio.to_thread(compress_file, whole), tag_of_compressed(tag)
            headers.append(("content-encoding", "gzip"))
        headers += [("etag", tag), ("content-length", str(file.seek(0, SEEK_END)))]
        if request.method == "HEAD":
            file.close()
        return stream_response(request, _pieces(file), media_type=JSON, headers=headers)


def write_body(pieces: Iterable[bytes], file: BinaryIO) -> tuple[int, str]:
    """Write the pieces, and return their size and digest."""
    size, digest = 0, sha256()
    for piece in pieces:
        size += file.write(piece)
        digest.update(piece)
    return size, digest.hexdigest()[:32]


async def _pieces(file: BinaryIO) -> AsyncGenerator[bytes, None]:
    with file:
        file.seek(0)
        while piece := await asyncio.to_thread(file.read, PIECE):
            yield piece
