import type { ServerResponse } from "node:http";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "@jest/globals";
import {
  listAll,
  readFetched,
  startFixtureServer,
  type FixtureServer,
} from "../../../test/fixture-server.ts";
import { connector } from "./notion.connector.ts";
import { NotionFixture, type FixtureBlock } from "./notion.fixture.ts";

const words = (text: string, annotations: object = {}, href: string | null = null): object => ({
  type: "text",
  plain_text: text,
  href,
  annotations,
});
const block = (type: string, text: string, more: object = {}, children?: FixtureBlock[]) => ({
  type,
  value: { rich_text: [words(text)], ...more },
  ...(children && { children }),
});

describe("Notion", () => {
  let notion: NotionFixture;
  let server: FixtureServer;
  beforeAll(async () => {
    server = await startFixtureServer((...call) => notion.listener(...call), {
      origins: ["https://api.notion.com"],
    });
  });
  afterAll(() => server.stop());
  beforeEach(() => {
    notion = new NotionFixture();
    notion.pages = [{ id: "p1", title: "Handbook", edited: "2026-05-01" }];
  });
  const open = (token = "secret") => connector.open({}, { token }, server.context);
  const read = async (blocks: FixtureBlock[]): Promise<string> => {
    notion.pages[0]!.blocks = blocks;
    return (await readFetched(await (await open()).fetch({ id: "p1" }, null)))
      .replace("# Handbook\n\n", "")
      .trim();
  };

  it("lists shared pages and the rows of shared databases, but not what is in the trash", async () => {
    notion.databases = ["d1", "d2"];
    notion.pages.push(
      { id: "gone", title: "Gone", edited: "1", isGone: true },
      { id: "row", title: "Row", edited: "1", database: "d2" },
    );
    const items = await listAll(await open());
    expect(items.map(({ externalId, title, version }) => [externalId, title, version])).toEqual([
      ["p1", "Handbook", "2026-05-01"],
      ["row", "Row", "1"],
    ]);
  });

  it("lists the pages that are edited meanwhile last", async () => {
    notion.databases = ["d1"];
    await listAll(await open());
    const order = [{ timestamp: "last_edited_time", direction: "ascending" }];
    expect(notion.orders).toEqual([order, order]);
  });

  it("leaves out a database that it can't read, and says that it isn't all", async () => {
    notion.databases = ["d1", "d2"];
    notion.pages.push({ id: "row", title: "Row", edited: "1", database: "d2" });
    const status = (code: number) => (response: ServerResponse) =>
      void response.writeHead(code).end("{}");
    const path = "/v1/databases/d1/query";
    const source = await open();
    const { next: atDatabases } = await source.list(null);
    for (const [code, reason] of [
      [400, "egress.unexpected-response"],
      [404, "source.missing"],
    ] as const) {
      notion.answers.set(path, [status(code)]);
      const { items, next, asksUnlisted } = await source.list(atDatabases);
      expect(items).toMatchObject([{ externalId: "d1", skip: { code: reason } }]);
      expect(asksUnlisted).toBe(true);
      const rest = await source.list(next);
      expect(rest).toMatchObject({ items: [{ externalId: "row" }], next: null });
      expect(rest).not.toHaveProperty("asksUnlisted");
    }
    notion.answers.set(path, [status(401)]);
    await expect(source.list(atDatabases)).rejects.toMatchObject({ code: "source.denied" });
    notion.answers.set("/v1/search", [status(404)]);
    await expect(source.list(null)).rejects.toMatchObject({ code: "source.missing" });
  });

  it("gives a page no version that may be edited again in the same minute", async () => {
    const [page] = notion.pages;
    page!.blocks = [block("paragraph", "text")];
    const source = await open();
    for (const [age, hasVersion] of [
      [30_000, false],
      [180_000, true],
    ] as const) {
      page!.edited = new Date(Date.now() - age).toISOString();
      const [[listed], fetched] = [await listAll(source), await source.fetch({ id: "p1" }, null)];
      expect(["version" in listed!, "version" in fetched]).toEqual([hasVersion, hasVersion]);
    }
  });

  it("lists all of 10,000 pages", async () => {
    notion.pages = Array.from({ length: 10_000 }, (_, n) => ({
      id: `p${n}`,
      title: "",
      edited: "",
    }));
    const ids = (await listAll(await open())).map(({ externalId }) => externalId);
    expect([ids.length, new Set(ids).size]).toEqual([10_000, 10_000]);
  });

  it.each<[string, FixtureBlock[], string]>([
    [
      "headings and nested lists",
      [
        block("heading_1", "Title"),
        block("bulleted_list_item", "one", {}, [block("numbered_list_item", "deep")]),
        block("bulleted_list_item", "two"),
        block("to_do", "done", { checked: true }),
      ],
      "## Title\n\n- one\n  1. deep\n- two\n- [x] done",
    ],
    [
      "code, callouts and toggles",
      [
        block("code", "a <b>\nc", { language: "plain text" }),
        block("callout", "Careful", { icon: { type: "emoji", emoji: "⚠️" } }),
        block("toggle", "More", {}, [block("paragraph", "hidden")]),
      ],
      "```plain-text\na <b>\nc\n```\n\n> ⚠️ Careful\n\n**More**\n\nhidden",
    ],
    [
      "a table",
      [
        {
          type: "table",
          value: { has_column_header: true },
          children: [
            ["A", "B"],
            ["1", "2|3"],
          ].map((row) => ({
            type: "table_row",
            value: { cells: row.map((cell) => [words(cell)]) },
          })),
        },
      ],
      "| A | B |\n| --- | --- |\n| 1 | 2\\|3 |",
    ],
    [
      "columns, marks, links and files",
      [
        {
          type: "column_list",
          children: [{ type: "column", children: [block("paragraph", "left")] }],
        },
        {
          type: "paragraph",
          value: {
            rich_text: [
              words("bold", { bold: true }),
              words(" "),
              words("site", {}, "https://b.example/"),
              words(" bad", {}, "javascript:alert(1)"),
            ],
          },
        },
        { type: "image", value: { caption: [words("Plan")], type: "file" } },
        { type: "child_page", value: { title: "Below" } },
        { type: "unsupported" },
      ],
      "left\n\n**bold** [site](https://b.example/) bad\n\n[Image: Plan]\n\n[Page: Below]",
    ],
  ])("reads %s", async (_, blocks, expected) => {
    expect(await read(blocks)).toBe(expected);
  });

  it("reads all blocks of a page, and what a row says in its properties", async () => {
    const many = Array.from({ length: 250 }, (_, n) => block("paragraph", `Line ${n}`));
    expect((await read(many)).split("\n\n")).toHaveLength(250);
    notion.pages[0]!.properties = {
      Status: { type: "status", status: { name: "Open" } },
      Tags: { type: "multi_select", multi_select: [{ name: "a" }, { name: "b" }] },
      Due: { type: "date", date: { start: "2026-05-01", end: null } },
      Score: { type: "formula", formula: { type: "number", number: 3 } },
      Empty: { type: "rich_text", rich_text: [] },
    };
    expect(await read([])).toBe("- Status: Open\n- Tags: a, b\n- Due: 2026-05-01\n- Score: 3");
    const fetched = await (await open()).fetch({ id: "p1" }, null);
    expect(fetched).toMatchObject({
      filename: "Handbook.md",
      version: "2026-05-01",
      source: { connector: "notion", reference: "https://www.notion.so/p1" },
    });
  });

  it("skips empty pages, and leaves unchanged ones", async () => {
    const source = await open();
    expect(await readFetched(await source.fetch({ id: "p1" }, null))).toBe("source.item-empty");
    expect(await source.fetch({ id: "p1" }, "2026-05-01")).toEqual({ kind: "unchanged" });
    notion.pages[0]!.isGone = true;
    for (const id of ["p1", "other"])
      await expect(source.fetch({ id }, null)).rejects.toMatchObject({ code: "source.missing" });
  });

  it("waits shortly in the middle of a page, and passes on longer waits", async () => {
    const busy = (seconds: number) => (response: ServerResponse) =>
      void response.writeHead(429, { "retry-after": String(seconds) }).end("{}");
    notion.answers.set("/v1/blocks/p1/children", [busy(1)]);
    expect(await read([block("paragraph", "after it")])).toBe("after it");
    notion.answers.set("/v1/blocks/p1/children", [busy(60)]);
    await expect((await open()).fetch({ id: "p1" }, null)).rejects.toMatchObject({
      code: "source.busy",
      retryAfter: 60,
    });
  });

  it.each([
    [403, { code: "source.denied" }],
    [500, { code: "source.failing" }],
    [200, { code: "egress.unexpected-response" }],
  ])("passes on a status of %d", async (status, fault) => {
    notion.answers.set("/v1/pages/p1", [(response) => void response.writeHead(status).end("<p>")]);
    await expect((await open()).fetch({ id: "p1" }, null)).rejects.toMatchObject(fault);
  });

  it("is refused with a wrong secret", async () => {
    await expect((await open("wrong")).check()).rejects.toMatchObject({ code: "source.denied" });
  });
});
