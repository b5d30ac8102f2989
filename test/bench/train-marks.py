"""Teaches the network of letters' marks on the lines that train-marks.ts has drawn.

python3 test/bench/train-marks.py FILE NETWORK.onnx EPOCHS [THREADS]; needs python3-torch (1.13). Every
3,000 steps, and at the end, it prints what the network finds on the lines that are held back: for
several likelihoods the share of marks found, those taken for another one, and marks said per letter
that has none.
"""

import struct
import sys
import time

import numpy as np
import torch
from torch import nn
from torch.nn import functional

# In the order of MARKS in plugins/shared/ocr/marks/letters.ts; 0 is none.
MARKS = [
    "none", "diaeresis", "acute", "grave", "circumflex", "tilde", "ring", "caron", "cedilla",
    "ogonek", "stroke", "dot", "double acute", "breve", "macron", "eszett", "euro", "pound",
    "oe", "ae",
]
HEIGHT = 48
LETTER = np.dtype([("column", "<f4"), ("width", "<f4"), ("mark", "<u2")])
# Columns of one cell of the network's output, and of the pieces of lines that it is taught by.
CELL = 4
PIECE = 384
LINES_A_STEP = 32


def lines_of(path):
    """The file and, per line of it, its place, its width and how many letters it has."""
    data = np.memmap(path, np.uint8, "r")
    at, lines = 0, []
    while at + 4 <= len(data):
        width, count = struct.unpack_from("<HH", data, at)
        end = at + 4 + HEIGHT * width + LETTER.itemsize * count
        if end > len(data):
            break
        lines.append((at, width, count))
        at = end
    return data, lines


class Network(nn.Module):
    """Convolutions that look at a letter and its neighbours; a cell of four columns at a time."""

    def __init__(self, channels=(16, 32, 48, 64, 96)):
        super().__init__()
        a, b, c, d, e = channels

        def layer(source, target, kernel, stride, padding):
            return nn.Sequential(
                nn.Conv2d(source, target, kernel, stride, padding, bias=False),
                nn.BatchNorm2d(target),
                nn.ReLU(),
            )

        self.body = nn.Sequential(
            layer(1, a, 5, 2, 2),
            layer(a, b, 3, 2, 1),
            layer(b, c, 3, (2, 1), 1),
            layer(c, d, 3, (2, 1), 1),
            layer(d, e, (3, 5), 1, (0, 2)),
        )
        self.last = nn.Conv2d(e, len(MARKS), 1)
        self.drop = nn.Dropout(0.1)

    def forward(self, ink):
        return self.last(self.drop(self.body(ink))).squeeze(2)


class Likelihoods(nn.Module):
    """The network as it is shipped: batch norms are part of the convolutions, marks add up to 1."""

    def __init__(self, network):
        super().__init__()
        fuse = torch.nn.utils.fusion.fuse_conv_bn_eval
        self.body = nn.Sequential(
            *(m for layer in network.body for m in (fuse(layer[0], layer[1]), nn.ReLU()))
        )
        self.last = network.last

    def forward(self, ink):
        return torch.softmax(self.last(self.body(ink)).squeeze(2), 1)


def spoilt(ink, random):
    """Lighter or darker, moved up or down, with grain: each lesson differs."""
    ink = ink * random.uniform(0.7, 1.25)
    rows = random.integers(-3, 4)
    if rows:
        ink = np.roll(ink, rows, 0)
        if rows > 0:
            ink[:rows] = ink[rows]
        else:
            ink[rows:] = ink[rows - 1]
    if random.random() < 0.4:
        ink = ink + random.normal(0, random.uniform(0, 0.12), ink.shape)
    return ink


