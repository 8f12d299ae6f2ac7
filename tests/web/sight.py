"""What an eye finds fault with: things that overlap, are cut off, or stand in the wrong language."""

import re
from collections.abc import Iterable
from typing import Final

from playwright.sync_api import Page
from tests.web.served import tables

_SETTLES_MS: Final = 1_500
SIZES: Final = (
    (360, 740),
    (740, 360),
    (820, 1180),
    (1180, 820),
    (1366, 768),
    (1920, 1080),
    (3840, 2160),
)
# Names, clauses, keys and figures are the same in every language, and so are the names of tables.
_TABLES: Final = "|".join(table.key for table in tables())
_SAME: Final = re.compile(
    r"[Pp]unto( verify)?|7 Up|XXXX|EN$|English|(EB4|FF2|B8|TNC5|E7U)[\d.() a-z]*|guest-\w+|[\d.,]+K|fortune-six"
    rf"|{_TABLES}"
)

# Everything that is wrong with how the page lies, one line each.
_LIES: Final = r"""() => {
    const LEGIBLE = 40;
    const faults = [];
    const shown = (element) => element.checkVisibility({ opacityProperty: true, visibilityProperty: true });
    const spoken = (element) => {
        for (let at = element; at; at = at.parentElement)
            if (at.hidden || getComputedStyle(at).clipPath !== "none") return true;
        return false;
    };
    const modal = [...document.querySelectorAll("dialog[open]")].at(-1);
    const ground = modal ?? document.body;
    const name = (element) => {
        const words = (element.getAttribute("aria-label") || element.textContent || "").trim().replace(/\s+/g, " ");
        return `<${element.tagName.toLowerCase()}> ${words.slice(0, 40)}`;
    };
    /** The part of a box that is in sight, and whether it can be scrolled to, by axis. */
    const clips = (element) => {
        const found = { x: [], y: [] };
        let fixed = false;
        for (let at = element.parentElement; at; at = at.parentElement) {
            const style = getComputedStyle(at);
            for (const [axis, overflow] of [["x", style.overflowX], ["y", style.overflowY]])
                if (overflow !== "visible" && at !== document.documentElement && at !== document.body) {
                    const more = axis === "x" ? at.scrollWidth - at.clientWidth : at.scrollHeight - at.clientHeight;
                    found[axis].push([at.getBoundingClientRect(), overflow, at.className, more > 1]);
                }
            if (style.position === "fixed" || at === modal) { fixed = true; break; }
        }
        return { ...found, fixed };
    };
    const inside = (element, box, slack) => {
        const around = clips(element);
        const axes = [["x", "left", "right", innerWidth], ["y", "top", "bottom", innerHeight]];
        for (const [axis, from, to, size] of axes) {
            let scrolls = false;
            for (const [clip, overflow, by] of around[axis]) {
                if (overflow !== "hidden" && overflow !== "clip") { scrolls = true; break; }
                if (box[from] < clip[from] - slack || box[to] > clip[to] + slack)
                    return `is cut off along ${axis} by .${by}`;
            }
            const rolls = axis === "y" && document.documentElement.scrollHeight > innerHeight + 1 && !around.fixed;
            if (scrolls || rolls) continue;
            if (box[from] < -slack || box[to] > size + slack) return `is outside the window along ${axis}`;
        }
        return "";
    };

    if (document.documentElement.scrollWidth > innerWidth + 1)
        faults.push(`the page is ${document.documentElement.scrollWidth} wide in a window of ${innerWidth}`);

    const controls = [...ground.querySelectorAll("button, a[href], input, select, textarea, [role=slider]")]
        .filter((each) => shown(each) && !spoken(each) && !each.closest("[popover]"))
        .filter((each) => modal || !each.closest("dialog"));
    const boxes = controls.map((each) => each.getBoundingClientRect());
    // What has been scrolled away lies over nothing.
    const inSight = (element, { left, right, top, bottom }) => {
        const around = clips(element);
        for (const [clip] of around.x) [left, right] = [Math.max(left, clip.left), Math.min(right, clip.right)];
        for (const [clip] of around.y) [top, bottom] = [Math.max(top, clip.top), Math.min(bottom, clip.bottom)];
        return { left, right, top, bottom };
    };
    const seen = controls.map((each, at) => inSight(each, boxes[at]));
    controls.forEach((each, at) => {
        const wrong = inside(each, boxes[at], 1.5);
        if (wrong) faults.push(`${name(each)} ${wrong}`);
    });
    controls.forEach((one, at) => {
        for (let next = at + 1; next < controls.length; next += 1) {
            const [a, b, other] = [seen[at], seen[next], controls[next]];
            const across = Math.min(a.right, b.right) - Math.max(a.left, b.left);
            const down = Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top);
            if (across > 2 && down > 2 && !one.contains(other) && !other.contains(one))
                faults.push(`${name(one)} and ${name(other)} overlap by ${Math.round(across)} × ${Math.round(down)}`);
        }
    });

    const lines = [];
    const texts = document.createTreeWalker(ground, NodeFilter.SHOW_TEXT);
    for (let text = texts.nextNode(); text; text = texts.nextNode()) {
        const holder = text.parentElement;
        if (!text.data.trim() || !shown(holder) || spoken(holder)) continue;
        if (holder.closest("svg, [popover], option, textarea")) continue;
        if (!modal && holder.closest("dialog")) continue;
        const range = document.createRange();
        range.selectNodeContents(text);
        for (const box of range.getClientRects()) {
            // What is round a glyph may be cut; the glyph itself may not.
            const room = box.height * 0.22;
            const glyphs = { left: box.left, right: box.right, top: box.top + room, bottom: box.bottom - room };
            const wrong = inside(text.parentElement.firstElementChild ?? { parentElement: holder }, glyphs, 1.5);
            if (wrong) { faults.push(`“${text.data.trim().slice(0, 40)}” ${wrong}`); break; }
            const around = clips(holder);
            const rolls = [...around.x, ...around.y].some(([, how, , more]) => more && /auto|scroll/.test(how));
            if (!rolls) lines.push([text, glyphs]);
        }
    }
    lines.forEach(([one, a], at) => {
        for (const [other, b] of lines.slice(at + 1)) {
            const across = Math.min(a.right, b.right) - Math.max(a.left, b.left);
            const down = Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top);
            if (one !== other && across > 2 && down > 1)
                faults.push(`“${one.data.trim().slice(0, 30)}” is written over “${other.data.trim().slice(0, 30)}”`);
        }
    });
    for (const area of [...ground.querySelectorAll("[data-wager]")].filter(shown)) {
        const drawn = [...area.querySelectorAll("figure svg > g")].filter(shown);
        const chips = drawn.map((each) => each.getBoundingClientRect());
        for (const [text, b] of lines) {
            if (!area.contains(text)) continue;
            const lies = (a) => Math.min(a.right, b.right) - Math.max(a.left, b.left) > 2
                && Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top) > 2;
            if (chips.some(lies)) faults.push(`a chip of ${area.dataset.wager} lies on “${text.data.trim()}”`);
        }
        // What an area pays is there in full, and what may be staked or was.
        for (const each of area.querySelectorAll(".odds, .odds *"))
            if (!shown(each)) faults.push(`“${each.textContent}” of ${area.dataset.wager} is hidden`);
        if (![...area.querySelectorAll(".limits, .all")].some(shown))
            faults.push(`${area.dataset.wager} shows neither limits nor total`);
    }
    const small = [...ground.querySelectorAll(".hand .cards svg")].filter((each) => shown(each) && !spoken(each))
        .map((each) => each.getBoundingClientRect()).filter((box) => Math.min(box.width, box.height) < LEGIBLE);
    if (small.length) faults.push(`a card is ${Math.round(small[0].width)} × ${Math.round(small[0].height)}`);
    for (const each of ground.querySelectorAll("button, a, h1, h2, h3, label, dt, dd, th, td, summary")) {
        if (!shown(each) || spoken(each) || each.closest("[popover]") || (!modal && each.closest("dialog"))) continue;
        // A full-width mark at the end of a line may stand out by its own blank half.
        const blank = each.matches(":lang(zh)") ? parseFloat(getComputedStyle(each).fontSize) / 2 : 1;
        const inline = getComputedStyle(each).display === "inline";
        if (!inline && each.clientWidth > 2 && each.scrollWidth > each.clientWidth + blank)
            faults.push(`${name(each)} needs ${each.scrollWidth} and has ${each.clientWidth}`);
    }
    return [...new Set(faults)];
}"""

