// A QR code (ISO/IEC 18004) of ASCII, the shorter where the signs of its alphanumeric mode are enough, as a grid of modules and as one path of an SVG.

const SIGNS = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ $%*+-./:";
const LARGEST = 40;
const ALPHANUMERIC = 0b0010;
const BYTES = 0b0100;
const isPlain = (text: string): boolean => Array.from(text).every((sign) => SIGNS.includes(sign));

type Level = "L" | "M";
/** The bits of a level in the format information. */
const LEVEL_BITS: Record<Level, number> = { L: 0b01, M: 0b00 };

/** For each version from 1 on: codewords of correction in a block, and how many blocks there are (table 9). */
const CORRECTION: Record<Level, number[]> = {
  L: [
    7, 10, 15, 20, 26, 18, 20, 24, 30, 18, 20, 24, 26, 30, 22, 24, 28, 30, 28, 28, 28, 28, 30, 30, 26, 28, 30, 30, 30,
    30, 30, 30, 30, 30, 30, 30, 30, 30, 30, 30,
  ],
  M: [
    10, 16, 26, 18, 24, 16, 18, 22, 22, 26, 30, 22, 22, 24, 24, 28, 28, 26, 26, 26, 26, 28, 28, 28, 28, 28, 28, 28, 28,
    28, 28, 28, 28, 28, 28, 28, 28, 28, 28, 28,
  ],
};
const BLOCKS: Record<Level, number[]> = {
  L: [
    1, 1, 1, 1, 1, 2, 2, 2, 2, 4, 4, 4, 4, 4, 6, 6, 6, 6, 7, 8, 8, 9, 9, 10, 12, 12, 12, 13, 14, 15, 16, 17, 18, 19, 19,
    20, 21, 22, 24, 25,
  ],
  M: [
    1, 1, 1, 2, 2, 4, 4, 4, 5, 5, 5, 8, 9, 9, 10, 10, 11, 13, 14, 16, 17, 17, 18, 20, 21, 23, 25, 26, 28, 29, 31, 33,
    35, 37, 38, 40, 43, 45, 47, 49,
  ],
};

const at = (list: readonly number[], place: number): number => list[place] ?? 0;

/** How many modules hold codewords, format and finders aside. */
function rawModules(version: number): number {
  let modules = (16 * version + 128) * version + 64;
  if (version >= 2) {
    const patterns = Math.floor(version / 7) + 2;
    modules -= (25 * patterns - 10) * patterns - 55;
    if (version >= 7) modules -= 36;
  }
  return modules;
}

function dataCodewords(version: number, level: Level): number {
  const correction = at(CORRECTION[level], version - 1) * at(BLOCKS[level], version - 1);
  return Math.floor(rawModules(version) / 8) - correction;
}

// The field of 256 elements, and the codewords of correction

const EXP = new Uint8Array(512);
const LOG = new Uint8Array(256);
for (let power = 0, value = 1; power < 255; power += 1) {
  EXP[power] = EXP[power + 255] = value;
  LOG[value] = power;
  value = (value << 1) ^ (value & 0x80 ? 0x11d : 0);
}
const times = (a: number, b: number): number => (a && b ? (EXP[(LOG[a] ?? 0) + (LOG[b] ?? 0)] ?? 0) : 0);

function generator(degree: number): number[] {
  let found = [1];
  for (let power = 0; power < degree; power += 1) {
    const next = [...found, 0];
    found.forEach((each, place) => (next[place + 1] = at(next, place + 1) ^ times(each, EXP[power] ?? 0)));
    found = next;
  }
  return found.slice(1);
}

/** The codewords of correction of a block. */
export function correctionOf(data: readonly number[], degree: number): number[] {
  const by = generator(degree);
  const rest = new Array<number>(degree).fill(0);
  for (const each of data) {
    const factor = each ^ (rest.shift() ?? 0);
    rest.push(0);
    by.forEach((coefficient, place) => (rest[place] = at(rest, place) ^ times(coefficient, factor)));
  }
  return rest;
}

// Codewords

function lengthBits(version: number): number {
  return version < 10 ? 9 : version < 27 ? 11 : 13;
}

/** The data codewords of a text; null where it does not fit. */
export function codewords(text: string, version: number, level: Level): number[] | null {
  const bits: number[] = [];
  const put = (value: number, count: number): void => {
    for (let bit = count - 1; bit >= 0; bit -= 1) bits.push((value >>> bit) & 1);
  };
  const plain = isPlain(text);
  const count = plain ? lengthBits(version) : version < 10 ? 8 : 16;
  put(plain ? ALPHANUMERIC : BYTES, 4);
  put(text.length, count);
  for (let place = 0; !plain && place < text.length; place += 1) put(text.charCodeAt(place), 8);
  for (let place = 0; plain && place < text.length; place += 2) {
    const [first, second] = [SIGNS.indexOf(text[place] ?? ""), SIGNS.indexOf(text[place + 1] ?? "?")];
    if (place + 1 < text.length) put(45 * first + second, 11);
    else put(first, 6);
  }
  const room = 8 * dataCodewords(version, level);
  if (bits.length > room || text.length >= 2 ** count) return null;
  put(0, Math.min(4, room - bits.length));
  put(0, (8 - (bits.length % 8)) % 8);
  const found: number[] = [];
  for (let place = 0; place < bits.length; place += 8) {
    found.push(bits.slice(place, place + 8).reduce((value, bit) => (value << 1) | bit, 0));
  }
  for (let pad = 0xec; found.length < room / 8; pad ^= 0xec ^ 0x11) found.push(pad);
  return found;
}

