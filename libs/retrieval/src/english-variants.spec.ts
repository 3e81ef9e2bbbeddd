import { expect, it } from "@jest/globals";
import { analyse, analyseQuestion } from "./analyse.ts";
import { weighQuestion } from "./question.ts";

const ask = (word: string, languages = ["en"]) =>
  analyseQuestion(`What is the ${word} of it?`, { languages });
const termsOf = (word: string): string[] =>
  analyse(`The ${word} is here.`, { language: "en" }).map(({ term }) => term);
const isVariant = (asked: string, written: string): boolean => {
  const variants = ask(asked).flatMap((word) => word.variants ?? []);
  return termsOf(written).some((term) => variants.includes(term));
};

it.each([
  ["tires", "tyres"],
  ["tyre", "tire"],
  ["center", "centre"],
  ["kilometers", "kilometre"],
  ["jewelry", "jewellery"],
  ["organize", "organisation"],
  ["organised", "organization"],
  ["analyze", "analysed"],
  ["freeze", "frozen"],
  ["lost", "loses"],
  ["buying", "bought"],
  ["woman", "women"],
  ["analysis", "analyses"],
])("%s and %s are one word", (asked, written) => {
  expect(isVariant(asked, written)).toBe(true);
});

it.each([
  ["rise", "rose"],
  ["leave", "left"],
  ["find", "found"],
])("%s and %s may be different words", (asked, written) => {
  expect(isVariant(asked, written)).toBe(false);
});

it("leaves other languages alone, which have words that are spelled like these", () => {
  const words = analyseQuestion("Wie viele Meter ist der Turm am Hafen hoch?", {
    languages: ["de", "en"],
  });
  expect(words.flatMap(({ variants = [] }) => variants)).toEqual([]);
});

it("searches for variants only where no text has the word as asked", () => {
  const searched = (frequencies: Record<string, number>): string[] =>
    weighQuestion(ask("tires"), {
      documentCount: 20,
      averageLength: 100,
      frequencies: new Map(Object.entries(frequencies)),
    }).flatMap(({ forms }) => [...forms.keys()]);
  expect(searched({ tyre: 2 })).toEqual(["tyre"]);
  expect(searched({ tire: 1, tyre: 2 })).toEqual(["tire"]);
});
