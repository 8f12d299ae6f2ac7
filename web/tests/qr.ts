// A reader of QR codes for tests, written from the standard and not from the writer: it knows the function patterns by
// where they lie, takes level and mask from the format, and finds every block's syndromes to be zero.

/** Blocks of each version at levels L and M: how many, and how many codewords and data codewords each has (table 9). */
const TABLE: Record<"L" | "M", [number, number, number][][]> = {
  L: [
    [[1, 26, 19]],
    [[1, 44, 34]],
    [[1, 70, 55]],
    [[1, 100, 80]],
    [[1, 134, 108]],
    [[2, 86, 68]],
    [[2, 98, 78]],
    [[2, 121, 97]],
    [[2, 146, 116]],
    [
      [2, 86, 68],
      [2, 87, 69],
    ],
    [[4, 101, 81]],
    [
      [2, 116, 92],
      [2, 117, 93],
    ],
    [[4, 133, 107]],
    [
      [3, 145, 115],
      [1, 146, 116],
    ],
    [
      [5, 109, 87],
      [1, 110, 88],
    ],
    [
      [5, 122, 98],
      [1, 123, 99],
    ],
    [
      [1, 135, 107],
      [5, 136, 108],
    ],
    [
      [5, 150, 120],
      [1, 151, 121],
    ],
    [
      [3, 141, 113],
      [4, 142, 114],
    ],
    [
      [3, 135, 107],
      [5, 136, 108],
    ],
    [
      [4, 144, 116],
      [4, 145, 117],
    ],
    [
      [2, 139, 111],
      [7, 140, 112],
    ],
    [
      [4, 151, 121],
      [5, 152, 122],
    ],
    [
      [6, 147, 117],
      [4, 148, 118],
    ],
    [
      [8, 132, 106],
      [4, 133, 107],
    ],
    [
      [10, 142, 114],
      [2, 143, 115],
    ],
    [
      [8, 152, 122],
      [4, 153, 123],
    ],
    [
      [3, 147, 117],
      [10, 148, 118],
    ],
    [
      [7, 146, 116],
      [7, 147, 117],
    ],
    [
      [5, 145, 115],
      [10, 146, 116],
    ],
    [
      [13, 145, 115],
      [3, 146, 116],
    ],
    [[17, 145, 115]],
    [
      [17, 145, 115],
      [1, 146, 116],
    ],
    [
      [13, 145, 115],
      [6, 146, 116],
    ],
    [
      [12, 151, 121],
      [7, 152, 122],
    ],
    [
      [6, 151, 121],
      [14, 152, 122],
    ],
    [
      [17, 152, 122],
      [4, 153, 123],
    ],
    [
      [4, 152, 122],
      [18, 153, 123],
    ],
    [
      [20, 147, 117],
      [4, 148, 118],
    ],
    [
      [19, 148, 118],
      [6, 149, 119],
    ],
  ],
  M: [
    [[1, 26, 16]],
    [[1, 44, 28]],
    [[1, 70, 44]],
    [[2, 50, 32]],
    [[2, 67, 43]],
    [[4, 43, 27]],
    [[4, 49, 31]],
    [
      [2, 60, 38],
      [2, 61, 39],
    ],
    [
      [3, 58, 36],
      [2, 59, 37],
    ],
    [
      [4, 69, 43],
      [1, 70, 44],
    ],
    [
      [1, 80, 50],
      [4, 81, 51],
    ],
    [
      [6, 58, 36],
      [2, 59, 37],
    ],
    [
      [8, 59, 37],
      [1, 60, 38],
    ],
    [
      [4, 64, 40],
      [5, 65, 41],
    ],
    [
      [5, 65, 41],
      [5, 66, 42],
    ],
    [
      [7, 73, 45],
      [3, 74, 46],
    ],
    [
      [10, 74, 46],
      [1, 75, 47],
    ],
    [
      [9, 69, 43],
      [4, 70, 44],
    ],
    [
      [3, 70, 44],
      [11, 71, 45],
    ],
    [
      [3, 67, 41],
      [13, 68, 42],
    ],
    [[17, 68, 42]],
    [[17, 74, 46]],
    [
      [4, 75, 47],
      [14, 76, 48],
    ],
    [
      [6, 73, 45],
      [14, 74, 46],
    ],
    [
      [8, 75, 47],
      [13, 76, 48],
    ],
    [
      [19, 74, 46],
      [4, 75, 47],
    ],
    [
      [22, 73, 45],
      [3, 74, 46],
    ],
    [
      [3, 73, 45],
      [23, 74, 46],
    ],
    [
      [21, 73, 45],
      [7, 74, 46],
    ],
    [
      [19, 75, 47],
      [10, 76, 48],
    ],
    [
      [2, 74, 46],
      [29, 75, 47],
    ],
    [
      [10, 74, 46],
      [23, 75, 47],
    ],
    [
      [14, 74, 46],
      [21, 75, 47],
    ],
    [
      [14, 74, 46],
      [23, 75, 47],
    ],
    [
      [12, 75, 47],
      [26, 76, 48],
    ],
    [
      [6, 75, 47],
      [34, 76, 48],
    ],
    [
      [29, 74, 46],
      [14, 75, 47],
    ],
    [
      [13, 74, 46],
      [32, 75, 47],
    ],
    [
      [40, 75, 47],
      [7, 76, 48],
    ],
    [
      [18, 75, 47],
      [31, 76, 48],
    ],
  ],
};
/** Centres of alignment patterns, from version 2 on (annex E). */
const CENTRES: number[][] = [
  [],
  [6, 18],
  [6, 22],
  [6, 26],
  [6, 30],
  [6, 34],
  [6, 22, 38],
  [6, 24, 42],
  [6, 26, 46],
  [6, 28, 50],
  [6, 30, 54],
  [6, 32, 58],
  [6, 34, 62],
  [6, 26, 46, 66],
  [6, 26, 48, 70],
  [6, 26, 50, 74],
  [6, 30, 54, 78],
  [6, 30, 56, 82],
  [6, 30, 58, 86],
  [6, 34, 62, 90],
  [6, 28, 50, 72, 94],
  [6, 26, 50, 74, 98],
  [6, 30, 54, 78, 102],
  [6, 28, 54, 80, 106],
  [6, 32, 58, 84, 110],
  [6, 30, 58, 86, 114],
  [6, 34, 62, 90, 118],
  [6, 26, 50, 74, 98, 122],
  [6, 30, 54, 78, 102, 126],
  [6, 26, 52, 78, 104, 130],
  [6, 30, 56, 82, 108, 134],
  [6, 34, 60, 86, 112, 138],
  [6, 30, 58, 86, 114, 142],
  [6, 34, 62, 90, 118, 146],
  [6, 30, 54, 78, 102, 126, 150],
  [6, 24, 50, 76, 102, 128, 154],
  [6, 28, 54, 80, 106, 132, 158],
  [6, 32, 58, 84, 110, 136, 162],
  [6, 26, 54, 82, 110, 138, 166],
  [6, 30, 58, 86, 114, 142, 170],
];
const SIGNS = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ $%*+-./:";

