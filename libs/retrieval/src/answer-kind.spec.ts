import { describe, expect, it } from "@jest/globals";
import { answerEvidence, answerKind } from "./answer-kind.ts";

const evidence = (question: string, sentence: string, language: string | null = "en") =>
  answerEvidence(sentence, question, answerKind(question)!, language, (word) =>
    word.startsWith("member"),
  );

describe("answerKind", () => {
  it.each([
    ["Who built it?", "name"],
    ["Where is the key?", "place"],
    ["In which year did it open?", "year"],
    ["When does it open?", "time"],
    ["What does a wash cost?", "price"],
    ["How much does the hotel cost per night?", "price"],
    ["How heavy is the battery?", "amount"],
    ["How often is it cleaned?", "amount"],
    ["How many members are there?", "count"],
    ["Why is it closed?", "reason"],
    ["Wie viele Tage hat der Monat?", "count"],
    ["Wann öffnet das Museum?", "time"],
    ["¿Cuánto cuesta?", "price"],
    ["全程需要多少时间？", "count"],
    ["언제 열립니까?", "time"],
    ["What is it?", undefined],
  ])("%s", (question, kind) => expect(answerKind(question)?.kind).toBe(kind));
});

describe("answerEvidence", () => {
  it.each([
    ["How many members are there?", "The council has nine members.", 1],
    ["How many members are there?", "It is valid for all members from 1 January 2025.", -1],
    ["How many members are there?", "There are seventeen names on the list.", 0],
    ["How heavy is the battery?", "The battery is charged after five hours.", -1],
    ["How heavy is the battery?", "The battery weighs 2.4 kg.", 1],
    ["How old is Birgit Aune?", "She is forty-one years old.", 1],
    ["How old is Birgit Aune?", "The chairwoman is Birgit Aune.", -1],
    ["What does the course cost?", "Courses are held at six.", -1],
    ["What does the course cost?", "The course is free of charge.", 1],
    ["In which year did it open?", "It opened in the afternoon.", -1],
    ["In which year did it open?", "It opened in 1902.", 1],
    ["When was the park built?", "A roof of 6,200 square metres stands in the park.", -1],
    ["When does it open?", "It opens on Mondays.", 1],
    ["Why is it closed?", "It is closed because of the flood.", 1],
    ["Who wrote it?", "It was written by Anselm Brodie.", 1],
  ])("%s ← %s", (question, sentence, expected) =>
    expect(evidence(question, sentence)).toBe(expected),
  );

  it("does not count missing words against a language without word lists", () => {
    expect(evidence("Сколько стоит билет?", "Билет стоит двести рублей.", "ru")).not.toBe(-1);
    expect(evidence("How many members are there?", "Nope.", null)).toBe(0);
  });
});
