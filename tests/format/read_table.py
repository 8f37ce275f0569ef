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


def lines_and_ways(diagonals):
    """All lines of three, and the neighbours of each point, as sets."""
    lines = []
    ways = [set() for _ in range(24)]

    def connect(points, is_line):
        if is_line:
            lines.append(set(points))
        for a, b in zip(points, points[1:]):
            ways[a].add(b)
            ways[b].add(a)

    for ring in range(3):
        for p in range(0, 8, 2):
            connect([8 * ring + p, 8 * ring + p + 1, 8 * ring + (p + 2) % 8], True)
    for p in range(1, 8, 2):
        connect([p, 8 + p, 16 + p], True)
    if diagonals != "none":
        for p in range(0, 8, 2):
            connect([p, 8 + p, 16 + p], diagonals == "mills")
    return lines, ways


class Words:
    """Numbers of 16 bits off the front of the model's content."""

    def __init__(self, data):
        self.data = data

    def list(self, count):
        check(len(self.data) >= 2 * count, "a model that ends early")
        numbers = [low | high << 8 for low, high in zip(self.data[:count], self.data[count:2 * count])]
        self.data = self.data[2 * count:]
        return numbers

    def one(self):
        return self.list(1)[0]


class Modelled:
    """Decodes modelled blocks."""

    BLOCK = 4096

    def __init__(self, model, index, key_cows, other_cows, slides, diagonals, distances):
        self.index = index
        self.other_cows = other_cows
        self.near = min(6, other_cows)
        self.slides = slides
        self.lines, self.ways = lines_and_ways(diagonals)
        self.mills = {}
        self.distances = distances
        self.column_sets = sorted(sum(1 << p for p in points)
                                  for points in combinations(range(24 - key_cows), other_cows))
        words = Words(zstandard.ZstdDecompressor().decompress(model))
        r = max(1, self.near)
        count = words.one()
        draws, wins = words.list(count), words.list(count)
        self.outcome_classes = [self.intervals([draws[c], wins[c]]) for c in range(count)]
        self.outcome_class = words.list(144 * r**3)
        if distances:
            self.cap = words.one()
            self.pairs = (self.cap + 1) * (self.cap + 2) // 2 + 1
            count = words.one()
            shares, halves = words.list(15 * count), words.list(15 * count)
            self.half_classes = [(self.intervals(shares[15 * c:15 * c + 15]), halves[15 * c:15 * c + 15])
                                 for c in range(count)]
            self.half_class = words.list(18 * self.pairs)
        check(not words.data, "a model that is too long")

    @staticmethod
    def intervals(shares):
        check(sum(shares) <= 32768, "shares above 1")
        begin = 0
        result = []
        for share in shares + [32768 - sum(shares)]:
            result.append((begin, share))
            begin += share
        return result

    def mill_points(self, cows, slides):
        if (cows, slides) not in self.mills:
            members = {p for p in range(24) if cows >> p & 1}
            points = set()
            for line in self.lines:
                rest = line - members
                if len(rest) == 1:
                    e, = rest
                    if not slides or (self.ways[e] - line) & members:
                        points.add(e)
            self.mills[cows, slides] = points
        return self.mills[cows, slides]

    def hint(self, row, column):
        key = self.index.representatives[row]
        free = [p for p in range(24) if not key >> p & 1]
        other = sum(1 << p for i, p in enumerate(free) if self.column_sets[column] >> i & 1)
        by_key = [e for e in self.mill_points(key, self.slides[0]) if not other >> e & 1]
        by_other = [e for e in self.mill_points(other, self.slides[1]) if not key >> e & 1]
        return 3 * min(2, len(by_key)) + min(2, len(by_other))

    def neighbours(self, column):
        """How many slots before; None for those that do not exist."""
        members = [p for p in range(24) if self.column_sets[column] >> p & 1]
        result = []
        for i in range(1, self.near + 1):
            p = members[i - 1]
            exists = p > 0 and p - 1 not in members and comb(p - 1, i - 1) < self.BLOCK
            result.append(comb(p - 1, i - 1) if exists else None)
        return result

    def take(self, intervals):
        state = self.states[self.turn]
        place = state % 32768
        for symbol, (begin, share) in enumerate(intervals):
            if begin <= place < begin + share:
                break
        state = share * (state // 32768) + place - begin
        if state < 65536:
            check(self.words, "a payload that ends early")
            state = state * 65536 + self.words.pop()
        self.states[self.turn] = state
        self.turn ^= 1
        return symbol

    def take_raw(self):
        value = self.states[self.turn] % 32768
        self.take([(0, 0)] * value + [(value, 1)])
        return value

    def decode(self, stored, first, count):
        check(len(stored) >= 8 and len(stored) % 2 == 0, "size of a payload")
        self.states = list(struct.unpack_from("<II", stored))
        check(min(self.states) >= 65536, "a state that is too small")
        self.words = list(struct.unpack(f"<{len(stored) // 2 - 4}H", stored[8:]))[::-1]
        self.turn = 0
        columns = self.index.columns
        r = max(1, self.near)
        outcomes = {}
        hints = []
        steps = []
        for i in range(count):
            row, column = divmod(first + i, columns)
            hints.append(self.hint(row, column))
            steps.append(self.neighbours(column))
            found = [outcomes.get(i - step, 3) if step else 3 for step in steps[i]]
            above = outcomes.get(i - columns, 3) if columns < self.BLOCK else 3
            nearest = found[0] if found else 3
            far = found[1:]
            counted = far.count(0) + r * far.count(1) + r * r * far.count(2)
            context = 4 * (r**3 * (9 * above + hints[i]) + counted) + nearest
            outcomes[i] = self.take(self.outcome_classes[self.outcome_class[context]])
        halves = {}
        decided = [i for i in range(count) if outcomes[i]] if self.distances else []
        quarter = -(-len(decided) // 4)
        for n in (lane * quarter + t for t in range(quarter) for lane in range(4)):
            if n >= len(decided):
                continue
            i = decided[n]
            around = [min(self.cap, halves[i - step]) for step in steps[i]
                      if step and i - step in halves and outcomes[i - step] == outcomes[i]]
            pair = max(around) * (max(around) + 1) // 2 + min(around) + 1 if around else 0
            context = self.pairs * (9 * (outcomes[i] - 1) + hints[i]) + pair
            intervals, values = self.half_classes[self.half_class[context]]
            rank = self.take(intervals)
            halves[i] = values[rank] if rank < 15 else self.take_raw()
            check(halves[i] > 0 or outcomes[i] == 2, "a win in no plies")
        check(not self.words and self.states == [65536, 65536], "a payload that is too long")
        if not self.distances:
            return [outcomes[i] for i in range(count)]
        return [2 * halves[i] + outcomes[i] - 1 if outcomes[i] else 0 for i in range(count)]


class Table:
    def __init__(self, path):
        with open(path, "rb") as file:
            data = file.read()
        check(data[:8] == bytes.fromhex("8A4D54420D0A1A0A"), "not a table")
        version, header_bytes, file_bytes, fingerprint, text_bytes = struct.unpack_from("<IIQQI", data, 8)
        check(version == 2, "another version")
        check(len(data) == file_bytes, "another size")
        header = data[:248] + bytes(8) + data[256:header_bytes]
        check(xxh64(header) == struct.unpack_from("<Q", data, 248)[0], "header checksum")
        check(header_bytes == 272 + (text_bytes + 7) // 8 * 8, "header size")
        self.rule_text = data[272:272 + text_bytes]
        check(xxh64(self.rule_text) == fingerprint, "fingerprint")
        (self.mover, self.opponent, mover_hand, opponent_hand, self.metric, self.key, packing, self.clock,
         coding, zeros, slots, blocks) = struct.unpack_from("<9B3sQQ", data, 36)
        counts = struct.unpack_from("<5Q", data, 64)
        longest = struct.unpack_from("<II", data, 104)
        content_hash, index_hash = struct.unpack_from("<QQ", data, 112)
        model_bytes, self.bound, model_hash = struct.unpack_from("<IIQ", data, 256)
        check(zeros == bytes(3), "bytes that are not 0")
        check((self.bound != 0) == (self.metric == 2 and self.clock == 2), "the bound of the clock")

        cows = (self.mover, self.opponent)
        rules = dict(line.split(" = ", 1) for line in self.rule_text.decode().splitlines())
        slides = [hand == 0 and on_board > int(rules["fly_at"])
                  for on_board, hand in zip(cows, (mover_hand, opponent_hand))]
        if self.key == 1:
            cows = cows[::-1]
            slides = slides[::-1]
        self.index = Index(*cows)
        block_slots = Modelled.BLOCK if coding == 1 else 65536
        check(slots == self.index.slots, "number of slots")
        check(blocks == -(-slots // block_slots), "number of blocks")

        model = data[header_bytes:header_bytes + model_bytes]
        if coding == 1:
            check(xxh64(model) == model_hash, "model checksum")
            modelled = Modelled(model, self.index, *cows, slides, rules["diagonals"].strip('"'),
                                self.metric != 0)
        else:
            check(model_bytes == 0 and model_hash == 0, "a model in a packed table")
        end = header_bytes + model_bytes + 12 * blocks
        entries = data[header_bytes + model_bytes:end]
        check(xxh64(entries) == index_hash, "index checksum")
        table_id = xxh64(data[24:64], model_hash)
        self.codes = []
        for b in range(blocks):
            entry = entries[12 * b:12 * b + 12]
            size, checksum = struct.unpack("<IQ", entry)
            uniform = size >= 2**31
            stored = b"" if uniform else data[end:end + size]
            check(uniform or size > 0, f"entry {b}")
            end += len(stored)
            check(xxh64(stored, xxh64(entry[:4], table_id + b)) == checksum, f"checksum of block {b}")
            here = min(block_slots, slots - b * block_slots)
            if uniform:
                codes = [size - 2**31] * here
            elif coding == 1:
                codes = modelled.decode(stored, b * block_slots, here)
            else:
                codes = unpacked(packing, zstandard.ZstdDecompressor().decompress(stored), here)
            self.codes += codes
        hashes = b""
        for first in range(0, slots, 65536):
            codes = self.codes[first:first + 65536]
            hashes += struct.pack("<Q", xxh64(struct.pack(f"<{len(codes)}H", *codes)))
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
        def plies(code):
            return code - 1 if self.metric == 1 else (code - 1) // 2

        def late(code):
            return self.bound != 0 and plies(code) > self.bound

        wins = [code for code in by_code if code and code % 2 == 0]
        losses = [code for code in by_code if code % 2]
        return (sum(by_code[c] for c in wins if not late(c)), sum(by_code[c] for c in wins if late(c)),
                by_code.get(0, 0),
                sum(by_code[c] for c in losses if late(c)), sum(by_code[c] for c in losses if not late(c)),
                max(map(plies, wins), default=0), max(map(plies, losses), default=0))


def main():
    table = Table(sys.argv[1])
    if sys.argv[2:] == ["counts"]:
        print(*table.counts())
        return
    for line in sys.stdin:
        mover, opponent = map(int, line.split())
        print(mover, opponent, table.codes[table.slot(mover, opponent)])


main()
