"""Significant events in words, in English and in Chinese: one sentence that stands alone, without its time."""

import re
from collections.abc import Callable, Mapping
from datetime import datetime
from types import MappingProxyType
from typing import Any, Final

from punto.games.zone import SINGAPORE
from punto.record import journal as noted
from punto.record.checks import claims, people
from punto.record.checks.interventions import Intervention, InterventionKind
from punto.record.checks.orders import told
from punto.record.checks.tickets import ISSUED, TicketNote
from punto.record.checks.written import Refused
from punto.record.significant.acts import tried
from punto.rules import Label, Position
from punto.rules.money import money
from punto.rules.positions import POSITIONS

_FORMER: Final = {
    noted.FormerRun.NONE: Label("for the first time", "首次启动"),
    noted.FormerRun.STOPPED: Label("after it was closed in order", "上次正常关闭"),
    noted.FormerRun.CUT_OFF: Label("after it was cut off, without being closed in order", "上次中断，未正常关闭"),
}
_SHORT: Final = 16
_MOST_CHANGES: Final = 8


def of_journal(event: noted.AnyJournalEvent) -> Label:
    """An entry of the journal."""
    words: Label = _JOURNAL[type(event)](event)
    return words


def _started(event: noted.FloorStarted) -> Label:
    former = _FORMER[event.former]
    return Label(
        f"The floor opened at {event.place} with Punto {event.release}, {former.en}",
        f"场地在{event.place}启动，Punto {event.release}，{former.zh}",
    )


def _stopped(event: noted.FloorStopped) -> Label:
    return Label(f"The floor at {event.place} was closed in order", f"{event.place}的场地已正常关闭")


def _configured(event: noted.ConfigurationChanged) -> Label:
    if not event.before:
        count = len(event.values)
        return Label(
            f"The floor's file was put on record for the first time: {count} values", f"场地文件首次记录：{count}项"
        )
    changes = [f"{key}: {old or '–'} → {event.values.get(key) or '–'}" for key, old in sorted(event.before.items())]
    more = len(changes) - _MOST_CHANGES
    listed = "; ".join(changes[:_MOST_CHANGES])
    return Label(
        f"The floor's file has changed: {listed}" + (f", and {more} more" if more > 0 else ""),
        f"场地文件已更改：{listed}" + (f"，另有{more}项" if more > 0 else ""),
    )


def _program(event: noted.ProgramChecked) -> Label:
    root, files = event.root[:_SHORT], f"{event.files:,}"
    shown = event.differences[:_MOST_CHANGES]
    listed = "; ".join(shown)
    more = event.total - len(shown)
    rest = Label(f", and {more} more", f"，另有{more}个") if more > 0 else Label("", "")
    match event.result:
        case noted.ProgramResult.SAME:
            if event.against == "former":
                return Label(
                    f"Code and pages are as they were first measured, or accepted: {files} files, {root}…",
                    f"代码与页面与首次测量或已核准者一致：{files}个文件，{root}…",
                )
            return Label(
                f"Code and pages are those of the release: {files} files, {root}…",
                f"代码与页面与发布版本一致：{files}个文件，{root}…",
            )
        case noted.ProgramResult.FIRST:
            return Label(
                f"Code and pages were measured, with no release to compare with: {files} files, {root}…",
                f"代码与页面已测量，无发布版本可比：{files}个文件，{root}…",
            )
        case noted.ProgramResult.DIFFERS:
            return Label(f"Code or pages have changed: {listed}{rest.en}", f"代码或页面已被更改：{listed}{rest.zh}")
        case noted.ProgramResult.FAILED:
            return Label(f"Code and pages could not be checked: {event.said}", f"代码与页面未能检查：{event.said}")


def _expected(event: noted.ProgramExpected) -> Label:
    manifest = event.reference.manifest
    what, root = manifest.version, manifest.root[:_SHORT]
    if event.who:
        return Label(
            f"{event.who} accepted the program on {event.host} as it is, Punto {what}, {root}…: {event.reason}",
            f"{event.who}核准{event.host}上的现有程序，Punto {what}，{root}…：{event.reason}",
        )
    of = Label("the manifest of its release", "其发行版清单") if event.reference.release else _FIRST
    return Label(
        f"From now on the program on {event.host} is compared with {of.en}: Punto {what}, {root}…",
        f"{event.host}上的程序今后与{of.zh}比对：Punto {what}，{root}…",
    )


