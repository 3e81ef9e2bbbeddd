import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { flowSteps } from "@carrel/contracts";
import { createContentClient } from "@carrel/egress";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "@jest/globals";
import type { FlowPorts } from "./block.ts";
import type { EndedBlock, FlowJournal, RecordedBlock } from "./flow-journal.ts";
import { FlowSecrets } from "./flow-secrets.ts";
import { noCredentials } from "./no-credentials.fixture.ts";
import { runFlow, type FlowOptions } from "./run-flow.ts";

const received: string[] = [];
const server = createServer((request, response) => {
  received.push(`${request.method} ${request.url}`);
  response.writeHead(200, { "content-type": "application/json" }).end('{"n":1}');
});
let site = "";
beforeAll(async () => {
  await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
  site = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterAll(async () => {
  server.closeAllConnections();
  await new Promise((done) => server.close(done));
});

class Lost extends Error {}

/** Records in memory; `loseAt` is the number of the call with which the replica is lost. */
class MemoryJournal implements FlowJournal {
  readonly recorded = new Map<string, RecordedBlock>();
  readonly ended: EndedBlock[] = [];
  readonly calls: string[] = [];

  constructor(
    private readonly loseAt = Infinity,
    before?: MemoryJournal,
  ) {
    for (const call of before?.calls ?? [])
      if (call.startsWith("send")) this.recorded.set(call.slice(5), { state: "sent" });
    for (const { path, state, value } of before?.ended ?? [])
      if (state === "done") this.recorded.set(path, { state, value });
    this.ended.push(...(before?.ended ?? []));
  }

  begin({ path }: { path: string }): Promise<void> {
    return this.note(`begin ${path}`);
  }

  send({ path }: { path: string }): Promise<void> {
    return this.note(`send ${path}`);
  }

  async end(block: EndedBlock): Promise<void> {
    await this.note(`end ${block.path}`);
    this.ended.push(structuredClone(block));
  }

  private note(call: string): Promise<void> {
    if (this.calls.length === this.loseAt) return Promise.reject(new Lost());
    this.calls.push(call);
    return Promise.resolve();
  }
}

const said: string[] = [];
const ports: FlowPorts = {
  content: createContentClient({ allow: ["127.0.0.1"] }),
  model: {
    contextWindow: 8_000,
    ask: ({ text }) => {
      said.push(text);
      return Promise.resolve(`<${text}>`);
    },
  },
  search: null,
  secrets: new FlowSecrets(noCredentials),
  approve: () => Promise.resolve(true),
  admit: () => Promise.resolve(true),
  findFlow: () => Promise.resolve({ name: "Inner", steps: flowSteps.parse([say("${word}")]) }),
};
beforeEach(() => {
  said.length = 0;
  received.length = 0;
});

const say = (instruction: string, resultVariable = "") => ({
  type: "llmInstruction",
  config: { instruction, resultVariable },
});
const call = (method: string, path: string, responseVariable = "") => ({
  type: "apiCall",
  config: { url: site + path, method, responseVariable },
});
const steps = () => [
  { type: "start", config: { variables: [{ name: "list", value: '["a","b"]' }] } },
  {
    type: "carrel-loop",
    config: {
      list: "${list}",
      itemVariable: "item",
      resultVariable: "all",
      steps: [
        {
          type: "carrel-condition",
          config: {
            left: "${item}",
            operator: "equals",
            right: "a",
            then: [say("first ${item}", "r")],
            otherwise: [call("GET", "/read", "r"), say("later ${item}", "r")],
          },
        },
      ],
    },
  },
  {
    type: "carrel-flow",
    config: { flowId: "x", inputs: [{ name: "word", value: "${r}" }], resultVariable: "inner" },
  },
  { type: "carrel-approval", id: "ok", config: { question: "Send ${inner}?" } },
  call("POST", "/send?${inner}", "sent"),
  { type: "carrel-transform", config: { input: "${sent}", operations: [], resultVariable: "t" } },
];
const run = (journal: FlowJournal, more: Partial<FlowOptions> = {}) =>
  runFlow({
    flowId: null,
    steps: flowSteps.parse(steps()),
    inputs: {},
    ports,
    signal: new AbortController().signal,
    journal,
    ...more,
  });

describe("the journal of a run", () => {
  it("names blocks by where they are", async () => {
    const journal = new MemoryJournal();
    expect((await run(journal)).error).toBeNull();
    expect(journal.ended.map(({ path }) => path)).toEqual([
      "0",
      "1.0.0.then.0",
      "1.0.0",
      "1.1.0.otherwise.0",
      "1.1.0.otherwise.1",
      "1.1.0",
      "1",
      "2.flow.0",
      "2",
      "3",
      "4",
      "5",
    ]);
    // What is only computed isn't announced, and what can be repeated isn't fenced.
    expect(journal.calls.filter((each) => /^(begin (0|1|2|5)|send)/.test(each))).toEqual([
      "begin 1.0.0.then.0",
      "begin 1.1.0.otherwise.0",
      "begin 1.1.0.otherwise.1",
      "begin 2.flow.0",
      "send 4",
    ]);
  });

  it("continues at the block that was due, wherever an attempt was lost", async () => {
    const whole = new MemoryJournal();
    const expected = await run(whole);
    const [asked, requests] = [[...said], [...received]];
    const sentAt = whole.calls.indexOf("send 4");
    for (let loseAt = 0; loseAt < whole.calls.length; loseAt += 1) {
      said.length = 0;
      received.length = 0;
      const first = new MemoryJournal(loseAt);
      await expect(run(first)).rejects.toThrow(Lost);
      const second = new MemoryJournal(Infinity, first);
      const outcome = await run(second);
      if (loseAt === sentAt + 1) {
        expect(outcome.error?.fault).toEqual({
          code: "flow.outcome-unknown",
          params: { block: "API call" },
        });
        expect(second.ended.at(-1)).toMatchObject({ path: "4", state: "unknown" });
      } else {
        expect(outcome.error).toBeNull();
        expect(outcome.variables).toEqual(expected.variables);
        expect(outcome.output).toBe(expected.output);
      }
      // At most the block that was interrupted is run twice, and never what can't be.
      expect(said.length).toBeLessThanOrEqual(asked.length + 1);
      expect(received.filter((each) => each.startsWith("POST"))).toHaveLength(1);
      expect(received.length).toBeLessThanOrEqual(requests.length + 1);
    }
  });

  it("isn't asked about a request that wasn't admitted", async () => {
    const journal = new MemoryJournal();
    const admit = ({ method }: { method: string }) => Promise.resolve(method === "GET");
    const { error } = await run(journal, { ports: { ...ports, admit } });
    expect(error?.fault?.code).toBe("flow.denied");
    expect(journal.calls).not.toContain("send 4");
    expect(journal.ended.at(-1)).toMatchObject({ path: "4", state: "denied" });
  });

  it("knows the block that asks", async () => {
    const asked: string[] = [];
    const journal = new MemoryJournal();
    await run(journal, {
      ports: {
        ...ports,
        approve: (question, _details, { path, step }) => {
          asked.push(`${path} ${step.id} ${question}`);
          return Promise.resolve(true);
        },
        admit: ({ method }, { path }) => {
          asked.push(`${path} ${method}`);
          return Promise.resolve(true);
        },
      },
    });
    expect(asked).toEqual(["1.1.0.otherwise.0 GET", "3 ok Send <<later b>>?", "4 POST"]);
  });
});
