import type { AgentSettings } from "@carrel/contracts";
import type { Tool } from "@carrel/skills";
import { toolOf } from "../../test/agent-tools.ts";
import { passageOf } from "../../test/factories/passage.ts";
import {
  approvalKey,
  findApproval,
  isDescribedByOthers,
  listRead,
  listTypedAddresses,
  listWords,
  normaliseAddress,
  readsPrivate,
  showDestination,
  showDetails,
  showLabel,
  showValue,
  type RunTrust,
} from "./trust.ts";

const nothing = () => ({ text: "" });
const page = toolOf("read-web-page", nothing, {
  skill: "web-scraping",
  effect: "fetch",
  approval: "when-tainted",
  addresses: (input) => [(input as { url: string }).url],
});
const search = toolOf("search-web", nothing, {
  skill: "web-browsing",
  effect: "fetch",
  addresses: () => ["https://search.example"],
});
const remember = toolOf("remember", nothing, { effect: "write", approval: "when-tainted" });
const mail = toolOf("send", nothing, { skill: "mail", effect: "send", approval: "always" });

const clean: RunTrust = {
  hasReadUntrusted: false,
  hasReadPrivate: false,
  knownAddresses: new Set(),
  typedWords: new Set(),
  approved: new Set(),
};
/** Has read a document, after this question. */
const tainted = (question = "", part: Partial<RunTrust> = {}): RunTrust => ({
  ...clean,
  hasReadUntrusted: true,
  hasReadPrivate: true,
  knownAddresses: new Set(listTypedAddresses(question)),
  typedWords: new Set(listWords(question)),
  ...part,
});
const reasonOf = (
  tool: Tool,
  input: unknown,
  trust: RunTrust,
  o: {
    rule?: AgentSettings["rules"][string];
    destination?: string | null;
  } = {},
) =>
  findApproval(tool, input, {
    trust,
    rule: o.rule,
    destination: o.destination ?? null,
  });

describe("what needs an approval", () => {
  it.each([
    ["a write", remember, null, "untrusted"],
    ["a mail", mail, "outside", "untrusted"],
    ["reading", toolOf("read", nothing), null, null],
    ["a tool without an effect that asks", toolOf("x", nothing, { approval: "when-tainted" }), null, "untrusted"], // prettier-ignore
    ["a request without a known address", { ...page, addresses: () => [] }, null, "untrusted"],
  ] as const)("%s", (_, tool, before, after) => {
    expect(reasonOf(tool, {}, clean)).toBe(before);
    expect(reasonOf(tool, {}, tainted())).toBe(after);
  });

  it("isn't lifted by a lasting permission once the run has read content of others", () => {
    expect(reasonOf(mail, {}, clean)).toBe("outside");
    expect(reasonOf(mail, {}, tainted())).toBe("untrusted");
    expect(reasonOf(search, { query: "x" }, clean, { rule: "ask" })).toBe("required");
  });

  it("is lifted for the run only for the same tool and destination", () => {
    const approved = new Set([approvalKey("send", "a@example.com", { text: "one" })]);
    const trust = tainted("", { approved });
    const text = { text: "two" };
    expect(reasonOf(mail, text, trust, { destination: "a@example.com" })).toBeNull();
    for (const destination of ["b@example.com", "A@example.com", "a@example.com ", null])
      expect(reasonOf(mail, text, trust, { destination })).toBe("untrusted");
    expect(reasonOf(remember, text, trust, { destination: "a@example.com" })).toBe("untrusted");
  });

  it("is lifted only for the same call if it has no destination", () => {
    const approved = new Set([approvalKey("remember", null, { text: "likes tea", a: 1 })]);
    const trust = tainted("", { approved });
    expect(reasonOf(remember, { a: 1, text: "likes tea" }, trust)).toBeNull();
    expect(reasonOf(remember, { a: 1, text: "trusts evil.example" }, trust)).toBe("untrusted");
  });
});

