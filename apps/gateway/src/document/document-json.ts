import { findUploaded, readLibraryText, type Out, type Scope } from "@carrel/contracts";
import { RequestClient } from "@carrel/messaging";
import { Injectable } from "@nestjs/common";

type Uploaded = Out<typeof findUploaded>["documents"][number];

/** Documents with their texts, as existing clients get them (wire-contract 6.2). */
@Injectable()
export class DocumentJson {
  constructor(private readonly requests: RequestClient) {}

  /** The documents that one upload became. */
  async listUploaded(scope: Scope, documentId: string): Promise<Uploaded[]> {
    const documents: Uploaded[] = [];
    for (let offset: number | null = 0; offset !== null;) {
      const part: Out<typeof findUploaded> = await this.requests.request(
        findUploaded,
        { documentId, offset },
        { scope },
      );
      documents.push(...part.documents);
      offset = part.next;
    }
    return documents;
  }

  /** Writes an array while reading the texts, so that no text is held in memory as a whole. */
  async *write(scope: Scope, documents: readonly Uploaded[]): AsyncGenerator<string> {
    yield "[";
    for (const [
      n,
      { token_count_estimate, location, isDirectUpload, ...document },
    ] of documents.entries()) {
      yield `${n === 0 ? "" : ","}${JSON.stringify(document).slice(0, -1)},"pageContent":"`;
      // Half a surrogate pair at the end of a part is written as an escape, and the next part's
      // other half completes it.
      for await (const text of this.readText(scope, document.id))
        yield JSON.stringify(text).slice(1, -1);
      yield `","token_count_estimate":${token_count_estimate},"location":${JSON.stringify(location)},"isDirectUpload":${isDirectUpload}}`;
    }
    yield "]";
  }

  private async *readText(scope: Scope, documentId: string): AsyncGenerator<string> {
    for (let start: number | null = 0; start !== null;) {
      const part: Out<typeof readLibraryText> = await this.requests.request(
        readLibraryText,
        { documentId, start },
        { scope },
      );
      yield part.text;
      start = part.next;
    }
  }
}
