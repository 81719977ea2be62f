"""Forgeries of designs, difference sets and Hadamard matrices, and of the groups they live in."""

from tests.attack.places import changed, copied


def _blocks_of(content):
    blocks = content["witness"].get("base_blocks")
    return copied(blocks) if blocks else None


def swapped_blocks(rng, content, donor):
    """Two blocks exchanged, whole or in one point each; or one written over the other."""
    blocks = _blocks_of(content)
    if blocks is None:
        return None
    i, j = rng.randrange(len(blocks)), rng.randrange(len(blocks))
    if rng.random() < 0.3:
        blocks[i], blocks[j] = blocks[j], blocks[i]
    elif rng.random() < 0.3:
        blocks[i] = copied(blocks[j])
    elif blocks[i] and blocks[j]:
        x, y = rng.randrange(len(blocks[i])), rng.randrange(len(blocks[j]))
        blocks[i][x], blocks[j][y] = blocks[j][y], blocks[i][x]
    return changed(content, ("witness", "base_blocks"), blocks)


def moved_point(rng, content, donor):
    """One point of one block moved, taken out or put in twice."""
    blocks = _blocks_of(content)
    if blocks is None:
        return None
    v = content["witness"].get("points", content["claim"]["v"])
    block = rng.choice(blocks)
    if not block:
        block.append(rng.randrange(v))
    elif rng.random() < 0.7:
        block[rng.randrange(len(block))] = rng.randrange(-1, v + 1)
    elif rng.random() < 0.5:
        block.pop()
    else:
        block.append(rng.choice(block))
    return changed(content, ("witness", "base_blocks"), blocks)


def renamed_points(rng, content, donor):
    """The points renamed by a permutation, in all blocks (still a design) or in some."""
    blocks = _blocks_of(content)
    if blocks is None:
        return None
    v = content["claim"]["v"]
    names, share = rng.sample(range(v), v), rng.choice([1, 1, 0.5])
    blocks = [[names[x] for x in b] if rng.random() < share else b for b in blocks]
    return changed(content, ("witness", "base_blocks"), blocks)


def other_maps(rng, content, donor):
    """A map added, changed in two images, no permutation, or left out."""
    if "generators" not in content["witness"]:
        return None
    maps, v = copied(content["witness"]["generators"]), content["claim"]["v"]
    power = rng.randint(1, 3)
    match rng.randrange(5):
        case 0:
            maps.append(rng.sample(range(v), v))
        case 1:
            maps.append([rng.randrange(v) for _ in range(v)])
        case 2:
            maps.append([(x * power + 1) % v for x in range(v)])
        case 3:
            maps = maps[1:]
        case 4 if maps:
            i, j = rng.randrange(v), rng.randrange(v)
            maps[0][i], maps[0][j] = maps[0][j], maps[0][i]
    return changed(content, ("witness", "generators"), maps)


def flipped_signs(rng, content, donor):
    """A row flipped once, twice or over another one; a sign, a column, two rows exchanged."""
    rows = content["witness"].get("rows")
    if rows is None:
        return None
    rows, n = [[*row] for row in rows], len(rows)
    i, j, column = rng.randrange(n), rng.randrange(n), rng.randrange(n)
    negative = {"+": "-", "-": "+"}
    match rng.randrange(8):
        case 0:
            rows[i] = [negative[s] for s in rows[i]]
        case 1:
            rows[i] = [negative[negative[s]] for s in rows[j]]
        case 2:
            rows[i] = [negative[s] for s in rows[j]]
        case 3:
            rows[i][column] = negative[rows[i][column]]
        case 4:
            for row in rows:
                row[column] = negative[row[column]]
        case 5:
            rows[i], rows[j] = rows[j], rows[i]
        case 6:
            for row in rows:
                row[i], row[j] = row[j], row[i]
        case 7:
            rows[i][i], rows[i][j] = rows[i][j], rows[i][i]
    if rng.random() < 0.1:
        rows[i][column] = rng.choice(["\u2212", "0", " ", "", "+-"])
    return changed(content, ("witness", "rows"), ["".join(row) for row in rows])


def moved_elements(rng, content, donor):
    """A difference set translated, multiplied, permuted, or with one element replaced."""
    elements = content["witness"].get("elements")
    if elements is None:
        return None
    group = content["claim"]["group"]
    order = len(group) if isinstance(group[0], list) else _product(group)
    step, factor = rng.randrange(order), rng.randint(2, 5)
    match rng.randrange(5):
        case 0:
            elements = [(x + step) % order for x in elements]
        case 1:
            elements = [x * factor % order for x in elements]
        case 2:
            elements = rng.sample(elements, len(elements))
        case 3:
            elements = [step, *elements[1:]]
        case 4:
            elements = [x for x in range(order) if x not in elements]
    return changed(content, ("witness", "elements"), elements)


def _product(orders):
    result = 1
    for n in orders:
        result *= n
    return result


def other_group(rng, content, donor):
    """Another group of the same order, factors in another order, or a table that is no group's."""
    group = copied(content["claim"].get("group"))
    if group is None:
        return None
    if not isinstance(group[0], list):
        n = _product(group)
        split = [[d, n // d] for d in range(1, n + 1) if n % d == 0]
        table = [[(x + y) % n for y in range(n)] for x in range(n)]
        group = rng.choice([group[::-1], [*group, 1], [1, *group], *split, [n], table])
    else:
        _switch(rng, group)
    return changed(content, ("claim", "group"), group)


def _switch(rng, table):
    """Exchange two rows, two entries, or the entries of a Latin subsquare of order two."""
    n = len(table)
    i, j = rng.sample(range(n), 2)
    if rng.random() < 0.2:
        table[i], table[j] = table[j], table[i]
        return
    if rng.random() < 0.2:
        table[i][j], table[j][i] = table[j][i], table[i][j]
        return
    squares = [
        (x, y)
        for x in range(1, n)
        for y in range(1, n)
        if x < y and table[i][x] == table[j][y] and table[i][y] == table[j][x]
    ]
    if squares and i and j:
        x, y = rng.choice(squares)
        for row in (table[i], table[j]):
            row[x], row[y] = row[y], row[x]


DESIGN = {
    "two blocks swapped": swapped_blocks,
    "one point moved": moved_point,
    "points renamed": renamed_points,
    "maps": other_maps,
    "signs flipped": flipped_signs,
    "elements moved": moved_elements,
    "another group": other_group,
}