_FIRST: Final = Label("what was measured there first", "首次测量结果")


def _failed(event: noted.SignInsFailed) -> Label:
    name, count = event.name, event.count
    if name and event.reasons and all(reason.startswith(noted.AGAIN) for reason in event.reasons):
        en = "could not show again who they are" + (f", {count:,} times" if count > 1 else "")
        return Label(f"{name} {en}", f"{name}再次验证身份失败" + (f"{count:,}次" if count > 1 else ""))
    times = Label("A sign-in", "登录失败") if count == 1 else Label(f"{count:,} sign-ins", f"登录失败{count:,}次")
    origin = "one address" if event.addresses == 1 else f"{event.addresses:,} addresses"
    places = Label("", "") if count == 1 else Label(f", from {origin}", f"，来自{event.addresses:,}个地址")
    if name:
        return Label(f"{times.en} as {name} failed{places.en}", f"{name}{times.zh}{places.zh}")
    typed = "name that was" if count == 1 else "names that were"
    return Label(
        f"{times.en} failed{places.en}: nobody on the staff has the {typed} typed",
        f"{times.zh}{places.zh}：所输入的姓名不属于任何员工",
    )


def _slowed(event: noted.SignInSlowed) -> Label:
    until, name = _clock(event), event.name
    tries = Label(
        "Too many wrong tries to sign in" + f" as {name}" * bool(name), f"{name}的" * bool(name) + "错误登录尝试过多"
    )
    if event.from_known_browser:
        return Label(
            f"{tries.en} in a browser that {name} has used: it must wait until {until}",
            f"{tries.zh}：{name}用过的该浏览器须等到{until}",
        )
    return Label(f"{tries.en}: whoever made them must wait until {until}", f"{tries.zh}：尝试者须等到{until}")


def _in_doubt(event: noted.TimeInDoubt) -> Label:
    seconds = abs(event.seconds)
    match event.why:
        case noted.Doubt.JUMPED:
            to, zh = ("forward", "快") if event.seconds > 0 else ("back", "慢")
            return Label(
                f"The machine's clock stepped {to} by {seconds:,} s: the time is in doubt",
                f"本机时钟突然拨{zh}{seconds:,}秒：时间存疑",
            )
        case noted.Doubt.BEHIND_RECORD:
            return Label(
                f"The record is {seconds:,} s ahead of the machine's clock: the time is in doubt",
                f"记录比本机时钟快{seconds:,}秒：时间存疑",
            )
        case noted.Doubt.LONG_AGO:
            return Label(
                f"By the machine's clock the record ended {seconds:,} s ago: the date is in doubt",
                f"按本机时钟，记录止于{seconds:,}秒前：日期存疑",
            )


def _trusted(event: noted.TimeTrusted) -> Label:
    return Label(
        f"The time is trusted again; it was in doubt for {event.after_s:,} s",
        f"时间恢复可信，存疑历时{event.after_s:,}秒",
    )


def _lost(event: noted.StoreLost) -> Label:
    said = f": {event.said}" if event.said else ""
    return Label(f"The store stopped taking entries{said}", f"存储停止写入{said}")


def _recovered(event: noted.StoreRecovered) -> Label:
    return Label(f"The store takes entries again, after {event.after_s:,} s", f"存储恢复写入，历时{event.after_s:,}秒")


def _altered(event: noted.RecordAltered) -> Label:
    return Label(f"The record is not as the floor wrote it: {event.said}", f"记录与场地所写不符：{event.said}")


def _events_lost(event: noted.EventsLost) -> Label:
    return Label(
        f"{event.count:,} significant events could not be written: the store was away too long",
        f"{event.count:,}条重要事件未能写入：存储中断过久",
    )