describe("a request of a run that has read content of others", () => {
  const question = "Read https://example.com/a?b=1 (and docs.example.org/x). Not me@mail.example!";
  it.each([
    "https://example.com/a?b=1",
    "HTTPS://EXAMPLE.com:443/a?b=1#secret",
    "  https://example.com/x/../a?b=1 ",
    "https://docs.example.org/x",
    "http://docs.example.org/x",
  ])("needs no approval for what the person typed: %s", (url) => {
    expect(reasonOf(page, { url }, tainted(question))).toBeNull();
  });

  it.each([
    "https://example.com/a?b=1&q=secret",
    "https://example.com/a",
    "https://example.com/a?b=2",
    "https://example.com/a%3Fb=1",
    "https://example.com/A?b=1",
    "https://example.com/a?b=1%20",
    "https://example.com:8443/a?b=1",
    "https://user:secret@example.com/a?b=1",
    "https://secret@example.com/a?b=1",
    "https://example.com./a?b=1",
    "https://example.com.evil.example/a?b=1",
    "https://secret.example.com/a?b=1",
    "https://example.com@evil.example/a?b=1",
    "https://evil.example\\@example.com/a?b=1",
    "https://ex\u0430mple.com/a?b=1",
    "https://xn--exmple-4nf.com/a?b=1",
    "http://example.com/a?b=1",
    "//example.com/a?b=1",
    "data:text/html,secret",
    "javascript:alert(1)",
    "file:///etc/passwd",
    "https://mail.example/",
    "https://me@mail.example/",
    "",
  ])("needs one for any other address: %s", (url) => {
    expect(reasonOf(page, { url }, tainted(question))).toBe("untrusted");
  });

  it("needs one if any of several addresses is unknown", () => {
    const both = {
      ...page,
      addresses: () => ["https://example.com/a?b=1", "https://evil.example"],
    };
    expect(reasonOf(both, {}, tainted(question))).toBe("untrusted");
  });
});

describe("a search of a run that has read private content", () => {
  const question = "What does the Heat-Pump of Müller cost in 2024? हिन्दी";
  it.each(["heat pump cost", "Müller heat-pump 2024", '"heat pump"', "COST 2024?", "हिन्दी", ""])(
    "needs no approval for words that the person typed: %s",
    (query) => {
      expect(reasonOf(search, { query }, tainted(question))).toBeNull();
    },
  );

  it.each([
    ["another word", "heat pump hunter2"],
    ["short words that spell it out", "hu nt er"],
    ["digits", "4 7 1 1"],
    ["words glued together", "heatpumphunter"],
    ["base64", "c2VjcmV0 cost"],
    ["a look-alike", "he\u0430t pump"],
    ["full-width letters", "ｈｅａｔ pump"],
    ["capitals that carry bits", "hEaT pUmP"],
    ["repetitions", "heat heat pump heat"],
    ["punctuation", "heat..--..pump"],
    ["zero-width characters", "heat\u200B\u200C pump"],
    ["tags", "heat \u{E0073}\u{E0065}"],
    ["combining marks", "heat p\u0308ump"],
    ["emoji", "heat 🔥 pump"],
    ["several spaces", "heat   pump"],
    ["lines", "heat\n\npump"],
  ])("needs one for %s", (_, query) => {
    expect(reasonOf(search, { query }, tainted(question))).toBe("untrusted");
  });

  it("looks at every value of the input", () => {
    expect(reasonOf(search, { query: "cost", more: [{ n: 4711 }] }, tainted(question))).toBe(
      "untrusted",
    );
  });

  it("needs none before, nor if only public pages have been read", () => {
    expect(reasonOf(search, { query: "anything" }, clean)).toBeNull();
    expect(
      reasonOf(search, { query: "anything" }, tainted("", { hasReadPrivate: false })),
    ).toBeNull();
  });
});

