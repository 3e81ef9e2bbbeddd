import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openLanceStore, type VectorStore } from "@carrel/vector-store";
import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import { openLibrary } from "../test/query-mode.ts";

/** A spelling, ways to ask for it, and texts that only look like it. */
const cases: [written: string, asked: string[], others: string[]][] = [
  [
    "Das Schiff\u00adfahrts\u00adamt öffnet um acht.",
    ["Schifffahrtsamt"],
    ["Das Wasseramt schließt."],
  ],
  ["Das Amt für Schiff-\nfahrt öffnet um acht.", ["Schifffahrt"], ["Das Schiff fährt um acht."]],
  [
    "Das Amt für Schiff\u00ad\nfahrt öffnet um acht.",
    ["Schifffahrt"],
    ["Das Schiff fährt um acht."],
  ],
  ["The tem\u200bpera\u2060ture\ufeff rises.", ["temperature"], ["The tempo rises."]],
  ["می‌خواهم کتاب‌ها را بخوانم.", ["کتابها", "کتاب"], ["درخت سبز است."]],
  [
    "Das WLAN-Passwort hängt im Flur.",
    ["Passwort", "WLAN Passwort", "WLANPasswort", "WLAN-Passwort", "wlan-passwort"],
    ["Das WLAN ist langsam.", "Der Flur ist lang."],
  ],
  [
    "Call 030 12345678 at night.",
    ["03012345678", "+49 30 12345678", "030/1234 5678", "0049 30 12345678", "(030) 12345678"],
    ["Call 030 12345679 at night.", "Room 030 has 12345678 tiles."],
  ],
  [
    "Call +49 (0)30 1234-5678 at night.",
    ["03012345678", "030 12345678", "+493012345678"],
    ["Call +49 (0)30 1234-5679 at night."],
  ],
  [
    "Call 415-555-2671 at night.",
    ["4155552671", "+1 415 555 2671"],
    ["Call 415-555-2672 at night."],
  ],
  [
    "Pay to DE89 3704 0044 0532 0130 00 in May.",
    ["DE89370400440532013000", "DE89 3704 0044 0532 0130 00"],
    ["Pay to DE89 3704 0044 0532 0130 01 in May."],
  ],
  [
    "The card 4111 1111 1111 1111 is blocked.",
    ["4111111111111111", "4111-1111-1111-1111"],
    ["The card 4111 1111 1111 1112 is blocked."],
  ],
  [
    "See section 2.2 on heating.",
    ["section 2.2"],
    ["See section 2.2.1 on heating.", "See section 2 on heating."],
  ],
  [
    "Nach § 3 ist das erlaubt.",
    ["§ 3", "§3"],
    ["Nach § 4 ist das 3 Tage erlaubt.", "Am 3 Mai ist das erlaubt."],
  ],
  [
    "It is a well-known harbour.",
    ["well-known", "wellknown", "well known"],
    ["It is a known harbour."],
  ],
  [
    "The driver is written in C++.",
    ["C++", "c++"],
    ["The vitamin is C.", "The driver is written in C#."],
  ],
  [
    "The driver is written in C#.",
    ["C#"],
    ["The driver is written in C.", "The driver is written in F#."],
  ],
  ["The driver is written in F#.", ["F#", "f#"], ["The driver is written in F."]],
  ["The service needs .NET to run.", [".NET"], ["The fishing net is needed to run."]],
  [
    "The service needs Node.js to run.",
    ["Node.js", "NodeJS", "node js"],
    ["The node is needed to run."],
  ],
  ["The service needs ASP.NET to run.", ["ASP.NET", "aspnet"], ["The service needs .NET to run."]],
  [
    "Part KX-7741-B fits the pump.",
    ["KX-7741-B", "kx7741b", "KX7741B"],
    ["Part KX-7741-C fits the pump.", "Part KX-7742-B fits the pump."],
  ],
  [
    "Order RE-2024/0815-A is paid.",
    ["RE-2024/0815-A", "re-2024/0815-a"],
    ["Order RE-2024/0815-B is paid.", "Order RE-2023/0815-A is paid."],
  ],
  ["The display shows E11 then.", ["E11"], ["The display shows E12 then."]],
  [
    "Write to anna.brodie@example.org soon.",
    ["anna.brodie@example.org", "anna brodie", "example.org"],
    ["Write to ben.kell@example.net soon."],
  ],
  [
    "See https://docs.example.com/tide-table for it.",
    ["docs.example.com", "https://docs.example.com/tide-table", "tide table"],
    ["See https://www.example.net/price-list for it."],
  ],
  [
    "It is fixed in v2.4.1 of the app.",
    ["2.4.1", "v2.4.1", "fixed in 2.4.1"],
    ["It is fixed in version 2.4 of the app.", "It is fixed in v2.4.2 of the app."],
  ],
  [
    "Call computeTideTable first.",
    ["tide table", "computeTideTable", "computetidetable"],
    ["Call the computer first."],
  ],
  [
    "Call lookup_tide_rows first.",
    ["tide rows", "lookup_tide_rows", "lookupTideRows"],
    ["Look up the rows of the table."],
  ],
  ["The o\ufb03ce is on the left.", ["office"], ["The official is on the left."]],
  ["Part ＫＸ－７７４１ fits the pump.", ["KX-7741"], ["Part KX-7742 fits the pump."]],
  [
    "It was signed on 2024-03-04 there.",
    ["2024-03-04"],
    ["It was signed on 2024-04-03 there.", "In 2024, 03 and 04 signed."],
  ],
  [
    "It costs 1.234.567,89 in all.",
    ["1.234.567,89", "1,234,567.89", "1234567.89", "1'234'567.89", "1\u202f234\u202f567,89"],
    ["It costs 1.234.567 in all.", "It costs 89 in all."],
  ],
  [
    "Repeat it 10-20 times.",
    ["10-20"],
    ["Repeat it 1020 times.", "Repeat it 20 times in 10 days."],
  ],
  ["Add 10kg of flour.", ["10 kg", "10kg"], ["Add 12kg of flour."]],
  ["Elle boit de l’eau froide.", ["l'eau", "eau"], ["Elle boit du thé froid."]],
  ["Mr O’Brien has the key.", ["O'Brien", "OBrien", "Brien", "o’brien"], ["Mr Brown has the key."]],
  ["The line of AT&T is down.", ["AT&T", "at&t"], ["The line at the border is down."]],
  ["Ask R&D for a sample.", ["R&D"], ["Ask Dr. R. Dunn for a sample."]],
  [
    "Ask @anna_b in the channel #release-notes.",
    ["@anna_b", "#release-notes", "release notes"],
    ["Ask Anna in the channel of notes."],
  ],
  [
    "Oranges contain vitamin C in plenty.",
    ["vitamin C", "vitamin c"],
    ["Carrots contain vitamin A in plenty.", "Fish contains vitamin D in plenty."],
  ],
  ["Carrots contain vitamin A in plenty.", ["vitamin A"], ["Oranges contain a vitamin in plenty."]],
  ["The team chose plan B.", ["plan B", "plan b"], ["The team chose plan C."]],
  ["The bus leaves from Gate 7.", ["Gate 7"], ["The bus leaves from Gate 8 at noon."]],
  ["It treats type 2 diabetes.", ["type 2 diabetes"], ["It treats type 1 diabetes."]],
  [
    "The models are written in R, mostly.",
    ["written in R", "R"],
    ["The models are written in Python, mostly."],
  ],
  [
    "Санкт-Петербург стоит на Неве.",
    ["Санкт-Петербург", "Петербург", "Санктпетербург"],
    ["Москва стоит на реке."],
  ],
];

