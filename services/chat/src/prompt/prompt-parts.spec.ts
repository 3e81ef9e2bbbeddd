import { expandPresets, fillVariables, mayHavePlaceholders } from "./prompt-parts.ts";

const presets = [
  { command: "/brief", prompt: "Be brief." },
  { command: "/again", prompt: "Say /brief once more, for $1 and $&." },
];

describe("slash commands", () => {
  it.each([
    ["/brief", "Be brief."],
    ["Please /brief", "Please Be brief."],
    ["/brief and /brief", "Be brief. and Be brief."],
    ["/Brief\nnow", "Be brief.\nnow"],
    ["Do it /brief, please /brief.", "Do it Be brief., please Be brief.."],
    ["/again", "Say /brief once more, for $1 and $&."],
    ["/briefly", "/briefly"],
    ["/brief-not", "/brief-not"],
    ["a/brief", "a/brief"],
    ["/brief/x", "/brief/x"],
    ["/etc/brief", "/etc/brief"],
    ["/unknown", "/unknown"],
    ["//brief", "//brief"],
  ])("%j becomes %j", (message, expanded) => {
    expect(expandPresets(message, presets)).toBe(expanded);
  });

  it("do not grow a message without bound", () => {
    const grown = expandPresets("/long ".repeat(30_000), [
      { command: "/long", prompt: "x".repeat(20_000) },
    ]);
    expect(grown.length).toBeLessThanOrEqual(300_000);
    expect(grown).toContain("/long");
  });

  it("and variables are fetched only when they may occur", () => {
    expect(mayHavePlaceholders("What is 1/2 of it?", "Be brief.")).toBe(false);
    expect(mayHavePlaceholders("What is /this?", "Be brief.")).toBe(true);
    expect(mayHavePlaceholders("What is it?", "It is {date}.")).toBe(true);
    expect(mayHavePlaceholders("What is {date}?", 'Answer as JSON: { "a": 1 }')).toBe(false);
  });

  it("take no longer for an adversarial message", () => {
    const started = process.threadCpuUsage();
    expandPresets(`${"/a".repeat(50_000)} ${"/b!".repeat(30_000)}`, presets);
    expandPresets(`/a${"!".repeat(100_000)}x`, presets);
    expect(process.threadCpuUsage(started).user).toBeLessThan(5_000_000);
  });
});

describe("variables", () => {
  it("are filled in once; unknown ones are kept", () => {
    expect(
      fillVariables("{a}{b} {c} {user.name} {toString} { a } {a", {
        a: "{b}",
        b: "2",
        "user.name": "Ada",
      }),
    ).toBe("{b}2 {c} Ada {toString} { a } {a");
  });
});
