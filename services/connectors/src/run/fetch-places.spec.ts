import { expect, it } from "@jest/globals";
import { FetchPlaces } from "./fetch-places.ts";

it("gives each source some of the places, and the next one to whoever has the fewest", async () => {
  const places = new FetchPlaces(3, 2);
  const begun: string[] = [];
  const ends: (() => void)[] = [];
  const all = ["large", "large", "large", "small", "large", "other"].map((owner) =>
    places.run(owner, () => {
      begun.push(owner);
      return new Promise<void>((end) => ends.push(end));
    }),
  );
  const settle = () => new Promise(setImmediate);
  await settle();
  expect(begun).toEqual(["large", "large", "small"]);
  ends.shift()!();
  await settle();
  expect(begun.slice(3)).toEqual(["other"]);
  while (ends.length > 0) {
    ends.shift()!();
    await settle();
  }
  await Promise.all(all);
  expect(begun.slice(4)).toEqual(["large", "large"]);
});
