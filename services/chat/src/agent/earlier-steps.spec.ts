import type { ModelMessage } from "@carrel/providers";
import { cases, run, startVendors } from "../../../../libs/providers/test/language-model-cases.ts";
import { buildEarlierMessages, insertEarlier, listEarlierExchanges } from "./earlier-steps.ts";
import type { EarlierStep } from "./run-step.repository.ts";

const model = (turnId: number, position: number): EarlierStep => ({
  turnId,
  position,
  kind: "model",
  parts: [
    { type: "reasoning", text: "Hm.", metadata: { anthropic: { signature: "s" } } },
    { type: "text", text: "Let me look." },
  ],
});
const tool = (
  turnId: number,
  position: number,
  text: string | null,
  name = "look",
): EarlierStep => ({
  turnId,
  position,
  kind: "tool",
  call: { id: "call_1", name, input: '{"at":1}' },
  id: position - 1,
  state: "done",
  text,
  length: text?.length ?? 100_000,
});
const tools = [{ name: "look" }, { name: "read-result" }];
const window = 8_192;
const build = (rows: EarlierStep[], room = 10_000) =>
  buildEarlierMessages(listEarlierExchanges(rows, tools), room, window);
const resultsOf = (messages: readonly ModelMessage[] = []): string[] =>
  messages.flatMap(({ role, content }) =>
    role === "tool" ? content.map(({ output }) => output) : [],
  );

describe("steps of earlier answers", () => {
  it("are calls with their results, with the reasoning of each reply but no signatures", () => {
    expect(build([model(7, 1), tool(7, 2, "a"), tool(7, 3, "b"), model(7, 4), tool(7, 5, "c")]))
      .toEqual(
        new Map([
          [
            7,
            [
              {
                role: "assistant",
                content: [
                  { type: "reasoning", text: "Hm." },
                  { type: "tool-call", id: "000007002", name: "look", input: { at: 1 } },
                  { type: "tool-call", id: "000007003", name: "look", input: { at: 1 } },
                ],
              },
              {
                role: "tool",
                content: [
                  { type: "tool-result", id: "000007002", name: "look", output: "a" },
                  { type: "tool-result", id: "000007003", name: "look", output: "b" },
                ],
              },
              {
                role: "assistant",
                content: [
                  { type: "reasoning", text: "Hm." },
                  { type: "tool-call", id: "000007005", name: "look", input: { at: 1 } },
                ],
              },
              {
                role: "tool",
                content: [{ type: "tool-result", id: "000007005", name: "look", output: "c" }],
              },
            ],
          ],
        ]),
      ); // prettier-ignore
  });

  it("leave out calls of unknown tools, and what was read again", () => {
    expect(build([model(7, 1), tool(7, 2, "a", "gone"), tool(7, 3, "b", "read-result")])).toEqual(
      new Map(),
    );
    expect(
      resultsOf(build([model(7, 1), tool(7, 2, "a", "gone"), tool(7, 3, "b")]).get(7)),
    ).toEqual(["b"]);
  });

  it("have notes instead of long results", () => {
    const note = (step: number, length: number) =>
      `[Left out to save space: ${length} characters. To read it again, call read-result with answer 7, step ${step} and part 1.]`;
    expect(resultsOf(build([tool(7, 2, null), tool(7, 3, "x".repeat(5_000))]).get(7))).toEqual([
      note(1, 100_000),
      note(2, 5_000),
    ]);
  });

  it("shrink and then go from the oldest on, and are never cut", () => {
    const rows = [1, 2, 3].flatMap((turnId) => [
      model(turnId, 1),
      tool(turnId, 2, `${turnId}`.repeat(2_000)),
    ]);
    const kept = (room: number) =>
      [1, 2, 3].map((turnId) => resultsOf(build(rows, room).get(turnId))[0]?.slice(0, 5) ?? null);
    expect(kept(2_000)).toEqual(["11111", "22222", "33333"]);
    expect(kept(1_500)).toEqual(["[Left", "22222", "33333"]);
    expect(kept(1_000)).toEqual(["[Left", "[Left", "33333"]);
    expect(kept(400)).toEqual(["[Left", "[Left", "[Left"]);
    expect(kept(100)).toEqual([null, null, "[Left"]);
    expect(kept(-1)).toEqual([null, null, null]);
  });
});

const fake = await startVendors();
const messages = insertEarlier(
  [
    { role: "user", content: "Question one" },
    { role: "assistant", content: "Answer one" },
    { role: "user", content: "Question two" },
    { role: "assistant", content: "Answer two" },
    { role: "user", content: "Question three" },
  ],
  [null, 7],
  build([model(7, 1), tool(7, 2, "Result a"), tool(7, 3, "Result b")]),
);

describe.each(cases.filter(({ vendor }) => vendor.language!.supports!.tools))(
  "earlier steps sent to $id",
  ({ make, usual }) => {
    it("are in the vendor's form, in order", async () => {
      fake.behave({ ...usual, reply: "Fine." });
      const look = { name: "look", description: "Looks.", inputSchema: { type: "object" } };
      const { error, text } = await run(make(fake.url), { messages, tools: [look] });
      expect([error, text]).toEqual([null, "Fine."]);
      const { tools: _, toolConfig: _config, ...body } = fake.requests.at(-1)!.body;
      const sent = JSON.stringify(body);
      const order = ["Question one", "Answer one", "Question two", "look", "Result a", "Result b", "Answer two", "Question three"]; // prettier-ignore
      const places = order.map((each) => sent.indexOf(each));
      expect(places).not.toContain(-1);
      expect(places).toEqual([...places].sort((a, b) => a - b));
      expect(sent).not.toContain('signature":"s');
    });
  },
);
