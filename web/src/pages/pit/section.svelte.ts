// Where in the pit one is: a section, or a table that is open. It stands in the address, so that Back goes back.

export type Section =
  "floor" | "table" | "books" | "staff" | "personal" | "terminals" | "exclusions" | "audit" | "events" | "claims";
const SECTIONS: readonly string[] = [
  "claims",
  "table",
  "books",
  "staff",
  "personal",
  "terminals",
  "exclusions",
  "audit",
  "events",
];

function decoded(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    // An address that was typed or cut: there is no such table.
    return part;
  }
}

function read(): { name: Section; table: string } {
  const [name = "", table = ""] = location.hash.slice(1).split("/");
  return { name: SECTIONS.includes(name) ? (name as Section) : "floor", table: decoded(table) };
}

let here = $state(read());

addEventListener("hashchange", () => {
  here = read();
});

export const section = {
  get name(): Section {
    return here.name;
  },
  get table(): string {
    return here.table;
  },
  /** The number of the claim that is open; 0 where none is. */
  get claim(): number {
    return here.name === "claims" && /^[0-9]{1,9}$/.test(here.table) ? Number(here.table) : 0;
  },
};

export const wayTo = (name: Section, table = ""): string =>
  name === "floor" ? "#" : table ? `#${name}/${encodeURIComponent(table)}` : `#${name}`;
