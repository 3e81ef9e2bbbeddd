import { Injectable } from "@nestjs/common";
import { CarrelError, listContextTexts, type Out, type WorkspaceScope } from "@carrel/contracts";
import { RequestClient } from "@carrel/messaging";
import type { FullText } from "./full-texts.ts";

/** Reads the texts that go into a prompt in full. */
@Injectable()
export class FullTextReader {
  constructor(private readonly requests: RequestClient) {}

  /**
   * Returns pinned documents, then the files attached to the thread (null: none), up to
   * `maximumCharacters` in total. Texts that don't fit into one reply arrive in parts and are
   * joined.
   */
  async list(
    scope: WorkspaceScope,
    threadId: number | null,
    maximumCharacters: number,
    signal?: AbortSignal,
  ): Promise<FullText[]> {
    const texts: FullText[] = [];
    let after: string | null = null;
    do {
      signal?.throwIfAborted();
      let page: Out<typeof listContextTexts>;
      try {
        page = await this.requests.request(
          listContextTexts,
          { threadId, maximumCharacters, after },
          { scope },
        );
      } catch (error) {
        // During a rolling update, a replica of ingest may still run an earlier version.
        if (error instanceof CarrelError && error.kind === "UNSUPPORTED") return [];
        throw error;
      }
      for (const part of page.texts) {
        const last = texts.at(-1);
        if (last !== undefined && last.documentId === part.documentId && last.kind === part.kind)
          last.text += part.text;
        else texts.push({ ...part });
      }
      after = page.next;
    } while (after !== null);
    return texts.filter(({ text }) => text.trim() !== "");
  }
}
