#!/usr/bin/python3
"""A second reader of table files, written from format/FORMAT.md alone.

    read_table.py FILE           lines `mover opponent` (sets of points, as decimal numbers) from
                                 standard input become lines `mover opponent code`
    read_table.py FILE counts    placements that are win, clock win, draw, clock loss, loss, then the
                                 longest win and the longest loss, counted from the values

Every checksum and every canary is checked first. Needs python3-xxhash and python3-zstandard.
"""
import struct
import sys
from itertools import combinations
from math import comb

import xxhash
import zstandard


def xxh64(data, seed=0):
    return xxhash.xxh64(data, seed=seed & (2**64 - 1)).intdigest()


def check(holds, what):
    if not holds:
        sys.exit(f"{sys.argv[1]}: {what}")


def image_of_point(symmetry, point):
    ring, p = divmod(point, 8)
    if symmetry & 8:
        ring = 2 - ring
    return 8 * ring + ((-p if symmetry & 4 else p) + 2 * (symmetry & 3)) % 8


POINT_IMAGES = [[1 << image_of_point(g, p) for p in range(24)] for g in range(16)]


def image(symmetry, points):
    table = POINT_IMAGES[symmetry]
    return sum(table[p] for p in range(24) if points >> p & 1)


class Index:
    def __init__(self, key_cows, other_cows):
        sets = combinations(range(24), key_cows)
        self.representatives = sorted({min(sum(table[p] for p in points) for table in POINT_IMAGES)
                                       for points in sets})
        self.rows = {s: row for row, s in enumerate(self.representatives)}
        self.columns = comb(24 - key_cows, other_cows)
        self.slots = len(self.representatives) * self.columns

    def slot(self, key, other):
        images = [image(g, key) for g in range(16)]
        representative = min(images)
        mapped = image(images.index(representative), other)
        free = [p for p in range(24) if not representative >> p & 1]
        members = [number for number, p in enumerate(free) if mapped >> p & 1]
        column = sum(comb(p, i) for i, p in enumerate(members, start=1))
        return self.rows[representative] * self.columns + column

    def orbit(self, row):
        return len({image(g, self.representatives[row]) for g in range(16)})


def unpacked(packing, payload, slots):
    if packing == 4:
        codes = struct.unpack(f"<{slots}H", payload)
    elif packing == 3:
        codes = payload
    else:
        base, digits = (3, 5) if packing == 1 else (5, 3)
        check(max(payload) < base**digits, "a byte that stands for no codes")
        split = [[b // base**i % base for i in range(digits)] for b in range(base**digits)]
        codes = [code for byte in payload for code in split[byte]]
        check(not any(codes[slots:]), "a place of the last byte that is not 0")
    return codes[:slots]


class Table:
    def __init__(self, path):
        with open(path, "rb") as file:
            data = file.read()
        check(data[:8] == bytes.fromhex("8A4D54420D0A1A0A"), "not a table")
        version, header_bytes, file_bytes, fingerprint, text_bytes = struct.unpack_from("<IIQQI", data, 8)
        check(version == 1, "another version")
        check(len(data) == file_bytes, "another size")
        header = data[:248] + bytes(8) + data[256:header_bytes]
        check(xxh64(header) == struct.unpack_from("<Q", data, 248)[0], "header checksum")
        check(header_bytes == 256 + (text_bytes + 7) // 8 * 8, "header size")
        self.rule_text = data[256:256 + text_bytes]
        check(xxh64(self.rule_text) == fingerprint, "fingerprint")
        (self.mover, self.opponent, _, _, self.metric, self.key, packing, self.clock, block_slots, slots,
         blocks) = struct.unpack_from("<8BIQQ", data, 36)
        counts = struct.unpack_from("<5Q", data, 64)
        longest = struct.unpack_from("<II", data, 104)
        content_hash, index_hash = struct.unpack_from("<QQ", data, 112)

        cows = (self.mover, self.opponent)
        self.index = Index(*(cows if self.key == 0 else cows[::-1]))
        check(slots == self.index.slots, "number of slots")
        check(blocks == -(-slots // block_slots), "number of blocks")

        entries = data[header_bytes:header_bytes + 24 * blocks]
        check(xxh64(entries) == index_hash, "index checksum")
        table_id = xxh64(data[24:64])
        self.codes = []
        hashes = b""
        end = header_bytes + 24 * blocks
        for b in range(blocks):
            entry = entries[24 * b:24 * b + 24]
            offset, stored_bytes, uniform, zero, checksum = struct.unpack("<QIHHQ", entry)
            check(offset == end and zero == 0, f"entry {b}")
            end += stored_bytes
            stored = data[offset:end]
            check(xxh64(stored, xxh64(entry[:16], table_id + b)) == checksum, f"checksum of block {b}")
            here = min(block_slots, slots - b * block_slots)
            if stored_bytes == 0:
                codes = [uniform] * here
            else:
                codes = unpacked(packing, zstandard.ZstdDecompressor().decompress(stored), here)
            hashes += struct.pack("<Q", xxh64(struct.pack(f"<{here}H", *codes)))
            self.codes += codes
        check(end == file_bytes, "end of the last payload")
        check(xxh64(hashes) == content_hash, "content hash")
        check(counts + longest == self.counts(), "counts and longest distances")
        for i in range(4):
            mover, opponent, slot, code = struct.unpack_from("<IIQH", data, 128 + 24 * i)
            check(self.slot(mover, opponent) == slot and self.codes[slot] == code, f"canary {i}")

    def slot(self, mover, opponent):
        return self.index.slot(*((mover, opponent) if self.key == 0 else (opponent, mover)))

    def counts(self):
        by_code = {}
        columns = self.index.columns
        for row in range(len(self.index.representatives)):
            orbit = self.index.orbit(row)
            for code in self.codes[row * columns:(row + 1) * columns]:
                by_code[code] = by_code.get(code, 0) + orbit
        if self.metric == 0:
            return tuple(by_code.get(code, 0) for code in (1, 3, 0, 4, 2)) + (2**32 - 1,) * 2
        wins = [code for code in by_code if code and code % 2 == 0]
        losses = [code for code in by_code if code % 2]
        return (sum(by_code[c] for c in wins), 0, by_code.get(0, 0), 0, sum(by_code[c] for c in losses),
                max(wins, default=1) - 1, max(losses, default=1) - 1)


def main():
    table = Table(sys.argv[1])
    if sys.argv[2:] == ["counts"]:
        print(*table.counts())
        return
    for line in sys.stdin:
        mover, opponent = map(int, line.split())
        print(mover, opponent, table.codes[table.slot(mover, opponent)])


main()
