import type { StaffState } from "../../../wire";

export interface AtTable {
  seat: number;
  patron: string;
}

/** Who is at a table: who sits at a terminal, and who plays through the Dealer and is known by wagers. */
export function atTable(staff: StaffState): AtTable[] {
  const found = new Map<string, AtTable>();
  for (const [seat, patron] of Object.entries(staff.seats))
    found.set(`${seat} ${patron}`, { seat: Number(seat), patron });
  for (const { position, patron } of staff.wagers) found.set(`${position} ${patron}`, { seat: position, patron });
  return [...found.values()].sort((a, b) => a.seat - b.seat);
}
