import { once } from "node:events";
import { setTimeout as pause } from "node:timers/promises";
import {
  Deployment,
  startFakeLlm,
  startFakeOtlp,
  startTestRedis,
  testDatabase,
  type FakeLlm,
  type FakeOtlp,
  type TestDatabase,
  type TestRedis,
  type Deployed,
} from "@carrel/testing";
import { afterAll, beforeAll, describe, expect, it, jest } from "@jest/globals";
import { ensureBuilt } from "../../tools/build.ts";
import { processes } from "../../tools/services.ts";
import { loseReplica, reachesFakeMcp } from "./agent-states/lost-replica.ts";
import { Api } from "./api.ts";
import { testLeavingGateway } from "./leaving-gateway.ts";
import { observed, testObservation } from "./observed-processes.ts";
import { rollable, testRollout } from "./rollout/rollout-test.ts";

// Each test starts or kills services that run as separate processes.
jest.setTimeout(120_000);

interface Frame {
  id: number;
  data: string;
}

/** Reads an event stream to its end; `onFrame` stops it by returning true. */
async function readStream(
  reply: Response,
  onFrame: (frame: Frame) => boolean | void,
): Promise<void> {
  let rest = "";
  const decoder = new TextDecoder();
  try {
    for await (const piece of reply.body!) {
      const blocks = (rest + decoder.decode(piece as Uint8Array, { stream: true })).split("\n\n");
      rest = blocks.pop()!;
      for (const block of blocks) {
        const [, id, data] = /^id: (\d+)\ndata: (.*)$/s.exec(block) ?? [];
        if (data !== undefined && onFrame({ id: Number(id), data }) === true) return;
      }
    }
  } catch (error) {
    // A gateway that shuts down may cut the connection; what arrived before counts.
    if (!(error instanceof TypeError)) throw error;
  }
}
const textOf = (frames: readonly Frame[]): string =>
  frames
    .map(({ data }) => {
      const { type, textResponse } = JSON.parse(data) as {
        type?: string;
        textResponse?: string | null;
      };
      return type === "textResponseChunk" ? (textResponse ?? "") : "";
    })
    .join("");

