import { readFileSync } from "node:fs";

/** Proportional set size of a process and its descendants, in MB. */
export function pss(pid: number): number {
  const own =
    Number(/^Pss:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/smaps_rollup`, "utf8"))?.[1] ?? 0) /
    1024;
  const children = readFileSync(`/proc/${pid}/task/${pid}/children`, "utf8")
    .trim()
    .split(" ")
    .filter(Boolean)
    .map(Number);
  return children.reduce((sum, child) => sum + pss(child), own);
}

export async function inFlight(
  count: number,
  most: number,
  work: (n: number) => Promise<void>,
): Promise<void> {
  let next = 0;
  await Promise.all(
    Array.from({ length: most }, async () => {
      while (next < count) await work(next++);
    }),
  );
}