describe("what people have typed", () => {
  it.each([
    ["see example.com.", ["https://example.com/", "http://example.com/"]],
    ["https://example.com/wiki/A_(b), ok", ["https://example.com/wiki/A_(b)"]],
    ["(https://example.com/a)", ["https://example.com/a"]],
    ["看 https://example.com/a。", ["https://example.com/a"]],
    ["münchen.de", ["https://xn--mnchen-3ya.de/", "http://xn--mnchen-3ya.de/"]],
    ["write to bob@my-evil.example", []],
    ["éevil.example", ["https://xn--evil-9oa.example/", "http://xn--evil-9oa.example/"]],
    ["data:text/html,x //x javascript:1 10.0.0.1", []],
  ])("names addresses: %s", (text, addresses) => {
    expect(listTypedAddresses(text)).toEqual(addresses);
  });

  it.each([
    ["closing brackets", `https://a.b/${")".repeat(200_000)}x`, 0],
    ["full stops", `https://a.b/${".".repeat(200_000)}x`, 0],
    ["opening brackets", `https://a.b/${"(".repeat(200_000)}x`, 0],
    ["brackets at the end", `https://a.b/x${")".repeat(200_000)}`, 1],
    ["one long domain", `${"a.".repeat(100_000)}1`, 0],
    ["one long host", `https://${"字".repeat(200_000)}`, 0],
    ["hosts of other scripts", `https://${"字嘗界".repeat(1_300)} `.repeat(50), 1],
    ["many addresses", "https://a.b/c ".repeat(15_000), 1],
  ])("is read in no time, however long: %s", (_, text, found) => {
    // Of this thread: other tests may be running.
    const before = process.threadCpuUsage();
    expect(new Set(listTypedAddresses(text)).size).toBe(found);
    listWords(text);
    const { user, system } = process.threadCpuUsage(before);
    expect((user + system) / 1_000).toBeLessThan(200);
  });

  it("includes no address of more than 4,000 characters", () => {
    const start = "https://example.com/";
    const longest = start + "a".repeat(4_000 - start.length);
    expect(listTypedAddresses(`${longest} ${longest}a`)).toEqual([longest]);
  });

  it("leaves what is no address as it is", () => {
    expect(normaliseAddress(" //example.com ")).toBe("//example.com");
    expect(normaliseAddress("https://Example.com#x")).toBe("https://example.com/");
  });
});

describe("what an approval shows", () => {
  it.each([
    ["a\u202Eb", "a␣U+202E␣b"],
    ["a\u200Bb\u2060", "a␣U+200B␣b␣U+2060␣"],
    ["\u{E0041}", "␣U+E0041␣"],
    ["a\uFE01\u{E0101}", "a␣U+FE01␣␣U+E0101␣"],
    ["\u2800\u3164", "␣U+2800␣␣U+3164␣"],
    ["a\rb\u2028c\u0000\u0085", "a␣U+000D␣b␣U+2028␣c␣U+0000␣␣U+0085␣"],
    ["\uD800\uE000", "␣U+D800␣␣U+E000␣"],
    ["two\n\tlines", "two\n\tlines"],
    [`to${" ".repeat(500)}evil`, "to ␣×500 evil"],
    [`to${"\n".repeat(9)}evil`, "to ↵×9 evil"],
    [`to${" ".repeat(70)}\n${"\t".repeat(12)}evil`, "to ␣×70 ↵×1 ⇥×12 evil"],
    ["a\u00A0b\u2002\u2003\u2009\u3000", "a␣U+00A0␣b␣U+2002␣␣U+2003␣␣U+2009␣␣U+3000␣"],
    ["\u00A0\u2003".repeat(50), "␣U+00A0␣␣U+2003␣".repeat(50)],
    ["a\u0301\u0301\u0301\u0301\u0301", "a\u0301\u0301\u0301\u0301␣U+0301␣"],
    ["mail bob@\u0430pple.com", "mail bob@\u0430pple.com (xn--pple-43d.com)"],
    ["https://me@\u0430pple.com/x", "https://me@\u0430pple.com (xn--pple-43d.com)/x"],
    ["Ünïcode, 日本語, हिन्दी, bob@example.com", "Ünïcode, 日本語, हिन्दी, bob@example.com"],
  ])("hides nothing of a value: %j", (value, shown) => {
    expect(showValue(value)).toBe(shown);
  });

  it("is whole, however long, and quick", () => {
    const value = `${"@a".repeat(100_000)}${"://".repeat(100_000)}secret`;
    expect(showValue(value)).toBe(value);
    expect(showValue(" \t".repeat(30)).length).toBe(60);
  });

  it("has labels of one line", () => {
    expect(showLabel("to\n\nApproved: yes\u202E")).toBe("to Approved: yes␣U+202E␣");
    expect(showLabel("x".repeat(1_000))).toHaveLength(100);
  });

  it("shortens no name of a field, since it is sent too", () => {
    const long = `${"x".repeat(100)}secret`;
    expect(showDetails([{ label: long, value: "a" }])).toEqual([
      { label: "x".repeat(100), value: `"${long}":\na` },
    ]);
  });

  it("shows no two fields with the same name", () => {
    const labels = ["te xt", "te\txt", "te xt (2)", "te\nxt", "other"];
    const shown = showDetails(labels.map((label, index) => ({ label, value: String(index) })));
    expect(shown.map(({ label }) => label)).toEqual([
      "te xt",
      "te xt (2)",
      "te xt (2) (2)",
      "te xt (3)",
      "other",
    ]);
    expect(shown.map(({ value }) => value)).toEqual(["0", '"te\\txt":\n1', "2", '"te\\nxt":\n3', "4"]); // prettier-ignore
  });

  it.each([
    ["https://ex\u0430mple.com/a", "https://xn--exmple-4nf.com/a"],
    ["example.com", "example.com"],
    ["Google Calendar, bob@example.com", "Google Calendar, bob@example.com"],
    ["\u0430dmin@example.com", "\u0430␣U+0430␣dmin@example.com"],
    ["bob@ex\u0430mple.com", "bob@xn--exmple-4nf.com"],
    ["handbook\u202E", "handbook␣U+202E␣"],
  ])("makes look-alike destinations visible: %j", (destination, shown) => {
    expect(showDestination(destination)).toBe(shown);
  });
});

