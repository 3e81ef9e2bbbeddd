import {
  buildRecord,
  emptyNotes,
  estimateTokens,
  type OfferedPiece,
  type RunNotes,
} from "./inspection-record.ts";

const source = (id: string) => ({
  id,
  url: "",
  title: id,
  docAuthor: "",
  description: "",
  docSource: "",
  chunkSource: "",
  published: "",
  wordCount: 1,
  token_count_estimate: 1,
  text: "",
  documentId: id,
  docpath: "",
  page: null,
  start: 0,
  end: 1,
  headingPath: [],
});
const piece = (origin: OfferedPiece["origin"], id: string, text: string): OfferedPiece => ({
  origin,
  text,
  documentId: id,
  start: 0,
  end: text.length,
  score: origin === "found" ? 0.5 : null,
  source: source(id),
});
const prompt = (
  part: Partial<NonNullable<RunNotes["prompt"]>>,
): NonNullable<RunNotes["prompt"]> => ({
  contextWindow: 4_096,
  instructions: "Be brief and kind.",
  memories: [],
  question: "How warm?",
  history: [],
  turnsGiven: 0,
  fullTexts: [],
  contextTexts: [],
  imageTokens: 0,
  counted: null,
  factor: 1,
  isCut: false,
  ...part,
});
const ended = {
  mode: "chat" as const,
  provider: "openai",
  model: "gpt",
  sources: [] as ReturnType<typeof source>[],
  reported: null as number | null,
};

describe("record of a run", () => {
  it("distributes the provider's token count among the parts", () => {
    const notes: RunNotes = {
      ...emptyNotes(),
      offered: [
        piece("pinned", "p", "Quiet hours begin at ten."),
        piece("found", "a", "The pump runs at 48 degrees."),
      ],
      prompt: prompt({
        fullTexts: ["Quiet hours begin at ten."],
        contextTexts: ["The pump runs at 48 degrees."],
        imageTokens: 1_000,
      }),
    };
    const { passages, prompt: told } = buildRecord(notes, {
      ...ended,
      reported: 1_200,
      sources: [source("p"), source("a")],
    });
    expect(told).toMatchObject({
      basis: "reported",
      tokens: { images: 1_000, history: 0, files: 0, memories: 0 },
    });
    const known = buildRecord({ ...notes, prompt: prompt({ memories: ["Is a plumber."] }) }, ended)
      .prompt!.tokens;
    expect(known.memories).toBeGreaterThan(10);
    expect(known.total).toBe(known.system + known.memories + known.question);
    expect(Math.abs(told!.tokens.total - 1_200)).toBeLessThan(4);
    expect(passages.map(({ fate, source: number }) => [fate, number])).toEqual([
      ["whole", 1],
      ["whole", 2],
    ]);
    expect(
      buildRecord({ ...notes, prompt: prompt({ counted: 100, factor: 1.2 }) }, ended).prompt,
    ).toMatchObject({ basis: "counted" });
    expect(buildRecord(notes, ended).prompt!.basis).toBe("estimated");
  });

  it("reports what was cut and what did not fit", () => {
    const notes: RunNotes = {
      ...emptyNotes(),
      offered: [
        piece("file", "f", "A long file."),
        piece("found", "a", "One."),
        piece("found", "b", "Two."),
        piece("earlier", "c", "Three."),
      ],
      prompt: prompt({ fullTexts: ["A lo"], contextTexts: ["One."], isCut: true }),
    };
    const { passages } = buildRecord(notes, { ...ended, sources: [source("f"), source("a")] });
    expect(
      passages.map(({ origin, fate, source: number, tokens }) => [
        origin,
        fate,
        number,
        tokens > 0,
      ]),
    ).toEqual([
      ["file", "cut", 1, true],
      ["found", "whole", 2, true],
      ["found", "over-budget", null, false],
      ["earlier", "over-budget", null, false],
    ]);
  });

  it("reports what was quoted", () => {
    const notes: RunNotes = {
      ...emptyNotes(),
      offered: [
        piece("pinned", "p", "Quiet hours."),
        piece("found", "a", "One."),
        piece("found", "b", "Two."),
      ],
      quoted: ["b", "p:0"],
    };
    expect(buildRecord(notes, ended)).toMatchObject({
      prompt: null,
      passages: [
        { fate: "whole", source: 2 },
        { fate: "not-quoted", source: null },
        { fate: "whole", source: 1 },
      ],
    });
  });
});

describe("estimateTokens", () => {
  it("is close to the real count for English, and cheap for long texts", () => {
    // o200k counts 9 tokens.
    expect(
      Math.abs(estimateTokens("The heat pump runs at 48 degrees today.") - 9),
    ).toBeLessThanOrEqual(3);
    expect(estimateTokens("")).toBe(0);
    const short = "The quick brown fox jumps over the lazy dog. ".repeat(80);
    expect(
      Math.abs(estimateTokens(short.repeat(1_000)) / (estimateTokens(short) * 1_000) - 1),
    ).toBeLessThan(0.05);
  });
});