/** Data and correction of all blocks, interleaved as they are drawn. */
function interleaved(data: readonly number[], version: number, level: Level): number[] {
  const [degree, count] = [at(CORRECTION[level], version - 1), at(BLOCKS[level], version - 1)];
  const short = Math.floor(data.length / count);
  const longer = data.length % count;
  const blocks: number[][] = [];
  for (let block = 0, from = 0; block < count; block += 1) {
    const size = short + (block >= count - longer ? 1 : 0);
    blocks.push(data.slice(from, from + size));
    from += size;
  }
  const corrections = blocks.map((block) => correctionOf(block, degree));
  const found: number[] = [];
  for (let place = 0; place <= short; place += 1) {
    for (const block of blocks) if (place < block.length) found.push(at(block, place));
  }
  for (let place = 0; place < degree; place += 1) for (const each of corrections) found.push(at(each, place));
  return found;
}

// Modules

class Grid {
  readonly size: number;
  readonly dark: Uint8Array;
  readonly fixed: Uint8Array;

  constructor(readonly version: number) {
    this.size = 4 * version + 17;
    this.dark = new Uint8Array(this.size ** 2);
    this.fixed = new Uint8Array(this.size ** 2);
  }

  get(x: number, y: number): number {
    return this.dark[y * this.size + x] ?? 0;
  }

  set(x: number, y: number, dark: boolean): void {
    if (x < 0 || y < 0 || x >= this.size || y >= this.size) return;
    this.dark[y * this.size + x] = Number(dark);
    this.fixed[y * this.size + x] = 1;
  }

  /** Everything that says nothing but where things are. */
  frame(): void {
    const end = this.size - 7;
    for (let place = 0; place < this.size; place += 1) {
      this.set(6, place, place % 2 === 0);
      this.set(place, 6, place % 2 === 0);
    }
    for (const [x, y] of [[0, 0] as const, [end, 0] as const, [0, end] as const]) {
      for (let dy = -1; dy <= 7; dy += 1) {
        for (let dx = -1; dx <= 7; dx += 1) {
          const ring = Math.max(Math.abs(dx - 3), Math.abs(dy - 3));
          this.set(x + dx, y + dy, ring !== 2 && ring !== 4);
        }
      }
    }
    const centres = this.#alignments();
    const last = centres.length - 1;
    centres.forEach((y, row) => {
      centres.forEach((x, column) => {
        if ((row === 0 && (column === 0 || column === last)) || (row === last && column === 0)) return;
        for (let dy = -2; dy <= 2; dy += 1) {
          for (let dx = -2; dx <= 2; dx += 1) this.set(x + dx, y + dy, Math.max(Math.abs(dx), Math.abs(dy)) !== 1);
        }
      });
    });
    this.#writeVersion();
  }

