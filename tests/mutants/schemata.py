"""Writes the mutants of a Rust file beside their originals.

Each place that has mutants becomes a `match` on `crate::mutants::chosen(first, count)`: an arm for each mutant, and one
for the original. Operands are bound once, so that a file grows with its mutants and not with their combinations. Each
arm of a mutant is a line of its own with the mark `/*m7*/`, and each place is between `/*p7*/` and `/*q7*/`, 7 the
number of its first mutant: what the compiler refuses is found by its line.
"""

import re

TOKEN = re.compile(
    r"""(?P<space>\s+|//[^\n]*)|(?P<comment>/\*)
    |(?P<text>(?:br|cr|r)\#+"|(?:b|c)?"(?:\\.|[^"\\])*"|(?:br|cr|r)"[^"]*"|b?'(?:\\(?:x..|u\{[^}]*\}|.)|[^\\'])')
    |(?P<number>\d[\d_]*(?:x[\da-fA-F_]+)?(?:\.(?![.\w])|\.\d[\d_]*)?(?:[eE][+-]?\d+)?\w*)
    |(?P<word>'?[^\W\d]\w*)
    |(?P<sign><<=|>>=|\.\.\.|\.\.=|::|->|=>|==|!=|<=|>=|&&|\|\||[-+*/%^&|]=|<<|>>|\.\.|.)""",
    re.X | re.S,
)
PAIRS = {"(": ")", "[": "]", "{": "}"}
# What stands before an operand rather than being one.
KEYWORDS = set("as break else if in let loop match move mut ref return unsafe while for const dyn where".split())
STRENGTH = {"as": 12, "*": 11, "/": 11, "%": 11, "+": 10, "-": 10, "<<": 9, ">>": 9, "&": 8, "^": 7, "|": 6}
STRENGTH |= dict.fromkeys(["==", "!=", "<", ">", "<=", ">="], 5) | {"&&": 4, "||": 3}
PREFIXES = {"-", "!", "*", "&", "&&", "mut"}


class Unclear(Exception):
    """The operands of a place were not found."""


def tokens_of(text):
    """Begin, end and text of each token, without spaces and comments."""
    tokens, at = [], 0
    while at < len(text):
        found = TOKEN.match(text, at)
        end = found.end()
        if found["comment"]:
            depth = 1
            while depth:
                step = re.compile(r"/\*|\*/").search(text, end)
                depth, end = depth + (1 if step[0] == "/*" else -1), step.end()
        elif found["text"] and found["text"].endswith('#"'):
            end = text.index('"' + "#" * found["text"].count("#"), end) + found["text"].count("#") + 1
        if not found["space"] and not found["comment"]:
            tokens.append((at, end, text[at:end]))
        at = end
    return tokens


