import { randomUUID } from "node:crypto";
import { describe, expect, it } from "@jest/globals";
import { RowRegister } from "./row-register.ts";

describe("a register of rows", () => {
  it("finds rows by id, whatever was removed and added again", () => {
    const register = new RowRegister();
    const ids = [
      ...Array.from({ length: 2_000 }, () => randomUUID()),
      "",
      "a",
      "é日本\u{20000}".repeat(30),
    ];
    for (const [n, id] of ids.entries()) register.add(id, `document${n % 7}`, n % 3);
    for (let n = 0; n < ids.length; n += 3) register.remove(n);
    for (let n = 0; n < ids.length; n += 6) register.add(ids[n]!, "again", 9);
    const again = Math.ceil(ids.length / 6);
    expect(register.size).toBe(ids.length + again);
    expect(register.count).toBe(ids.length - Math.ceil(ids.length / 3) + again);
    for (const [n, id] of ids.entries()) {
      const row = register.find(id);
      if (n % 6 === 0) expect(row).toBe(ids.length + n / 6);
      else expect(row).toBe(n % 3 === 0 ? -1 : n);
      if (row >= 0) expect(register.idOf(row)).toBe(id);
    }
    expect(register.find(randomUUID())).toBe(-1);
    const matching = register.matching({
      workspaceId: 1,
      documentIds: ["document2", "none"],
      exceptVersion: 1,
    });
    expect(matching).toEqual(ids.flatMap((_, n) => (n % 7 === 2 && n % 3 === 2 ? n : [])));
    expect(register.bytes / register.size).toBeLessThan(110);
  });
});
