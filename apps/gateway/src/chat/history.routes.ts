import {
  listChats,
  listThreadChats,
  listTurns,
  type HistoryItem,
  type Out,
  type StoredAttachment,
  type TurnWire,
} from "@carrel/contracts";
import { RequestClient } from "@carrel/messaging";
import { Injectable } from "@nestjs/common";
import { Route, type Call } from "../http/route.ts";
import { ChatImages } from "./chat-images.ts";

/**
 * Maximum pages per history, each with at most 480 kB of text. Longer histories lose their oldest
 * turns.
 */
const mostPages = 100;

/** Existing clients have no paging here: returns all turns, oldest first. */
async function readWhole(
  before: number | undefined,
  read: (before: number | undefined) => Promise<Out<typeof listChats>>,
): Promise<HistoryItem[]> {
  const pages: HistoryItem[][] = [];
  for (let at = before; pages.length < mostPages;) {
    const { history, next } = await read(at);
    pages.unshift(history);
    if (next == null) break;
    at = next;
  }
  return pages.flat();
}

/**
 * Histories including the images of their questions, which are too large for a reply between
 * services.
 */
@Injectable()
export class HistoryRoutes {
  constructor(
    private readonly requests: RequestClient,
    private readonly images: ChatImages,
  ) {}

  @Route(listChats)
  async inDefaultThread({ input, scope }: Call<typeof listChats>): Promise<Out<typeof listChats>> {
    return {
      history: await this.fillAll(
        await readWhole(input.before, (before) =>
          this.requests.request(listChats, { ...input, before }, { scope }),
        ),
      ),
    };
  }

  @Route(listThreadChats)
  async inThread({
    input,
    scope,
  }: Call<typeof listThreadChats>): Promise<Out<typeof listThreadChats>> {
    return {
      history: await this.fillAll(
        await readWhole(input.before, (before) =>
          this.requests.request(listThreadChats, { ...input, before }, { scope }),
        ),
      ),
    };
  }

  @Route(listTurns)
  async turns({ input, scope }: Call<typeof listTurns>): Promise<Out<typeof listTurns>> {
    const page = await this.requests.request(listTurns, input, { scope });
    return { ...page, turns: await this.fillAll(page.turns) };
  }

  private fillAll<Item extends HistoryItem | TurnWire>(items: Item[]): Promise<Item[]> {
    const of = (item: Item): StoredAttachment[] =>
      "attachments" in item ? (item.attachments ?? []) : [];
    const all = items.flatMap(of);
    if (all.length === 0) return Promise.resolve(items);
    return this.images
      .fill(all)
      .then((filled) =>
        items.map((item) =>
          of(item).length === 0
            ? item
            : { ...item, attachments: filled.splice(0, of(item).length) },
        ),
      );
  }
}