# The same once the page is laid out: what follows from its size is drawn by the frame after the next. What is wrong
# then may be on its way still, but not for long.
_SETTLED: Final = f"""async () => {{
    const lies = {_LIES};
    const frame = () => new Promise(requestAnimationFrame);
    const until = performance.now() + {_SETTLES_MS};
    let faults;
    do {{
        await frame();
        await frame();
        faults = lies();
    }} while (faults.length && performance.now() < until);
    return faults;
}}"""

# What is written, and what is read out.
_WRITTEN: Final = r"""() => {
    const modal = [...document.querySelectorAll("dialog[open]")].at(-1);
    const ground = modal ?? document.body;
    const skipped = "[lang=en], code, kbd, textarea, script, style, [hidden]";
    const found = [document.title];
    const all = document.createTreeWalker(ground, NodeFilter.SHOW_TEXT);
    for (let text = all.nextNode(); text; text = all.nextNode()) {
        if (!text.parentElement.closest(skipped) && text.parentElement.checkVisibility()) found.push(text.data.trim());
    }
    for (const each of ground.querySelectorAll("[aria-label], [title], [placeholder], [aria-valuetext]")) {
        if (each.closest(skipped) || !each.checkVisibility()) continue;
        for (const kind of ["aria-label", "title", "placeholder", "aria-valuetext"])
            if (each.hasAttribute(kind)) found.push(each.getAttribute(kind));
    }
    return found.filter(Boolean);
}"""


def faults(page: Page) -> list[str]:
    """What is wrong with how the page lies in its window, once it is laid out; what is wrong for long is wrong."""
    found: list[str] = page.evaluate(_SETTLED)
    return found


def english(page: Page) -> list[str]:
    """What is in English on a page that should be Chinese."""
    written: list[str] = page.evaluate(_WRITTEN)
    return [text for text in written if re.search(r"[A-Za-z]{2}", _SAME.sub("", text))]


def resize(page: Page, size: tuple[int, int]) -> None:
    """Make the window so large."""
    width, height = size
    if page.viewport_size != {"width": width, "height": height}:
        page.set_viewport_size({"width": width, "height": height})


def at_every_size(page: Page, where: str, sizes: Iterable[tuple[int, int]] = SIZES) -> list[str]:
    """What is wrong at one size or another; *where* begins each line."""
    found = []
    for width, height in sizes:
        resize(page, (width, height))
        found += [f"{where} {width}×{height}: {fault}" for fault in faults(page)]
    return found
