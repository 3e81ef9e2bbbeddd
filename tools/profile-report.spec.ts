import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { describe, expect, it } from "@jest/globals";
import { root } from "./checkout.ts";
import { ownerOf, selfTimes } from "./profile-report.ts";

const urlOf = (path: string): string => pathToFileURL(join(root, path)).href;

describe("ownerOf", () => {
  it.each([
    ["", "native"],
    ["node:internal/streams/writable", "node internals"],
    [urlOf("node_modules/pg/lib/client.js"), "pg"],
    [urlOf("node_modules/typeorm/node_modules/@scope/nested/index.js"), "@scope/nested"],
    [urlOf("services/chat/dist/turn/turn.repository.js"), "services/chat"],
    [join(root, "libs/messaging/src/streams.ts"), "libs/messaging"],
    [urlOf("tools/start.ts"), "tools"],
  ])("attributes %s to %s", (url, owner) => {
    expect(ownerOf(url)).toBe(owner);
  });
});

describe("selfTimes", () => {
  it("adds up the time until the next sample, without idle time", () => {
    const node = (id: number, functionName: string, url: string) => ({
      id,
      callFrame: { functionName, url, lineNumber: 9, columnNumber: 0 },
    });
    const times = selfTimes({
      nodes: [
        node(1, "(idle)", ""),
        node(2, "parse", ""),
        node(3, "query", urlOf("node_modules/pg/lib/client.js")),
        node(4, "connect", urlOf("node_modules/pg/lib/client.js")),
      ],
      samples: [1, 2, 3, 4, 1],
      timeDeltas: [500, 9_000, 1_000, 2_000, 4_000],
    });
    expect(times.owners).toEqual([
      { name: "pg", milliseconds: 6 },
      { name: "native", milliseconds: 1 },
    ]);
    expect(times.functions).toEqual([
      { name: "connect  pg client.js:10", milliseconds: 4 },
      { name: "query  pg client.js:10", milliseconds: 2 },
      { name: "parse", milliseconds: 1 },
    ]);
  });
});