def _audit_began(event: noted.AuditBegan) -> Label:
    by = _asked_by(event.who)
    if event.whole:
        return Label(f"An audit of the whole record began{by.en}", f"开始审计全部记录{by.zh}")
    return Label(f"An audit of what is new began{by.en}", f"开始审计新增记录{by.zh}")


def _audit_ended(event: noted.AuditEnded) -> Label:
    entries, by = f"{event.entries:,}", _asked_by(event.who)
    match event.result:
        case noted.AuditResult.CLEAN:
            return Label(f"The audit is clean: {entries} entries{by.en}", f"审计无误：{entries}条{by.zh}")
        case noted.AuditResult.WRONG:
            count = "1 thing that is" if event.total == 1 else f"{event.total:,} things that are"
            return Label(
                f"The audit found {count} wrong{by.en}; the first: {event.said}",
                f"审计发现{event.total:,}处不符{by.zh}；首项：{event.said}",
            )
        case noted.AuditResult.FAILED:
            return Label(f"The audit failed{by.en}: {event.said}", f"审计未能完成{by.zh}：{event.said}")


def _asked_by(who: str) -> Label:
    return Label(f" (asked for by {who})", f"（{who}要求）") if who and who != noted.FLOOR.name else Label("", "")


_BOOKS_BY: Final = {
    "table": Label("by table", "按桌台"),
    "terminal": Label("by terminal", "按终端"),
    "day": Label("by gaming day", "按博彩日"),
    "shift": Label("by shift", "按班次"),
    "patron": Label("by patron", "按玩家"),
}
_OF_BOOKS: Final = re.compile(r"by (?P<by>[a-z]+)(, table (?P<table>.+))?", re.DOTALL)
_OF_SHOE: Final = re.compile(r"table (?P<table>.+), shoe (?P<shoe>\d+)", re.DOTALL)
_OF_DAY: Final = re.compile(r"the gaming day (?P<day>[\d-]+)")


def _exported(event: noted.RecordExported) -> Label:
    by = Label(f" (by {event.who}, on the machine)", f"（{event.who}，在本机）") if event.who else Label("", "")
    said = _export(event.what, event.of)
    return Label(said.en + by.en, said.zh + by.zh)


def _export(what: str, of: str) -> Label:
    """What was exported; of whatever this release does not know, what the journal itself says."""
    books, shoe, day = _OF_BOOKS.fullmatch(of), _OF_SHOE.fullmatch(of), _OF_DAY.fullmatch(of)
    match what:
        case "books" if books and books["by"] in _BOOKS_BY:
            sorted_by, table = _BOOKS_BY[books["by"]], books["table"]
            at = Label(f" of table {table}", f"{table}号桌") if table else Label("", "")
            return Label(f"The books{at.en} were exported {sorted_by.en}", f"已{sorted_by.zh}导出{at.zh}账目")
        case "shoe text" if shoe:
            table, number = shoe["table"], shoe["shoe"]
            return Label(
                f"The text of shoe {number} at table {table} was exported", f"已导出{table}号桌第{number}靴的文本"
            )
        case "archive" if day:
            return Label(f"The archive of the gaming day {day['day']} was exported", f"已导出博彩日{day['day']}的存档")
        case "backup":
            return Label("A backup of the store was made", "已备份存储")
        case noted.PERSONAL if of:
            return Label(f"Somebody was shown all that is kept about {of}", f"已有人查看{of}的全部个人资料")
        case _:
            return Label(f"Exported: {what}" + f" ({of})" * bool(of), f"已导出：{what}" + f"（{of}）" * bool(of))


_TABLE: Final = {
    noted.TableChange.OPENED: Label("Table {table} was opened", "{table}号桌已开桌"),
    noted.TableChange.CLOSED: Label("Table {table} was closed", "{table}号桌已关桌"),
    noted.TableChange.LIMITS: Label("The limits of table {table} were changed", "{table}号桌已改限额"),
}


def _table(event: noted.TableConfigured) -> Label:
    change = _TABLE[event.change]
    return Label(change.en.format(table=event.table), change.zh.format(table=event.table))