class Source:
    """A file's tokens, with the partner of each bracket and the operators that stand between operands."""

    def __init__(self, text, operators):
        self.text = text
        self.tokens = tokens_of(text)
        self.words = [word for _, _, word in self.tokens]
        self.at = {begin: k for k, (begin, _, _) in enumerate(self.tokens)}
        self.partner, opened = {}, []
        for k, word in enumerate(self.words):
            if word in PAIRS:
                opened.append(k)
            elif word in PAIRS.values():
                self.partner[k] = opened.pop()
                self.partner[self.partner[k]] = k
        self.pipes = self._pipes_of_closures()
        self.operators = operators

    def ends_operand(self, k):
        word = self.words[k]
        return word in (")", "]", "}", "?") or (word[0] in "\"_'" or word[0].isalnum()) and word not in KEYWORDS

    def _pipes_of_closures(self):
        pipes, k = set(), 0
        while k < len(self.words):
            if self.words[k] in ("|", "||") and not (k and self.ends_operand(k - 1)):
                pipes.add(k)
                if self.words[k] == "|":
                    k += 1
                    while self.words[k] != "|":
                        k = self.partner[k] + 1 if self.words[k] in PAIRS else k + 1
                    pipes.add(k)
            k += 1
        return pipes

    def between(self, k):
        """The strength of the token as an operator between two operands, or 0."""
        if k in self.pipes or self.words[k] not in STRENGTH or not self.ends_operand(k - 1):
            return 0
        # After a block begins a new expression, unless the mutants show that the operator has two operands.
        if self.words[k - 1] == "}" and self.tokens[k][0] not in self.operators and self.words[k] != "as":
            return 0
        return STRENGTH[self.words[k]]

    def left(self, k, strength):
        """The first token of the operand that ends before token `k`, of operators that bind as strongly or stronger."""
        k -= 1
        while True:
            k = self._left_simple(k)
            while self.words[k - 1] in PREFIXES and not self.between(k - 1):
                k -= 1
            if self.between(k - 1) < strength:
                return k
            k -= 2

    def _left_simple(self, k):
        while True:
            word = self.words[k]
            if not self.ends_operand(k):
                raise Unclear
            if word == "?":
                k -= 1
                continue
            if word in ")]":
                k = self.partner[k]
                before = k - 1
                if self.words[before] in (">", ">>") and self.tokens[before][0] not in self.operators:
                    before = self._turbofish(before)
                if self.words[before] == "!" and self.ends_operand(before - 1):
                    before -= 1
                elif not self.ends_operand(before) or self.words[before] == "}":
                    return k
                k = before
                continue
            if word == "}":
                k = self._left_of_block(self.partner[k])
            if self.words[k - 1] in (".", "::"):
                k -= 2
                if self.words[k] in (">", ">>"):
                    k = self._turbofish(k)
                continue
            return k

    def _turbofish(self, k):
        depth = 0
        while k > 0 and self.words[k] not in ";{}":
            depth += self.words[k].count(">") - self.words[k].count("<") if self.words[k] in ("<", ">", ">>") else 0
            if depth == 0:
                if self.words[k - 1] == "::":
                    return k - 2
                return k
            k -= 1
        raise Unclear

    def _left_of_block(self, k):
        """The first token of the expression with the block that begins at token `k`."""
        begin = k
        while self.words[k - 1] not in ("{", "(", "[", ";", ",", "=", "=>", "}", "return"):
            k = self.partner[k - 1] if self.words[k - 1] in ")]" else k - 1
            if self.words[k] in ("if", "match", "unsafe", "loop"):
                if self.words[k - 1] == "else":
                    raise Unclear
                return k
            if self.words[k] == "else":
                return self._left_of_block(self.partner[k - 1])
        if self.words[begin - 1][0].isupper():
            return begin - 1
        raise Unclear

    def right(self, k, strength):
        """The token after the operand that begins after token `k`, of operators that bind more strongly."""
        k += 1
        while True:
            while self.words[k] in PREFIXES:
                k += 1
            k = self._right_simple(k)
            if self.between(k) <= strength:
                return k
            k += 1

    def _right_simple(self, k):
        if self.words[k] in ("if", "match"):
            k = self._right_of_block(k)
        elif self.words[k] in KEYWORDS or k in self.pipes:
            raise Unclear
        else:
            k = self.partner[k] + 1 if self.words[k] in PAIRS else k + 1
        while True:
            word = self.words[k]
            if word in "([":
                k = self.partner[k] + 1
            elif word == "!" and self.words[k + 1] in PAIRS:
                k = self.partner[k + 1] + 1
            elif word in (".", "::") and self.words[k + 1] != "<":
                k += 2
            elif word == "::":
                depth, k = 0, k + 1
                while True:
                    depth += {"<": 1, ">": -1, ">>": -2}.get(self.words[k], 0)
                    k += 1
                    if depth == 0:
                        break
            elif word == "?":
                k += 1
            else:
                return k

    def plain(self, begin, end):
        """The tokens in one line."""
        return " ".join(self.words[begin:end])

    def to_end(self, k):
        """The token that ends what begins after token `k`: a comma, a semicolon or a closing bracket."""
        k += 1
        while self.words[k] not in (",", ";", ")", "]", "}"):
            k = self.partner[k] + 1 if self.words[k] in PAIRS else k + 1
        return k

    def _right_of_block(self, k):
        """The token after the `if` or `match` that begins at token `k`."""
        while self.words[k] != "{":
            k = self.partner[k] + 1 if self.words[k] in PAIRS else k + 1
        k = self.partner[k] + 1
        return self._right_of_block(k + 1) if self.words[k] == "else" else k

    def has_let(self, begin, end):
        """Whether the tokens are in a condition with a `let`."""
        def found(k, step, skipped):
            while self.words[k] not in ("{", "}", ";", ",", "(", ")", "[", "]", "=>", "if", "while") or self.words[k] in skipped:
                if self.words[k] == "let":
                    return step > 0 or self.words[k - 1] in ("if", "while", "&&")
                k = (self.partner[k] if self.words[k] in skipped else k) + step
            return False

        return "let" in self.words[begin:end] or found(begin - 1, -1, (")", "]")) or found(end, 1, ("(", "["))


