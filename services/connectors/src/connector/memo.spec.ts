import { expect, it } from "@jest/globals";
import { Memo } from "./memo.ts";

it("asks once for what is answered, and again for what failed", async () => {
  const memo = new Memo<string>();
  let asked = 0;
  const ask = async (): Promise<string> => {
    asked += 1;
    if (asked === 1) throw new Error("away");
    return `answer ${asked}`;
  };
  await expect(memo.get("a", ask)).rejects.toThrow("away");
  expect(await Promise.all([memo.get("a", ask), memo.get("a", ask)])).toEqual([
    "answer 2",
    "answer 2",
  ]);
  expect(await memo.get("b", ask)).toBe("answer 3");
});