def batch(data, lines, random, is_lesson):
    """Pieces of lines, and for each of their letters: which piece, which cell, which mark."""
    inks = np.zeros((len(lines), 1, HEIGHT, PIECE), np.float32)
    pieces, cells, marks = [], [], []
    for i, (at, width, count) in enumerate(lines):
        start = at + 4
        ink = np.array(data[start : start + HEIGHT * width]).reshape(HEIGHT, width)
        letters = np.frombuffer(
            np.array(data[start + HEIGHT * width :][: LETTER.itemsize * count]), LETTER
        )
        left = random.integers(0, max(1, width - PIECE + 1)) if is_lesson else 0
        piece = ink[:, left : left + PIECE].astype(np.float32) / 127 - 0.5
        if is_lesson:
            piece = spoilt(piece, random)
        inks[i, 0, :, : piece.shape[1]] = piece
        for letter in letters:
            # The recogniser knows the middle of a letter roughly.
            off = max(0, min(6, 0.3 * letter["width"])) if is_lesson else 0
            cell = (letter["column"] - left + random.uniform(-off, off)) / CELL
            first = 0 if left == 0 else 2
            last = min(PIECE, width - left) / CELL - (0 if width - left <= PIECE else 2)
            if first <= cell < last:
                pieces.append(i)
                cells.append(int(cell))
                marks.append(int(letter["mark"]))
    return torch.from_numpy(inks), torch.tensor(pieces), torch.tensor(cells), torch.tensor(marks)


def examine(network, held, title):
    network.eval()
    random = np.random.default_rng(9)
    data, lines = held
    seen, truth = [], []
    with torch.no_grad():
        for i in range(0, min(len(lines), 3000), 64):
            inks, pieces, cells, marks = batch(data, lines[i : i + 64], random, False)
            seen.append(network(inks).softmax(1)[pieces, :, cells])
            truth.append(marks)
    network.train()
    seen, truth = torch.cat(seen), torch.cat(truth)
    best = seen[:, 1:].argmax(1) + 1
    likelihood = seen[torch.arange(len(seen)), best]
    marked = truth > 0
    print(title, len(truth), "letters,", int(marked.sum()), "with a mark")
    for least in (0.5, 0.8, 0.9, 0.95, 0.99):
        said = likelihood >= least
        right = (said & (best == truth)).sum() / marked.sum()
        other = (said & marked & (best != truth)).sum() / marked.sum()
        none = (said & ~marked).sum() / (~marked).sum()
        print(f"  from {least}: found {right:.3f}, other {other:.4f}, on none {none:.5f}")
    for i, mark in enumerate(MARKS):
        own = truth == i
        if i and own.any():
            share = ((likelihood >= 0.5) & (best == truth) & own).sum() / own.sum()
            print(f"  {mark} {share:.3f} of {int(own.sum())}", flush=True)


def main():
    source, target, epochs = sys.argv[1], sys.argv[2], float(sys.argv[3])
    torch.set_num_threads(int(sys.argv[4]) if len(sys.argv) > 4 else 1)
    torch.manual_seed(1)
    random = np.random.default_rng(1)
    data, lines = lines_of(f"{source}-train.bin")
    held = lines_of(f"{source}-held.bin")
    print(len(lines), "lines to learn from,", len(held[1]), "held back", flush=True)
    network = Network()
    steps = int(epochs * len(lines) / LINES_A_STEP)
    optimiser = torch.optim.AdamW(network.parameters(), lr=2e-3, weight_decay=1e-2)
    schedule = torch.optim.lr_scheduler.OneCycleLR(
        optimiser, max_lr=4e-3, total_steps=steps + 1, pct_start=0.1
    )
    order, loss_sum, started = [], 0.0, time.time()
    for step in range(1, steps + 1):
        if len(order) < LINES_A_STEP:
            order = list(random.permutation(len(lines)))
        lesson = [lines[order.pop()] for _ in range(LINES_A_STEP)]
        inks, pieces, cells, marks = batch(data, lesson, random, True)
        loss = functional.cross_entropy(network(inks)[pieces, :, cells], marks)
        optimiser.zero_grad()
        loss.backward()
        optimiser.step()
        schedule.step()
        loss_sum += float(loss)
        if step % 500 == 0:
            print(f"{step} of {steps}, loss {loss_sum / 500:.4f}, {time.time() - started:.0f} s", flush=True)
            loss_sum = 0.0
        if step % 3000 == 0:
            examine(network, held, f"step {step}:")
    examine(network, held, "at the end:")
    network.eval()
    torch.onnx.export(
        Likelihoods(network).eval(), torch.zeros(1, 1, HEIGHT, 160), target,
        input_names=["ink"], output_names=["marks"],
        dynamic_axes={"ink": {3: "width"}, "marks": {2: "cells"}}, opset_version=13,
    )


main()
