import {
  createConnection,
  getConnection,
  startRun,
  updateConnection,
  userDeleted,
  type Principal,
  type Scope,
} from "@carrel/contracts";
import { poll } from "@carrel/testing";
import { afterAll, beforeAll, expect, it } from "@jest/globals";
import { startTestConnectors, type TestConnectors } from "../../test/test-connectors.ts";

const slug = "field-notes";
const person = (userId: number, role: Principal["role"]): Scope => ({
  principal: { kind: "user", userId, role, may: ["uploadDocuments"] },
  workspace: { id: 7, slug },
});
const [owner, manager, admin] = [person(5, "default"), person(2, "manager"), person(1, "admin")];
const feed = `<rss version="2.0"><channel><title>News</title>
  <item><guid>1</guid><title>Tides</title><description>High at noon.</description></item>
</channel></rss>`;

let instance: TestConnectors;
const asked: (string | undefined)[] = [];
beforeAll(async () => {
  instance = await startTestConnectors((request, response) => {
    asked.push(request.headers.authorization);
    response.setHeader("content-type", "application/rss+xml").end(feed);
  });
});
afterAll(() => instance.stop());

it("deletes the credentials of a deleted user's sources, which admins take over", async () => {
  const create = async (credential?: Record<string, string>) => {
    const { connection } = await instance.request(
      createConnection,
      {
        slug,
        connector: "feed",
        settings: { url: `${instance.address}/feed.xml` },
        mirrorPermissions: true,
        start: false,
        ...(credential !== undefined && { credential }),
      },
      owner,
    );
    return connection.id;
  };
  const get = async (connectionId: string) =>
    (await instance.request(getConnection, { slug, connectionId }, admin)).connection;
  const run = async (connectionId: string) => {
    await instance.request(startRun, { slug, connectionId }, admin);
    await poll(async () => (await get(connectionId)).run?.endedAt).toEqual(expect.any(String));
    return (await get(connectionId)).run;
  };
  const [sealed, open] = [await create({ username: "ada", password: "x" }), await create()];
  expect(await run(sealed)).toMatchObject({ state: "finished", fetched: 1 });
  expect(asked.at(-1)).toMatch(/^Basic /);
  await instance.tell(userDeleted, { userId: 5 });
  await poll(async () => (await get(sealed)).ownerId).toBeNull();

  // Nobody is asked in that person's name, nor without one: what isn't public would seem deleted.
  const before = asked.length;
  expect(await run(sealed)).toMatchObject({
    state: "failed",
    fault: { code: "source.credential-deleted" },
  });
  expect(asked).toHaveLength(before);
  expect(await get(sealed)).toMatchObject({ hasCredential: true, documents: 1 });
  expect(await instance.sql("SELECT sealed_credential FROM connectors.connection")).toEqual(
    expect.arrayContaining([{ sealed_credential: "" }, { sealed_credential: null }]),
  );
  expect(await run(open)).toMatchObject({ state: "finished", fetched: 1 });

  const update = (more: object, scope: Scope) =>
    instance.request(updateConnection, { slug, connectionId: open, ...more }, scope);
  await expect(update({ mirrorPermissions: false }, manager)).rejects.toMatchObject({
    code: "source.permissions-of-another",
  });
  expect((await update({ mirrorPermissions: false }, admin)).connection).toMatchObject({
    mirrorPermissions: false,
    ownerId: null,
  });
  const credential = { username: "eva", password: "y" };
  expect((await update({ credential }, manager)).connection).toMatchObject({ ownerId: 2 });
  expect(
    await instance.sql(
      "SELECT scope -> 'principal' ->> 'userId' AS id FROM connectors.connection WHERE owner_id = 2",
    ),
  ).toEqual([{ id: "2" }]);
});
