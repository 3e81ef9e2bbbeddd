import type { ChatCompletion, ResponseAnnotation, SourceWire } from "@carrel/contracts";

type ChatAnnotation = ChatCompletion["choices"][number]["message"]["annotations"][number];

const citationMark = /\[(\d{1,3}(?:\s?,\s?\d{1,3})*)\](?!\()/g;

/**
 * One annotation for each place where the text cites a source, and one at the end of the text for
 * each source that it doesn't cite.
 */
export function annotate(text: string, sources: readonly SourceWire[]): ResponseAnnotation[] {
  const cited = new Set<number>();
  const annotations: ResponseAnnotation[] = [];
  const add = (index: number, start: number, end: number): void => {
    const source = sources[index];
    if (source === undefined) return;
    cited.add(index);
    annotations.push({
      type: "url_citation",
      start_index: start,
      end_index: end,
      title: source.title,
      url: source.url,
      carrel_source: source,
    });
  };
  if (sources.length > 0)
    for (const mark of text.matchAll(citationMark))
      for (const number of mark[1]!.split(","))
        add(Number(number) - 1, mark.index, mark.index + mark[0].length);
  sources.forEach((_, index) => {
    if (!cited.has(index)) add(index, text.length, text.length);
  });
  return annotations;
}

/** Chat completions put position, title and address in a separate object. */
export const toChatAnnotation = ({
  type,
  carrel_source,
  ...citation
}: ResponseAnnotation): ChatAnnotation => ({ type, url_citation: citation, carrel_source });