  #alignments(): number[] {
    if (this.version === 1) return [];
    const count = Math.floor(this.version / 7) + 2;
    const step = Math.floor((this.version * 8 + count * 3 + 5) / (count * 4 - 4)) * 2;
    const found = [6];
    for (let place = this.size - 7; found.length < count; place -= step) found.splice(1, 0, place);
    return found;
  }

  #writeVersion(): void {
    if (this.version < 7) return;
    let rest = this.version;
    for (let turn = 0; turn < 12; turn += 1) rest = (rest << 1) ^ ((rest >>> 11) * 0x1f25);
    const bits = (this.version << 12) | rest;
    for (let bit = 0; bit < 18; bit += 1) {
      const [a, b] = [this.size - 11 + (bit % 3), Math.floor(bit / 3)];
      this.set(a, b, Boolean((bits >>> bit) & 1));
      this.set(b, a, Boolean((bits >>> bit) & 1));
    }
  }

  /** The level and the mask, twice. */
  format(level: Level, mask: number): void {
    const data = (LEVEL_BITS[level] << 3) | mask;
    let rest = data;
    for (let turn = 0; turn < 10; turn += 1) rest = (rest << 1) ^ ((rest >>> 9) * 0x537);
    const bits = ((data << 10) | rest) ^ 0x5412;
    const bit = (place: number): boolean => Boolean((bits >>> place) & 1);
    for (let place = 0; place <= 5; place += 1) this.set(8, place, bit(place));
    this.set(8, 7, bit(6));
    this.set(8, 8, bit(7));
    this.set(7, 8, bit(8));
    for (let place = 9; place < 15; place += 1) this.set(14 - place, 8, bit(place));
    for (let place = 0; place < 8; place += 1) this.set(this.size - 1 - place, 8, bit(place));
    for (let place = 8; place < 15; place += 1) this.set(8, this.size - 15 + place, bit(place));
    this.set(8, this.size - 8, true);
  }

  /** Codewords, in columns of two from the right, up and down in turn. */
  fill(words: readonly number[]): void {
    let bit = 0;
    for (let right = this.size - 1; right >= 1; right -= 2) {
      if (right === 6) right = 5;
      for (let step = 0; step < this.size; step += 1) {
        const y = ((right + 1) & 2) === 0 ? this.size - 1 - step : step;
        for (const x of [right, right - 1]) {
          if (this.fixed[y * this.size + x] || bit >= 8 * words.length) continue;
          this.dark[y * this.size + x] = (at(words, bit >>> 3) >>> (7 - (bit & 7))) & 1;
          bit += 1;
        }
      }
    }
  }

  mask(number: number): void {
    const hides = MASKS[number] ?? (() => false);
    for (let y = 0; y < this.size; y += 1) {
      for (let x = 0; x < this.size; x += 1) {
        if (!this.fixed[y * this.size + x] && hides(x, y)) this.dark[y * this.size + x]! ^= 1;
      }
    }
  }

  /** How hard it is to read: long runs, squares, what looks like a finder, too dark or too light. */
  penalty(): number {
    let found = 0;
    let dark = 0;
    for (let y = 0; y < this.size; y += 1) {
      for (const get of [(x: number) => this.get(x, y), (x: number) => this.get(y, x)]) {
        let [run, colour, window] = [0, -1, 0];
        for (let x = 0; x < this.size; x += 1) {
          const each = get(x);
          run = each === colour ? run + 1 : 1;
          colour = each;
          if (run === 5) found += 3;
          else if (run > 5) found += 1;
          window = ((window << 1) | each) & 0x7ff;
          if (x >= 10 && (window === 0x5d0 || window === 0x05d)) found += 40;
        }
      }
      for (let x = 0; x < this.size; x += 1) {
        const each = this.get(x, y);
        dark += each;
        if (x && y && each === this.get(x - 1, y) && each === this.get(x, y - 1) && each === this.get(x - 1, y - 1))
          found += 3;
      }
    }
    return found + 10 * Math.floor(Math.abs(20 * dark - 10 * this.size ** 2) / this.size ** 2);
  }
}

const MASKS: readonly ((x: number, y: number) => boolean)[] = [
  (x, y) => (x + y) % 2 === 0,
  (_, y) => y % 2 === 0,
  (x) => x % 3 === 0,
  (x, y) => (x + y) % 3 === 0,
  (x, y) => (Math.floor(x / 3) + Math.floor(y / 2)) % 2 === 0,
  (x, y) => ((x * y) % 2) + ((x * y) % 3) === 0,
  (x, y) => (((x * y) % 2) + ((x * y) % 3)) % 2 === 0,
  (x, y) => (((x + y) % 2) + ((x * y) % 3)) % 2 === 0,
];

export interface QrCode {
  version: number;
  level: Level;
  size: number;
  /** Row by row. */
  modules: boolean[][];
}

/** The smallest code that holds a text, better corrected where that costs nothing. */
export function qrCode(text: string): QrCode {
  for (const sign of text) if (sign > "~") throw new RangeError(`'${sign}' is not in a code of this kind`);
  for (let version = 1; version <= LARGEST; version += 1) {
    for (const level of ["M", "L"] as const) {
      const data = codewords(text, version, level);
      if (data) return drawn(interleaved(data, version, level), version, level);
    }
  }
  throw new RangeError(`no code holds ${text.length} signs`);
}

function drawn(words: readonly number[], version: number, level: Level): QrCode {
  let best: Grid | null = null;
  let least = Infinity;
  for (let mask = 0; mask < MASKS.length; mask += 1) {
    const grid = new Grid(version);
    grid.frame();
    grid.format(level, mask);
    grid.fill(words);
    grid.mask(mask);
    const penalty = grid.penalty();
    if (penalty < least) [best, least] = [grid, penalty];
  }
  const grid = best as Grid;
  const places = Array.from({ length: grid.size }, (_, place) => place);
  return { version, level, size: grid.size, modules: places.map((y) => places.map((x) => grid.get(x, y) === 1)) };
}

/** The dark modules as one path, a unit each. */
export function pathOf(code: QrCode): string {
  const parts: string[] = [];
  code.modules.forEach((row, y) => {
    for (let x = 0; x < row.length; x += 1) {
      const from = x;
      while (row[x]) x += 1;
      if (x > from) parts.push(`M${from} ${y}h${x - from}v1H${from}z`);
    }
  });
  return parts.join("");
}
