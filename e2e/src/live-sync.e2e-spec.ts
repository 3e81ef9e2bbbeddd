import { createHmac } from "node:crypto";
import { once } from "node:events";
import { mkdir, mkdtemp, rename, rm, writeFile } from "node:fs/promises";
import { createServer, type IncomingMessage, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import path from "node:path";
import { poll, startTestInstance, type Instance } from "@carrel/testing";
import { afterAll, beforeAll, describe, expect, it, jest } from "@jest/globals";
import { Webhook } from "standardwebhooks";
import { Api, ask } from "./api.ts";

const password = "a long pass phrase";
const patient = { timeoutMs: 60_000, intervalMs: 100 };
jest.setTimeout(180_000);
/** Longer than the test, so that the schedule finds nothing. */
const aDay = 86_400;

interface Row {
  name: string;
  title: string;
  chunkSource: string;
  canWatch: boolean;
  watched: boolean;
}
interface Watch {
  id: number;
  state: string;
  title: string;
  failures: number;
  lastStatus: string | null;
  lastSyncedAt: string | null;
  nextSyncAt: string | null;
  document: { id: string } | null;
  connectionId: string | null;
}
interface Notice {
  kind: string;
  title: string | null;
  documentId: string | null;
  workspaceSlug: string | null;
  fault: { code: string };
}
interface Posted {
  type: string;
  data: Record<string, unknown>;
}

/** Pages by path, which may change or fail, and the receiver of Carrel's webhooks. */
class Site {
  readonly pages = new Map<string, string>();
  status = 200;
  secret = "";
  unchanged = 0;
  readonly received: Posted[] = [];
  private readonly server: Server = createServer((request, reply) => {
    if (request.method === "POST") {
      void this.receive(request).then(() => reply.writeHead(204).end());
      return;
    }
    const html = this.pages.get(request.url!);
    const tag = html && `"${createHmac("sha256", "").update(html).digest("hex")}"`;
    if (tag === undefined || this.status !== 200) {
      reply.writeHead(tag === undefined ? 404 : this.status, { "content-type": "text/html" });
      reply.end("<h1>Something went wrong</h1>");
    } else if (request.headers["if-none-match"] === tag) {
      this.unchanged += 1;
      reply.writeHead(304, { etag: tag }).end();
    } else
      reply.writeHead(200, { "content-type": "text/html; charset=utf-8", etag: tag }).end(html);
  });

  async start(): Promise<void> {
    await once(this.server.listen(0, "127.0.0.1"), "listening");
  }

  get url(): string {
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  put(place: string, text: string): string {
    this.pages.set(place, `<title>${place}</title><main><p>${text}</p></main>`);
    return `${this.url}${place}`;
  }

  stop(): void {
    this.server.close().closeAllConnections();
  }

  private async receive(request: IncomingMessage): Promise<void> {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const headers = request.headers as Record<string, string>;
    const body = Buffer.concat(chunks).toString();
    this.received.push(new Webhook(this.secret).verify(body, headers) as Posted);
  }
}

describe("live sync on an instance of several users", () => {
  const site = new Site();
  let folder: string;
  let instance: Instance;
  let admin: Api;
  let manager: Api;
  let slug: string;

  const signIn = async (username: string): Promise<Api> => {
    const api = new Api(instance.url);
    ({ token: api.token } = await api.json<{ token: string }>("POST", "/request-token", {
      username,
      password,
    }));
    return api;
  };
  beforeAll(async () => {
    folder = await mkdtemp(path.join(tmpdir(), "carrel-synced-"));
    await site.start();
    instance = await startTestInstance({
      CARREL_LINK_ALLOW: "127.0.0.1",
      CARREL_SOURCE_FOLDERS: folder,
      CARREL_SYNC_STALE_SECONDS: "1",
      CARREL_SYNC_POLL_SECONDS: "0.2",
    });
    const open = new Api(instance.url);
    await open.json("POST", "/system/enable-multi-user", { username: "ada_admin", password });
    admin = await signIn("ada_admin");
    await admin.json("POST", "/admin/users/new", {
      username: "mia_manager",
      password,
      role: "manager",
    });
    manager = await signIn("mia_manager");
    ({ slug } = await manager.makeWorkspace("Harbour"));
    const { secret } = await admin.json<{ secret: string }>("POST", "/webhooks", {
      url: `${site.url}/hook`,
      events: ["sync.stopped"],
    });
    site.secret = secret;
  });
  afterAll(async () => {
    await instance?.stop();
    site.stop();
    await rm(folder, { recursive: true, force: true });
  });

  const addLink = async (address: string): Promise<string> => {
    const { document } = await manager.json<{ document: { location: string } }>(
      "POST",
      `/workspace/${slug}/upload-link`,
      { link: address, embed: true },
    );
    return document.location;
  };
  const watch = (docPath: string) =>
    ask(manager, "POST", `/workspace/${slug}/update-watch-status`, { docPath, watchStatus: true });
  const rowOf = async (location: string): Promise<Row> => {
    const [name, file] = location.split("/");
    const { documents } = await manager.json<{ documents: Row[] }>(
      "GET",
      `/system/local-files?folder=${name}&limit=all`,
    );
    return documents.find((each) => each.name === file)!;
  };
  const watches = async (): Promise<Watch[]> =>
    (await manager.json<{ watches: Watch[] }>("GET", `/workspace/${slug}/watches`)).watches;
  const noticesOf = async (who: Api): Promise<Notice[]> =>
    (await who.json<{ notices: Notice[] }>("GET", "/notices")).notices;
  /** Of documents in the workspace, by title. */
  const textOf = async (title: string): Promise<string | undefined> => {
    const { documents } = await manager.json<{
      documents: { documentId: string; title: string; state: string }[];
    }>("GET", `/workspace/${slug}/documents?limit=200`);
    const document = documents.find((each) => each.title === title);
    if (document === undefined || !["searchable", "embedded"].includes(document.state))
      return undefined;
    const reply = await manager.call(
      "GET",
      `/workspace/${slug}/documents/${document.documentId}/text`,
    );
    return reply.json<{ text: string }>().text;
  };
  const addSource = async (connector: string, settings: object): Promise<string> => {
    const { connection } = await manager.json<{ connection: { id: string } }>(
      "POST",
      `/workspace/${slug}/connections`,
      { connector, settings },
    );
    await manager.json("PUT", `/workspace/${slug}/connections/${connection.id}/watch`, {
      watched: true,
      intervalSeconds: aDay,
    });
    return connection.id;
  };

  it("is off at first: nothing can be watched, and its queues are refused", async () => {
    const location = await addLink(site.put("/off.html", "The pier opens at six."));
    expect(await rowOf(location)).toMatchObject({ canWatch: false, watched: false });
    expect((await ask(admin, "GET", "/experimental/live-sync/queues"))[0]).toBe(401);
    expect((await watch(location))[0]).toBe(401);
    expect((await ask(manager, "POST", "/experimental/toggle-live-sync", {}))[0]).toBe(401);
    expect(
      await ask(admin, "POST", "/experimental/toggle-live-sync", { updatedStatus: true }),
    ).toEqual([200, { liveSyncEnabled: true }]);
    await poll(() => rowOf(location)).toMatchObject({ canWatch: true, watched: false });
    expect(await ask(admin, "GET", "/experimental/live-sync/queues")).toEqual([
      200,
      { queues: [] },
    ]);
    const upload = await manager.upload("upload-and-embed", slug, "note.txt", "Written by hand.");
    const { document } = upload.json<{ document: { location: string } }>();
    expect(await rowOf(document.location)).toMatchObject({ canWatch: false });
    expect((await watch(document.location))[0]).toBe(400);
  });

  it("follows a page, and tells its owner once that it gave up after five failures", async () => {
    const location = await addLink(site.put("/tide.html", "The tide table hangs at berth four."));
    const { title } = await rowOf(location);
    expect(await watch(location)).toEqual([200, ""]);
    await poll(() => site.unchanged, patient).toBeGreaterThan(1);
    expect(await rowOf(location)).toMatchObject({ watched: true });
    const { queues } = await admin.json<{ queues: object[] }>(
      "GET",
      "/experimental/live-sync/queues",
    );
    expect(queues).toMatchObject([
      {
        staleAfterMs: 1_000,
        workspaceDoc: { docpath: location, watched: true, workspace: { slug } },
      },
    ]);

    site.put("/tide.html", "The tide table hangs at berth nine.");
    await poll(() => textOf(title), patient).toContain("berth nine");
    const { text, frames } = await manager.ask(slug, "At which berth does the tide table hang?");
    expect(text).toContain("berth nine");
    expect(JSON.stringify(frames)).not.toContain("berth four");
    expect(frames.flatMap((each) => ("sources" in each ? each.sources : []))).toContainEqual(
      expect.objectContaining({ asOf: expect.any(String), revision: 2 }),
    );

    site.status = 500;
    await poll(watches, patient).toMatchObject([
      { title, state: "stopped", failures: 5, lastStatus: "failed", nextSyncAt: null },
    ]);
    site.status = 200;
    const [stopped] = await watches();
    const documentId = stopped!.document!.id;
    await poll(async () => (await rowOf(location)).watched).toBe(false);
    expect(await ask(admin, "GET", "/experimental/live-sync/queues")).toEqual([
      200,
      { queues: [] },
    ]);
    // Its last text stays.
    expect(await textOf(title)).toContain("berth nine");
    const reason = {
      code: "source.failing",
      params: { host: new URL(site.url).host, status: 500 },
    };
    await poll(() => noticesOf(manager)).toMatchObject([
      { kind: "sync.stopped", title, documentId, workspaceSlug: slug, fault: reason },
    ]);
    const entries = async () =>
      (
        await admin.json<{ logs: { user: { username: string }; metadata: string }[] }>(
          "POST",
          "/system/event-logs",
          { event: "live_sync_stopped" },
        )
      ).logs;
    await poll(entries).toMatchObject([{ user: { username: "mia_manager" } }]);
    expect(JSON.parse((await entries())[0]!.metadata)).toEqual({
      title,
      documentId,
      sourceId: null,
      reason: reason.code,
      by: "service",
    });
    await poll(() => site.received).toMatchObject([
      { type: "sync.stopped", workspace: { slug }, data: { title, documentId, removed: false } },
    ]);
    // Others aren't told; admins read it in the event log.
    expect(await noticesOf(admin)).toEqual([]);

    // Watching it again starts over.
    expect(await watch(location)).toEqual([200, ""]);
    await poll(watches, patient).toMatchObject([{ failures: 0, lastStatus: "success" }]);
    expect([await noticesOf(manager), site.received]).toMatchObject([{ length: 1 }, { length: 1 }]);
  });

  it("follows a folder of the server within seconds: what is added, changed, moved and deleted", async () => {
    const place = path.join(folder, "minutes");
    await mkdir(place);
    await writeFile(path.join(place, "may.txt"), "In May the crane was oiled.");
    const connectionId = await addSource("folder", { path: place });
    await poll(() => textOf("may.txt"), patient).toContain("oiled");
    const synced = async (): Promise<string | null | undefined> =>
      (await watches()).find((each) => each.connectionId === connectionId)?.lastSyncedAt;
    await poll(synced, patient).toEqual(expect.any(String));

    await writeFile(path.join(place, "june.txt"), "In June the crane was painted.");
    await writeFile(path.join(place, "may.txt"), "In May the crane was greased.");
    await poll(() => textOf("june.txt"), patient).toContain("painted");
    await poll(() => textOf("may.txt"), patient).toContain("greased");
    await rename(path.join(place, "june.txt"), path.join(place, "july.txt"));
    await rm(path.join(place, "may.txt"));
    await poll(() => textOf("july.txt"), patient).toContain("painted");
    await poll(() => Promise.all(["may.txt", "june.txt"].map(textOf)), patient).toEqual([
      undefined,
      undefined,
    ]);
    const { text } = await manager.ask(slug, "When was the crane greased?");
    expect(text).not.toContain("greased.");
  });

  it("takes a signed webhook of a source, and finds the change within a minute", async () => {
    site.put("/guide/", 'The guide. <a href="/guide/ferry.html">Ferry</a>');
    site.put("/guide/ferry.html", "The ferry leaves at seven.");
    const connectionId = await addSource("website", { url: `${site.url}/guide/`, sitemap: false });
    await poll(() => textOf("/guide/ferry.html"), patient).toContain("at seven");
    const { path: hookPath, secret } = await manager.json<{ path: string; secret: string }>(
      "POST",
      `/workspace/${slug}/connections/${connectionId}/hook`,
      {},
    );
    site.put("/guide/ferry.html", "The ferry leaves at eleven.");
    const body = JSON.stringify({ ref: "refs/heads/main" });
    const send = async (key: string): Promise<number> => {
      const signature = createHmac("sha256", key).update(body).digest("hex");
      const reply = await fetch(`${instance.url}${hookPath}`, {
        method: "POST",
        headers: {
          "content-type": "application/json",
          "x-hub-signature-256": `sha256=${signature}`,
        },
        body,
      });
      return reply.status;
    };
    expect(await send("another secret")).toBe(404);
    expect(await send(secret)).toBe(202);
    await poll(() => textOf("/guide/ferry.html"), patient).toContain("at eleven");
  });
});
