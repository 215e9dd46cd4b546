"""Speed, as ratios within one run: what Kiebitz costs beside the bare thing it rests on. ``./run bench`` prints and writes them."""
