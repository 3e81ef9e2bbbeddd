import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { Readable } from "node:stream";
import { instanceShape, loadConfig } from "@carrel/config";
import {
  changeWorkspaceDocuments,
  findParsedFiles,
  getDocumentStates,
  getProcessorStatus,
  instancePrincipal,
  openLibraryTree,
  readWorkspaceDocuments,
  registerDocument,
  registerParsedFile,
  reviseDocument,
  searchPassages,
  settingsChanged,
  workspaceDeleted,
  workspaceDocumentWire,
  type DocumentState,
  type FileItem,
  type In,
  type Out,
  type Passage,
  type Principal,
  type ProgressFrame,
  type WorkspaceDocumentWire,
  type WorkspaceScope,
  type Scope,
} from "@carrel/contracts";
import { createDataSource } from "@carrel/database";
import { eventMessage } from "@carrel/messaging";
import { createSharedInfrastructure, startService, type StartOptions } from "@carrel/runtime";
import { openBlobStore, putContent } from "@carrel/storage";
import { startFakeLlm, startTestRedis, testDatabase, waitFor } from "@carrel/testing";
import { z } from "zod";
import { ingestService } from "../src/index.ts";
import { ingestShape } from "../src/ingest.config.ts";
import { Replicas } from "./replicas.ts";
import { type WorkspaceDouble, workspaceDouble } from "./workspace-double.ts";

export const workspaceScope = (id: number, slug = `w${id}`): WorkspaceScope => ({
  principal: instancePrincipal,
  workspace: { id, slug },
});
export const libraryScope = { principal: instancePrincipal, workspace: null };

/**
 * The real ingest service on real PostgreSQL, Redis and LanceDB, with a stubbed workspace service
 * and a fake embedder.
 */
