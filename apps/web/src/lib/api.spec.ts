import { beforeEach, expect, it, jest } from "@jest/globals";

let note: (position: string | null) => void;
let take: () => string | null;
beforeEach(async () => {
  jest.resetModules();
  ({ notePosition: note, takePosition: take } = await import("./api.ts"));
});

it("is the earliest of the replies so far, and taken once", () => {
  for (const position of ["log.1200", "log.900", "log.10000"]) note(position);
  expect(take()).toBe("log.900");
  note("log.20000");
  expect(take()).toBeNull();
});

it.each([
  ["no reply", []],
  ["a reply without a position", ["log.1", null]],
  ["a malformed one", ["log"]],
  ["replies of two gateways", ["log.1", "other.2", "log.3"]],
])("is unknown after %s", (_, positions: (string | null)[]) => {
  for (const position of positions) note(position);
  expect(take()).toBeNull();
});
