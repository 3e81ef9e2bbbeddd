import { expect, it } from "@jest/globals";
import { SearchPriority } from "./search-priority.ts";

it("makes ingestion wait for the searches that run, failing ones too, but not for later ones", async () => {
  const priority = new SearchPriority();
  await priority.giveWay(100);
  const [first, failing, later] = [0, 1, 2].map(() => Promise.withResolvers<string>());
  const order: string[] = [];
  const searches = [first!, failing!].map(({ promise }) => priority.search(() => promise));
  const failure = expect(searches[1]).rejects.toThrow("lost");
  const step = priority.giveWay(100).then(() => order.push("step"));
  // A few chunks don't wait.
  await priority.giveWay(10);
  const laterSearch = priority.search(() => later!.promise).then(() => order.push("later"));
  order.push("searches");
  first!.resolve("found");
  failing!.reject(new Error("lost"));
  await step;
  later!.resolve("found");
  await laterSearch;
  await failure;
  expect(order).toEqual(["searches", "step", "later"]);
});

it("holds a step up only briefly if a search hangs", async () => {
  const priority = new SearchPriority();
  const hanging = Promise.withResolvers<void>();
  const search = priority.search(() => hanging.promise);
  await priority.giveWay(100);
  hanging.resolve();
  await search;
});
