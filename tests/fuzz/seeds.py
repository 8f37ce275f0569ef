"""Writes inputs to begin with for each target, made from the shipped tables and rule sets.

Usage: seeds.py FOLDER
"""

import pathlib
import struct
import sys

import zstandard

ROOT = pathlib.Path(__file__).resolve().parents[2]
TABLES = ROOT / "data" / "tables"
# As in modelled_block_fuzz.cpp.
SECTORS = {"3v3": 3, "4v3": 4, "3v4": 5}
METRICS = {"wdl": 0, "dtw": 1, "dtc": 2}

POSITIONS = [
    "0,0 a7,b6,c4,c5 a4,c3,e3,g4 w",
    "0,0 a7,d7,b6,f6,d2 a1,c3,f2,g1 b d2-d1 - 17",
    "12,12 - - w",
    "3,2 a7,b6,d2,d1 c3,f2,g4 b - g4-g1",
    "********/********/******** w p p 0 12 0 12 0 0 -1 -1 -1 -1 0 0 1 ids:nodes",
    "OO**@@**/O*@*****/******** w m s 3 0 3 0 0 0 -1 -1 -1 -1 0 10 1 ids:nodes",
    "OOO*@@**/***@****/@******* w m r 3 0 4 0 1 0 -1 -1 3 5 0 7 1 ids:nodes",
]


def write(folder, target, name, content):
    path = folder / target
    path.mkdir(parents=True, exist_ok=True)
    (path / f"seed-{name}").write_bytes(content)


def modelled_blocks(data):
    """The content of the model, and the stored blocks with their numbers."""
    (header_bytes,) = struct.unpack_from("<I", data, 12)
    (model_bytes,) = struct.unpack_from("<I", data, 256)
    (blocks,) = struct.unpack_from("<Q", data, 56)
    model = zstandard.ZstdDecompressor().decompress(data[header_bytes : header_bytes + model_bytes])
    index = header_bytes + model_bytes
    at = index + 12 * blocks
    stored = []
    for block in range(blocks):
        (size,) = struct.unpack_from("<I", data, index + 12 * block)
        if size >> 31:
            continue
        stored.append((block, data[at : at + size]))
        at += size
    return model, stored


def main():
    folder = pathlib.Path(sys.argv[1])
    for path in sorted(TABLES.glob("*/*v*.*")):
        data = path.read_bytes()
        (header_bytes,) = struct.unpack_from("<I", data, 12)
        name = f"{path.parent.name}-{path.name}"
        write(folder, "header_fuzz", name, data[:header_bytes])
        if path.parent.name != "malom" or path.stem not in SECTORS:
            continue
        model, stored = modelled_blocks(data)
        for block, payload in stored[:: max(1, len(stored) // 4)]:
            head = struct.pack(
                ">BBBHI", SECTORS[path.stem], METRICS[path.suffix[1:]], 0, block, len(model)
            )
            write(folder, "modelled_block_fuzz", f"{name}-{block}", head + model + payload)
            head = struct.pack(">BBBHI", SECTORS[path.stem], METRICS[path.suffix[1:]], 1, block, 40)
            write(folder, "modelled_block_fuzz", f"{name}-{block}-spread", head + model[:40] + payload)
    for packing, (codes, most) in enumerate([(5, 243), (3, 125), (1, 256), (0.5, 256)], 1):
        for slots in (1, 77, 4096):
            size = int((slots + codes - 1) // codes) if codes >= 1 else 2 * slots
            content = bytes((i * i // 7) % most for i in range(size))
            frame = zstandard.ZstdCompressor(level=3, write_content_size=True).compress(content)
            head = struct.pack(">HB", slots - 1, packing - 1)
            write(folder, "packed_block_fuzz", f"{packing}-{slots}-frame", head + b"\0" + frame)
            write(folder, "packed_block_fuzz", f"{packing}-{slots}", head + b"\1" + content)
    for i, position in enumerate(POSITIONS):
        for rules in (0, 4):
            write(folder, "position_fuzz", f"{i}-{rules}", bytes((0, rules)) + position.encode())
    for path in sorted((ROOT / "data" / "rules").glob("*.toml")):
        write(folder, "rules_fuzz", path.stem, path.read_bytes())


main()
