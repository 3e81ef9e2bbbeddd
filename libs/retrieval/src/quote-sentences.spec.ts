import { describe, expect, it } from "@jest/globals";
import { quoteSentences, type ExtractiveInput } from "./quote-sentences.ts";

const passage = (text: string, title = "document.txt", headingPath: string[] = []) => ({
  text,
  title,
  headingPath,
  score: 0.8,
});
const ask = (
  question: string,
  passages: ExtractiveInput["passages"],
  more: Partial<ExtractiveInput> = {},
) => quoteSentences({ question, previousQuestion: null, passages, threshold: 0.25, ...more });
const lighthouse = passage(
  "The tower is built of grey granite. The last keeper, Anselm Brodie, left the tower in 1988. Guests may visit from June to September. The lens was made in Paris.",
);

describe("quoteSentences", () => {
  it("quotes verbatim, with passage and position", () => {
    const passages = [passage("Bread needs flour and water."), lighthouse];
    const quotes = ask("When did the last keeper leave the tower?", passages);
    expect(quotes[0]).toMatchObject({ passage: 2 });
    expect(quotes.map(({ text }) => text)).toContain(
      "The last keeper, Anselm Brodie, left the tower in 1988.",
    );
    for (const quote of quotes)
      expect(passages[quote.passage - 1]!.text.slice(quote.start, quote.end)).toBe(quote.text);
  });

  it("quotes nothing when the passages don't answer", () => {
    expect(ask("How much does a ticket for the opera cost?", [lighthouse])).toEqual([]);
    expect(ask("Who is the keeper of the zoo in Berlin?", [lighthouse])).toEqual([]);
    expect(ask("", [lighthouse])).toEqual([]);
    expect(ask("anything", [])).toEqual([]);
    expect(ask("keeper", [passage("")])).toEqual([]);
  });

  it("never quotes below the threshold, more than three or twice, and keeps reading order", () => {
    const many = passage(
      Array.from(
        { length: 20 },
        (_, n) =>
          `Keeper ${n} lit the lamp with rapeseed oil number ${n * 7}, as did colleague${n}.`,
      ).join(" "),
    );
    const quotes = ask("Which keeper lit the lamp with rapeseed oil?", [many, many]);
    expect(quotes.length).toBeGreaterThan(0);
    expect(quotes.length).toBeLessThanOrEqual(3);
    expect(new Set(quotes.map(({ text }) => text)).size).toBe(quotes.length);
    expect(quotes.every(({ score }) => score >= 0.25)).toBe(true);
    const places = quotes.map(({ passage: number, start }) => number * 1e6 + start);
    expect(places).toEqual([...places].sort((a, b) => a - b));
    expect(ask("Which keeper lit the lamp?", [many], { threshold: 1.01 })).toEqual([]);
  });

  it("understands a follow-up with the help of the previous question", () => {
    const passages = [
      passage(
        "The lighthouse on Skerry Point was built in 1871. Its lamp burned oil. The mill at Linnet was built in 1902. Its wheel turned slowly.",
      ),
    ];
    const quotes = ask("And the mill?", passages, {
      previousQuestion: "When was the lighthouse built?",
    });
    expect(quotes.map(({ text }) => text)).toContain("The mill at Linnet was built in 1902.");
  });

  it("quotes the sentence that answers, not its heading or neighbour", () => {
    const handbook = passage(
      "# Harbour house\n\n## Heating\n\nThe flow temperature is set to 48 degrees. Lunch was served at noon.\n\n## Waste\n\nGlass is collected on the second Tuesday of the month. The bins stand behind the bicycle shed.\n\n- The **blue** bin is for paper.\n",
    );
    const texts = (question: string) => ask(question, [handbook]).map(({ text }) => text);
    expect(texts("When is glass collected?")).toEqual([
      "Glass is collected on the second Tuesday of the month.",
    ]);
    expect(texts("What is the flow temperature of the heating?")).toEqual([
      "The flow temperature is set to 48 degrees.",
    ]);
    expect(texts("Which bin is for paper?")).toEqual(["The **blue** bin is for paper."]);
    expect(texts("What is the price of waste collection?")).toEqual([]);
  });

  it("never quotes a heading where a sentence below it answers", () => {
    const minutes = passage(
      "Minutes of the board meeting of 3 March 2026\n\nPresent: A. Karlsson, M. Dube\nApologies: P. Novak\n\n1. New library\nS. Tanaka reported that the opening is planned for 1 October. The cause is\nthe late delivery of the roof trusses.\n\n2. Any other business\n\nThe next meeting takes place on 7 April 2026.",
      "minutes.txt",
    );
    const contract = passage(
      "§ 3 Deposit\nThe tenant pays 2,940 euros as a deposit.\n\n§ 4 Pets\nDogs need written consent.",
      "contract.txt",
    );
    const texts = (question: string) => ask(question, [minutes, contract]).map(({ text }) => text);
    expect(texts("When is the next board meeting?")).toEqual([
      "The next meeting takes place on 7 April 2026.",
    ]);
    expect(texts("Why is the new library late?")).toEqual([
      "The cause is the late delivery of the roof trusses.",
    ]);
    expect(texts("How much is the deposit?")).toEqual([
      "The tenant pays 2,940 euros as a deposit.",
    ]);
  });

  it("quotes the text of a mail, and its header only where the question is about that", () => {
    const mail = passage(
      "Re: Release 4.2 delayed\n\nFrom: Tomás Rivera <tomas@ferrous.example>\nTo: Dana Whitfield <dana@ferrous.example>\nDate: 2026-02-05T16:40:00.000Z\n\nHi Dana,\n\nRelease 4.2 moves to 19 February, because the migration took eleven hours.",
      "mail.eml",
      ["Re: Release 4.2 delayed"],
    );
    const texts = (question: string) => ask(question, [mail]).map(({ text }) => text);
    for (const question of ["Why is release 4.2 delayed?", "When is release 4.2?", "Release 4.2"])
      expect(texts(question)).toEqual([
        "Release 4.2 moves to 19 February, because the migration took eleven hours.",
      ]);
    expect(texts("Who sent the mail to Dana Whitfield?")[0]).toMatch(/^From: Tomás Rivera/);
  });

  it("quotes what is below the heading that a question only names", () => {
    const handbook = passage(
      "## Sick leave\n\nTell your team lead before 09:30. A certificate is needed from the third day on.",
    );
    expect(ask("Sick leave", [handbook]).map(({ text }) => text)).toEqual([
      "Tell your team lead before 09:30. A certificate is needed from the third day on.",
    ]);
  });

  it("adds the date of a notice that its sentences lack", () => {
    const notice = passage(
      "NOTICE TO RESIDENTS\n\nWater supply interruption\n\nDate: Thursday, 14 May 2026\nTime: 09:00 to 13:00\n\nThe water will be turned off while the main valve is replaced. Please store enough drinking water.",
    );
    expect(ask("When is the water turned off?", [notice]).map(({ text }) => text)).toEqual([
      "Date: Thursday, 14 May 2026\nTime: 09:00 to 13:00",
      "The water will be turned off while the main valve is replaced.",
    ]);
  });

  it.each([
    ["Where is the assembly point?", "The assembly point is across the street."],
    [
      "How many breeding pairs of the grebe were there?",
      "The number of breeding pairs of the grebe rose from 31 to 44.",
    ],
    [
      "Why did the number of coots fall?",
      "We attribute the decline of the coots to the low water level.",
    ],
    ["How was the study funded?", "The work was funded by the Myra Foundation."],
    [
      "How long is the notice period?",
      "The tenant may leave with three months' notice to the end of a month.",
    ],
    ["What is the phone number of the waterworks?", "City Waterworks, Tel. 555 0142"],
  ])("%s", (question, answer) =>
    expect(
      ask(question, [passage(`Lunch was served at noon.\n\n${answer}`)]).map(({ text }) => text),
    ).toEqual([answer]),
  );

  it("distinguishes numbered items", () => {
    const faults = [
      passage(
        "Error E04 means that the flow is too low. Error E11 reports a broken sensor. Error E20 shows that the power was interrupted.",
      ),
    ];
    expect(ask("What does error E11 mean?", faults).map(({ text }) => text)).toEqual([
      "Error E11 reports a broken sensor.",
    ]);
    expect(
      ask("And E20?", faults, { previousQuestion: "What does error E11 mean?" }).map(
        ({ text }) => text,
      ),
    ).toEqual(["Error E20 shows that the power was interrupted."]);
    expect(ask("What does error E99 mean?", faults)).toEqual([]);
  });

  it("counts title and headings towards a sentence", () => {
    const quotes = ask("How long is the guarantee on the compressor of the Aurelia?", [
      passage(
        "All parts are covered for three years, the compressor for seven.",
        "Aurelia manual.pdf",
        ["Guarantee"],
      ),
    ]);
    expect(quotes).toHaveLength(1);
  });

  it.each([
    [
      "Wer baute den Turm?",
      "Der Turm wurde 1871 von Tobias Oswald gebaut. Das Wetter war schlecht.",
      "Der Turm wurde 1871 von Tobias Oswald gebaut.",
    ],
    [
      "地铁全程需要多少时间？",
      "茶农在清明前采茶。地铁全程需要四十分钟。",
      "地铁全程需要四十分钟。",
    ],
    [
      "من تبرع بالعملات الذهبية؟",
      "يفتح المتحف يوميا. تبرع تاجر ثري بالعملات الذهبية.",
      "تبرع تاجر ثري بالعملات الذهبية.",
    ],
    [
      "Где хранится чертёж моста?",
      "Музей открыт ежедневно. Чертежи мостов хранятся в архиве.",
      "Чертежи мостов хранятся в архиве.",
    ],
  ])("%s", (question, text, expected) =>
    expect(ask(question, [passage(text)]).map((quote) => quote.text)).toContain(expected),
  );

  it("quotes a notice as a whole, never a weaker passage instead", () => {
    const notice = passage(
      "NOTICE\n\nLOW SPEED TUNNEL\n\nCLOSED 12 - 16 MAY\n\nfor repairs to the fan",
      "scan.png",
    );
    const weaker = {
      ...passage("The tunnel was closed on 3 March 1996, when the low bridge was built."),
      score: 0.27,
    };
    for (const text of [
      notice.text,
      "Low speed tunnel\nwill be closed from\nthe 12th to the 16th\nof this month",
      "low  speed tunnel\nclosed\nuntil further notice",
      "THE LOW SPEED TUNNEL IS\nCLOSED FOR REPAIRS.",
    ]) {
      const quotes = ask("When is the low speed tunnel closed?", [
        { ...notice, text, score: 1 },
        weaker,
      ]);
      expect(quotes.map((quote) => quote.passage)).toEqual([1]);
      expect(quotes[0]!.text.toLowerCase()).toContain("tunnel");
      expect(quotes[0]!.text.toLowerCase()).toContain("closed");
    }
    expect(ask("When is the low speed tunnel closed?", [notice])[0]!.text).toBe(
      "NOTICE LOW SPEED TUNNEL CLOSED 12 - 16 MAY for repairs to the fan",
    );
  });

  it("quotes full texts, which no search rated, beside passages that it did", () => {
    const full = { ...lighthouse, score: 1, isUnrated: true };
    const found = { ...passage("The mill keeper left the old mill in 1952."), score: 0.4 };
    expect(
      ask("When did the mill keeper leave?", [full, found]).map((quote) => quote.passage),
    ).toEqual([2]);
  });

  it("joins wrapped lines and hyphenated words of a PDF", () => {
    const wrapped = passage(
      "The committee met twice in the spring of that year and found that the main\nspillway of the upper dam had to be rein-\nforced with concrete before the winter of 1962,\nbecause the rock was soft. Nothing else was decided.",
    );
    expect(
      ask("Why did the spillway of the dam have to be reinforced?", [wrapped]).map(
        ({ text }) => text,
      ),
    ).toEqual([
      "The committee met twice in the spring of that year and found that the main spillway of the upper dam had to be reinforced with concrete before the winter of 1962, because the rock was soft.",
    ]);
  });

  it("quotes the sentence, not the abstract, where full stops stand between spaces", () => {
    const abstract = passage(
      "an investigation was made of the wing in a slipstream . the spanwise lift increase was measured at several angles . a destalling effect was found to be the main cause of the lift increase . theory is being extended .",
    );
    expect(
      ask("what was found to be the main cause of the lift increase", [abstract]).map(
        ({ text }) => text,
      ),
    ).toEqual(["a destalling effect was found to be the main cause of the lift increase ."]);
  });

  it("quotes the row of what is counted, although its number stands in another column", () => {
    const rows = [
      ["Copper pipe", 120],
      ["Ball valve", 36],
      ["Expansion vessel", 4],
    ].map(([item, stock]) => `Item: ${item}\nStock: ${stock}\nShelf: A1`);
    const quotes = ask("How many ball valves are in stock?", [
      passage(rows.join("\n\n"), "stock.xlsx"),
    ]);
    expect(quotes.map(({ text }) => text)).toEqual([rows[1]]);
  });

  it("handles text without full stops, and long input, in reasonable time", () => {
    const table = passage(
      Array.from({ length: 400 }, (_, n) => `row ${n} keeper name${n}`).join("\n"),
    );
    const started = process.threadCpuUsage();
    ask("Which keeper stands in row 7?", [
      table,
      passage("x".repeat(200_000)),
      passage("word ".repeat(20_000)),
    ]);
    expect(process.threadCpuUsage(started).user).toBeLessThan(5_000_000);
  });
});
