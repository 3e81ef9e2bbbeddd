import {
  createConnection,
  getConnection,
  listSourceItems,
  prepareSync,
  startRun,
  updateConnection,
} from "@carrel/contracts";
import { poll } from "@carrel/testing";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "@jest/globals";
import { startTestConnectors, type TestConnectors } from "../../test/test-connectors.ts";
import { DrupalwikiFixture } from "../source/drupalwiki/drupalwiki.fixture.ts";

const slug = "field-notes";

describe("what a source no longer has", () => {
  let wiki: DrupalwikiFixture;
  let instance: TestConnectors;

  beforeAll(async () => {
    instance = await startTestConnectors((request, response) => wiki.listener(request, response));
  });
  beforeEach(async () => {
    wiki = new DrupalwikiFixture();
    for (const id of [1, 2, 3, 4])
      wiki.pages.push({
        id,
        title: `Page ${id}`,
        body: `<p>Text ${id}</p>`,
        homeSpace: 7,
        lastModified: 1_700_000_000,
        attachments: [{ id: id * 10, fileName: `${id}.txt`, fileSize: 11 }],
      });
    instance.purged.length = 0;
    instance.gone.clear();
    await instance.sql("DELETE FROM connectors.connection");
  });
  afterAll(() => instance.stop());

  const get = async (connectionId: string) =>
    (await instance.request(getConnection, { slug, connectionId })).connection;
  const untilEnded = async (connectionId: string) => {
    await poll(async () => (await get(connectionId)).run?.endedAt, {
      timeoutMs: 30_000,
    }).not.toBeNull();
    return get(connectionId);
  };
  const create = async () => {
    const { connection } = await instance.request(createConnection, {
      slug,
      connector: "drupalwiki",
      settings: { url: instance.address },
      credential: { token: "token" },
    });
    return untilEnded(connection.id);
  };
  const runAgain = async (connectionId: string) => {
    await instance.request(startRun, { slug, connectionId });
    return untilEnded(connectionId);
  };
  const listGone = async (connectionId: string) =>
    (
      await instance.request(listSourceItems, { slug, connectionId, state: "skipped", limit: 50 })
    ).items.map(({ title, documentId, fault }) => [title, documentId !== null, fault?.code]);

  it("is removed once a second import finds the source empty", async () => {
    const { id, documents } = await create();
    expect(documents).toBe(8);
    wiki.pages = [];
    const fault = { code: "source.nothing-found" };
    expect(await runAgain(id)).toMatchObject({
      documents: 8,
      run: { state: "failed", fault, removed: 0 },
    });
    expect(await runAgain(id)).toMatchObject({
      documents: 0,
      run: { state: "finished", fault, removed: 8 },
    });
    expect(new Set(instance.purged).size).toBe(8);
  });

  it("was never there: an empty source says so, however often it is imported", async () => {
    wiki.pages = [];
    const { id, ...first } = await create();
    const failed = { run: { state: "failed", fault: { code: "source.nothing-found" } } };
    expect([first, await runAgain(id)]).toMatchObject([failed, failed]);
  });

  it("is found out one by one where a part can't be listed", async () => {
    const { id } = await create();
    wiki.statuses.set("/api/rest/scope/api/attachment", [403]);
    wiki.pages = wiki.pages.filter((page) => page.id !== 4);
    expect(await runAgain(id)).toMatchObject({
      documents: 6,
      run: { failed: 0, skipped: 2, removed: 2, fault: { code: "source.listed-in-part" } },
    });
    expect(new Set(instance.purged).size).toBe(2);
    wiki.pages = wiki.pages.filter((page) => page.id !== 3);
    expect(await runAgain(id)).toMatchObject({ documents: 4 });
  });

  it("is what other settings leave out, also where a part can't be listed", async () => {
    wiki.pages[3]!.homeSpace = 8;
    const { id } = await create();
    wiki.statuses.set("/api/rest/scope/api/attachment", [403]);
    await instance.request(updateConnection, {
      slug,
      connectionId: id,
      settings: { url: instance.address, spaces: ["7"] },
    });
    expect(await runAgain(id)).toMatchObject({ documents: 3 });
    expect(new Set(instance.purged).size).toBe(5);
    // It can be listed again.
    wiki.statuses.clear();
    expect(await runAgain(id)).toMatchObject({ documents: 6 });
  });

  it("is kept and listed as gone for as long as that is wanted", async () => {
    const { id } = await create();
    await instance.request(prepareSync, { connectionId: id, keepsGone: true });
    const all = [...wiki.pages];
    wiki.pages.pop();
    const gone = [
      ["Page 4", true, "source.gone"],
      ["4.txt", true, "source.gone"],
    ];
    for (let run = 1; run <= 2; run += 1) {
      expect(await runAgain(id)).toMatchObject({ documents: 8, run: { fault: null, removed: 0 } });
      expect(await listGone(id)).toEqual(gone);
    }
    // What is asked for one by one is kept as well.
    wiki.statuses.set("/api/rest/scope/api/attachment", [403]);
    wiki.pages.pop();
    await runAgain(id);
    wiki.statuses.clear();
    expect(await runAgain(id)).toMatchObject({ documents: 8 });
    expect(await listGone(id)).toEqual(
      expect.arrayContaining([...gone, ["3.txt", true, "source.missing"]]),
    );
    expect(instance.purged).toEqual([]);
    expect(instance.gone.size).toBe(4);
    wiki.pages = all.slice(0, 3);
    expect(await runAgain(id)).toMatchObject({ documents: 8, run: { fetched: 0 } });
    expect(instance.gone.size).toBe(2);
    wiki.pages = all.slice(0, 2);

    await instance.request(prepareSync, { connectionId: id, keepsGone: false });
    expect(await runAgain(id)).toMatchObject({ documents: 4, run: { removed: 4 } });
    expect(new Set(instance.purged).size).toBe(4);
  });
});
