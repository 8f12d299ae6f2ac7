"""What counts as a fault of a page: an exception, an error on its console, a request for the wrong thing."""

from typing import Final

from playwright.sync_api import ConsoleMessage, Page, Response

# Chromium writes every failed request to the console. Tests cut the line on purpose; statuses are judged one by one.
_LINE_CUT: Final = ("WebSocket connection", "net::ERR_")
_STATUS: Final = "the server responded with a status of"
# A page may ask to be let in and be refused (401, 403), ask for what the rules forbid (409), or ask too often (429).
_ANSWERS: Final = (401, 403, 409, 429)


def note_faults(page: Page, faults: list[str]) -> None:
    """Add every fault of a page to a list, as it happens."""

    def judge_message(message: ConsoleMessage) -> None:
        if message.type == "error" and not any(known in message.text for known in (*_LINE_CUT, _STATUS)):
            faults.append(f"{page.url}: {message.text}")

    def judge_answer(answer: Response) -> None:
        # An address that a person types is no fault of a page.
        if answer.status >= 400 and answer.status not in _ANSWERS and not answer.request.is_navigation_request():
            faults.append(f"{page.url}: {answer.request.method} {answer.url} was answered with {answer.status}")

    page.on("pageerror", lambda error: faults.append(f"{page.url}: {error.stack or error}"))
    page.on("console", judge_message)
    page.on("response", judge_answer)