describe("what taints a run", () => {
  const of = (skill: string, isUntrusted = true) => toolOf("x", nothing, { skill, isUntrusted });
  it("is private unless everybody can read it", () => {
    expect(["web-browsing", "web-scraping", "rag-memory", "mcp:x"].map((id) => readsPrivate(of(id)))) // prettier-ignore
      .toEqual([false, false, true, true]);
    expect(readsPrivate(of("rag-memory", false))).toBe(false);
  });
  it("includes descriptions that servers have written, unless they were approved", () => {
    const unapproved = { ...of("mcp:x"), hasUnapprovedDescription: true };
    expect([unapproved, of("mcp:x")].map(isDescribedByOthers)).toEqual([true, false]);
  });
});

describe("what a prompt has read before its first call", () => {
  const clean = { hasReadUntrusted: false, hasReadPrivate: false };
  const prompt: Parameters<typeof listRead>[0] = {
    history: [],
    attachments: [],
    fullTexts: [],
    passages: [],
    memories: [],
    tools: {},
  };
  const turn = { id: 1, question: "Hi?", answer: "Hello.", attachments: [] };

  it("is nothing for a question, even after plain answers", () => {
    expect(listRead(prompt)).toEqual(clean);
    expect(listRead({ ...prompt, history: [{ ...turn, ...clean }] })).toEqual(clean);
  });

  it("is what its own texts and those of earlier answers hold", () => {
    const both = { hasReadUntrusted: true, hasReadPrivate: true };
    const attached = { name: "a.png", mime: "image/png", contentString: "" };
    expect(listRead({ ...prompt, attachments: [attached] })).toEqual(both);
    expect(listRead({ ...prompt, passages: [passageOf()] })).toEqual(both);
    const exchange = [{ role: "tool" as const, id: "1", name: "x", output: "" }];
    expect(listRead({ ...prompt, tools: { exchange } })).toEqual(both);
    const page = { hasReadUntrusted: true, hasReadPrivate: false };
    expect(
      listRead({ ...prompt, history: [{ ...turn, ...page }, { ...turn, ...clean }] }), // prettier-ignore
    ).toEqual(page);
  });

  it("is private but not of others for memories", () => {
    expect(listRead({ ...prompt, memories: [{ id: 1, content: "likes tea" }] })).toEqual({
      hasReadUntrusted: false,
      hasReadPrivate: true,
    });
  });
});
