import { createConnection, getConnection, listSourceItems } from "@carrel/contracts";
import { isThorough, poll } from "@carrel/testing";
import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import { startTestConnectors, type TestConnectors } from "../../../test/test-connectors.ts";
import { WebsiteFixture } from "./website-site.fixture.ts";

const slug = "field-notes";

/** More pages take more time, and are no other cases. */
const pages = isThorough ? 2_000 : 200;

describe(`crawling a site of ${pages} pages with traps`, () => {
  const site = new WebsiteFixture(pages);
  let instance: TestConnectors;
  let connectionId: string;

  beforeAll(async () => {
    instance = await startTestConnectors(site.listener);
    const { connection } = await instance.request(createConnection, {
      slug,
      connector: "website",
      settings: { url: `${instance.address}/docs/`, depth: 6, maxPages: 5_000 },
    });
    connectionId = connection.id;
    await poll(
      async () =>
        (await instance.request(getConnection, { slug, connectionId })).connection.run?.state,
      { timeoutMs: 170_000 },
    ).toBe("finished");
  }, 180_000);
  afterAll(() => instance.stop());

  const addresses = (): string[] =>
    instance.registrations.map(({ input }) =>
      input.metadata.chunkSource!.replace(`link://${instance.address}/docs/`, ""),
    );
  const reasonOf = async (path: string) => {
    const address = `${instance.address}/docs/${path}`;
    const [row] = await instance.sql<{ state: string; fault: { code: string } | null }>(
      `SELECT state, fault FROM connectors.source_item WHERE address = '${address}'`,
    );
    return row === undefined ? null : [row.state, row.fault?.code];
  };

  it("registers every page once, whatever leads to it", () => {
    const tree = addresses().filter((path) => path.startsWith("tree/"));
    expect(new Set(tree).size).toBe(pages);
    expect(tree).toHaveLength(pages);
    expect(new Set(addresses().filter((path) => !path.startsWith("tree/")))).toEqual(
      new Set([
        "",
        "mapped.html",
        "frames.html",
        "framed.html",
        "latin.html",
        "busy.html",
        "failing.html",
        "printed.html",
        "loop/",
        addresses().includes("copy.html") ? "copy.html" : "copied.html",
        ...[1, 2, 3, 4, 5, 6].map((month) => `calendar?month=${month}`),
      ]),
    );
  });

  it("leaves out the rest, with the reason", async () => {
    expect(await reasonOf("inside")).toEqual(["skipped", "source.out-of-scope"]);
    expect(await reasonOf("moved")).toEqual(["skipped", "source.moved"]);
    expect(await reasonOf("concealed")).toEqual(["skipped", "source.robots"]);
    expect(await reasonOf("outside")).toEqual(["skipped", "source.out-of-scope"]);
    expect(await reasonOf("secret/plan.html")).toEqual(["skipped", "source.robots"]);
    expect(await reasonOf("gone.html")).toEqual(["skipped", "source.missing"]);
    expect(await reasonOf("cut.html")).toEqual(["failed", "egress.unreachable"]);
    expect(await reasonOf("hidden.html")).toEqual(["skipped", "source.no-index"]);
    expect(await reasonOf("printed.html?view=print")).toEqual(["skipped", "source.canonical"]);
    expect(await reasonOf("manual.pdf")).toEqual(["skipped", "source.type-unwanted"]);
    expect([await reasonOf("copy.html"), await reasonOf("copied.html")]).toContainEqual([
      "skipped",
      "source.same-as",
    ]);
    expect(await reasonOf("shop?color=red&size=1&brand=a&sort=up")).toBeNull();
    expect(site.requests.filter((path) => path.startsWith("/docs/secret"))).toEqual([]);
    expect(site.requests).not.toContain("/elsewhere.html");
  });

  it("counts what it did, and lists items page by page", async () => {
    const { connection, runs } = await instance.request(getConnection, { slug, connectionId });
    const run = runs[0]!;
    expect(run.found).toBe(run.fetched + run.unchanged + run.skipped + run.failed);
    expect([run.fetched, connection.documents]).toEqual([
      instance.registrations.length,
      instance.registrations.length,
    ]);
    const skipped = await instance.request(listSourceItems, {
      slug,
      connectionId,
      state: "skipped",
      limit: 1,
    });
    expect(skipped.items).toHaveLength(1);
    const rest = await instance.request(listSourceItems, {
      slug,
      connectionId,
      state: "skipped",
      cursor: skipped.nextCursor!,
    });
    expect(skipped.items.length + rest.items.length).toBe(run.skipped);
    expect(skipped.reasons.reduce((sum, { count }) => sum + count, 0)).toBe(
      run.failed + run.skipped,
    );
  });

  it("keeps titles and text as the page has them", async () => {
    const page = instance.registrations.find(({ input }) =>
      input.metadata.chunkSource!.endsWith("/tree/12.html"),
    )!;
    expect(page.input).toMatchObject({
      mime: "text/html",
      embed: true,
      metadata: { title: "Page 12" },
    });
    expect(page.context.scope.workspace).toMatchObject({ slug });
  });
});
