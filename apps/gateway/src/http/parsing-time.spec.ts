import { endpoints } from "@carrel/contracts";
import { findSlowTexts } from "@carrel/testing";
import { describe, expect, it } from "@jest/globals";
import { z } from "zod";
import { readBearer, readCookie } from "../access/bearer.ts";
import { fileNameOf } from "../chat/export-document.ts";
import { describeText } from "../developer/raw-texts.ts";
import { readRange } from "../document/original.routes.ts";
import { cleanFileName } from "../document/path-parts.ts";
import { JsonReader } from "./body-parser.ts";
import { readInput } from "./input.ts";
import { isForeign, isOwnHost } from "./origin-rules.ts";
import { requestKey } from "./request-key.ts";

const origins = { publicUrl: undefined, corsOrigins: [], listenHost: "localhost" };
const request = { id: "x", method: "POST", url: "/api/x" };
const from = {
  path: "/api/x",
  fetchSite: undefined,
  host: "a",
  origin: undefined,
  takesKey: false,
};

describe("needs linear time for what clients send", () => {
  it.each<[what: string, parse: (text: string) => unknown]>([
    ["a file name", cleanFileName],
    ["a body", (text) => new JsonReader({ depth: 100, values: 1_000_000 }).write(text)],
    [
      "a text in a body",
      (text) => new JsonReader({ depth: 100, values: 1_000_000 }).write(`["${text}"]`),
    ],
    ["a token", readBearer],
    ["a cookie", (text) => readCookie(text, "name")],
    ["an origin", (text) => isForeign({ ...from, origin: text }, origins)],
    ["a host", (text) => isOwnHost(text, origins)],
    [
      "an idempotency key",
      (text) => requestKey({ ...request, headers: { "idempotency-key": text } }),
    ],
    ["a range", (text) => readRange(text, 1_000)],
    ["a name to export", (text) => fileNameOf(text.slice(0, 2_000), "md")],
    ["a title", (text) => describeText({ title: text.slice(0, 2_000), url: text.slice(0, 2_000) })],
  ])("%s", async (_what, parse) => expect(await findSlowTexts(parse)).toEqual([]));

  /** Every text field of every route, with a text where the schema expects one. */
  it("every field of every route", async () => {
    const slow: string[] = [];
    const seen = new Set<unknown>();
    for (const endpoint of endpoints) {
      const { properties = {} } = z.toJSONSchema(endpoint.input, {
        io: "input",
        unrepresentable: "any",
      });
      for (const [field, schema] of Object.entries(properties)) {
        const known = JSON.stringify([field, schema]);
        if (seen.has(known)) continue;
        seen.add(known);
        for (const wrap of [(text: string): unknown => text, (text: string): unknown => [text]])
          for (const text of await findSlowTexts(
            (value) =>
              readInput(endpoint, { query: {}, params: {}, body: { [field]: wrap(value) } }),
            16_000,
          ))
            slow.push(`${endpoint.name}: ${field} = ${text}`);
      }
    }
    expect(slow).toEqual([]);
  });
});