describe("words written in several ways", () => {
  let folder: string;
  let store: VectorStore;
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), "carrel-words-"));
    store = await openLanceStore({ folder });
  });
  afterAll(async () => {
    await store.close();
    await rm(folder, { recursive: true });
  });

  it.each(cases.map(([written, asked, others], place) => ({ written, asked, others, place })))(
    "$written",
    async ({ written, asked, others, place }) => {
      const distractors = [...others, ...general];
      const library = await openLibrary(store, place + 1, [
        ...distractors.map((text, number) => ({ title: `other ${number}.txt`, text })),
        { title: "right.txt", text: written },
      ]);
      for (const question of asked) {
        const { passages, ranked } = await library.ask(question, { topN: 10 });
        expect({ question, first: passages[0]?.text }).toEqual({ question, first: written });
        expect({ question, isWhole: ranked[0]!.score > 0.9 }).toEqual({ question, isWhole: true });
        expect(ranked[1]?.rank ?? 0).toBeLessThan(ranked[0]!.rank);
      }
    },
  );

  it("quotes the sentence with the word that is asked for", async () => {
    const text =
      "Part KX-7741-B fits the pump. Part KX-7741-C fits the boiler.\n\nThe driver is written in C++. The service is written in C#. The report is written in R.";
    const library = await openLibrary(store, cases.length + 1, [
      { title: "parts.txt", text },
      ...general.map((other, number) => ({ title: `other ${number}.txt`, text: other })),
    ]);
    for (const [question, quote] of [
      ["What does KX-7741-C fit?", "Part KX-7741-C fits the boiler."],
      ["What does KX-7741-B fit?", "Part KX-7741-B fits the pump."],
      ["What is written in C++?", "The driver is written in C++."],
      ["What is written in C#?", "The service is written in C#."],
      ["What is written in R?", "The report is written in R."],
    ]) {
      const { quotes } = await library.ask(question!);
      expect({ question, quote: quotes[0]?.text }).toEqual({ question, quote });
    }
  });
});

/** Included in every workspace, so that words have a rarity. */
const general = [
  "The harbour master keeps the logs in the office of the port.",
  "Der Hafenmeister bewahrt die Tabellen im Büro des Hafens auf.",
  "A net, a node and a table are on the list of parts.",
  "Call the office and ask for the version of the plan, a vitamin or a card.",
];
