import {
  readHistory,
  splitReasoning,
  type admitVisitor,
  type Conversation,
  type HistoryItem,
  type Out,
  type readWidgetHistory,
  type RecordedReasoning,
} from "@carrel/contracts";
import { RequestClient } from "@carrel/messaging";
import { Injectable } from "@nestjs/common";
import { visitorSources, withoutMarks } from "./visitor-frames.ts";
import type { VisitorReasoning } from "./visitor-reasoning.ts";

/** Maximum pages; longer sessions lose their oldest messages. */
const maxPages = 20;

type Item = HistoryItem & { reasoning?: RecordedReasoning | null };
type Items = Out<typeof readWidgetHistory>["history"];

/** The part of a session that its visitor may read. */
@Injectable()
export class VisitorHistory {
  constructor(private readonly requests: RequestClient) {}

  async read(
    { scope, showSources }: Out<typeof admitVisitor>,
    conversation: Conversation,
    shown: VisitorReasoning,
  ): Promise<Items> {
    const pages: Item[][] = [];
    let before: number | null = null;
    for (let count = 0; count < maxPages; count += 1) {
      const { page }: Out<typeof readHistory> = await this.requests.request(
        readHistory,
        { thread: null, conversation, before, knownVersion: null },
        { scope },
      );
      if (page === null) break;
      pages.unshift(JSON.parse(`[${page.items}]`) as Item[]);
      if (page.next === null) break;
      before = page.next;
    }
    const withMarks = (text: string): string => (showSources ? text : withoutMarks(text));
    return pages.flat().map(({ reasoning = null, ...item }) => {
      if (item.role === "user") return { ...item, attachments: [] };
      const split =
        shown === "inline"
          ? { answer: item.content, reasoning: [] }
          : splitReasoning(item.content, reasoning);
      const thoughts = split.reasoning.map(({ text }) => text).join("\n\n");
      return {
        ...item,
        content: withMarks(split.answer),
        ...(shown === "apart" && thoughts !== "" && { thoughts: withMarks(thoughts) }),
        sources: showSources ? visitorSources(item.sources) : [],
        feedbackScore: null,
        // Figures name the model and its cost, so they are left out.
        metrics: {},
      };
    });
  }
}
