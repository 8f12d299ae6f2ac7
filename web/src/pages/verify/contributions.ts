// Whether anybody could have chosen the order: what patrons and a public beacon contributed, and whether all of it was used.
import { seenShoe, type SeenShoe } from "../../lib/shoes";
import { say } from "../../lib/words";
import { isSigned } from "./beacon";
import { closingDigest, commitmentOf, contributionDigest, isSecond } from "./order";
import { header, saying, wordsOf, type Said, type ShoeText } from "./shoetext";

export interface Verdict {
  result: "right" | "wrong" | "absent";
  said: Said;
  line?: number;
}

interface Beacon {
  name: string;
  key: string;
  genesis_s: number;
  period_s: number;
  reached: boolean;
}

const WHOLE = /^\d{1,15}$/;
/** The least time that patrons have to contribute. */
const COMMIT_S = 2;
/** Why a shoe is given up to which somebody revealed nothing. */
const UNREVEALED = "unrevealed";
const MOST_NAMED = 10;
/** So much the clocks of a floor and of a browser may differ before anybody is told. */
const TOLERANCE_S = 10;
/** A beacon that is known by name: of another key or of other times it is another. */
const QUICKNET = {
  name: "quicknet",
  key:
    "83cf0f2896adee7eb8b5f01fcad3912212c437e0073e911fb90022d3e760183c8c4b450b6a0a6c3ac6a5776a2d106451" +
    "0d1fec758c921cc22b0e17e63aaf4bcb5ed66304de9cf809bd274ca73bab4af5a6e9c76a4bc09e76eae8991ef5ece45a",
  genesis_s: 1_692_803_367,
  period_s: 3,
};

/** The first thing that is wrong with the contributions, or what they show. */
export function contributions(shoe: ShoeText): Verdict {
  const protocol = header(shoe, "protocol");
  const wrong = (said: Said, key = ""): Verdict => ({ result: "wrong", said, line: shoe.headers.get(key)?.line ?? 1 });
  if (!["", "1", "2"].includes(protocol)) return wrong(saying("verify.contributions.protocol"), "protocol");
  if (!isSecond(shoe)) {
    if (shoe.contributions.length || header(shoe, "beacon")) return wrong(saying("verify.contributions.first"));
    return { result: "absent", said: saying("verify.contributions.old") };
  }
  const secrets = secretsOf(shoe);
  if (secrets) return secrets;
  const beacon = beaconOf(shoe);
  if (beacon) return beacon;
  const asked = shoe.contributions.length || header(shoe, "beacon-value");
  if (asked && isDealt(shoe) && !header(shoe, "contributions-closed"))
    return wrong(saying("verify.contributions.open"), "first-bets");
  if (shoe.coups.length && !header(shoe, "first-bets")) return wrong(saying("verify.contributions.no-bets"));
  if (header(shoe, "ended") === UNREVEALED) {
    if (isDealt(shoe)) return wrong(saying("verify.contributions.ended"), "ended");
    if (!withheld(shoe).length) return wrong(saying("verify.contributions.nobody-withheld"), "ended");
  }
  if (!WHOLE.test(header(shoe, "abandoned-before")))
    return wrong(saying("verify.contributions.number"), "abandoned-before");
  if (secondsOf(shoe, "contributions-closed") < secondsOf(shoe, "opened") + COMMIT_S)
    return wrong(saying("verify.contributions.hurried", { seconds: COMMIT_S }), "contributions-closed");
  const times = timesOf(shoe);
  if (times) return times;
  if (!isDealt(shoe)) return { result: "absent", said: () => undealtWords(shoe) };
  if (header(shoe, "order") && commitmentOf(shoe) !== header(shoe, "commitment"))
    return { result: "absent", said: saying("verify.contributions.unsealed") };
  return asked ? { result: "right", said: () => rightWords(shoe) } : { result: "absent", said: () => noneWords(shoe) };
}

/** Who had revealed nothing, by the text: patrons, and the beacon if its value had not come. */
function withheld(shoe: ShoeText): string[] {
  const beacon = beaconIn(shoe);
  const awaited = beacon?.reached && !header(shoe, "beacon-value") ? [beacon.name] : [];
  return [...shoe.contributions.filter(({ secret }) => !secret).map(({ patron }) => patron), ...awaited];
}

function undealtWords(shoe: ShoeText): string {
  const ended = header(shoe, "ended");
  const names = ended === UNREVEALED ? withheld(shoe) : [];
  const decided = /^decided by ([a-z-]+): (.*)$/u.exec(ended);
  const why = names.length
    ? say("verify.contributions.withheld-by", { count: names.length, names: names.slice(0, MOST_NAMED).join(", ") })
    : decided
      ? say("verify.contributions.decided", { position: decided[1]!.replaceAll("-", " "), reason: decided[2]! })
      : "";
  return [say("verify.contributions.undealt"), ...(why ? [why] : []), ...besides(shoe)].join(" ");
}

function rightWords(shoe: ShoeText): string {
  const count = shoe.contributions.length;
  const name = header(shoe, "beacon-value") ? (beaconIn(shoe)?.name ?? "") : "";
  const who = name
    ? count
      ? say("verify.contributions.both", { count, beacon: name })
      : say("verify.contributions.beacon", { beacon: name })
    : say("verify.contributions.patrons", { count });
  return [who, ...besides(shoe)].join(" ");
}

const noneWords = (shoe: ShoeText): string => [say("verify.contributions.none"), ...besides(shoe)].join(" ");

