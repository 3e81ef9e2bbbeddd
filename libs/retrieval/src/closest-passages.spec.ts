import { describe, expect, it } from "@jest/globals";
import { closestPassages } from "./closest-passages.ts";

const passage = (text: string, score = 0.8) => ({
  text,
  title: "document.md",
  headingPath: [],
  score,
});
const closest = (question: string, ...passages: ReturnType<typeof passage>[]) =>
  closestPassages({ question, previousQuestion: null, passages, threshold: 0.25 });

const guide = passage(
  "# Coffee machine\n\nDescale it every month.\n\n## Cleaning\n\nTo clean the brewing unit:\n\n1. Switch the machine **off**.\n2. Open the [side door](#door) and take out the unit.\n3. Rinse it under warm water.\n\nNever use soap.\n\n## Commands\n\nReset it from a terminal:\n\n```sh\nbrew reset --all\nbrew status\n```\n\n| Part | Price |\n| --- | --- |\n| Filter | 4 euros |\n| Brewing unit | 39 euros |\n",
);

describe("closestPassages", () => {
  it("shows a list, table or code as a whole, with the sentence that leads into it", () => {
    const texts = (question: string) => closest(question, guide).map(({ text }) => text);
    expect(texts("Who rinses the unit?")).toEqual([
      "To clean the brewing unit:\n\n1. Switch the machine **off**.\n2. Open the [side door](#door) and take out the unit.\n3. Rinse it under warm water.",
    ]);
    expect(texts("Why does brew status fail?")).toEqual([
      "Reset it from a terminal:\n\n```sh\nbrew reset --all\nbrew status\n```",
    ]);
    expect(texts("Who makes the filter?")).toEqual([
      "| Part | Price |\n| --- | --- |\n| Filter | 4 euros |\n| Brewing unit | 39 euros |",
    ]);
  });

  it("shows whole sentences of one section, verbatim, one excerpt per passage, best first", () => {
    const sentences = (name: string, count: number) =>
      Array.from({ length: count }, (_, n) => `Sentence ${n} tells something of ${name}.`).join(
        " ",
      );
    const passages = [
      passage(sentences("a ferry and its harbour", 30), 0.4),
      passage(
        `${sentences("bridges", 10)} The ferry sails at noon from the harbour. ${sentences("towns", 10)}`,
      ),
      passage("# Opera\n\nTickets are sold at the door."),
    ];
    const found = closest("Why is the ferry to the harbour late?", ...passages);
    expect(found.map((each) => each.passage)).toEqual([2, 1]);
    expect(found[0]!.text).toContain("The ferry sails at noon from the harbour.");
    for (const { text, passage: number, start, end } of found) {
      expect(passages[number - 1]!.text.slice(start, end)).toBe(text);
      expect(text).toMatch(/^(?:Sentence|The).*\.$/);
      expect(text.length).toBeGreaterThan(300);
      expect(text.length).toBeLessThanOrEqual(500);
    }
  });

  it("closes the fence of code that it shows in part, and keeps the head of a table", () => {
    const code = Array.from({ length: 40 }, (_, n) => `run step${n} --slowly --twice`).join("\n");
    const rows = Array.from({ length: 40 }, (_, n) => `| part${n} | ${n} euros |`).join("\n");
    const [shown] = closest("What does step20 do?", passage(`\`\`\`sh\n${code}\n\`\`\``));
    expect(shown!.text).toMatch(/^```sh\nrun step(?:.|\n)*run step20 (?:.|\n)*\n```$/);
    expect(shown!.text.length).toBeLessThan(600);
    const [table] = closest(
      "Who made part20?",
      passage(`| Part | Price |\n| --- | --- |\n${rows}`),
    );
    expect(table!.text).toMatch(/^\| Part \| Price \|\n\| --- \| --- \|\n(?:.|\n)*\| part20 \|/);
  });

  it("shows nothing of passages that have no informative word of the question", () => {
    expect(closest("How do whales sleep?", guide)).toEqual([]);
    expect(closest("anything")).toEqual([]);
  });
});
