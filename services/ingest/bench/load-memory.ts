import { readFileSync } from "node:fs";

/** Proportional set size of a process and its descendants, in MB. */
function pss(pid: number): number {
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

/** Reads `pss` four times a second; the result ends that and returns the highest value in MB. */
export function watchPss(pid: number): () => number {
  let highest = 0;
  const timer = setInterval(() => {
    highest = Math.max(highest, pss(pid));
  }, 250);
  return () => {
    clearInterval(timer);
    return highest;
  };
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
