import { createConnection, getConnection, startRun } from "@carrel/contracts";
import { poll } from "@carrel/testing";
import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import { startTestConnectors, type TestConnectors } from "../../../test/test-connectors.ts";
import { ConfluenceFixture } from "./confluence.fixture.ts";

const slug = "field-notes";

describe("a Confluence space with a personal access token", () => {
  const fixture = new ConfluenceFixture("server", "/kb", "Bearer pat");
  let instance: TestConnectors;
  let connectionId: string;
  const untilFinished = (runs: number) =>
    poll(
      async () => {
        const found = await instance.request(getConnection, { slug, connectionId });
        return [found.runs.length, found.connection.run?.state];
      },
      { timeoutMs: 60_000 },
    ).toEqual([runs, "finished"]);
  const titles = (): (string | undefined)[] =>
    instance.registrations.map(({ input }) => input.metadata.title).toSorted();

  beforeAll(async () => {
    for (const id of ["1", "2", "3"])
      fixture.pages.push({ id, title: `Page ${id}`, body: `<p>Text ${id}</p>` });
    fixture.pages[1]!.attachments = [
      { id: "att1", title: "form.pdf", mediaType: "application/pdf", bytes: 100 },
    ];
    instance = await startTestConnectors(fixture.listener);
    const { connection } = await instance.request(createConnection, {
      slug,
      connector: "confluence",
      settings: { url: `${instance.address}/kb`, deployment: "self-hosted", space: "HR" },
      credential: { personalAccessToken: "pat" },
    });
    connectionId = connection.id;
    await untilFinished(1);
  }, 120_000);
  afterAll(() => instance.stop());

  it("is imported again from its saved credential: changed pages, and without deleted ones", async () => {
    expect(titles()).toEqual(["Page 1", "Page 2", "Page 3", "form.pdf"]);
    fixture.pages[0]!.status = "trashed";
    Object.assign(fixture.pages[2]!, { title: "Renamed", body: "<p>New</p>", version: 2 });
    await instance.request(startRun, { slug, connectionId });
    await untilFinished(2);
    expect(titles()).toHaveLength(4);
    expect(instance.revised).toHaveLength(1);
    const { connection, runs } = await instance.request(getConnection, { slug, connectionId });
    expect(connection.documents).toBe(3);
    expect(runs[0]).toMatchObject({ fetched: 1, unchanged: 2, failed: 0 });
    const addresses = instance.registrations.map(({ input }) => input.metadata.chunkSource);
    expect(addresses).toContain(`confluence://${instance.address}/kb/display/HR/1`);
  });
});