_JOURNAL: Final[Mapping[type, Callable[[Any], Label]]] = MappingProxyType(
    {
        noted.FloorStarted: _started,
        noted.FloorStopped: _stopped,
        noted.ConfigurationChanged: _configured,
        noted.ProgramChecked: _program,
        noted.ProgramExpected: _expected,
        noted.SignInsFailed: _failed,
        noted.SignInSlowed: _slowed,
        noted.TimeInDoubt: _in_doubt,
        noted.TimeTrusted: _trusted,
        noted.StoreLost: _lost,
        noted.StoreRecovered: _recovered,
        noted.EventsLost: _events_lost,
        noted.RecordAltered: _altered,
        noted.AuditBegan: _audit_began,
        noted.AuditEnded: _audit_ended,
        noted.RecordExported: _exported,
        noted.TableConfigured: _table,
    }
)


# People and devices

_PEOPLE: Final[Mapping[type, Label]] = MappingProxyType(
    {
        people.AccountOpened: Label("{name} was put on the staff as {held.en}", "{name}入职，职位为{held.zh}"),
        people.AccountClosed: Label("{name} was taken off the staff", "{name}离职"),
        people.PositionChanged: Label("{name} was made {held.en}", "{name}改任{held.zh}"),
        people.ActingGranted: Label("{name} acts as {held.en} until {until}", "{name}代行{held.zh}至{until}"),
        people.ActingEnded: Label("{name} no longer acts in another position", "{name}代行结束"),
        people.PasswordChanged: Label("{name} has a new password", "{name}更改密码"),
        people.PasskeyAdded: Label("{name} added a passkey", "{name}新增通行密钥"),
        people.PasskeyRemoved: Label("{name} removed a passkey", "{name}移除通行密钥"),
        people.CodesSet: Label("{name} set up one-time codes", "{name}设定一次性验证码"),
        people.CodesRemoved: Label("{name} removed one-time codes", "{name}移除一次性验证码"),
        people.FactorsReset: Label("Passkeys and codes of {name} were reset", "{name}的通行密钥与验证码被重置"),
        people.WayBackIssued: Label(
            "A way back in was made on the machine for {name}: {event.reason}",
            "在本机为{name}生成恢复码：{event.reason}",
        ),
        people.WayBackUsed: Label("{name} came back in with the code from the machine", "{name}以恢复码登录"),
        people.AccountLocked: Label("{name} was locked out until {until}", "{name}被锁定至{until}"),
        people.AccountUnlocked: Label("{name} may try again at once", "{name}可立即重试"),
        people.TerminalEnrolled: Label("Device {name} was enrolled ({event.kind})", "设备{name}已登记（{event.kind}）"),
        people.TerminalRevoked: Label("Device {name} was revoked", "设备{name}已撤销"),
        people.PatronExcluded: Label("{name} was excluded from play", "{name}已被禁玩"),
        people.CashReportFiled: Label(
            "A report of {event.patron}'s cash on {event.day} was filed: {event.reference}",
            "已提交{event.patron}于{event.day}的现金申报：{event.reference}",
        ),
        people.PersonErased: Label(
            "What was kept about {event.person} was erased, except what the law requires to stay",
            "{event.person}的个人资料已删除（法律规定保留者除外）",
        ),
    }
)


def of_people(event: people.AnyEvent) -> Label:
    """What happened to an account or a device, or to the house's orders."""
    if isinstance(event, people.OrdersSet):
        return _ordered(event)
    if isinstance(event, people.ExclusionLifted):
        return _lifted(event)
    held = POSITIONS[getattr(event, "position", None) or Position.SYSTEM]
    about = {"event": event, "name": getattr(event, "name", ""), "held": held, "until": _clock(event)}
    english, chinese = _PEOPLE[type(event)]
    return Label(english.format(**about), chinese.format(**about))