/** The text of a code; it throws where anything is not as the standard has it. */
export function readQr(modules: boolean[][]): string {
  const size = modules.length;
  const version = (size - 17) / 4;
  const dark = (x: number, y: number): number => Number(modules[y]?.[x] ?? false);
  const { level, mask } = format(dark, size);
  const bits: number[] = [];
  let upward = true;
  for (let column = size - 1; column > 0; column -= column === 8 ? 3 : 2) {
    for (let step = 0; step < size; step += 1) {
      const y = upward ? size - 1 - step : step;
      for (const x of [column, column - 1]) {
        if (!isFunction(x, y, size, version)) bits.push(dark(x, y) ^ Number(masked(mask, x, y)));
      }
    }
    upward = !upward;
  }
  const words = Array.from({ length: Math.floor(bits.length / 8) }, (_, at) =>
    parseInt(bits.slice(8 * at, 8 * at + 8).join(""), 2),
  );
  return textIn(dataOf(words, TABLE[level][version - 1] ?? []), version);
}

/** Both copies of the format must say the same, and be one of the 32 that there are. */
function format(dark: (x: number, y: number) => number, size: number): { level: "L" | "M"; mask: number } {
  const around = [0, 1, 2, 3, 4, 5, 7, 8].map((x) => dark(x, 8)).concat([7, 5, 4, 3, 2, 1, 0].map((y) => dark(8, y)));
  const apart = Array.from({ length: 7 }, (_, at) => dark(8, size - 1 - at)).concat(
    Array.from({ length: 8 }, (_, at) => dark(size - 8 + at, 8)),
  );
  if (around.join("") !== apart.join("")) throw new Error("the two copies of the format differ");
  if (!dark(8, size - 8)) throw new Error("the dark module is light");
  const read = parseInt(around.join(""), 2) ^ 0b101010000010010;
  let rest = read;
  for (let bit = 14; bit >= 10; bit -= 1) if (rest & (1 << bit)) rest ^= 0b10100110111 << (bit - 10);
  if (rest) throw new Error("the format is damaged");
  const level = ({ 0b01: "L", 0b00: "M" } as const)[read >> 13];
  if (!level) throw new Error("a level that receipts do not use");
  return { level, mask: (read >> 10) & 7 };
}

