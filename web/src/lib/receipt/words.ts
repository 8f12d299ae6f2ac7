import { learn } from "../words";

export const en = {
  "receipt.title": "Receipt",
  "receipt.making": "The receipt is being signed…",
  "receipt.signed": "Signed; the proof of inclusion follows with the next checkpoint",
  "receipt.signed-only": "Signed; this floor takes no checkpoints",
  "receipt.included": "Signed, and proved to be on record (checkpoint {size})",
  "receipt.qr": "QR code with the whole receipt",
  "receipt.proves.wager":
    "It proves that {patron} had {amount} on {wager} at table {table}, round {round}: accepted {when}.",
  "receipt.proves.stake":
    "It proves that {patron} changed the stake on {wager} from {before} to {amount} at table {table}, round {round}: accepted {when}.",
  "receipt.proves.ticket": "It proves that {amount} of {patron}'s credits became a ticket at table {table}, {when}.",
  "receipt.proves.cash-out": "It proves that {amount} of {patron}'s credits were paid out at table {table}, {when}.",
  "receipt.sealed": "The shoe's seal is part of it.",
  "receipt.check": "Anybody can check it, without this floor:",
  "receipt.copy": "Copy",
  "receipt.copied": "Copied",
  "receipt.download": "Download",
  "receipt.text": "The receipt as text",
  "receipt.some-wager": "a wager",
  "receipt.unfit": "The receipt is too long for a QR code: keep its text.",
  "receipt.bad.reads": "This is no receipt, or part of it is missing or mistyped",
  "receipt.bad.kind": "This receipt is of nothing that this page knows",
  "receipt.bad.certificate": "No floor has certified who signed this",
  "receipt.bad.head": "The transaction is not signed as the receipt says",
  "receipt.bad.signature": "The receipt is not signed as it says: something in it was changed",
  "receipt.bad.checkpoint": "The checkpoint does not include what the receipt says",
} as const;

export const zh: Record<keyof typeof en, string> = {
  "receipt.title": "收据",
  "receipt.making": "收据签署中…",
  "receipt.signed": "已签署；入册证明随下一检查点附上",
  "receipt.signed-only": "已签署；本场不设检查点",
  "receipt.included": "已签署，并已证明入册（检查点 {size}）",
  "receipt.qr": "含整张收据的二维码",
  "receipt.proves.wager": "证明{patron}在{table}号桌第{round}局于{wager}下注{amount}：{when}获接受。",
  "receipt.proves.stake": "证明{patron}在{table}号桌第{round}局将{wager}的注额由{before}改为{amount}：{when}获接受。",
  "receipt.proves.ticket": "证明{patron}的{amount}额度于{when}在{table}号桌换成一张票。",
  "receipt.proves.cash-out": "证明{patron}的{amount}额度于{when}在{table}号桌兑现。",
  "receipt.sealed": "其中包含牌靴的封存码。",
  "receipt.check": "任何人都能查验，无需本场：",
  "receipt.copy": "复制",
  "receipt.copied": "已复制",
  "receipt.download": "下载",
  "receipt.text": "收据文本",
  "receipt.some-wager": "一笔投注",
  "receipt.unfit": "收据过长，无法生成二维码：请保存文本。",
  "receipt.bad.reads": "这不是收据，或有缺漏、误写",
  "receipt.bad.kind": "本页不认识此收据所载事项",
  "receipt.bad.certificate": "签署者未经任何赌场认证",
  "receipt.bad.head": "该笔交易的签名与收据不符",
  "receipt.bad.signature": "收据签名不符：内容有改动",
  "receipt.bad.checkpoint": "检查点不含收据所载事项",
};

learn({ en, zh });
