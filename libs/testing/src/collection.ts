import { existsSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { dirname, join } from "node:path";

/**
 * A folder of `shared` (`data`, `models`) beside the checkout or one of its parents; null if there
 * is none. Large files for tests and benchmarks are kept out of the repository.
 */
export function findBesideCheckout(name: string): string | null {
  for (let folder = import.meta.dirname; folder !== dirname(folder); folder = dirname(folder)) {
    const found = join(folder, "shared", name);
    if (existsSync(found)) return found;
  }
  return null;
}

interface RawRow {
  id?: string;
  _id?: string;
  title?: string;
  text: string;
}

/**
 * A judged collection of texts and questions, in the files of BEIR's format: corpus.jsonl,
 * queries.jsonl, qrels.tsv.
 */
export class Collection {
  constructor(readonly folder: string) {}

  get exists(): boolean {
    return existsSync(join(this.folder, "corpus.jsonl"));
  }

  async documents(): Promise<{ id: string; title: string; text: string }[]> {
    return (await this.rows("corpus.jsonl")).map((row) => ({
      id: idOf(row),
      title: row.title ?? "",
      text: row.text,
    }));
  }

  async questions(): Promise<{ id: string; text: string }[]> {
    return (await this.rows("queries.jsonl")).map((row) => ({ id: idOf(row), text: row.text }));
  }

  /** Question → documents judged relevant to any degree. */
  async relevant(): Promise<Map<string, Set<string>>> {
    const relevant = new Map<string, Set<string>>();
    for (const line of await this.lines("qrels.tsv")) {
      const [question, document, grade] = line.split("\t");
      if (!question || !document || !(Number(grade) > 0)) continue;
      relevant.set(question, (relevant.get(question) ?? new Set()).add(document));
    }
    return relevant;
  }

  private async rows(name: string): Promise<RawRow[]> {
    return (await this.lines(name)).map((line) => JSON.parse(line) as RawRow);
  }

  private async lines(name: string): Promise<string[]> {
    return (await readFile(join(this.folder, name), "utf8")).split("\n").filter(Boolean);
  }
}

const idOf = (row: RawRow): string => String(row.id ?? row._id);

/** nDCG of a ranking, 0 to 1, with binary relevance. */
export function normalisedGain(
  found: readonly string[],
  wanted: ReadonlySet<string>,
  cutoff = 10,
): number {
  const discount = (place: number): number => 1 / Math.log2(place + 2);
  let gain = 0,
    ideal = 0;
  for (const [place, id] of found.slice(0, cutoff).entries())
    if (wanted.has(id)) gain += discount(place);
  for (let place = 0; place < Math.min(cutoff, wanted.size); place++) ideal += discount(place);
  return gain / ideal;
}