export async function startTestIngest(
  options: {
    embedder?: boolean;
    environment?: Record<string, string>;
    reconcileMs?: number;
    /** Runs no service in this process: the test starts replicas. */
    elsewhere?: boolean;
    /** Keeps warnings for `logLines`. */
    keepLog?: boolean;
  } = {},
) {
  const [database, redis, home, fake] = await Promise.all([
    testDatabase(),
    startTestRedis(),
    mkdtemp(path.join(tmpdir(), "carrel-ingest-")),
    startFakeLlm(),
  ]);
  const environment = {
    CARREL_HOME: home,
    DATABASE_URL: database.url,
    REDIS_URL: redis.url,
    CARREL_SECRET: "a secret for tests that is long enough",
    CARREL_LOG_LEVEL: options.keepLog ? "warn" : (process.env.TEST_LOG ?? "silent"),
    CARREL_PARSE_THREADS: "2",
    CARREL_MODEL_HUB: "off",
    ...options.environment,
  };
  const config = loadConfig({ ...instanceShape, ...ingestShape }, environment);
  const withEmbedder = {
    EmbeddingEngine: "generic-openai",
    EmbeddingBasePath: `${fake.url}/v1`,
    EmbeddingModelPref: "fake-embedder",
  };
  const state: WorkspaceDouble = {
    settings: options.embedder === false ? { EmbeddingEngine: "generic-openai" } : withEmbedder,
    workspaces: [1, 2],
    confirmed: [],
  };
  const shared = createSharedInfrastructure(config, { logToFolder: options.keepLog });
  const start: StartOptions = {
    shared,
    healthPort: false,
    reconcileMs: options.reconcileMs ?? 1_000,
  };
  const services = [await startService(workspaceDouble(state, shared.secretBox), config, start)];
  if (!options.elsewhere) services.push(await startService(ingestService, config, start));
  const client = shared.messaging.client;
  const replicas = new Replicas(environment, () =>
    client.request(getProcessorStatus, {}, { scope: libraryScope }),
  );
  const blobs = openBlobStore(config);
  const source = createDataSource(
    database.url,
    { schema: "ingest", entities: [], migrations: [] },
    { poolSize: 2 },
  );
  await source.initialize();
  const frames: ProgressFrame[] = [];
  for (const channel of ["progress:1", "progress:2", "progress:library"])
    shared.messaging.broadcast.on(channel, (frame) => frames.push(frame as ProgressFrame));

  const ingest = {
    state,
    redis,
    fake,
    blobs,
    client,
    config,
    frames,
    withEmbedder,
    shared,
    source,
    sql: <T>(query: string, parameters: unknown[] = []): Promise<T[]> =>
      source.query<T[]>(query, parameters),
    /** Uploads a file as the gateway does. */
    async upload(
      workspaceId: number | null,
      filename: string,
      content: string | Buffer,
      more: Partial<In<typeof registerDocument>> = {},
      principal: Principal = instancePrincipal,
    ): Promise<string> {
      const scope = workspaceId === null ? libraryScope : workspaceScope(workspaceId);
      const stored = await putContent(blobs, Readable.from([Buffer.from(content)]), 1e9);
      const { documentId } = await client.request(
        registerDocument,
        {
          blobKey: stored.key,
          sha256: stored.sha256,
          bytes: stored.bytes,
          filename,
          mime: null,
          embed: workspaceId !== null,
          ...more,
        },
        { scope: { ...scope, principal } },
      );
      return documentId;
    },
    /** Gives a document new content as connectors do. */
    async revise(
      documentId: string,
      content: string | Buffer,
      checkedAt: string,
      more: Partial<In<typeof reviseDocument>> = {},
    ): Promise<Out<typeof reviseDocument>["state"]> {
      const stored = await putContent(blobs, Readable.from([Buffer.from(content)]), 1e9);
      const { state } = await client.request(
        reviseDocument,
        {
          documentId,
          blobKey: stored.key,
          sha256: stored.sha256,
          bytes: stored.bytes,
          filename: "content.txt",
          mime: null,
          checkedAt,
          ...more,
        },
        { scope: libraryScope },
      );
      return state;
    },
    /** Drops a file on a chat as the gateway does. */
    async drop(
      scope: WorkspaceScope,
      threadId: number,
      filename: string,
      content: string | Buffer,
    ): Promise<{ id: number; documentId: string }> {
      const stored = await putContent(blobs, Readable.from([Buffer.from(content)]), 1e9);
      return client.request(
        registerParsedFile,
        {
          threadId,
          blobKey: stored.key,
          sha256: stored.sha256,
          bytes: stored.bytes,
          filename,
          mime: null,
        },
        { scope },
      );
    },
    async files(
      scope: WorkspaceScope,
      threadId: number,
    ): Promise<Out<typeof findParsedFiles>["files"]> {
      return (await client.request(findParsedFiles, { threadId }, { scope })).files;
    },
    /** The documents that existing clients see in a workspace, checked against the wire. */
    async documents(
      scope: WorkspaceScope,
      documentIds?: string[],
    ): Promise<
      Omit<Out<typeof readWorkspaceDocuments>, "items"> & { documents: WorkspaceDocumentWire[] }
    > {
      const { items, ...page } = await client.request(
        readWorkspaceDocuments,
        { documentIds },
        { scope },
      );
      return {
        documents: z.array(workspaceDocumentWire.strict()).parse(JSON.parse(`[${items}]`)),
        ...page,
      };
    },
    /** The whole library tree, as existing clients read it. */
    async tree(scope: Scope = libraryScope): Promise<{ name: string; items: FileItem[] }[]> {
      const { pipe } = await client.request(openLibraryTree, {}, { scope });
      let text = "";
      for await (const part of shared.messaging.pipes.read(pipe)) text += part;
      return (JSON.parse(text) as { localFiles: { items: { name: string; items: FileItem[] }[] } })
        .localFiles.items;
    },
    async state1(workspaceId: number | null, documentId: string) {
      const { documents } = await client.request(
        getDocumentStates,
        { documentIds: [documentId] },
        { scope: workspaceId === null ? libraryScope : workspaceScope(workspaceId) },
      );
      return documents[0] ?? null;
    },
    async until(workspaceId: number | null, documentId: string, ...states: DocumentState[]) {
      try {
        return await waitFor(
          async () => {
            const now = await ingest.state1(workspaceId, documentId);
            if (now?.state === "failed" && !states.includes("failed"))
              throw new Error(`failed: ${JSON.stringify(now.reason)}`);
            return now && states.includes(now.state) ? now : null;
          },
          { timeoutMs: 50_000, what: `${documentId} to be ${states.join(" or ")}` },
        );
      } catch (cause) {
        const warnings = (await ingest.logLines()).slice(-12).map((line) => JSON.stringify(line));
        throw new Error(["The service's last warnings:", ...warnings].join("\n"), { cause });
      }
    },
    async search(
      workspaceId: number,
      query: string,
      more: Partial<In<typeof searchPassages>> = {},
    ): Promise<Out<typeof searchPassages>> {
      return client.request(
        searchPassages,
        { query, topN: 4, similarityThreshold: 0.1, ...more },
        { scope: workspaceScope(workspaceId) },
      );
    },
    change: (workspaceId: number, adds: string[], deletes: string[] = []) =>
      client.request(
        changeWorkspaceDocuments,
        { adds, deletes },
        { scope: workspaceScope(workspaceId) },
      ),
    async changeSettings(settings: Record<string, string>): Promise<void> {
      state.settings = settings;
      state.version = (state.version ?? 1) + 1;
      await shared.messaging.broadcast.publish(`event:${settingsChanged.name}`, {
        keys: Object.keys(settings),
      });
    },
    /** Sends the event that the workspace service's outbox would send. */
    async deleteWorkspace(workspaceId: number): Promise<void> {
      await shared.messaging.sender.send(eventMessage(workspaceDeleted, { workspaceId }));
    },
    /** The service's warnings so far. */
    async logLines(): Promise<{ msg: string; err?: { message: string } }[]> {
      const text = await readFile(path.join(home, "logs", "ingest.log"), "utf8").catch(() => "");
      return text
        .split("\n")
        .filter((line) => line !== "")
        .map((line) => JSON.parse(line));
    },
    async blobKeys(): Promise<string[]> {
      const keys: string[] = [];
      for await (const key of blobs.list("original/")) keys.push(key);
      return keys;
    },
    /**
     * Starts another ingest service in a separate process; with `built`, from the output of
     * `./carrel build` with the flags of `./carrel start`.
     */
    startReplica: (built = false) => replicas.start(built),
    /** Restarts the service; `between` runs while it is stopped. */
    async restart(between?: () => Promise<void>): Promise<void> {
      await services.pop()!.stop();
      await between?.();
      services.push(await startService(ingestService, config, start));
    },
    async stop(): Promise<void> {
      await replicas.stop();
      for (const service of services.toReversed()) await service.stop();
      await source.destroy();
      await shared.close();
      await Promise.all([
        redis.stop(),
        fake.stop(),
        database.drop(),
        rm(home, { recursive: true, force: true }),
      ]);
    },
  };
  return ingest;
}
export type TestIngest = Awaited<ReturnType<typeof startTestIngest>>;
export const textsOf = (passages: Passage[]): string[] => passages.map((passage) => passage.text);
