import {
  listHiddenDocuments,
  type Principal,
  type QuestionMention,
  type Scope,
  type SourceWire,
} from "@carrel/contracts";
import { RequestClient } from "@carrel/messaging";
import { Injectable } from "@nestjs/common";

/** The contract's limit. */
const idsAtOnce = 20_000;

type Cited = Pick<SourceWire, "documentId">;

/**
 * Takes what a reader may not see out of the citations of stored answers, which may be older than
 * the document's restriction, or another person's (docs/decisions/document-permissions.md).
 */
@Injectable()
export class CitationAccess {
  constructor(private readonly requests: RequestClient) {}

  /**
   * Which of these documents the caller may not see. All of them while ingest can't be asked: the
   * answers are still worth reading.
   */
  async findHidden({ principal }: Scope, documentIds: Iterable<string>): Promise<Set<string>> {
    const ids = [...new Set(documentIds)];
    const hidden = new Set<string>();
    const scope = { principal, workspace: null };
    try {
      for (let from = 0; from < ids.length; from += idsAtOnce) {
        const input = { documentIds: ids.slice(from, from + idsAtOnce) };
        const reply = await this.requests.request(listHiddenDocuments, input, { scope });
        for (const id of reply.hidden) hidden.add(id);
      }
      return hidden;
    } catch {
      return new Set(ids);
    }
  }

  /** These turns with the citations that the caller may read. */
  async mask<Turn extends { sources: SourceWire[] }>(
    scope: Scope,
    turns: readonly Turn[],
  ): Promise<Turn[]> {
    const cited = turns.flatMap(({ sources }) =>
      sources.map(({ documentId }: Cited) => documentId),
    );
    const hidden = await this.findHidden(scope, cited);
    if (hidden.size === 0) return [...turns];
    return turns.map((turn) => ({ ...turn, sources: maskSources(turn.sources, hidden) }));
  }
}

/**
 * What was chosen for a question, by names that only its asker is sure to know: they aren't looked up
 * again, so others see none of documents and folders.
 */
export const readableMentions = (
  { kind, userId }: Principal,
  askerId: number | null,
  mentions: readonly QuestionMention[],
): QuestionMention[] => {
  const seesAll = kind === "service" || kind === "instance";
  const isAsker = (kind === "user" || kind === "extension") && userId === askerId;
  return mentions.filter((mention) => seesAll || isAsker || mention.kind === "model");
};

/** Keeps a citation's number, but nothing of its document. */
export const maskSources = (
  sources: readonly SourceWire[],
  hidden: ReadonlySet<string>,
): SourceWire[] =>
  sources.map((source, index) => (hidden.has(source.documentId) ? maskedSource(index) : source));

const maskedSource = (index: number): SourceWire => ({
  id: `hidden-${index + 1}`,
  url: "",
  // For clients that don't know `isHidden`.
  title: "Restricted document",
  docAuthor: "",
  description: "",
  docSource: "",
  chunkSource: "",
  published: "",
  wordCount: 0,
  token_count_estimate: 0,
  text: "",
  documentId: "",
  docpath: "",
  page: null,
  start: 0,
  end: 0,
  headingPath: [],
  isHidden: true,
});
