import { describe, expect, it } from "@jest/globals";
import { analyse, analyseQuestion, analyseTerms } from "./analyse.ts";
import { chunkTerms, splitChunkTerms } from "./chunk-terms.ts";
import { detectLanguage } from "./language.ts";

/** Whether a question with the word `asked` finds a text with the word `written`. */
const finds = (asked: string, written: string, language: string | null): boolean => {
  const terms = new Set(analyseTerms(written, { language }));
  return analyseQuestion(asked, { languages: language ? [language] : [] }).some((word) =>
    word.forms.some((form) => terms.has(form)),
  );
};

describe("analyser", () => {
  it("folds forms, case and diacritics", () => {
    expect(analyseTerms("ﬁne CAFÉ Straße Ⅻ Ｔｏｋｙｏ Łódź", { language: null })).toEqual([
      "fine",
      "cafe",
      "strasse",
      "xii",
      "tokyo",
      "lodz",
    ]);
  });

  it("gives each term its position in the text", () => {
    const text = "Die Häuser, l’été 3.5 東京都 שָׁלוֹם كتاب‌ها \u{1f600} naïve";
    for (const { start, end } of analyse(text, { language: null })) {
      expect(start).toBeLessThan(end);
      expect(text.slice(start, end).trim()).toBe(text.slice(start, end));
      expect(text.slice(start, end)).not.toBe("");
    }
    expect(analyse("ein Haus", { language: "de" })).toEqual([{ term: "haus", start: 4, end: 8 }]);
  });

  it.each([
    ["en", "baking", "baked"],
    ["de", "Häusern", "Haus"],
    ["de", "HAUSER", "Häuser"],
    ["fr", "constructions", "construction"],
    ["fr", "fermées", "fermer"],
    ["es", "ciudades", "ciudad"],
    ["ru", "городами", "город"],
    ["tr", "kitaplarımızdan", "kitap"],
    ["tr", "İSTANBUL", "istanbul’da"],
    ["vi", "duong", "đường"],
    [null, "والمدرسة", "مدرسة"],
    [null, "الطالب", "للطالب"],
    [null, "كِتَاب", "الكتاب"],
    [null, "کتاب‌های", "كتاب"],
    [null, "הספרייה", "בספרייה"],
    [null, "שָׁלוֹם", "שלום"],
    [null, "図書館", "市立図書館"],
    [null, "학교", "학교에서"],
    [null, "北京", "我住在北京市"],
    [null, "ภาษาไทย", "เรียนภาษาไทย"],
  ])("%s: %s finds %s", (language, asked, written) =>
    expect(finds(asked, written, language)).toBe(true),
  );

  it("does not match words that only look alike", () => {
    expect(finds("university", "unique", "en")).toBe(false);
    expect(finds("京", "東", null)).toBe(false);
  });

  it("drops stop words of the language, but not the whole question", () => {
    expect(analyseTerms("the keeper of the tower", { language: "en" })).toEqual([
      "keeper",
      "tower",
    ]);
    expect(analyseQuestion("What is it?").length).toBeGreaterThan(0);
    expect(
      analyseQuestion("Wer hat den Turm gebaut?", { languages: ["de"] }).map(
        (word) => word.forms[0],
      ),
    ).toEqual(["turm", "gebaut"]);
  });

  it("never emits a term with white space or longer than 64 characters", () => {
    const strange = `${"x".repeat(5000)} ${"漢".repeat(300)} \u0000 \ud800 a\u00a0b \u200f ${"1.".repeat(500)}2 | § ${"ก".repeat(300)}`;
    for (const language of ["en", "tr", null]) {
      for (const term of analyseTerms(strange, { language })) {
        expect(term).not.toMatch(/\s/);
        expect(term.length).toBeLessThanOrEqual(64);
        expect(term).not.toBe("|");
      }
    }
  });

  it("detects the language of prose and returns null when unsure", () => {
    expect(detectLanguage("The keeper lived in the tower and kept his bees on the gallery.")).toBe(
      "en",
    );
    expect(
      detectLanguage("Der Wärter wohnte in dem Turm und hielt seine Bienen auf der Galerie."),
    ).toBe("de");
    expect(detectLanguage("Le gardien vivait dans la tour et élevait des abeilles.")).toBe("fr");
    expect(detectLanguage("El guarda vivía en la torre y criaba sus abejas.")).toBe("es");
    expect(detectLanguage("Смотритель жил в башне и держал пчёл на галерее.")).toBe("ru");
    expect(
      detectLanguage("Bekçi kulede yaşıyordu ve arılarını çok seviyordu, bu da bir alışkanlıktı."),
    ).toBe("tr");
    expect(detectLanguage("Người gác đèn sống trong tháp và nuôi ong.")).toBe("vi");
    expect(detectLanguage("12345 ++ --")).toBeNull();
  });

  it.each([
    ["Invoice 4711\nJ. E. Smith", null],
    ["Perlis, A. J.\nCACM December, 1958\nCA581203 JB March 22, 1978 8:28 PM", null],
    ["y;e;o\n1;2;3", null],
    ["const a = (o, e, y) => o.a + e.y;", null],
    ["A. O. Y. E.", null],
    ["Rechnung 4711 für die Werft\nJ. E. Schmidt", "de"],
    ["Techniques of the digital computer\nJ. E. Smith, A. O. Young", "en"],
    ["Meeting at 10 AM\nThe agenda of the board", "en"],
  ])("takes initials, codes and columns for no language: %j", (text, language) =>
    expect(detectLanguage(text)).toBe(language),
  );

  it("puts title, headings and language before a chunk’s own terms", () => {
    const { context, body } = splitChunkTerms(
      chunkTerms({
        text: "The lamp burns oil.",
        title: "Lighthouses.pdf",
        headingPath: ["Lamps"],
        language: "en",
      }),
    );
    expect(context).toEqual(["lighthous", "lamp", "§en"]);
    expect(body).toEqual(["lamp", "burn", "oil"]);
  });

  it("indexes further terms at positions that a word or its parts have already", () => {
    const split = (text: string) =>
      splitChunkTerms(chunkTerms({ text, title: "", headingPath: [], language: "en" }));
    expect(split("The well-known computeTide of O'Brien, 10-20 to-do")).toEqual({
      context: ["§en"],
      body: ["well", "known", "computetid", "brien", "10", "20", "todo"],
      shared: [
        { term: "wellknown", at: 1 },
        { term: "comput", at: 2 },
        { term: "tide", at: 2 },
        { term: "obrien", at: 3 },
        { term: "10-20", at: 5 },
      ],
    });
    expect(split("The keeper's l'eau isn't base64: aGVsbG8gd29ybGQ").shared).toEqual([]);
  });

  it("is fast enough for megabytes in a worker", () => {
    const text = Array.from(
      { length: 60_000 },
      (_, n) => `The ${n % 997}th keeper’s houses were standing near tower${n % 5000}.`,
    ).join(" ");
    analyseTerms(text.slice(0, 100_000));
    const started = process.threadCpuUsage();
    analyseTerms(text, { language: "en" });
    const speed = text.length / process.threadCpuUsage(started).user; // MB per second
    expect(speed).toBeGreaterThan(0.5);
  });
});