class Place:
    """Where a file has mutants: the range that is written anew, and the parts of it that stay, with their own places."""

    def __init__(self, source, genre, begin, end, mutants):
        self.genre, self.mutants, self.first = genre, mutants, min(mutants)
        self.begin, self.end, self.parts = begin, end, []
        if genre == "FnValue":
            self.end = begin
            return
        k = source.at[begin]
        self.sign = source.words[k]

        def span(first, last):
            self.begin, self.end = source.tokens[first][0], source.tokens[last - 1][1]

        if genre == "UnaryOperator":
            span(k, source.right(k, STRENGTH["as"]))
            self.parts = [(end, self.end)]
        elif genre == "BinaryOperator":
            strength = STRENGTH.get(self.sign)
            first = source.left(k, strength or STRENGTH["as"])
            last = source.right(k, strength) if strength else source.to_end(k)
            if self.sign in ("&&", "||") and source.has_let(first, last):
                raise Unclear
            span(first, last)
            self.parts = [(self.begin, begin), (end, self.end)]
            self.target = source.plain(first, k)
        elif genre == "StructField":
            last = source.to_end(k)
            short = last == k + 1
            span(k, last)
            self.parts = [(source.tokens[k if short else k + 2][0], self.end)]
            while source.words[last + 1] != "..":
                last = source.to_end(last)
            close = source.to_end(last)
            opening = source.partner[close]
            name = source.plain(source.left(opening, STRENGTH["as"]), opening)
            self.other = f"{name} {{ {source.plain(last + 1, close)} }}.{self.sign}"
        elif genre == "MatchArmGuard":
            if source.has_let(k, k + 1):
                raise Unclear
            self.parts = [(begin, end)]
        elif genre == "MatchArm":
            while source.words[k] not in ("=>", "if"):
                k = source.partner[k] + 1 if source.words[k] in PAIRS else k + 1
            last = k
            while source.words[last] != "=>":
                last = source.partner[last] + 1 if source.words[last] in PAIRS else last + 1
            self.begin, self.end = source.tokens[k][0], source.tokens[last][0]
            if last > k:
                self.parts = [(source.tokens[k][1], self.end)]
        else:
            raise Unclear

    def written(self, parts):
        """The place with its mutants, from what its parts became."""
        count = max(self.mutants) - self.first + 1
        chosen = f"crate::mutants::chosen({self.first}, {count})"

        def choice(original, mutant):
            arms = "".join(f"\n{n - self.first + 1} => {mutant(m)}, /*m{n}*/" for n, m in self.mutants.items())
            return f"match {chosen} {{{arms}\n_ => {original} }}"

        if self.genre == "FnValue":
            body = choice("{}", lambda value: f"return {value}") + "\n"
        elif self.genre == "UnaryOperator":
            body = f"(match {parts[0]} {{ operand => {choice(self.sign + 'operand', lambda _: 'operand')} }})"
        elif self.genre == "StructField":
            body = f"{self.sign}: {choice(parts[0], lambda _: self.other)}"
        elif self.genre == "MatchArmGuard":
            body = choice(parts[0], lambda value: value)
        elif self.genre == "MatchArm":
            guard = f" && ({parts[0]})" if parts else ""
            body = f"if {chosen} == 0{guard} /*m{self.first}*/\n"
        elif self.sign == "&&":
            body = f"(if ({parts[0]}) ^ ({chosen} == 1) {{ {parts[1]} }} else {{ {chosen} == 1 }})"
        elif self.sign == "||":
            body = f"(if ({parts[0]}) ^ ({chosen} == 0) {{ {parts[1]} }} else {{ {chosen} == 0 }})"
        elif self.sign in STRENGTH:
            borrowed = "&" if STRENGTH[self.sign] == STRENGTH["<"] else ""
            both = choice(f"left {self.sign} right", lambda sign: f"left {sign} right")
            body = f"(match ({borrowed}({parts[0]}), {borrowed}({parts[1]})) {{ (left, right) => {both} }})"
        else:
            changed = choice(f"{parts[0]} {self.sign} right", lambda sign: f"{self.target} {sign} right")
            body = f"(match {parts[1]} {{ right => {changed} }})"
        return f"/*p{self.first}*/{body}/*q{self.first}*/"


