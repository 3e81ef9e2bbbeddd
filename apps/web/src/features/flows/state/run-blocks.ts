import type { FlowRunBlock } from "@carrel/contracts";

/** The steps of a path: numbers of blocks and rounds, and lists such as `then`. */
const stepsOf = (path: string): (number | string)[] =>
  path.split(".").map((step) => (/^\d+$/.test(step) ? Number(step) : step));

/** How many blocks hold this one: their lists are the steps between two numbers of blocks. */
export const depthOfPath = (path: string): number => Math.floor(path.split(".").length / 2);

/** The round that a block runs in, from 1; null if it isn't directly in a loop. */
export function roundOf(path: string): number | null {
  const list = stepsOf(path).at(-2);
  return typeof list === "number" ? list + 1 : null;
}

/** `then` comes before `otherwise`. */
const order = ["then", "otherwise", "flow"];

function compare(one: string, other: string): number {
  const [left, right] = [stepsOf(one), stepsOf(other)];
  for (const [index, a] of left.entries()) {
    const b = right[index];
    if (b === undefined) return 1;
    if (a === b) continue;
    if (typeof a === "number" && typeof b === "number") return a - b;
    return order.indexOf(String(a)) - order.indexOf(String(b));
  }
  return left.length - right.length;
}

/** Blocks in the order in which they are read: those inside others after them. */
export const inOrder = (blocks: readonly FlowRunBlock[]): FlowRunBlock[] =>
  blocks.toSorted((one, other) => compare(one.path, other.path));
