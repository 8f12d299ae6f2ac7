// When a countdown is drawn next. Drawing it with every frame keeps a core busy for nothing: the ring moves a pixel or
// two in a twentieth of a second.
const STEP_MS = 50;
const SECOND_MS = 1000;

/** How long to wait with so much time left: a step, or until the number changes. Who asks for less motion sees seconds. */
export function untilNextDraw(left_ms: number, still: boolean): number {
  const untilNumber = left_ms % SECOND_MS || SECOND_MS;
  return still ? untilNumber : Math.min(STEP_MS, untilNumber);
}
