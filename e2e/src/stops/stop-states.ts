import { once } from "node:events";
import { readFileSync, existsSync } from "node:fs";
import { createServer } from "node:http";
import { connect, type AddressInfo } from "node:net";
import { join } from "node:path";
import { waitFor, type FakeLlm } from "@carrel/testing";
import pg from "pg";
import { endProcess } from "../../../tools/process.ts";
import { AgentClient, callAgent, streamedText } from "../agent-client.ts";
import { Api } from "../api.ts";
import { launch, original, servers, stopPostgres, type Launch } from "../checkout-copy.ts";
import { makePdf } from "../make-pdf.ts";

/** What a state can use. */
export interface Scene {
  carrel: Launch;
  api: Api;
  slug: string;
  vendor: FakeLlm;
  silent: SilentServer;
  /** Also ended before the check: other programs that work on the same data. */
  others: Launch[];
  /** Starts the product again, as it was started before `reach`. */
  start(): Promise<Launch>;
}

export interface StopState {
  name: string;
  /** Variables of the start. */
  environment?(servers: { vendor: FakeLlm; silent: SilentServer }): Record<string, string>;
  /** Whether the state is one of starting: `reach` doesn't wait for readiness. */
  isStarting?: boolean;
  /** Resolves once the product is in the state. */
  reach(scene: Scene): Promise<unknown>;
  /** Replaces the single SIGTERM. */
  stop?(scene: Scene): Promise<unknown>;
  /** Called once everything has ended. Returns the faults found. */
  check?(scene: Scene): Promise<string[]>;
  /** Needs the folder of models beside the checkout. */
  needsModels?: boolean;
}

const words = "The harbour crane was painted turquoise in spring, said the keeper of the light. ";
const prose = (n: number, repeats = 40): string => `Report ${n}. ${words.repeat(repeats)}`;
const unheard = (work: Promise<unknown>): void => void work.catch(() => undefined);

async function query<T extends object>(home: string, text: string): Promise<T[]> {
  const pointer = join(home, "postgres/location");
  const place = existsSync(pointer) ? readFileSync(pointer, "utf8").trim() : join(home, "postgres");
  const port = readFileSync(join(place, "data/postmaster.pid"), "utf8").split("\n")[3];
  const password = readFileSync(join(place, "password"), "utf8").trim();
  const client = new pg.Client(`postgres://carrel:${password}@127.0.0.1:${port}/carrel`);
  await client.connect();
  try {
    return (await client.query<T>(text)).rows;
  } finally {
    await client.end();
  }
}

const uploadMany = ({ api, slug }: Scene, tag: string, count: number, repeats?: number): void => {
  for (let n = 0; n < count; n++)
    unheard(api.upload("upload-and-embed", slug, `${tag}-${n}.txt`, prose(n, repeats) + tag));
};

/** Waits until this many documents meet the condition. */
const documents = ({ carrel }: Scene, condition: string, count: number): Promise<unknown> =>
  waitFor(async () => {
    const rows = await query(carrel.home, `SELECT 1 FROM ingest.document WHERE ${condition}`);
    return rows.length >= count;
  });

/** Waits until the built-in embedder has made vectors, with more to come. */
const embeds = async (scene: Scene): Promise<void> => {
  const count = async (): Promise<number> =>
    (
      await query<{ n: number }>(
        scene.carrel.home,
        "SELECT count(*)::int AS n FROM ingest.embedding_cache",
      )
    )[0]!.n;
  const before = await count();
  for (let n = 0; n < 6; n++) {
    const text = Array.from({ length: 400 }, (_, line) => `${n}.${line} ${Math.random()} ${words}`);
    unheard(scene.api.upload("upload-and-embed", scene.slug, `native-${n}.txt`, text.join("\n\n")));
  }
  await waitFor(async () => (await count()) > before, { what: "vectors", timeoutMs: 60_000 });
};

const request = (path: string, slug: string, body: unknown): string => {
  const text = JSON.stringify(body);
  return `POST /api/workspace/${slug}${path} HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: ${text.length}\r\n\r\n${text}`;
};
/** Sends a raw request and resolves with the first data of its reply. */
const firstReply = async ({ carrel }: Scene, text: string): Promise<void> => {
  const socket = connect(Number(new URL(carrel.url).port), "127.0.0.1", () => socket.write(text));
  socket.on("error", () => undefined);
  await once(socket, "data");
};
const answering = async (scene: Scene): Promise<void> => {
  scene.vendor.behave({ tokens: 20_000, delayMs: 20 });
  await firstReply(scene, request("/stream-chat", scene.slug, { message: "Which colour?" }));
};
const vendorSettings = (vendor: FakeLlm): Record<string, string> => ({
  CARREL_SETTING_LLMProvider: "generic-openai",
  CARREL_SETTING_GenericOpenAiBasePath: `${vendor.url}/v1`,
  CARREL_SETTING_GenericOpenAiModelPref: "fake-model",
  CARREL_SETTING_GenericOpenAiTokenLimit: "8192",
});
const command = (scene: Scene, args: string[]): Promise<Launch> =>
  launch(original, {
    env: { CARREL_HOME: scene.carrel.home },
    command: [join(original, "carrel"), ...args],
  }).then((started) => {
    scene.others.push(started);
    return started;
  });
