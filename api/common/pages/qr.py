"""QR codes, for screens and for paper."""

from io import BytesIO

import segno


def qr_code(text: str, *, fitting: bool = False) -> str:
    """As SVG, with the quiet zone that scanners need; dark on light also where a page is dark. ``fitting``: as large as its place."""
    drawn = BytesIO()
    segno.make(text, micro=False).save(drawn, kind="svg", scale=8, light="white", xmldecl=False, nl=False, omitsize=fitting)
    return drawn.getvalue().decode()
