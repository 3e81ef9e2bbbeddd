import { afterAll, beforeAll, beforeEach, describe, expect, it } from "@jest/globals";
import {
  listAll,
  readFetched,
  startFixtureServer,
  type FixtureServer,
} from "../../../test/fixture-server.ts";
import { connector } from "./drupalwiki.connector.ts";
import { DrupalwikiFixture } from "./drupalwiki.fixture.ts";

describe("Drupal Wiki", () => {
  let wiki: DrupalwikiFixture;
  let server: FixtureServer;
  beforeAll(async () => {
    server = await startFixtureServer((...call) => wiki.listener(...call));
  });
  afterAll(() => server.stop());
  beforeEach(() => {
    wiki = new DrupalwikiFixture();
    wiki.pages = [
      {
        id: 11,
        title: "Travel: costs",
        homeSpace: 1,
        lastModified: 1_764_000_000,
        body: "<h2>Rules</h2><ul><li>Train<li>Bus</ul><p>See <a href='/node/12'>this</a><script>x()</script>",
        attachments: [
          { id: 5, fileName: "form.pdf", fileSize: 100 },
          { id: 6, fileName: "photo.jpg", fileSize: 100 },
          { id: 7, fileName: "all.zip.xlsx", fileSize: 99_000_000 },
        ],
      },
      { id: 12, title: "Empty", homeSpace: 1, lastModified: 1, body: "<p> </p>" },
      { id: 21, title: "Other", homeSpace: 2, lastModified: 1, body: "Other" },
      { id: 31, title: "Not chosen", homeSpace: 3, lastModified: 1, body: "No" },
    ];
  });
  const open = (more: object = {}, token = "token") =>
    connector.open(
      connector.settings.parse({ url: `${server.address}/node/11`, spaces: "1, 2", ...more }),
      { token },
      server.context,
    );
  const find = async (externalId: string) =>
    (await listAll(await open())).find((listed) => listed.externalId === externalId)!.item;

  it("lists the pages of the chosen spaces, and their attachments", async () => {
    const items = await listAll(await open());
    expect(items.map(({ externalId, skip }) => [externalId, skip?.code])).toEqual([
      ["11", undefined],
      ["12", undefined],
      ["attachment/5", undefined],
      ["attachment/6", "source.type-unwanted"],
      ["attachment/7", "egress.page-too-large"],
      ["21", undefined],
    ]);
    expect(await listAll(await open({ spaces: [], attachments: false }))).toHaveLength(4);
    const settings = connector.settings.parse({ url: server.address });
    expect(
      await connector.choices!("spaces", settings, { token: "token" }, server.context),
    ).toEqual(["1", "2", "3"]);
  });

  it("keeps attachments whose list it may not see, and gives those without date and size no version", async () => {
    const source = await open();
    const [{ next }] = [await source.list(null)];
    const list = async () => {
      const { items, asksUnlisted } = await source.list(next);
      return [items.map(({ externalId, version }) => [externalId, version]), asksUnlisted];
    };
    wiki.pages[0]!.attachments = [
      { id: 5, fileName: "form.pdf", fileSize: 100 },
      { id: 8, fileName: "form.pdf" },
    ];
    const listed = [
      ["attachment/5", "/100"],
      ["attachment/8", undefined],
    ];
    expect(await list()).toEqual([listed, undefined]);
    const path = "/api/rest/scope/api/attachment";
    wiki.statuses.set(path, [404]);
    expect(await list()).toEqual([[], undefined]);
    for (const status of [401, 403]) {
      wiki.statuses.set(path, [status]);
      expect(await list()).toEqual([[], true]);
    }
    wiki.statuses.set(path, [500]);
    await expect(list()).rejects.toMatchObject({ code: "source.failing" });
    wiki.statuses.clear();
    expect(await source.fetch(await find("attachment/8"), null)).not.toHaveProperty("version");
  });

  it("reads a page as Markdown, and its attachments", async () => {
    const source = await open();
    const page = await source.fetch(await find("11"), null);
    expect(await readFetched(page)).toBe(
      `# Travel: costs\n\n## Rules\n\n- Train\n- Bus\n\nSee [this](${server.address}/node/12)\n`,
    );
    expect(page).toMatchObject({
      filename: "Travel costs.md",
      version: "1764000000",
      source: { connector: "drupalwiki", reference: `${server.address}/node/11` },
      metadata: { published: "2025-11-24T16:00:00.000Z" },
    });
    expect(await source.fetch(await find("11"), "1764000000")).toEqual({ kind: "unchanged" });
    expect(await readFetched(await source.fetch(await find("12"), null))).toBe("source.item-empty");
    expect(await readFetched(await source.fetch(await find("attachment/5"), null))).toBe(
      "bytes of 5",
    );
  });

  it("loses pages that were deleted or moved to a space that isn't chosen", async () => {
    const source = await open();
    const [moved, deleted] = [await find("11"), await find("21")];
    wiki.pages[0]!.homeSpace = 3;
    wiki.pages.splice(2, 1);
    for (const item of [moved, deleted])
      await expect(source.fetch(item, null)).rejects.toMatchObject({ code: "source.missing" });
  });

  it("lists all of 10,000 pages", async () => {
    wiki.pages = Array.from({ length: 10_000 }, (_, id) => ({
      id,
      title: `Page ${id}`,
      body: "",
      homeSpace: 1,
      lastModified: 1,
    }));
    const items = await listAll(await open({ attachments: false }));
    expect(new Set(items.map(({ externalId }) => externalId)).size).toBe(10_000);
  });

  it.each([
    [401, {}, { code: "source.denied" }],
    [429, { "retry-after": "9" }, { code: "source.busy", retryAfter: 9 }],
    [500, {}, { code: "source.failing" }],
    [200, {}, { code: "egress.unexpected-response" }],
  ])("passes on a status of %d", async (status, headers, fault) => {
    const source = await open();
    const item = await find("11");
    wiki.statuses.set("/api/rest/scope/api/page/11", [status, headers]);
    await expect(source.fetch(item, null)).rejects.toMatchObject(fault);
  });

  it("is refused with a wrong token", async () => {
    const source = await open({}, "wrong");
    await expect(source.check()).rejects.toMatchObject({ code: "source.denied" });
  });
});
