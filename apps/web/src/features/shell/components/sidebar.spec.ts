import { describe, expect, it } from "@jest/globals";
import { nextBatch } from "./sidebar.tsx";

describe("document queue", () =>
  it("counts the batch since the queue was last empty", () => {
    expect(
      [3, 2, 4, 1, 0, 2].reduce<number[]>(
        (seen, pending) => [...seen, nextBatch(seen.at(-1) ?? 0, pending)],
        [],
      ),
    ).toEqual([3, 3, 4, 4, 0, 2]);
  }));