def _ordered(event: people.OrdersSet) -> Label:
    """The house's orders, or what of them has changed; older entries do not say what was before."""
    now = told(event)
    if not event.before:
        listed = "; ".join(f"{name} {value}" for name, value in now.items() if not name.startswith("cash-limits."))
        return Label(f"The house's orders are on record: {listed}", f"场地规定已记录：{listed}")
    changes = [f"{name}: {old or '–'} → {now.get(name) or '–'}" for name, old in sorted(event.before.items())]
    more = len(changes) - _MOST_CHANGES
    listed = "; ".join(changes[:_MOST_CHANGES])
    return Label(
        f"The house's orders have changed: {listed}" + (f", and {more} more" if more > 0 else ""),
        f"场地规定已更改：{listed}" + (f"，另有{more}项" if more > 0 else ""),
    )


def _lifted(event: people.ExclusionLifted) -> Label:
    """That an exclusion holds no longer; the patron may still be excluded by another list."""
    name, on_list = event.name, event.on_list
    if not on_list:
        said = Label(f"Staff lifted their exclusion of {name}", f"员工已解除对{name}的禁玩")
    elif event.reason:
        said = Label(
            f"Staff lifted the exclusion of {name} by the list of {on_list}, which no floor keeps any more",
            f"员工已解除{on_list}旧名单对{name}的禁玩",
        )
    else:
        said = Label(f"The list of {on_list} no longer excludes {name}", f"{on_list}的名单不再包括{name}")
    if event.still is None:
        return said
    if not event.still:
        return Label(f"{said.en}: {name} may play again", f"{said.zh}：{name}可以继续玩")
    others = [Label(f"the list of {each}", f"{each}的名单") if each else Label("staff", "员工") for each in event.still]
    by = Label(" and ".join(each.en for each in others), "、".join(each.zh for each in others))
    return Label(f"{said.en}: {name} is still excluded by {by.en}", f"{said.zh}：{name}仍被{by.zh}禁玩")


def _clock(event: object) -> str:
    until_ms = getattr(event, "until_ms", 0)
    try:
        return f"{datetime.fromtimestamp(until_ms / 1000, SINGAPORE):%H:%M:%S}"
    except (OverflowError, ValueError, OSError):  # no time that a calendar has
        return f"{until_ms} ms"


# Claims


def of_claim(event: claims.AnyEvent) -> Label | None:
    """What happened to a claim; that its terms were set is no such event."""
    match event:
        case claims.TermsSet():
            return None
        case claims.ClaimRaised(claim, patron, table, round_):
            return Label(
                f"{patron} raised claim {claim} about round {round_} at table {table}",
                f"{patron}就{table}号桌第{round_}局提出第{claim}号申诉",
            )
        case claims.ClaimAnswered(claim, upheld):
            said = Label("upheld", "成立") if upheld else Label("rejected", "不成立")
            return Label(f"Claim {claim} was answered: {said.en}", f"第{claim}号申诉已答复：{said.zh}")
        case claims.ClaimWithdrawn(claim):
            return Label(f"Claim {claim} was withdrawn", f"第{claim}号申诉已撤回")


# All else


def of_refusal(read: Refused) -> Label:
    """A refusal for want of authority."""
    at = Label(f" at table {read.table}", f"（{read.table}号桌）") if read.table else Label("", "")
    who, did = read.by.name, tried(read.do)
    return Label(f"{who} tried {did.en}{at.en}: {read.said}", f"{who}尝试{did.zh}{at.zh}：{read.said}")


def of_ticket(note: TicketNote) -> Label:
    """A ticket that was printed or redeemed."""
    amount, number, table = money(note.cents), note.ticket[:_SHORT], note.table
    done, zh = ("printed", "打印") if note.step == ISSUED else ("redeemed", "兑现")
    return Label(f"Ticket {number}… was {done} at table {table}: {amount}", f"{table}号桌{zh}票据{number}…：{amount}")


_DECISIONS: Final = {
    InterventionKind.ACCEPTED: "决定继续使用此存储",
    InterventionKind.REPAIRED: "修复记录",
    InterventionKind.ROTATED: "更换场地密钥",
    InterventionKind.MIGRATED: "迁移旧存储",
}


def of_decision_in_words(done: Intervention) -> Label:
    """What a person did to the store itself."""
    why = f": {done.reason}" if done.reason else ""
    return Label(f"{done.by} {done.what}{why}", f"{done.by}：{_DECISIONS[done.kind]}{why}")