const printed = (started: Launch, text: string): Promise<unknown> =>
  waitFor(() => started.output().includes(text) || started.process.exitCode !== null, {
    what: text,
    timeoutMs: 60_000,
  });

const workspaceNames = async (url: string): Promise<string[]> => {
  const { workspaces } = await new Api(url).json<{ workspaces: { name: string }[] }>(
    "GET",
    "/workspaces",
  );
  return workspaces.map(({ name }) => name);
};

/** A restore that is stopped as soon as it has printed `words`, while Carrel is stopped itself. */
const restoring = (name: string, words: string): StopState => ({
  name: `restoring: ${name}`,
  reach: async (scene) => {
    const file = join(scene.carrel.home, `${name.replaceAll(" ", "-")}.tar`);
    await (
      await command(scene, ["backup", "--to", file])
    ).ended;
    await scene.api.makeWorkspace(`After the backup: ${name}`);
    await scene.carrel.stop();
    await printed(await command(scene, ["restore", file, "--replace"]), words);
  },
  stop: ({ others }) => others.at(-1)!.stop(),
  check: async (scene) => {
    const restore = scene.others.at(-1)!;
    const lines = restore.output();
    const started = await scene.start();
    await started.ready();
    const isOld = (await workspaceNames(started.url)).includes(`After the backup: ${name}`);
    await started.stop();
    const [code, text] = isOld ? [130, "Nothing was restored"] : [0, "Restored."];
    return restore.process.exitCode === code && lines.includes(text)
      ? []
      : [
          `restore left the ${isOld ? "old" : "new"} data with exit code ${restore.process.exitCode}: ${lines.trimEnd().split("\n").slice(-4).join(" | ")}`,
        ];
  },
});

/** An agent asks its person at an existing client, who answers after the next start. */
function agentState(): StopState {
  let uuid = "";
  let requestId: unknown;
  return {
    name: "with an agent that asks its person",
    environment: ({ vendor }) => vendorSettings(vendor),
    reach: async ({ carrel, api, slug, vendor }) => {
      await api.json("POST", "/admin/system-preferences", {
        agent_clarifying_questions_enabled: true,
      });
      vendor.next(
        { toolCalls: [{ name: "ask-person", input: { questions: [{ question: "Why?" }] } }] },
        { reply: "I see." },
      );
      uuid = (await callAgent(api, slug, "@agent Ask me.")).uuid!;
      const asked = await new AgentClient(carrel.url, uuid).until("clarificationRequest");
      ({ requestId } = asked.at(-1)!);
    },
    check: async ({ start }) => {
      const started = await start();
      await started.ready();
      const client = new AgentClient(started.url, uuid);
      const answers = [{ skipped: false, answer: "Because." }];
      client.send({ type: "clarificationResponse", requestId, answers });
      const text = await client.until("WAITING_ON_INPUT").then(streamedText, String);
      await started.stop();
      return text === "I see." ? [] : [`its answer after the next start: ${text}`];
    },
  };
}

/** A server that accepts requests and never replies: the hub of "downloading the embedder". */
export interface SilentServer {
  url: string;
  requests: number;
}
export async function startSilentServer(): Promise<SilentServer> {
  const silent = { url: "", requests: 0 };
  const server = createServer(() => void (silent.requests += 1)).listen(0, "127.0.0.1");
  server.unref();
  await once(server, "listening");
  silent.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return silent;
}

