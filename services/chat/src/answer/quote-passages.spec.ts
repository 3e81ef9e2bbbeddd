import { passageOf } from "../../test/factories/passage.ts";
import { selectSources } from "../retrieval/earlier-sources.ts";
import { cite, citePages } from "./quote-passages.ts";

const first = "The water level was low in April. ";
const passage = passageOf({
  text: `${first}The foundation paid 23,500 euros for the survey.`,
  start: 100,
  page: 1,
  pageStarts: [
    { page: 1, start: 0 },
    { page: 2, start: 100 + first.length },
  ],
});

describe("the page of a source", () => {
  it("is that of the quoted sentence", () => {
    const pages = (start: number) =>
      cite([passage], [{ text: "", passage: 1, start }]).passages.map(({ page }) => page);
    expect(pages(0)).toEqual([1]);
    expect(pages(first.length)).toEqual([2]);
  });

  it("is that which supports a model's answer", () => {
    const pages = (answer: string) =>
      citePages(selectSources([passage]), [passage], answer).map(({ page }) => page);
    expect(pages("The survey cost 23,500 euros, paid by a foundation [1].")).toEqual([2]);
    expect(pages("Water was low in April. [1]\n\nNobody paid.")).toEqual([1]);
    expect(pages("Nothing is cited.")).toEqual([1]);
  });
});
