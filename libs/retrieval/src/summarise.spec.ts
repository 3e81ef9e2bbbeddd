import { describe, expect, it } from "@jest/globals";
import { readSummaryRequest, summarise } from "./summarise.ts";

const passage = (text: string) => ({
  text,
  title: "report.txt",
  headingPath: [] as string[],
  score: 1,
});

describe("readSummaryRequest", () => {
  it.each([
    "Summarize the main points of these documents: findings, decisions and conclusions.",
    "Please summarise the documents",
    "Can you give me a short overview of these files?",
    "Fasse die Dokumente zusammen",
    "Résume les points principaux",
    "Resume los documentos",
    "Riassumi i documenti",
    "Vat de documenten samen",
    "Резюмируй",
    "Özetle",
    "Tóm tắt",
  ])("recognises %s", (question) => expect(readSummaryRequest(question)).not.toBeNull());

  it.each([
    "When was the summary of the report written?",
    "How many main points does the treaty have?",
    "Which tunnel is closed?",
    "Who should I ask?",
  ])("takes %s for a question", (question) => expect(readSummaryRequest(question)).toBeNull());

  it("names the topic", () => {
    expect(readSummaryRequest("Summarise the documents")).toEqual([]);
    expect(readSummaryRequest("Summarize the heat pump manual")).toEqual([
      "heat",
      "pump",
      "manual",
    ]);
  });
});

describe("summarise", () => {
  it("chooses the sentences that the others are about, without repeating one", () => {
    const central = "The new tram line connects the harbour with the university since March.";
    const passages = [
      passage(
        `The city council met on a rainy evening. ${central} The tram line cost ninety million euros to build. A dog barked outside the hall.`,
      ),
      passage(
        `${central} Students of the university welcome the tram line to the harbour. The canteen serves soup.`,
      ),
      passage("The tram line to the harbour carries nine thousand students a day."),
    ];
    const texts = summarise(passages).map(({ text }) => text);
    expect(texts.filter((text) => text === central)).toHaveLength(1);
    expect(texts.length).toBeLessThanOrEqual(5);
    for (const { text, passage: number, start, end } of summarise(passages))
      expect(passages[number - 1]!.text.slice(start, end)).toBe(text);
  });

  it("prefers the topic of most sentences to the odd ones", () => {
    const topic = Array.from(
      { length: 8 },
      (_, n) =>
        `The heat pump of building ${n} warms the flow water to ${40 + n} degrees in winter.`,
    );
    const odd = [
      "Somebody painted seven bicycles turquoise yesterday.",
      "Clara sings Portuguese ballads beautifully indoors.",
    ];
    const texts = summarise([passage([odd[0], ...topic, odd[1]].join(" "))]).map(
      ({ text }) => text,
    );
    expect(topic).toContain(texts[0]);
  });

  it("handles empty and very long texts", () => {
    expect(summarise([])).toEqual([]);
    expect(summarise([passage("")])).toEqual([]);
    const started = process.threadCpuUsage();
    summarise(
      Array.from({ length: 200 }, (_, n) =>
        passage(`The committee decided about item number ${n} in room ${n % 7}. `.repeat(40)),
      ),
    );
    expect(process.threadCpuUsage(started).user).toBeLessThan(5_000_000);
  });

  it("represents each of up to twelve documents, whatever most of them are about", () => {
    const about = (subject: string, number: number) => ({
      ...passage(
        `The ${subject} of office ${number} was renewed last winter. Each ${subject} costs ${number} hundred euros a year.`,
      ),
      documentId: String(number),
    });
    const subjects = "roof boiler garden lift kitchen archive cellar fence".split(" ");
    const passages = [
      ...subjects.map(about),
      ...Array.from({ length: 10 }, (_, number) => about("tram line", 20 + number)),
    ];
    const documents = (count: number) =>
      new Set(
        summarise(passages.slice(0, count)).map(({ passage: n }) => passages[n - 1]!.documentId),
      ).size;
    expect(documents(8)).toBe(8);
    expect(documents(18)).toBeGreaterThan(8);
    expect(documents(18)).toBeLessThanOrEqual(12);
  });

  it("stands for a mail with what it is about, not with its header", () => {
    const mail = passage(
      "Boiler replacement in block C\n\nFrom: Greta Lindqvist <greta@northwind.example>\nTo: tenants@northwind.example\n\nDear tenants,\n\nthe boiler in block C will be replaced in the week of 9 March. The work takes four long days. The costs of the boiler are paid from the reserve fund of the owners.",
    );
    const other = passage("The library of the school is open on every weekday until evening.");
    expect(
      summarise([
        { ...mail, documentId: "a", headingPath: ["Boiler replacement in block C"] },
        ...Array.from({ length: 5 }, (_, number) => ({ ...other, documentId: String(number) })),
      ])[0]!.text,
    ).toBe("the boiler in block C will be replaced in the week of 9 March.");
  });
});
