import {
  CarrelError,
  createConnection,
  importOnce,
  getImport,
  listSourceItems,
  previewConnection,
  startRun,
  updateConnection,
  type Scope,
} from "@carrel/contracts";
import { poll } from "@carrel/testing";
import { describe, expect, it } from "@jest/globals";
import {
  as,
  checkNow,
  connect,
  connectors,
  failing,
  finished,
  importer,
  matched,
  readers,
  slug,
  useVault,
  vault,
} from "./vault.fixture.ts";

useVault();

describe("a source that tells who may see its items", () => {
  it("registers each document for those people from the first moment on", async () => {
    const id = await connect();
    expect(await readers(id)).toEqual(matched);
    const ofPlan = connectors.registrations.find(({ input }) => input.filename === "plan.txt");
    expect(ofPlan!.input.access).toEqual({ readers: [2] });
    expect(ofPlan!.context.scope.principal.userId).toBe(1);
  });

  it("applies the list of now to a document whose registration got no reply", async () => {
    vault.texts = new Map([["plan", "Text of plan"]]);
    vault.lists.set("plan", "everyone");
    const { registrations } = connectors;
    const before = registrations.length;
    connectors.loseReplies(new CarrelError("request.queue-full"));
    const { connection } = await connectors.request(
      createConnection,
      { slug, connector: "vault", settings: {} },
      importer,
    );
    await poll(() => registrations.length).toBeGreaterThan(before);
    vault.lists.set("plan", { emails: ["ann@example.com"], accounts: [] });
    connectors.loseReplies(null);
    await finished(connection.id);
    expect(await readers(connection.id)).toEqual({ plan: [2] });
  });

  it("takes account names for usernames only if told to", async () => {
    const id = await connect({ matchAccounts: true });
    expect(await readers(id)).toEqual({ ...matched, plan: [2, 3] });
  });

  it("restricts nothing without mirroring, nor what existing clients import", async () => {
    const id = await connect({ mirrorPermissions: false });
    expect(new Set(Object.values(await readers(id)))).toEqual(new Set([null]));
    const { runId } = await connectors.request(
      importOnce,
      { connector: "vault", settings: {}, embed: false },
      importer,
    );
    await poll(
      async () => (await connectors.request(getImport, { runId }, importer)).run.state,
    ).toBe("finished");
    const { documentIds } = await connectors.request(getImport, { runId }, importer);
    expect(documentIds.map((documentId) => connectors.readers.get(documentId))).toEqual(
      documentIds.map(() => null),
    );
  });

  it("shows what isn't known yet to the importer only, once permissions are mirrored", async () => {
    const { lists } = vault;
    vault.lists = new Map();
    const id = await connect({ mirrorPermissions: false });
    vault.lists = lists;
    vault.fault = failing;
    await connectors.request(
      updateConnection,
      { slug, connectionId: id, mirrorPermissions: true },
      as(4),
    );
    await poll(() => readers(id)).toEqual({ plan: [], open: [], locked: [], odd: [] });
    vault.fault = null;
    await checkNow(id);
    await poll(() => readers(id)).toEqual(matched);
  });

  it("applies another list with the next import, whether or not the text changed", async () => {
    const id = await connect();
    vault.lists.set("plan", { emails: ["nobody@example.com"], accounts: [] });
    vault.lists.set("open", { emails: ["ann@example.com"], accounts: [] });
    vault.texts.set("open", "Another text");
    await connectors.request(startRun, { slug, connectionId: id }, importer);
    await finished(id);
    await poll(() => readers(id)).toEqual({ ...matched, plan: [], open: [2] });
  });

  it("lets only its owner open documents to others", async () => {
    const id = await connect();
    const change = (more: Record<string, unknown>, scope: Scope) =>
      connectors.request(updateConnection, { slug, connectionId: id, ...more }, scope);
    for (const more of [{ mirrorPermissions: false }, { matchAccounts: true }])
      for (const scope of [as(5, "admin"), as(4)])
        await expect(change(more, scope)).rejects.toMatchObject({
          code: "source.permissions-of-another",
        });
    await change({ matchAccounts: true }, importer);
    await poll(() => readers(id)).toEqual({ ...matched, plan: [2, 3] });
    // Narrower again: anybody who manages the source may.
    await change({ matchAccounts: false }, as(4));
    await poll(() => readers(id)).toEqual(matched);
    await change({ mirrorPermissions: false }, importer);
    await poll(() => readers(id)).toEqual({ plan: null, open: null, locked: null, odd: null });
  });

  it("names its items only to those who may see their documents", async () => {
    const id = await connect();
    const names = async (scope: Scope) =>
      (
        await connectors.request(listSourceItems, { slug, connectionId: id, limit: 50 }, scope)
      ).items.map(({ title }) => title);
    const all = ["Title of plan", "Title of open", "Title of locked", "Title of odd"];
    expect((await names(importer)).toSorted()).toEqual(all.toSorted());
    expect(await names(as(2))).toEqual(
      (await names(importer)).map((title) => (/locked|odd/.test(title) ? "" : title)),
    );
    const others = (await names(as(5, "admin"))).filter((title) => title !== "");
    expect(others.toSorted()).toEqual(["Title of open"]);
  });

  it("says what mirroring would do before anything is fetched", async () => {
    const draft = { slug, connector: "vault", settings: {}, credential: {} };
    const { access, permissions } = await connectors.request(previewConnection, draft, importer);
    expect(permissions).toBe(true);
    expect(access).toEqual({ checked: 4, everyone: 1, restricted: 3, people: 1, unmatched: 2 });
    const matching = await connectors.request(
      previewConnection,
      { ...draft, matchAccounts: true },
      importer,
    );
    expect(matching.access).toMatchObject({ people: 2, unmatched: 1 });
  });
});
