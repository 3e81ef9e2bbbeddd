import { describe, expect, it } from "@jest/globals";
import { preferenceDefinitions } from "./preference-definition.ts";
import {
  cleanText,
  readFlag,
  readFooter,
  readList,
  readNumber,
  readText,
  readWebAddress,
} from "./preference-reader.ts";

const settings = { values: new Map<string, string>(), secrets: new Map<string, string>() };

describe("reading preference values", () => {
  it.each([
    ["  Library  ", "Library"],
    ["a\u0000b\nc\u007f", "abc"],
    ["", null],
    ["   ", null],
    [null, null],
    [7, "7"],
    [{}, undefined],
    [["x"], undefined],
    [true, undefined],
    ["x".repeat(300), "x".repeat(255)],
  ])("stores text %j as %j", (sent, kept) => {
    expect(readText(255)(sent)).toEqual(kept);
  });

  it("stores no half surrogate pairs", () => {
    expect(cleanText("ab😀", 3)).toBe("ab");
    expect(cleanText("a\ud800b", 10)).toBe("a\ufffdb");
    expect(cleanText("one\ntwo\t\u0007", 20, { lines: true })).toBe("one\ntwo");
  });

  it.each([
    ["500", 500],
    [500.7, 500],
    [0, 1000],
    [-3, 1000],
    ["", 1000],
    [null, 1000],
    ["many", 1000],
    [true, 1000],
    [1e12, 2_147_483_647],
    [Number.NaN, 1000],
    ["0.5", 1000],
  ])("stores chunk size %j as %j", (sent, kept) => {
    expect(readNumber(1, 1000)(sent)).toBe(kept);
  });

  it.each([
    [0, 0],
    ["0", 0],
    [-1, 20],
    [null, 20],
    ["", 20],
  ])("stores chunk overlap %j as %j", (sent, kept) => {
    expect(readNumber(0, 20)(sent)).toBe(kept);
  });

  it.each([
    [true, true],
    ["true", true],
    [1, true],
    ["enabled", true],
    ["false", false],
    [null, false],
    [{}, false],
  ])("reads flag %j as %j", (sent, kept) => {
    expect(readFlag(sent)).toBe(kept);
  });

  it.each([
    ["web-browsing, create-chart,,web-browsing", ["web-browsing", "create-chart"]],
    ["", []],
    [
      ["a", 3, "b"],
      ["a", "b"],
    ],
    [null, []],
    [5, undefined],
  ])("stores names %j as %j", (sent, kept) => {
    expect(readList(sent)).toEqual(kept);
  });

  it.each([
    ["https://example.org/a.ico", "https://example.org/a.ico"],
    ["javascript:alert(1)", null],
    ["data:image/png;base64,AA", null],
    ["/favicon.ico", null],
    [null, null],
    [`https://example.org/${"x".repeat(3000)}`, null],
  ])("stores page icon %j as %j", (sent, kept) => {
    expect(readWebAddress(sent)).toBe(kept);
  });

  const link = (url: unknown, icon: unknown = "BookOpen"): unknown => ({ icon, url });
  it.each([
    ["not json", []],
    ["{}", []],
    ["null", []],
    [7, []],
    [null, []],
    [
      JSON.stringify([link("https://a.example"), link("mailto:help@a.example", "At")]),
      [link("https://a.example"), link("mailto:help@a.example", "At")],
    ],
    [
      JSON.stringify([
        link("javascript:alert(1)"),
        link("ftp://a.example"),
        link(3),
        null,
        "x",
        link("http://b.example", { a: 1 }),
      ]),
      [link("http://b.example", "")],
    ],
    [
      JSON.stringify(["a", "b", "c", "d"].map((name) => link(`https://${name}.example`))),
      ["a", "b", "c"].map((name) => link(`https://${name}.example`)),
    ],
  ])("stores footer %j as %j", (sent, kept) => {
    expect(readFooter(sent)).toEqual(kept);
  });

  it("shows the wire's defaults for unset preferences", () => {
    const shown = [...preferenceDefinitions].flatMap(([label, { read }]) =>
      read === undefined ? [] : [[label, read(undefined, settings)]],
    );
    expect(Object.fromEntries(shown)).toEqual({
      custom_app_name: null,
      footer_data: "[]",
      scheduled_work: "true",
      scheduled_work_limit: null,
      support_email: null,
      meta_page_title: null,
      meta_page_favicon: null,
      text_splitter_chunk_size: null,
      text_splitter_chunk_overlap: null,
      max_embed_chunk_size: 1000,
      agent_automatic_default: "false",
      agent_search_provider: null,
      agent_skill_rules: {},
      agent_sql_connections: [],
      default_agent_skills: [],
      disabled_agent_skills: [],
      disabled_filesystem_skills: [],
      disabled_create_files_skills: [],
      disabled_gmail_skills: [],
      disabled_google_calendar_skills: [],
      disabled_outlook_skills: [],
      imported_agent_skills: [],
      feature_flags: {},
      memory_enabled: "false",
      memory_auto_extraction: "true",
    });
  });

  it.each<[string, Record<string, string>, { size: number | null; maximum: number }]>([
    ["native", {}, { size: null, maximum: 1000 }],
    [
      "native",
      { EmbeddingModelPref: "Xenova/nomic-embed-text-v1" },
      { size: null, maximum: 16_000 },
    ],
    ["ollama", { EmbeddingModelMaxChunkLength: "8192" }, { size: 8192, maximum: 8192 }],
    ["ollama", {}, { size: null, maximum: 1000 }],
    // Left over from another embedder.
    ["native", { EmbeddingModelMaxChunkLength: "8192" }, { size: null, maximum: 1000 }],
    ["openai", { EmbeddingModelMaxChunkLength: "500" }, { size: null, maximum: 8191 }],
  ])("offers chunks of the length that %s takes with %j", (EmbeddingEngine, more, wanted) => {
    const read = (label: string): unknown =>
      preferenceDefinitions.get(label)!.read!(undefined, {
        ...settings,
        values: new Map(Object.entries({ EmbeddingEngine, ...more })),
      });
    expect({
      size: read("text_splitter_chunk_size"),
      maximum: read("max_embed_chunk_size"),
    }).toEqual(wanted);
  });

  it("accepts only known search providers", () => {
    const write = preferenceDefinitions.get("agent_search_provider")!.write!;
    expect(["tavily-search", "none", "evil", 3].map(write)).toEqual([
      "tavily-search",
      null,
      null,
      null,
    ]);
    expect(preferenceDefinitions.get("agent_clarifying_questions_max_per_turn")!.write!(99)).toBe(
      10,
    );
  });
});