def places_of(text, mutants, refused):
    """The places of a file, each after those that contain it, without the refused mutants; and the mutants whose operands are
    unclear."""
    source = Source(text, {begin for genre, begin, _, _ in mutants.values() if genre == "BinaryOperator"})
    places, unclear = [], []
    groups = {}
    for number, (genre, begin, end, replacement) in mutants.items():
        if number not in refused:
            groups.setdefault((genre, begin, end), {})[number] = replacement
    for (genre, begin, end), replacements in groups.items():
        try:
            places.append(Place(source, genre, begin, end, replacements))
        except (Unclear, KeyError, IndexError):
            unclear += replacements
    return sorted(places, key=lambda place: (place.begin, place.genre != "FnValue", -place.end)), unclear


def with_mutants(text, places):
    """The file with the mutants of its places."""
    left = list(places)

    def written(begin, end):
        out, at = [], begin
        while left and left[0].begin < end:
            place = left.pop(0)
            out.append(text[at:place.begin])
            out.append(place.written([written(*part) for part in place.parts]))
            at = place.end
        return "".join(out) + text[at:end]

    return written(0, len(text))


def blamed(written, line, column, _):
    """The mutants that an error of the compiler at a place of a written file is due to: one, or those around it."""
    marks = re.findall(r"/\*m(\d+)\*/", written.split("\n")[line - 1])
    if len(marks) == 1:
        return {int(marks[0])}
    around = []
    for mark in re.finditer(r"/\*([pq])(\d+)\*/", written[: offset_of(written, line, column)]):
        around = around + [mark[2]] if mark[1] == "p" else around[:-1]
    return of_place(written, around[-1]) if around else set()


def blamed_beside(written, line, column, is_match):
    """The mutants that an error outside of all places is due to: the first arm of a match that lacks one, or the values
    that its function may return."""
    offset = offset_of(written, line, column)
    if is_match:
        places = re.findall(r"/\*p(\d+)\*/if ", written[offset:])[:1]
    else:
        places = re.findall(r"/\*p(\d+)\*/match [^\n]*\n\d+ => return ", written[:offset])[-1:]
    return set().union(*(of_place(written, place) for place in places))


def offset_of(text, line, column):
    return sum(len(before) + 1 for before in text.split("\n")[: line - 1]) + column - 1


def of_place(written, first):
    """The numbers of a place's mutants, without those of the places in it."""
    inside = written[written.index(f"/*p{first}*/") : written.index(f"/*q{first}*/")]
    own = re.sub(r"/\*p(\d+)\*/.*?/\*q\1\*/", "", inside[5:], flags=re.S)
    return {int(first)} | {int(number) for number in re.findall(r"/\*m(\d+)\*/", own)}