/** What else a reader should know: shoes that were given up just before, and a beacon that was not reached. */
function besides(shoe: ShoeText): string[] {
  const abandoned = Number(header(shoe, "abandoned-before"));
  const beacon = beaconIn(shoe);
  const seen = seenShoe(header(shoe, "commitment"));
  return [
    ...(abandoned ? [say("verify.contributions.abandoned", { count: abandoned, tries: abandoned + 1 })] : []),
    ...(beacon && !beacon.reached ? [say("verify.contributions.unreached", { beacon: beacon.name })] : []),
    ...(seen?.offered && !seen.taken ? [say("verify.contributions.not-taken")] : []),
    ...(isEarly(shoe, seen) ? [say("verify.contributions.early", { beacon: beacon?.name ?? "" })] : []),
  ];
}

/** Whether the beacon's value was public before contributions were closed, by the clock of this browser. */
function isEarly(shoe: ShoeText, seen: SeenShoe | undefined): boolean {
  const beacon = beaconIn(shoe);
  if (!beacon?.reached || !seen?.at_ms || !seen.round) return false;
  return beacon.genesis_s + (seen.round - 1) * beacon.period_s < seen.at_ms / 1000 - TOLERANCE_S;
}

function secretsOf(shoe: ShoeText): Verdict | null {
  const commitment = header(shoe, "commitment");
  const patrons = new Set<string>();
  for (const { patron, commitment: own, secret, line } of shoe.contributions) {
    const wrong = (said: Said): Verdict => ({ result: "wrong", said, line });
    if (patrons.has(patron)) return wrong(saying("verify.contributions.twice", { patron }));
    patrons.add(patron);
    if (secret && contributionDigest(commitment, patron, secret) !== own)
      return wrong(saying("verify.contributions.secret", { patron }));
    if (!secret && isDealt(shoe)) return wrong(saying("verify.contributions.withheld", { patron }));
  }
  const seen = seenShoe(commitment);
  if (!seen) return null;
  const mine = shoe.contributions.find((each) => each.commitment === seen.offered);
  if (seen.taken && !mine) return { result: "wrong", said: saying("verify.contributions.mine"), line: 1 };
  const round = Number(header(shoe, "beacon-round") || 0);
  if (seen.closed && (seen.closed !== closingDigest(shoe) || seen.round !== round))
    return { result: "wrong", said: saying("verify.contributions.closed"), line: 1 };
  if (seen.revealed && mine && !mine.secret)
    return { result: "wrong", said: saying("verify.contributions.dropped"), line: mine.line };
  return null;
}

function beaconOf(shoe: ShoeText): Verdict | null {
  const [value, round] = [header(shoe, "beacon-value"), header(shoe, "beacon-round")];
  const beacon = beaconIn(shoe);
  const wrong = (said: Said, key: string): Verdict => ({
    result: "wrong",
    said,
    line: shoe.headers.get(key)?.line ?? 1,
  });
  if (!beacon)
    return header(shoe, "beacon") || value ? wrong(saying("verify.contributions.no-beacon"), "beacon") : null;
  if (beacon.name === QUICKNET.name && !isQuicknet(beacon))
    return wrong(saying("verify.contributions.quicknet"), "beacon");
  if (!value) return beacon.reached && isDealt(shoe) ? wrong(saying("verify.contributions.no-value"), "beacon") : null;
  if (!WHOLE.test(round) || !isSigned(beacon.key, BigInt(round), value))
    return wrong(saying("verify.contributions.value", { round: round.slice(0, 20) }), "beacon-value");
  const closed = secondsOf(shoe, "contributions-closed");
  if (Number.isNaN(closed)) return wrong(saying("verify.contributions.no-close"), "contributions-closed");
  if (Number(round) !== roundAfter(beacon, closed))
    return wrong(saying("verify.contributions.round", { round: roundAfter(beacon, closed) }), "beacon-round");
  return null;
}

/** A time of the text; it compares as neither less nor more where there is none. */
const secondsOf = (shoe: ShoeText, key: string): number => Date.parse(header(shoe, key).replace(" ", "T")) / 1000;

/** Times of the one zone are texts that sort as they follow each other; what is no time, the check of the cut says. */
function timesOf(shoe: ShoeText): Verdict | null {
  const [closed, cut, bets] = ["contributions-closed", "cut-at", "first-bets"].map((key) => header(shoe, key));
  const late = (cut && closed && cut > closed) || (closed && bets && closed > bets);
  const line = shoe.headers.get("contributions-closed")?.line;
  return late ? { result: "wrong", said: saying("verify.contributions.late", { closed }), line } : null;
}

function beaconIn(shoe: ShoeText): Beacon | null {
  const [name = "", key = "", genesis = "", period = "", ...more] = wordsOf(header(shoe, "beacon"));
  const reached = !more.length;
  if (!WHOLE.test(genesis) || !WHOLE.test(period) || Number(period) < 1) return null;
  if (!reached && (more.length > 1 || more[0] !== "unreached")) return null;
  return { name, key, genesis_s: Number(genesis), period_s: Number(period), reached };
}

const isQuicknet = ({ key, genesis_s, period_s }: Beacon): boolean =>
  key === QUICKNET.key && genesis_s === QUICKNET.genesis_s && period_s === QUICKNET.period_s;

function roundAfter(beacon: Beacon, at_s: number): number {
  const passed = at_s - beacon.genesis_s;
  return passed >= 0 ? Math.floor(passed / beacon.period_s) + 2 : 1;
}

const isDealt = (shoe: ShoeText): boolean => header(shoe, "first-bets") !== "" || shoe.coups.length > 0;
