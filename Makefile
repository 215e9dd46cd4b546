.PHONY: serve test bench

serve:
	./run

test:
	./run test

bench:
	./run bench