/** In this order: the first ones start on an empty data folder. */
export const stopStates: StopState[] = [
  {
    name: "creating the database",
    isStarting: true,
    reach: ({ carrel }) => printed(carrel, "Creating the database"),
  },
  {
    name: "migrating",
    isStarting: true,
    reach: ({ carrel }) =>
      waitFor(
        async () =>
          (
            await query<{ n: number }>(
              carrel.home,
              "SELECT count(*)::int AS n FROM pg_namespace WHERE nspname IN ('auth', 'ingest')",
            )
          )[0]!.n > 0,
        { timeoutMs: 60_000, what: "a schema" },
      ),
  },
  {
    name: "starting again",
    isStarting: true,
    reach: ({ carrel }) => waitFor(() => servers(carrel.home).redis !== null),
  },
  {
    name: "starting, at once",
    isStarting: true,
    reach: ({ carrel }) => printed(carrel, "Starting Carrel"),
  },
  { name: "idle", reach: async () => undefined },
  {
    name: "idle, SIGINT",
    reach: async () => undefined,
    stop: ({ carrel }) => carrel.stop("SIGINT"),
  },
  {
    name: "amid a second SIGTERM",
    reach: answering,
    environment: ({ vendor }) => vendorSettings(vendor),
    stop: async ({ carrel }) => {
      carrel.process.kill("SIGTERM");
      await printed(carrel, "Stopping");
      await carrel.stop();
    },
  },
  {
    name: "receiving an upload",
    reach: (scene) => {
      const { port } = new URL(scene.carrel.url);
      const socket = connect(Number(port), "127.0.0.1", () =>
        socket.write(
          `POST /api/workspace/${scene.slug}/upload HTTP/1.1\r\nHost: localhost\r\nContent-Length: 900000\r\nContent-Type: multipart/form-data; boundary=x\r\n\r\n--x\r\nContent-Disposition: form-data; name="file"; filename="a.txt"\r\n\r\na`,
        ),
      );
      socket.on("error", () => undefined);
      return once(socket, "connect");
    },
  },
  {
    name: "parsing",
    reach: async (scene) => {
      const pages = Array.from({ length: 1_500 }, (_, n) => [{ text: `${n} ${words}` }]);
      unheard(scene.api.upload("upload", scene.slug, "long.pdf", makePdf(pages)));
      await documents(scene, "state IN ('queued', 'parsing')", 1);
    },
  },
  {
    name: "parsing many",
    reach: async (scene) => {
      uploadMany(scene, "many", 60);
      await documents(scene, "title LIKE 'many-%' OR state = 'parsing'", 4);
    },
  },
  { name: "embedding natively", needsModels: true, reach: embeds },
  {
    name: "embedding natively, SIGHUP",
    needsModels: true,
    reach: embeds,
    stop: ({ carrel }) => carrel.stop("SIGHUP"),
  },
  {
    name: "searching while it embeds natively",
    needsModels: true,
    reach: async (scene) => {
      await embeds(scene);
      for (let n = 0; n < 20; n++)
        unheard(scene.api.call("POST", `/workspace/${scene.slug}/stream-chat`, { message: words }));
    },
  },
  {
    name: "embedding by a vendor that never answers",
    environment: ({ vendor }) => ({
      CARREL_SETTING_EmbeddingEngine: "generic-openai",
      CARREL_SETTING_EmbeddingBasePath: `${vendor.url}/v1`,
      CARREL_SETTING_EmbeddingModelPref: "fake-embedding",
    }),
    reach: async (scene) => {
      scene.vendor.behave({ hang: "headers" });
      uploadMany(scene, "vendor", 4);
      await waitFor(() => scene.vendor.requests.length > 0);
    },
  },
  {
    name: "answering a stream",
    environment: ({ vendor }) => vendorSettings(vendor),
    reach: answering,
  },
  {
    name: "answering from quotes",
    reach: (scene) =>
      firstReply(scene, request("/stream-chat", scene.slug, { message: "Which colour?" })),
  },
  {
    name: "waiting for a model that never answers",
    environment: ({ vendor }) => vendorSettings(vendor),
    reach: async (scene) => {
      scene.vendor.behave({ hang: "headers" });
      unheard(scene.api.ask(scene.slug, "Which colour?"));
      await waitFor(() => scene.vendor.requests.length > 0);
    },
  },
  agentState(),
  {
    name: "downloading the embedder",
    environment: ({ silent }) => ({ CARREL_MODELS_DIR: "", CARREL_MODEL_HUB: silent.url }),
    reach: async (scene) => {
      uploadMany(scene, "download", 2);
      // The reconciler notices within a minute that the model is needed.
      await waitFor(() => scene.silent.requests > 0, { what: "a download", timeoutMs: 120_000 });
    },
  },
  {
    name: "backing up",
    reach: async (scene) => printed(await command(scene, ["backup"]), "Backing up the database"),
  },
  restoring("checking the file", "Verifying the backup"),
  restoring("filling the database", "Restoring the database"),
  restoring("committing", "Checking counts and references"),
  {
    name: "with a client of the changes",
    reach: (scene) => firstReply(scene, "GET /api/changes HTTP/1.1\r\nHost: localhost\r\n\r\n"),
  },
  {
    name: "without Redis",
    reach: ({ carrel }) => endProcess(servers(carrel.home).redis!, "SIGKILL"),
  },
  {
    name: "without PostgreSQL",
    reach: ({ carrel }) => stopPostgres(carrel.home),
  },
];
