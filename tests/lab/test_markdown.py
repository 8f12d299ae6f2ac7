"""A document as Markdown."""

from punto.lab.report.document import (
    Code,
    Column,
    Document,
    Figure,
    Group,
    Heading,
    Listing,
    Section,
    Table,
    Text,
    named,
)
from punto.lab.report.markdown import as_markdown

EXPECTED = """# Shoes

4 decks

All of it.

## 1. What

A text.

### Part

- **deck**: standard
- **digest**: `00ff`

**Numbers.**

| name | p |
| :--- | ---: |
| **runs** up | |
| a\\|b | 0.5 |

A note.

## Appendix A: More

*A line.* It rises.

```toml
x = 1
```
"""


def test_every_block_is_written() -> None:
    table = Table("Numbers.", (named("name"), Column("p")), (Group((("a|b", "0.5"),), "runs", "up"),), note="A note.")
    listing = Listing((("deck", "standard"), ("digest", "00ff")), ("digest",))
    document = Document(
        "Shoes",
        "4 decks",
        "All of it.",
        "",
        (
            Section("What", (Text("A text."), Heading("Part"), listing, table)),
            Section("More", (Figure("A line.", "It rises.", "<svg/>"), Code("x = 1\n", "toml")), appendix=True),
        ),
    )
    assert as_markdown(document).decode() == EXPECTED