describe("every service as its own process", () => {
  let database: TestDatabase;
  let redis: TestRedis;
  let llm: FakeLlm;
  let collector: FakeOtlp;
  let deployment: Deployment;
  const named = (name: string): Deployed[] => deployment.named(name);

  beforeAll(async () => {
    await ensureBuilt();
    [database, redis, llm, collector] = await Promise.all([
      testDatabase(),
      startTestRedis(),
      startFakeLlm(),
      startFakeOtlp(),
    ]);
    deployment = new Deployment({
      database: database.url,
      redis: redis.url,
      llm: llm.url,
      environment: { ...observed(collector), ...reachesFakeMcp, ...rollable },
    });
    await Promise.all([...processes, "chat", "gateway"].map((name) => deployment.deploy(name)));
  });
  afterAll(async () => {
    await deployment?.stop();
    await llm?.stop();
    await collector?.stop();
    await redis?.stop();
    await database?.drop();
  });

  it("answers /livez, /readyz and /metrics in each", async () => {
    for (const { name, health } of deployment.deployed) {
      for (const path of ["/livez", "/readyz"])
        expect({ name, path, status: (await fetch(health + path)).status }).toEqual({
          name,
          path,
          status: 200,
        });
      expect(await (await fetch(`${health}/metrics`)).text()).toContain(
        "process_cpu_seconds_total",
      );
    }
  });

  it("each needs less than 3 s of processor time until it is ready", () => {
    for (const { name, startSeconds } of deployment.deployed)
      // About a half more on a busy machine; the gateway's was 1.0 to 1.4 s.
      expect({ name, isQuick: startSeconds < 3, startSeconds }).toMatchObject({ isQuick: true });
  });

  it("accepts an upload and answers from it, through either gateway", async () => {
    const [one, other] = named("gateway").map(({ url }) => new Api(url)) as [Api, Api];
    const { slug } = await one.makeWorkspace("Processes");
    const upload = await one.upload(
      "upload-and-embed",
      slug,
      "pump.txt",
      "The pump of station 9 was replaced in week 17.",
    );
    expect({ status: upload.status, body: upload.json() }).toMatchObject({
      status: 200,
      body: { success: true },
    });
    llm.behave({ reply: "In week 17 [1]." });
    const answer = await other.ask(slug, "When was the pump of station 9 replaced?");
    expect(answer.text).toBe("In week 17 [1].");
    expect(
      answer.frames.find((frame) => "sources" in frame && frame.sources.length > 0),
    ).toMatchObject({ sources: [{ title: "pump.txt" }] });
  });

  testObservation(
    () => deployment,
    () => collector,
    () => llm,
  );

  it("a changed workspace is read at once, through either gateway, with its model from either chat", async () => {
    const apis = named("gateway").map(({ url }) => new Api(url)) as [Api, Api];
    const { slug } = await apis[0].makeWorkspace("Settings");
    for (let round = 0; round < 6; round += 1) {
      const [here, elsewhere] = round % 2 === 0 ? apis : [apis[1], apis[0]];
      const name = `Settings ${round}`;
      // OpenAI has no key here, so its model can't be used.
      const [chatProvider, contextWindow] =
        round % 2 === 0 ? ["openai", null] : ["generic-openai", 8_192];
      await here.json("POST", `/workspace/${slug}/update`, { name, chatProvider });
      // Several, because either chat may answer.
      for (const api of [elsewhere, elsewhere, here, elsewhere])
        expect(await api.json("GET", `/workspace/${slug}`)).toMatchObject({
          workspace: { name, chatProvider, contextWindow },
        });
      const { workspaces } = await elsewhere.json<{ workspaces: { name: string }[] }>(
        "GET",
        "/workspaces",
      );
      expect(workspaces.map((each) => each.name)).toContain(name);
    }
  });

  const ask = (url: string, slug: string): Promise<Response> =>
    fetch(`${url}/api/workspace/${slug}/stream-chat`, {
      method: "POST",
      headers: { "x-carrel-stream": "1" },
      body: JSON.stringify({ message: "Tell me everything." }),
    });
  const idOf = (frames: readonly Frame[]): string =>
    (JSON.parse(frames[0]!.data) as { generationId: string }).generationId;

  it("requests wait for a service while its only replica is replaced", async () => {
    const { url } = named("gateway")[0]!;
    const api = new Api(url);
    const { slug } = await api.makeWorkspace("Replaced");
    for (const name of ["auth", "workspace"]) await deployment.kill(named(name)[0]!, "SIGTERM");
    // Longer than the gateway remembers who may use what.
    const outage = pause(6_000);
    const asked: Promise<{ status: number }>[] = [];
    const asking = setInterval(() => {
      asked.push(api.call("GET", "/workspaces"), api.call("GET", `/workspace/${slug}/chats`));
    }, 200);
    await outage;
    await Promise.all(["auth", "workspace"].map((name) => deployment.deploy(name)));
    clearInterval(asking);
    expect(asked.length).toBeGreaterThan(20);
    expect(new Set((await Promise.all(asked)).map(({ status }) => status))).toEqual(new Set([200]));
  });

  it("a gateway that stops during an answer cancels nothing: the other one delivers the rest, byte for byte", async () => {
    const [leaving, staying] = named("gateway") as [Deployed, Deployed];
    const { slug } = await new Api(staying.url).makeWorkspace("Two gateways");
    llm.behave({ tokens: 500, delayMs: 10 });
    // A client that can't resume elsewhere gets its whole answer here.
    const { slug: second } = await new Api(staying.url).makeWorkspace("In one piece");
    const other = new Api(leaving.url).ask(second, "And in one piece?");
    const before: Frame[] = [];
    await readStream(await ask(leaving.url, slug), (frame) => {
      before.push(frame);
      if (before.length === 12) leaving.child.kill("SIGTERM");
    });
    const after: Frame[] = [];
    const path = `${staying.url}/api/generation/${idOf(before)}/stream`;
    await readStream(
      await fetch(path, {
        headers: { "x-carrel-stream": "1", "last-event-id": String(before.at(-1)!.id) },
      }),
      (frame) => {
        after.push(frame);
      },
    );
    const whole: Frame[] = [];
    await readStream(await fetch(path, { headers: { "x-carrel-stream": "1" } }), (frame) => {
      whole.push(frame);
    });
    expect([...before, ...after]).toEqual(whole);
    expect(whole.at(-2)!.data + whole.at(-1)!.data).toContain("finalizeResponseStream");
    const { history } = await new Api(staying.url).json<{
      history: { role: string; content: string }[];
    }>("GET", `/workspace/${slug}/chats`);
    expect(history.at(-1)).toMatchObject({ role: "assistant", content: textOf(whole) });
    expect(textOf(whole).split(/\s+/).length).toBeGreaterThan(200);
    if (leaving.child.exitCode === null) await once(leaving.child, "exit");
    expect(leaving.child.exitCode).toBe(0);
    expect((await other).raw).toContain("finalizeResponseStream");
  });

  it("a chat replica killed while it streams: clients learn of it within 10 s, and the text so far is kept", async () => {
    const { url } = named("gateway")[0]!;
    const { slug } = await new Api(url).makeWorkspace("Two replicas");
    llm.behave({ tokens: 20_000, delayMs: 10 });
    const frames: Frame[] = [];
    let killedAt = 0;
    const startedAt = Date.now();
    await readStream(await ask(url, slug), (frame) => {
      frames.push(frame);
      // Late enough for the text so far to have been saved once.
      if (killedAt === 0 && Date.now() - startedAt > 2_500) {
        killedAt = Date.now();
        void killWriter();
      }
    });
    // ten seconds on an otherwise idle machine
    expect(Date.now() - killedAt).toBeLessThan(60_000);
    const ends = frames
      .slice(-2)
      .map(({ data }) => JSON.parse(data) as { type: string; error: unknown });
    expect(ends).toMatchObject([
      { type: "abort", error: expect.stringContaining("The text so far was kept") },
      { type: "finalizeResponseStream" },
    ]);
    const { history } = await new Api(url).json<{ history: { role: string; content: string }[] }>(
      "GET",
      `/workspace/${slug}/chats`,
    );
    expect(history.at(-1)!.content.length).toBeGreaterThan(100);
    expect(textOf(frames).startsWith(history.at(-1)!.content)).toBe(true);
    llm.behave({ reply: "Still here." });
    expect((await new Api(url).ask(slug, "Is anybody still there?")).text).toBe("Still here.");
  });

  it("agents whose chat replica is killed go on where they were, whatever they were doing", async () => {
    expect(await loseReplica(deployment, llm, "SIGKILL")).toEqual([]);
  });

  testLeavingGateway(
    () => deployment,
    () => llm,
  );

  testRollout(
    () => deployment,
    () => llm,
    () => database.url,
  );

  async function killWriter(): Promise<void> {
    for (const replica of named("chat")) {
      const figures = await (await fetch(`${replica.health}/metrics`)).text();
      if (/^carrel_generations_running(?:\{[^}]*\})? 1$/m.test(figures))
        replica.child.kill("SIGKILL");
    }
  }
});