function isFunction(x: number, y: number, size: number, version: number): boolean {
  if ((x < 9 && y < 9) || (x >= size - 8 && y < 9) || (x < 9 && y >= size - 8) || x === 6 || y === 6) return true;
  if (version > 6 && ((x >= size - 11 && y < 6) || (y >= size - 11 && x < 6))) return true;
  const centres = CENTRES[version - 1] ?? [];
  const near = (at: number): number | undefined => centres.find((centre) => Math.abs(centre - at) < 3);
  const [cx, cy] = [near(x), near(y)];
  if (cx === undefined || cy === undefined) return false;
  const last = centres.at(-1);
  return !((cx === 6 && (cy === 6 || cy === last)) || (cy === 6 && cx === last));
}

function masked(mask: number, x: number, y: number): boolean {
  const [i, j] = [y, x];
  const rules = [
    (i + j) % 2,
    i % 2,
    j % 3,
    (i + j) % 3,
    (Math.trunc(i / 2) + Math.trunc(j / 3)) % 2,
    ((i * j) % 2) + ((i * j) % 3),
    (((i * j) % 2) + ((i * j) % 3)) % 2,
    (((i * j) % 3) + ((i + j) % 2)) % 2,
  ];
  return rules[mask] === 0;
}

/** The data of all blocks, once every syndrome of every block is zero. */
function dataOf(words: number[], groups: [number, number, number][]): number[] {
  const shapes = groups.flatMap(([count, total, data]) => Array.from({ length: count }, () => ({ total, data })));
  const blocks: number[][] = shapes.map(() => []);
  let at = 0;
  const longest = Math.max(...shapes.map((each) => each.data));
  for (let place = 0; place < longest; place += 1) {
    shapes.forEach((shape, block) => place < shape.data && blocks[block]?.push(words[at++] ?? 0));
  }
  const correction = (shapes[0]?.total ?? 0) - (shapes[0]?.data ?? 0);
  for (let place = 0; place < correction; place += 1) blocks.forEach((block) => block.push(words[at++] ?? 0));
  if (at > words.length) throw new Error("the code is too small for its blocks");
  for (const block of blocks) {
    for (let power = 0; power < correction; power += 1) {
      if (block.reduce((sum, word) => product(sum, raised(power)) ^ word, 0)) throw new Error("a block is damaged");
    }
  }
  return blocks.flatMap((block, number) => block.slice(0, shapes[number]?.data));
}

function product(a: number, b: number): number {
  let found = 0;
  for (let bit = 7; bit >= 0; bit -= 1) {
    found = (found << 1) ^ (found & 128 ? 0b100011101 : 0);
    if ((b >> bit) & 1) found ^= a;
  }
  return found & 255;
}

const raised = (power: number): number => Array.from({ length: power }).reduce<number>((value) => product(value, 2), 1);

function textIn(data: number[], version: number): string {
  const bits = data.map((word) => word.toString(2).padStart(8, "0")).join("");
  let at = 0;
  const take = (count: number): number => {
    at += count;
    return parseInt(bits.slice(at - count, at), 2);
  };
  const mode = take(4);
  if (mode === 4) {
    const signs = take(version <= 9 ? 8 : 16);
    return Array.from({ length: signs }, () => String.fromCharCode(take(8))).join("");
  }
  if (mode !== 2) throw new Error("neither in alphanumeric mode nor in bytes");
  const length = take(version <= 9 ? 9 : version <= 26 ? 11 : 13);
  let text = "";
  while (text.length < length) {
    const left = length - text.length;
    const value = take(left > 1 ? 11 : 6);
    text += left > 1 ? `${SIGNS[Math.floor(value / 45)]}${SIGNS[value % 45]}` : SIGNS[value];
  }
  return text;
}
