import { sleep } from "../tools/process.ts";
import { prose, quantile } from "./client.ts";

/** A workspace with texts of `prose`, seeds from 1, and an API key for it. */
export interface Place {
  url: string;
  key: string;
  slug: string;
  texts: number;
}

/** Searches at a steady pace, whatever a search takes. */
export class SteadySearches {
  /** Replies without a passage since the last reset. */
  readonly failed: string[] = [];
  private asked = 0;

  constructor(
    private readonly place: Place,
    /** Between the starts of two searches. */
    private readonly everyMs: number,
  ) {}

  /** Resolves to the milliseconds of each search. */
  async until(isOver: (count: number) => boolean): Promise<number[]> {
    const times: Promise<number>[] = [];
    const began = performance.now();
    while (!isOver(times.length)) {
      times.push(this.search(this.asked++));
      await sleep(Math.max(0, began + times.length * this.everyMs - performance.now()));
    }
    return Promise.all(times);
  }

  /** Searches for words of a text; the number makes the question a new one. */
  private async search(n: number): Promise<number> {
    const { url, key, slug, texts } = this.place;
    const began = performance.now();
    const reply = await fetch(`${url}/api/v1/workspace/${slug}/vector-search`, {
      method: "POST",
      headers: { authorization: `Bearer ${key}`, "content-type": "application/json" },
      body: JSON.stringify({
        query: `${prose((n % texts) + 1, 200).slice(40, 120)} ${n}`,
        topN: 4,
      }),
    });
    const text = await reply.text();
    if (!reply.ok || !text.includes('"text"'))
      this.failed.push(`${reply.status} ${text.slice(0, 200)}`);
    return performance.now() - began;
  }
}

/** Median, 95th percentile and longest. */
export const describeTimes = (times: number[]): string =>
  `${[0.5, 0.95, 1].map((q) => quantile(times, q).toFixed(0)).join(" / ")} ms`;
