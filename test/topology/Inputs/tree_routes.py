#!/usr/bin/env python3
"""Writes a mesh as a graph file in which the edges of a tree take the routes that its construction gives them.

usage: tree_routes.py h_tree M          2**M x 2**M mesh; Sanders et al., 2019, Fig. 13.6
       tree_routes.py mesh_tree K       K x 2**K mesh; Exercise 13.7

Where the routes go along a row first or along a column first is part of these constructions: with the same order for
all edges more of them would cross some links.
"""

import sys


def walk(a, b, along_row_first):
    """The nodes (row, column) after a on the way to b."""
    (row, column), way = a, []

    def horizontally():
        nonlocal column
        while column != b[1]:
            column += 1 if b[1] > column else -1
            way.append((row, column))

    def vertically():
        nonlocal row
        while row != b[0]:
            row += 1 if b[0] > row else -1
            way.append((row, column))

    for move in (horizontally, vertically) if along_row_first else (vertically, horizontally):
        move()
    return way


def h_tree(m):
    """Routes [parent, ..., child] of a block, made from four of half the side."""
    routes, root, side = [[(0, 1), (0, 0), (1, 0)], [(0, 1), (1, 1)]], (0, 1), 2
    for _ in range(m - 1):
        s = side
        copies = [lambda x: x, lambda x: (s - 1 - x[0], x[1] + s), lambda x: (x[0] + s, x[1] + s), lambda x: (x[1] + s, s - 1 - x[0])]
        routes = [[place(node) for node in route] for place in copies for route in routes]
        roots = [place(root) for place in copies]
        upper, lower, root = (s - 1, s), (s, s - 1), (s, s)
        for a, b, row_first in ((upper, roots[0], True), (upper, roots[1], True), (lower, roots[2], True), (lower, roots[3], False),
                                (root, upper, True), (root, lower, True)):
            routes.append([a] + walk(a, b, row_first))
        side *= 2
    return side, side, routes + [[(1, 0), (0, 0)]]


def mesh_tree(k):
    columns, routes = 1 << k, []

    def join(a, b, row_first):
        routes.append([a] + walk(a, b, row_first))

    def head(c):
        return ((c & -c).bit_length() - 1, c)

    for c in range(1, columns):
        i = head(c)[0]
        chain = [(row, c) for row in list(range(i, k)) + list(range(i - 1, -1, -1))]
        for a, b in zip(chain, chain[1:]):
            join(a, b, False)
        if i >= 1:
            half = 1 << (i - 1)
            join(chain[0], head(c - half), True)
            join(chain[1], head(c + half), chain[1][0] == i)
    end = (k - 1, 1)
    chain = [end] + [(row, 0) for row in range(k - 1, -1, -1)]
    for a, b in zip(chain, chain[1:]):
        join(a, b, True)
    return k, columns, routes


def main():
    rows, columns, routes = {"h_tree": h_tree, "mesh_tree": mesh_tree}[sys.argv[1]](int(sys.argv[2]))
    name = "{0[0]}.{0[1]}".format
    for node in ((row, column) for row in range(rows) for column in range(columns)):
        print("node", name(node), "at", node[1], node[0])
    for row in range(rows):
        for column in range(columns):
            if column + 1 < columns:
                print("link", name((row, column)), name((row, column + 1)))
            if row + 1 < rows:
                print("link", name((row, column)), name((row + 1, column)))
    for route in routes:
        if len(route) > 2:
            print("route", name(route[0]), name(route[-1]), "via", *map(name, route[1:-1]))


if __name__ == "__main__":
    main()
