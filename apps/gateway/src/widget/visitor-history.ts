import {
  readHistory,
  type admitVisitor,
  type Conversation,
  type HistoryItem,
  type Out,
  type readWidgetHistory,
} from "@carrel/contracts";
import { RequestClient } from "@carrel/messaging";
import { Injectable } from "@nestjs/common";
import { visitorSources, withoutMarks } from "./visitor-frames.ts";

/** Maximum pages; longer sessions lose their oldest messages. */
const maxPages = 20;

type Items = Out<typeof readWidgetHistory>["history"];

/** What a visitor may read of a session. */
@Injectable()
export class VisitorHistory {
  constructor(private readonly requests: RequestClient) {}

  async read(
    { scope, showSources }: Out<typeof admitVisitor>,
    conversation: Conversation,
  ): Promise<Items> {
    const pages: HistoryItem[][] = [];
    let before: number | null = null;
    for (let count = 0; count < maxPages; count += 1) {
      const { page }: Out<typeof readHistory> = await this.requests.request(
        readHistory,
        { thread: null, conversation, before, knownVersion: null },
        { scope },
      );
      if (page === null) break;
      pages.unshift(JSON.parse(`[${page.items}]`) as HistoryItem[]);
      if (page.next === null) break;
      before = page.next;
    }
    return pages.flat().map((item) =>
      item.role === "user"
        ? { ...item, attachments: [] }
        : {
            ...item,
            content: showSources ? item.content : withoutMarks(item.content),
            sources: showSources ? visitorSources(item.sources) : [],
            feedbackScore: null,
            // Figures name the model and what it cost.
            metrics: {},
          },
    );
  }
}
